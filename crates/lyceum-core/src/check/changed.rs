//! Which lines of a text are new or different against an older version of it.
//!
//! Lines are compared without their ends. What stands at the beginning and at the end of both is unchanged; in between
//! a line is unchanged when the older version has one like it there, each counted once, so a moved line is not new.

use std::collections::HashMap;

use super::types::Problem;
use crate::text::Source;

/// The changed lines of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangedLines {
    /// The file is new.
    All,
    /// These lines, from 1, in order.
    Some(Vec<u32>),
}

impl ChangedLines {
    /// Compares a text with its older version.
    #[must_use]
    pub fn between(old: &[u8], new: &Source) -> Self {
        let old: Vec<&[u8]> = lines(old);
        let count = new.line_count();
        let now: Vec<&str> = (1..=count)
            .map(|number| new.line(u32::try_from(number).unwrap_or(u32::MAX)))
            .collect();
        let same = |a: &[u8], b: &str| a.trim_ascii_end() == b.as_bytes().trim_ascii_end();
        let shorter = old.len().min(now.len());
        let head = (0..shorter).take_while(|&i| same(old[i], now[i])).count();
        let tail = (0..shorter - head)
            .take_while(|&i| same(old[old.len() - 1 - i], now[now.len() - 1 - i]))
            .count();
        let mut left: HashMap<&[u8], usize> = HashMap::new();
        for line in &old[head..old.len() - tail] {
            *left.entry(line.trim_ascii_end()).or_default() += 1;
        }
        let mut changed = Vec::new();
        for (i, line) in now.iter().enumerate().take(now.len() - tail).skip(head) {
            match left.get_mut(line.as_bytes().trim_ascii_end()) {
                Some(n) if *n > 0 => *n -= 1,
                _ => changed.push(u32::try_from(i + 1).unwrap_or(u32::MAX)),
            }
        }
        Self::Some(changed)
    }

    /// True when a problem's place touches a changed line.
    #[must_use]
    pub fn touch(&self, problem: &Problem, source: &Source) -> bool {
        match self {
            Self::All => true,
            Self::Some(lines) => {
                let first = source.line_number(problem.span.start);
                let end = problem.span.end.saturating_sub(1).max(problem.span.start);
                let last = source.line_number(end);
                let from = lines.partition_point(|&line| line < first);
                lines.get(from).is_some_and(|&line| line <= last)
            }
        }
    }
}

/// Lines by LF, CRLF and a lone CR, as [`Source`] counts them.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let mut out = Vec::new();
    let mut start = 0;
    for (i, &byte) in bytes.iter().enumerate() {
        let ends = byte == b'\n' || (byte == b'\r' && bytes.get(i + 1) != Some(&b'\n'));
        if ends {
            out.push(bytes.get(start..i).unwrap_or_default());
            start = i + 1;
        }
    }
    out.push(bytes.get(start..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(old: &str, new: &str) -> Vec<u32> {
        match ChangedLines::between(old.as_bytes(), &Source::new("a", new)) {
            ChangedLines::All => panic!("all"),
            ChangedLines::Some(lines) => lines,
        }
    }

    #[test]
    fn new_and_different_lines_are_changed() {
        assert_eq!(changed("a\nb\nc\n", "a\nb\nc\n"), [0_u32; 0]);
        assert_eq!(changed("a\nb\nc\n", "a\nx\nc\n"), [2]);
        assert_eq!(changed("a\nc\n", "a\nb\nc\n"), [2]);
        assert_eq!(changed("", "a\nb\n"), [1, 2]);
        assert_eq!(changed("a\nb\nc\n", "a\n"), [0_u32; 0]);
        assert_eq!(changed("a\na\n", "a\na\na\nb\n"), [3, 4]);
    }

    #[test]
    fn line_ends_and_moves_are_no_change() {
        assert_eq!(changed("a\r\nb\r\n", "a\nb\n"), [0_u32; 0]);
        assert_eq!(changed("a\rb\r", "a\nb\n"), [0_u32; 0]);
        assert_eq!(changed("a\nb\nc\nd\n", "b\na\nd\nc\n"), [0_u32; 0]);
    }
}
