//! Finds the islands of a text, from left to right and in linear time. What only makes sense at the start of a line
//! is in `block`, raw TeX in `tex`.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::island::{Cover, Island, Mark};
use super::{attribute, cite, html};
use crate::text::CitationStyle;
use crate::text::tex_symbols::superscript;

/// Longest citation bracket, in bytes.
const BRACKET: usize = 4_000;

/// A part of the text that the block parser showed to be code.
#[derive(Clone, Debug)]
pub(super) struct Opaque {
    /// Where it is.
    pub(super) range: Range<usize>,
    /// A block, not a span.
    pub(super) block: bool,
}

/// A caption that stands apart from what it describes.
#[derive(Clone, Debug)]
pub(super) struct Caption {
    /// The start of the line where the table or code starts.
    pub(super) target: usize,
    /// The caption's words.
    pub(super) range: Range<usize>,
}

/// What a scan finds.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The islands in order.
    pub(super) islands: Vec<Island>,
    /// Captions of tables and listings.
    pub(super) captions: Vec<Caption>,
    /// A comment that is opened and not closed.
    pub(super) unclosed: Option<usize>,
}

/// What a scanned text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Whole blocks of Markdown.
    Blocks,
    /// The words of a caption or cell, where lines mean nothing.
    Words,
    /// Words inside a LaTeX environment.
    Tex,
}

/// The state of one scan.
pub(super) struct Scanner<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) end: usize,
    pub(super) opaque: &'a [Opaque],
    pub(super) next_opaque: usize,
    /// Starts of the lines where pipe tables start, in order.
    pub(super) tables: &'a [usize],
    pub(super) mode: Mode,
    pub(super) square: Vec<(usize, usize)>,
    pub(super) curly: Vec<(usize, usize)>,
    /// What to do at closing brackets of islands that hold text.
    pub(super) closes: HashMap<usize, (usize, Mark)>,
    pub(super) paragraph_end: usize,
    pub(super) next_at: usize,
    pub(super) next_dollar: Option<usize>,
    pub(super) captioned: HashSet<usize>,
    /// Where the pipe table ends that was entered last.
    pub(super) table_end: usize,
    pub(super) pending: Option<Range<usize>>,
    /// Environments that are not closed, so that nobody looks again.
    pub(super) unclosed: HashSet<String>,
    /// Bytes that looks ahead may still read in vain.
    pub(super) budget: usize,
    /// The end of a line of tags alone.
    pub(super) tag_line: usize,
    pub(super) found: Found,
}

/// Scans the text under `range`.
pub(super) fn scan(
    text: &str,
    range: Range<usize>,
    opaque: &[Opaque],
    tables: &[usize],
    mode: Mode,
) -> Found {
    let mut scanner = Scanner {
        text,
        bytes: text.as_bytes(),
        end: range.end,
        opaque,
        next_opaque: 0,
        tables,
        mode,
        square: Vec::new(),
        curly: Vec::new(),
        closes: HashMap::new(),
        paragraph_end: range.start,
        next_at: range.start,
        next_dollar: Some(range.start),
        captioned: HashSet::new(),
        table_end: range.start,
        pending: None,
        unclosed: HashSet::new(),
        budget: range.len() * 4 + 100_000,
        tag_line: range.start,
        found: Found::default(),
    };
    scanner.pair(range.clone());
    scanner.run(range.start);
    scanner.found
}

