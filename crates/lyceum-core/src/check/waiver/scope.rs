//! Which lines a waiver holds for.

use std::collections::HashMap;

use super::Scope;
use crate::text::{FileId, Manuscript, Source, Span};

/// Works out scopes, remembering for each file where its paragraphs end.
pub(super) struct Scopes<'a> {
    manuscript: &'a Manuscript,
    /// For each line, from 0, the last line of the paragraph it is in.
    ends: HashMap<FileId, Vec<u32>>,
}

impl<'a> Scopes<'a> {
    pub(super) fn new(manuscript: &'a Manuscript) -> Self {
        Self {
            manuscript,
            ends: HashMap::new(),
        }
    }

    /// The lines a comment holds for.
    pub(super) fn of(&mut self, comment: Span) -> Scope {
        let Some(source) = self.manuscript.sources.get(comment.file.0 as usize) else {
            return Scope::Nowhere;
        };
        let first = source.line_number(comment.start);
        let last = source.line_number(comment.end.saturating_sub(1).max(comment.start));
        let start = source.line_start(first);
        let before = source
            .text
            .get(start as usize..comment.start as usize)
            .unwrap_or("");
        if !before.trim().is_empty() {
            return Scope::Lines(first, last);
        }
        let after = source
            .text
            .get(comment.end as usize..)
            .and_then(|rest| rest.split('\n').next())
            .unwrap_or("");
        let from = if after.trim().is_empty() {
            self.next_text(source, last)
        } else {
            Some(last)
        };
        let ends = self
            .ends
            .entry(comment.file)
            .or_insert_with(|| paragraph_ends(source));
        match from {
            Some(line) => Scope::Lines(line, ends.get(line as usize - 1).copied().unwrap_or(line)),
            None => Scope::Nowhere,
        }
    }

    /// The next line that is neither blank nor only a comment.
    fn next_text(&self, source: &Source, after: u32) -> Option<u32> {
        let count = u32::try_from(source.line_count()).unwrap_or(u32::MAX);
        (after + 1..=count).find(|&number| {
            let line = source.line(number).trim();
            let comment = line.starts_with('%')
                || (line.starts_with("<!--")
                    && line.ends_with("-->")
                    && line.matches("<!--").count() == 1);
            !line.is_empty() && !comment
        })
    }
}

fn paragraph_ends(source: &Source) -> Vec<u32> {
    let count = source.line_count();
    let mut ends = vec![0; count];
    let mut end = u32::try_from(count).unwrap_or(u32::MAX);
    for i in (0..count).rev() {
        let number = u32::try_from(i + 1).unwrap_or(u32::MAX);
        if source.line(number).trim().is_empty() {
            ends[i] = number;
            end = number.saturating_sub(1);
        } else {
            ends[i] = end;
        }
    }
    ends
}

/// True when a pattern names a file: the path itself, a folder above it, or with `*` for any characters.
pub(super) fn matches(pattern: &str, path: &str) -> bool {
    let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
    if pattern.contains('*') {
        return glob(pattern, path);
    }
    path == pattern
        || path
            .strip_prefix(pattern)
            .is_some_and(|rest| rest.starts_with('/'))
}

/// `*` matches any run of characters. Greedy pieces, found from left to right, so linear in the path.
fn glob(pattern: &str, path: &str) -> bool {
    let pieces: Vec<&str> = pattern.split('*').collect();
    let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else {
        return false;
    };
    let Some(mut rest) = path.strip_prefix(first) else {
        return false;
    };
    for piece in pieces.iter().take(pieces.len() - 1).skip(1) {
        match rest.find(piece) {
            Some(at) => rest = rest.get(at + piece.len()..).unwrap_or(""),
            None => return false,
        }
    }
    rest.ends_with(last)
}