impl Scanner<'_> {
    pub(super) fn run(&mut self, start: usize) {
        let mut at = start;
        let mut line_start = true;
        while at < self.end {
            if let Some(next) = self.jump(at) {
                line_start = self.bytes[next - 1] == b'\n';
                at = next;
                continue;
            }
            if line_start
                && self.mode == Mode::Blocks
                && let Some(next) = self.line(at)
            {
                at = next.max(at + 1);
                line_start = self.bytes[at - 1] == b'\n';
                continue;
            }
            let next = self.step(at).max(at + 1);
            line_start = self.bytes[next.min(self.end) - 1] == b'\n';
            at = next;
        }
    }

    /// Passes over code.
    pub(super) fn jump(&mut self, at: usize) -> Option<usize> {
        while let Some(opaque) = self.opaque.get(self.next_opaque) {
            if opaque.range.end <= at {
                self.next_opaque += 1;
                continue;
            }
            if opaque.range.start > at {
                return None;
            }
            let (range, block) = (opaque.range.clone(), opaque.block);
            if block && self.mode == Mode::Blocks {
                self.listing_caption(&range);
            }
            return Some(range.end.min(self.end).max(at + 1));
        }
        None
    }

    pub(super) fn step(&mut self, at: usize) -> usize {
        if self.mode == Mode::Tex
            && let Some(next) = self.tex_step(at)
        {
            return next;
        }
        match self.bytes[at] {
            b'\\' => self.backslash(at),
            b'<' => self.angle(at),
            b'$' => self.dollar(at),
            b'@' => self.key(at),
            b'[' => self.open_square(at),
            b']' => self.close_square(at),
            b'{' => self.open_curly(at),
            b'}' => self.close(at).unwrap_or(at + 1),
            b'(' if self.starts(at, "(\\#") => self.bookdown_label(at),
            b'^' => self.close(at).unwrap_or_else(|| self.caret(at)),
            b'~' => self.close(at).unwrap_or_else(|| self.tilde(at)),
            b'h' | b'H' | b'f' => self.address(at),
            _ => at + 1,
        }
    }

    pub(super) fn starts(&self, at: usize, what: &str) -> bool {
        self.bytes
            .get(at..self.end)
            .is_some_and(|rest| rest.starts_with(what.as_bytes()))
    }

    pub(super) fn byte(&self, at: usize) -> u8 {
        if at < self.end { self.bytes[at] } else { 0 }
    }

    pub(super) fn push(&mut self, range: Range<usize>, mark: Mark) -> usize {
        self.cover(range, Cover::Inert, mark)
    }

    pub(super) fn cover(&mut self, range: Range<usize>, cover: Cover, mark: Mark) -> usize {
        let end = range.end;
        self.found.islands.push(Island { range, cover, mark });
        end
    }

    /// Opens an island that holds text: `open` is its first mark, `close` where its closing bracket is.
    pub(super) fn bracketed(
        &mut self,
        open: Range<usize>,
        mark: Mark,
        close: Range<usize>,
        last: Mark,
    ) -> usize {
        self.closes.insert(close.start, (close.end, last));
        self.push(open, mark)
    }

    pub(super) fn close(&mut self, at: usize) -> Option<usize> {
        let (end, mark) = self.closes.remove(&at)?;
        Some(self.push(at..end, mark))
    }

    /// The end of the paragraph around `at`: the next blank line.
    pub(super) fn paragraph_end(&mut self, at: usize) -> usize {
        if at >= self.paragraph_end {
            let mut i = at;
            self.paragraph_end = loop {
                match self
                    .bytes
                    .get(i..self.end)
                    .and_then(|rest| rest.iter().position(|&b| b == b'\n'))
                {
                    None => break self.end,
                    Some(length) => i += length + 1,
                }
                let gap = self.bytes[i..self.end]
                    .iter()
                    .take_while(|b| matches!(b, b' ' | b'\t'))
                    .count();
                if i + gap >= self.end || self.bytes[i + gap] == b'\n' {
                    break i;
                }
                // A long run of spaces is not looked at twice.
                i += gap;
            };
        }
        self.paragraph_end
    }

    /// Matches brackets and braces inside paragraphs, code left out.
    pub(super) fn pair(&mut self, range: Range<usize>) {
        let (mut square, mut curly) = (Vec::new(), Vec::new());
        let mut code = self.opaque.iter().peekable();
        let mut at = range.start;
        let mut blank = false;
        while at < range.end {
            while code.next_if(|opaque| opaque.range.end <= at).is_some() {}
            if let Some(opaque) = code.peek()
                && opaque.range.start <= at
            {
                at = opaque.range.end.max(at + 1);
                blank = false;
                continue;
            }
            match self.bytes[at] {
                b'\n' if blank => {
                    square.clear();
                    curly.clear();
                }
                b'\n' => blank = true,
                b' ' | b'\t' => {}
                other => {
                    blank = false;
                    match other {
                        b'\\' => at += 1,
                        b'[' => square.push(at),
                        b'{' => curly.push(at),
                        b']' => self.square.extend(square.pop().map(|open| (open, at))),
                        b'}' => self.curly.extend(curly.pop().map(|open| (open, at))),
                        _ => {}
                    }
                }
            }
            at += 1;
        }
        self.square.sort_unstable();
        self.curly.sort_unstable();
    }

    pub(super) fn close_of_square(&self, at: usize) -> Option<usize> {
        partner(&self.square, at)
    }

    pub(super) fn close_of_curly(&self, at: usize) -> Option<usize> {
        partner(&self.curly, at)
    }

    pub(super) fn backslash(&mut self, at: usize) -> usize {
        if self.starts(at, "\\@ref(") {
            let inside = at + 6;
            let length = self.bytes[inside..self.end]
                .iter()
                .take(200)
                .position(|&b| b == b')');
            if let Some(length) = length.filter(|&n| n > 0) {
                let name = inside..inside + length;
                return self.push(
                    at..name.end + 1,
                    Mark::References {
                        names: vec![name],
                        command: "@ref".to_owned(),
                    },
                );
            }
        }
        match self.byte(at + 1) {
            b'a'..=b'z' | b'A'..=b'Z' => self.command(at),
            b' ' => self.push(at..at + 2, Mark::Words(" ".to_owned())),
            b'\n' | 0 => at + 1,
            _ => at + 1 + self.char_len(at + 1),
        }
    }

    pub(super) fn char_len(&self, at: usize) -> usize {
        self.text
            .get(at..)
            .and_then(|rest| rest.chars().next())
            .map_or(1, char::len_utf8)
    }

    pub(super) fn angle(&mut self, at: usize) -> usize {
        if self.starts(at, "<!--") {
            return self.comment(at);
        }
        if let Some((tag, end)) = html::tag(self.text, at).filter(|&(_, end)| end <= self.end) {
            return self.tag(at, tag, end);
        }
        // An autolink or a mail address is the block parser's; an `@` inside it is no citation.
        let rest = &self.bytes[at + 1..self.end];
        let length = rest
            .iter()
            .take(2_000)
            .position(|&b| matches!(b, b'>' | b'<') || b.is_ascii_whitespace());
        match length {
            Some(length)
                if rest[length] == b'>'
                    && rest[..length].iter().any(|b| matches!(b, b':' | b'@')) =>
            {
                at + length + 2
            }
            _ => at + 1,
        }
    }

    pub(super) fn comment(&mut self, at: usize) -> usize {
        let inside = at + 4;
        let close = match self.found.unclosed {
            Some(_) => None,
            None => self
                .text
                .get(inside..self.end)
                .and_then(|rest| rest.find("-->")),
        };
        let Some(length) = close else {
            self.found.unclosed.get_or_insert(at);
            return self.push(at..inside, Mark::Literal);
        };
        let end = inside + length + 3;
        let mark = Mark::Comment(inside..inside + length);
        if self.alone(at, end) {
            return self.cover(at..end, Cover::Blank, mark);
        }
        self.push(at..end, mark)
    }

    /// True when nothing but white space shares the lines of a range.
    pub(super) fn alone(&self, start: usize, end: usize) -> bool {
        let before = self.bytes[..start]
            .iter()
            .rev()
            .take(200)
            .find(|b| !matches!(b, b' ' | b'\t'));
        let after = self.bytes[end.min(self.end)..self.end]
            .iter()
            .take(200)
            .find(|b| !matches!(b, b' ' | b'\t'));
        before.is_none_or(|&b| b == b'\n') && after.is_none_or(|&b| b == b'\n')
    }

    pub(super) fn tag(&mut self, at: usize, tag: html::Tag, end: usize) -> usize {
        if !tag.closes && !tag.empty && (html::is_unseen(&tag.name) || tag.name == "pre") {
            let closing = format!("</{}", tag.name);
            if self.unclosed.len() < 64
                && !self.unclosed.contains(&closing)
                && let Some(rest) = self.text.get(end..self.end)
            {
                if let Some(length) = find_folded(rest, &closing) {
                    let close = end + length;
                    let after = html::tag(self.text, close)
                        .map_or(close + closing.len(), |(_, after)| after);
                    let cover = if self.alone(at, after) {
                        Cover::Blank
                    } else {
                        Cover::Inert
                    };
                    let mark = if tag.name == "pre" {
                        Mark::Preformatted(end..close)
                    } else {
                        Mark::Nothing
                    };
                    return self.cover(at..after.min(self.end), cover, mark);
                }
                self.unclosed.insert(closing);
            }
        }
        if tag.name == "sup"
            && !tag.closes
            && let Some(next) = self.raised_tag(at, end)
        {
            return next;
        }
        // Indented tags would make an indented code block of what follows them on the line.
        let indent = self.bytes[..at]
            .iter()
            .rev()
            .take(200)
            .take_while(|b| matches!(b, b' ' | b'\t'))
            .count();
        let first = at == indent || self.byte(at - indent - 1) == b'\n';
        if first && at >= self.tag_line {
            self.tag_line = self.line_of_tags(at).unwrap_or(at);
        }
        if at < self.tag_line {
            return self.cover(at..end, Cover::Blank, Mark::Tag(tag));
        }
        let start = if first && indent > 3 { at - indent } else { at };
        let start = self
            .found
            .islands
            .last()
            .map_or(start, |last| start.max(last.range.end));
        if start < at {
            self.cover(start..at, Cover::Solid, Mark::Nothing);
        }
        self.push(at..end, Mark::Tag(tag))
    }

    /// `<sup>-3</sup>` as raised digits.
    fn raised_tag(&mut self, at: usize, end: usize) -> Option<usize> {
        let inner = self.text.get(end..self.end)?;
        let length = inner.bytes().take(12).position(|b| b == b'<')?;
        let raised: String = inner
            .get(..length)?
            .chars()
            .map(superscript)
            .collect::<Option<_>>()?;
        let close = end + length;
        if raised.is_empty() || !self.starts(close, "</sup>") {
            return None;
        }
        Some(self.push(at..close + 6, Mark::Words(raised)))
    }

    /// The end of the line at `at` when it holds nothing but tags of blocks.
    fn line_of_tags(&self, mut at: usize) -> Option<usize> {
        let mut found = false;
        loop {
            match self.byte(at) {
                b' ' | b'\t' => at += 1,
                b'\n' | 0 => return found.then_some(at),
                b'<' => {
                    let (tag, end) =
                        html::tag(self.text, at).filter(|&(_, end)| end <= self.end)?;
                    let raw = html::is_unseen(&tag.name) || tag.name == "pre";
                    if !tag.is_block() || raw {
                        return None;
                    }
                    found = true;
                    at = end;
                }
                _ => return None,
            }
        }
    }

    pub(super) fn key(&mut self, at: usize) -> usize {
        if !cite::may_open(self.text, at) {
            return at + 1;
        }
        let Some((key, end)) = cite::key(self.text, at).filter(|&(_, end)| end <= self.end) else {
            return at + 1;
        };
        let start = if at > 0 && self.bytes[at - 1] == b'-' && !self.follows_word(at - 1) {
            at - 1
        } else {
            at
        };
        if self
            .text
            .get(key.clone())
            .is_some_and(cite::is_cross_reference)
        {
            return self.references(at..end, vec![key]);
        }
        let (end, mut keys) = self.locator(end);
        keys.insert(0, key);
        self.push(
            start..end,
            Mark::Citation {
                keys,
                style: CitationStyle::Textual,
            },
        )
    }

    pub(super) fn follows_word(&self, at: usize) -> bool {
        self.text
            .get(..at)
            .and_then(|before| before.chars().next_back())
            .is_some_and(char::is_alphanumeric)
    }

    /// `@key [p. 3; @other]`: the bracket belongs to the citation.
    pub(super) fn locator(&self, end: usize) -> (usize, Vec<Range<usize>>) {
        let none = (end, Vec::new());
        let open = end + usize::from(matches!(self.byte(end), b' ' | b'\n'));
        if self.byte(open) != b'[' || self.byte(open + 1) == b'^' {
            return none;
        }
        let Some(close) = self
            .close_of_square(open)
            .filter(|&close| close - open < 500)
        else {
            return none;
        };
        if matches!(self.byte(close + 1), b'(' | b'[' | b'{' | b':') {
            return none;
        }
        let inner = self.text.get(open + 1..close).unwrap_or("");
        let Some(first) = inner.find('@') else {
            return (close + 1, Vec::new());
        };
        // `@a [@b]` are two citations; `@a [p. 3; @b]` is one.
        match inner.find(';').filter(|&at| at < first) {
            Some(semicolon) => match cite::bracket(self.text, open + 1 + semicolon + 1..close) {
                Some(keys) => (close + 1, keys.into_iter().map(|(key, _)| key).collect()),
                None => none,
            },
            None => none,
        }
    }

    pub(super) fn references(&mut self, range: Range<usize>, names: Vec<Range<usize>>) -> usize {
        let command = names
            .first()
            .and_then(|name| self.text.get(name.clone()))
            .map(|name| {
                let prefix: String = name.chars().take_while(|c| c.is_alphanumeric()).collect();
                format!("@{}", prefix.to_lowercase())
            })
            .unwrap_or_default();
        // pandoc-crossref takes `@Fig:x` at the start of a sentence for `fig:x`.
        self.push(range, Mark::References { names, command })
    }

    pub(super) fn open_square(&mut self, at: usize) -> usize {
        let close = self.close_of_square(at);
        if self.byte(at + 1) == b'^' {
            return close
                .filter(|close| close - at < 200)
                .map_or(at + 1, |close| close + 1);
        }
        let Some(close) = close else {
            return at + 1;
        };
        let after = self.byte(close + 1);
        if after == b'(' && self.destination(close + 1).is_some() {
            return at + 1;
        }
        if after == b'{'
            && let Some((list, end)) =
                attribute::parse(self.text, close + 1).filter(|&(_, end)| end <= self.end)
            && self.byte(at.wrapping_sub(1)) != b'!'
        {
            return self.bracketed(at..at + 1, Mark::Nothing, close..end, Mark::SpanClose(list));
        }
        self.citation(at, close).unwrap_or(at + 1)
    }

    pub(super) fn citation(&mut self, at: usize, close: usize) -> Option<usize> {
        if self.next_at < at {
            self.next_at = at;
        }
        while self.next_at < self.end && self.bytes[self.next_at] != b'@' {
            self.next_at += 1;
        }
        if self.next_at > close || close - at > BRACKET {
            return None;
        }
        // Only the innermost few of nested brackets are worth a look.
        let nested = self.bytes[at + 1..close]
            .iter()
            .take(8)
            .filter(|&&b| b == b'[')
            .count();
        if nested > 4 {
            return None;
        }
        let keys = cite::bracket(self.text, at + 1..close)?;
        let (references, keys): (Vec<_>, Vec<_>) =
            keys.into_iter().map(|(key, _)| key).partition(|key| {
                self.text
                    .get(key.clone())
                    .is_some_and(cite::is_cross_reference)
            });
        if keys.is_empty() {
            return Some(self.references(at..close + 1, references));
        }
        if !references.is_empty() {
            // A mixed bracket: each key on its own.
            return None;
        }
        let style = CitationStyle::Parenthetical;
        Some(self.push(at..close + 1, Mark::Citation { keys, style }))
    }

    pub(super) fn close_square(&mut self, at: usize) -> usize {
        if let Some(end) = self.close(at) {
            return end;
        }
        match self.byte(at + 1) {
            b'(' => self.destination(at + 1).unwrap_or(at + 1),
            _ => at + 1,
        }
    }

    /// The offset behind a link destination in parentheses, with its title.
    pub(super) fn destination(&mut self, open: usize) -> Option<usize> {
        let longest = self.ahead(4_000);
        let mut depth = 0_usize;
        let mut quote = None;
        for (i, &b) in self.bytes[open..self.end].iter().enumerate().take(longest) {
            match (quote, b) {
                (Some(q), _) if b == q => quote = None,
                (None, b'"') if i > 1 && self.bytes[open + i - 1].is_ascii_whitespace() => {
                    quote = Some(b)
                }
                (None, b'(') => depth += 1,
                (None, b')') if depth == 1 => return Some(open + i + 1),
                (None, b')') => depth -= 1,
                (_, b'\n') if self.byte(open + i + 1) == b'\n' => return None,
                _ => {}
            }
        }
        self.budget = self.budget.saturating_sub(longest);
        None
    }

    /// How far one more look ahead may go: looks that found nothing cost what they read, so that a hostile text
    /// takes linear time.
    pub(super) fn ahead(&self, wanted: usize) -> usize {
        wanted.min(self.budget)
    }
}

fn partner(pairs: &[(usize, usize)], open: usize) -> Option<usize> {
    pairs
        .binary_search_by_key(&open, |&(open, _)| open)
        .ok()
        .map(|i| pairs[i].1)
}

/// Finds an ASCII needle, whatever its case.
fn find_folded(text: &str, needle: &str) -> Option<usize> {
    text.as_bytes()
        .windows(needle.len())
        .position(|window| window.eq_ignore_ascii_case(needle.as_bytes()))
}
