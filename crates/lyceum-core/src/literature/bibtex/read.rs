//! Reads a file entry by entry.

use std::collections::HashSet;

use super::scan::{
    Matches, begins_entry, find, is_special, next_start, skip_blank_and_comments, skip_space,
};
use super::strings::Strings;
use super::value::{ValueFault, read_value};
use crate::base::Words;
use crate::literature::field::field_text;
use crate::literature::types::{Bibliography, BibliographyFormat, Entry, Field};
use crate::text::{FileId, Note, Source, Span};

/// Entries and notes kept of one file.
const ENTRIES: usize = 200_000;
const NOTES: usize = 200;

/// Reads a bibliography; what cannot be read becomes a note, never an error.
#[must_use]
pub fn parse_bibtex(file: FileId, source: &Source) -> Bibliography {
    parse_bibtex_with(file, source, &mut Strings::default())
}

/// Reads a bibliography with the string macros of those before it, and adds its own to them.
#[must_use]
pub fn parse_bibtex_with(file: FileId, source: &Source, strings: &mut Strings) -> Bibliography {
    let mut reader = Reader {
        file,
        text: &source.text,
        bytes: source.text.as_bytes(),
        strings,
        matches: None,
        boundary: 0,
        strict_until: 0,
        seen: 0,
        comment_line: false,
        entries: Vec::new(),
        commented: HashSet::new(),
        notes: Vec::new(),
    };
    reader.read();
    let (entries, notes, commented) = (reader.entries, reader.notes, reader.commented);
    let mut bibliography = Bibliography::new(file, BibliographyFormat::Bibtex, entries, notes);
    bibliography.commented = commented;
    bibliography
}

struct Reader<'a> {
    file: FileId,
    text: &'a str,
    bytes: &'a [u8],
    strings: &'a mut Strings,
    matches: Option<Matches>,
    /// The next place after the current one where an entry begins for certain.
    boundary: usize,
    /// Below this offset, after an entry that never closed, indented lines begin entries too.
    strict_until: usize,
    /// How far line ends were looked for, and whether the line there opens with `%`.
    seen: usize,
    comment_line: bool,
    entries: Vec<Entry>,
    commented: HashSet<String>,
    notes: Vec<Note>,
}

/// The head of an entry up to its key.
struct Head<'a> {
    kind: &'a str,
    key: (usize, usize),
    /// What closes the entry.
    close: u8,
    /// First offset after the key.
    next: usize,
    /// The entry closed right after its key.
    closed: bool,
    spaced_key: bool,
}

/// What BibTeX surely stumbles over.
#[derive(Clone, Copy)]
enum Trouble {
    Open,
    SpacedKey,
    MissingComma,
    NoValue,
    Stray,
    ClosedEarly,
}

impl Reader<'_> {
    fn read(&mut self) {
        let mut at = 0;
        while let Some(sign) = find(self.bytes, at, b'@') {
            if self.on_comment_line(sign) {
                self.comment_key(sign);
                at = find(self.bytes, sign, b'\n').unwrap_or(self.bytes.len());
            } else {
                at = self.at_sign(sign).max(sign + 1);
            }
            if self.entries.len() >= ENTRIES {
                self.note_too_many(sign);
                return;
            }
        }
    }

    /// True when a `%` opens the line of `sign`; to be asked in ascending order.
    fn on_comment_line(&mut self, sign: usize) -> bool {
        let seen = self.seen.min(sign);
        let line_end = self.bytes[seen..sign].iter().rposition(|&b| b == b'\n');
        if let Some(i) = line_end {
            let first = skip_space(self.bytes, seen + i + 1, sign);
            self.comment_line = self.bytes[first] == b'%';
        } else if seen == 0 {
            self.comment_line = self.bytes[skip_space(self.bytes, 0, sign)] == b'%';
        }
        self.seen = sign;
        self.comment_line
    }

    fn comment_key(&mut self, sign: usize) {
        if let Some(head) = self.head(sign, self.bytes.len().min(sign + 1_024))
            && let Some(key) = self.text.get(head.key.0..head.key.1)
            && !key.is_empty()
        {
            self.commented.insert(key.to_owned());
        }
    }

    /// Reads what begins at an `@`; the offset to go on from.
    fn at_sign(&mut self, sign: usize) -> usize {
        let name_end = self.name_end(sign + 1, self.bytes.len());
        let name = self.bytes.get(sign + 1..name_end).unwrap_or_default();
        let open = skip_space(self.bytes, name_end, self.bytes.len());
        if name.is_empty() || !matches!(self.bytes.get(open), Some(b'{' | b'(')) {
            return name_end;
        }
        if name.eq_ignore_ascii_case(b"comment") {
            return self.comment(open);
        }
        let special = is_special(name);
        if !special && !begins_entry(self.bytes, sign) && !self.after_entry(sign) {
            return name_end;
        }
        let limit = self.limit_after(sign);
        let (end, closed) = if special {
            self.definitions(name, open, limit)
        } else {
            self.entry(sign, limit)
        };
        if closed || limit <= self.strict_until {
            return end;
        }
        // It never closed: within the same stretch, indented lines may be the next entries.
        self.strict_until = limit;
        self.boundary = 0;
        let nearer = self.limit_after(sign);
        if special || nearer == limit {
            return end;
        }
        self.entries.pop();
        self.notes.pop();
        self.entry(sign, nearer).0
    }

    /// True at the start of a line or right behind an entry; an `@` elsewhere belongs to an address more often than not.
    fn after_entry(&self, sign: usize) -> bool {
        let before = self.bytes[..sign].iter().rev();
        before
            .take(64)
            .find(|b| !matches!(b, b' ' | b'\t'))
            .is_none_or(|b| matches!(b, b'\n' | b'}' | b')'))
    }

    fn limit_after(&mut self, sign: usize) -> usize {
        if self.boundary <= sign {
            let from = sign + 1;
            self.boundary = next_start(self.bytes, from, from < self.strict_until);
        }
        self.boundary
    }

    /// Skips a comment block and remembers keys in it.
    fn comment(&mut self, open: usize) -> usize {
        let bytes = self.bytes;
        let close = if bytes[open] == b'{' {
            let matches = self.matches.get_or_insert_with(|| Matches::of(bytes));
            matches.close(open)
        } else {
            None
        };
        let Some(close) = close else {
            // Not a block, or one that never closes: the line is the comment.
            return find(bytes, open, b'\n').unwrap_or(bytes.len());
        };
        let mut at = open;
        while let Some(sign) = find(bytes, at, b'@').filter(|&sign| sign < close) {
            if begins_entry(bytes, sign) {
                self.comment_key(sign);
            }
            at = sign + 1;
        }
        close + 1
    }

    fn name_end(&self, start: usize, limit: usize) -> usize {
        let length = self.bytes[start.min(limit)..limit]
            .iter()
            .take_while(|&&b| {
                !b.is_ascii_whitespace()
                    && !matches!(
                        b,
                        b'"' | b'#' | b'%' | b'\'' | b'(' | b')' | b',' | b'=' | b'{' | b'}'
                    )
            })
            .count();
        start + length
    }

    fn head(&self, sign: usize, limit: usize) -> Option<Head<'_>> {
        let bytes = self.bytes;
        let name_end = self.name_end(sign + 1, limit);
        let kind = self.text.get(sign + 1..name_end)?;
        if kind.is_empty() || kind.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let open = skip_space(bytes, name_end, limit);
        let close = match bytes.get(open)? {
            b'{' => b'}',
            b'(' => b')',
            _ => return None,
        };
        let start = skip_space(bytes, open + 1, limit);
        let stop =
            |b: u8| matches!(b, b',' | b'{' | b'"' | b'=' | b'\n') || (b == close && close == b'}');
        let mut end = start;
        while end < limit && !stop(bytes[end]) {
            end += 1;
        }
        let mut key_end = start + trimmed(&bytes[start.min(end)..end]);
        let mut next = skip_blank_and_comments(bytes, end, limit);
        if bytes.get(end) == Some(&b'=') && self.opens_value(end + 1, limit) {
            (key_end, next) = (start, start);
        }
        let mut closed = next < limit && bytes[next] == close;
        if close == b')' && key_end > start && bytes[key_end - 1] == b')' {
            key_end -= 1;
            closed = true;
            next = key_end;
        }
        let key = bytes.get(start..key_end)?;
        Some(Head {
            kind,
            key: (start, key_end),
            close,
            next,
            closed,
            spaced_key: key.iter().any(u8::is_ascii_whitespace),
        })
    }

    /// True when a field's value can begin after an `=` here.
    fn opens_value(&self, at: usize, limit: usize) -> bool {
        let first = skip_space(self.bytes, at, limit);
        self.bytes
            .get(first)
            .is_some_and(|b| matches!(b, b'{' | b'"') || b.is_ascii_alphanumeric())
    }

    /// Reads an entry below `limit`; where it ends, and whether it was closed.
    fn entry(&mut self, sign: usize, limit: usize) -> (usize, bool) {
        let Some(head) = self.head(sign, limit) else {
            return (sign + 1, true);
        };
        let (key, next, close) = (head.key, head.next, head.close);
        let (kind, spaced, closed) = (head.kind.to_lowercase(), head.spaced_key, head.closed);
        let mut entry = Entry {
            kind,
            key: self.text.get(key.0..key.1).unwrap_or("").to_owned(),
            key_span: Span::new(self.file, key.0, key.1),
            fields: Vec::new(),
            span: Span::new(self.file, sign, next),
            partial: spaced,
        };
        // An entry without a key begins with its first field.
        let keyless = key.0 == key.1 && next == key.0;
        let (end, trouble) = if closed {
            (Ok(next + 1), None)
        } else {
            self.fields(&mut entry, (next, keyless), limit, close)
        };
        let stop = end.unwrap_or_else(|stop| stop);
        entry.span = Span::new(self.file, sign, stop);
        let trouble = trouble.or(spaced.then_some((Trouble::SpacedKey, key.0)));
        entry.partial |= trouble.is_some();
        if end.is_err() {
            let open = trouble.map_or(sign, |(_, at)| at);
            entry.partial = true;
            self.note(Trouble::Open, &entry.key, open);
        } else if let Some((trouble, at)) = trouble {
            self.note(trouble, &entry.key, at);
        } else if let Some(at) = self.closed_early(stop, limit) {
            entry.partial = true;
            self.note(Trouble::ClosedEarly, &entry.key, at);
        }
        self.entries.push(entry);
        (stop, end.is_ok())
    }

    /// Reads fields from an offset on, before which a comma stood or none was needed, up to the closing mark: the offset after it, or where reading stopped without one; and the first
    /// trouble.
    fn fields(
        &mut self,
        entry: &mut Entry,
        (from, comma): (usize, bool),
        limit: usize,
        close: u8,
    ) -> (Result<usize, usize>, Option<(Trouble, usize)>) {
        let bytes = self.bytes;
        let mut at = from;
        let mut trouble: Option<(Trouble, usize)> = None;
        let mut comma = comma;
        loop {
            at = skip_blank_and_comments(bytes, at, limit);
            while at < limit && bytes[at] == b',' {
                comma = true;
                at = skip_blank_and_comments(bytes, at + 1, limit);
            }
            if at >= limit {
                return (Err(limit), trouble);
            }
            if bytes[at] == close {
                return (Ok(at + 1), trouble);
            }
            let name_end = self.name_end(at, limit);
            let equals = skip_blank_and_comments(bytes, name_end, limit);
            if name_end == at || equals >= limit || bytes[equals] != b'=' {
                trouble = trouble.or(Some((Trouble::NoValue, at)));
                match self.skip_junk(at, limit, close) {
                    Some(next) => at = next,
                    None => return (Err(limit), trouble),
                }
                continue;
            }
            if !comma {
                trouble = trouble.or(Some((Trouble::MissingComma, at)));
            }
            comma = false;
            match read_value(self.text, equals + 1, limit, self.strings) {
                Ok(value) => {
                    let name = self.text.get(at..name_end).unwrap_or("").to_lowercase();
                    let text = field_text(&name, &value.raw);
                    entry.fields.push(Field {
                        name,
                        raw: value.raw,
                        text,
                        span: Span::new(self.file, value.start, value.end),
                    });
                    at = value.next;
                }
                Err(ValueFault::Open(_)) => return (Err(limit), Some((Trouble::Open, at))),
                Err(ValueFault::Absent) => {
                    trouble = trouble.or(Some((Trouble::NoValue, at)));
                    match self.skip_junk(equals + 1, limit, close) {
                        Some(next) => at = next,
                        None => return (Err(limit), trouble),
                    }
                }
                Err(ValueFault::Stray(brace)) => {
                    trouble = trouble.or(Some((Trouble::Stray, at)));
                    at = brace;
                }
            }
        }
    }

    /// The next comma or closing mark outside of braces; `None` when a brace stays open.
    fn skip_junk(&self, from: usize, limit: usize, close: u8) -> Option<usize> {
        let mut at = from;
        while at < limit && self.bytes[at] != b',' && self.bytes[at] != close {
            at = if self.bytes[at] == b'{' {
                super::scan::braced(self.bytes, at, limit)? + 1
            } else {
                at + 1
            };
        }
        Some(at)
    }

    /// A field that stands right after the end of an entry: one closing brace too many.
    fn closed_early(&self, end: usize, limit: usize) -> Option<usize> {
        let comma = skip_space(self.bytes, end, limit);
        if self.bytes.get(comma) != Some(&b',') {
            return None;
        }
        let name = skip_space(self.bytes, comma + 1, limit);
        let name_end = self.name_end(name, limit);
        let equals = skip_space(self.bytes, name_end, limit);
        let is_field = name_end > name
            && equals < limit
            && self.bytes[equals] == b'='
            && self.opens_value(equals + 1, limit);
        is_field.then_some(name)
    }

    /// Reads `@string` and skips `@preamble`.
    fn definitions(&mut self, name: &[u8], open: usize, limit: usize) -> (usize, bool) {
        let close = if self.bytes[open] == b'{' { b'}' } else { b')' };
        let mut at = open + 1;
        if name.eq_ignore_ascii_case(b"string") {
            let mut entry = self.blank();
            let (end, _) = self.fields(&mut entry, (at, true), limit, close);
            for field in entry.fields {
                self.strings.define(&field.name, &field.raw);
            }
            if end.is_err() {
                self.note(Trouble::Open, "@string", open);
            }
            return (end.unwrap_or_else(|stop| stop), end.is_ok());
        }
        match read_value(self.text, at, limit, self.strings) {
            Ok(value) => at = skip_blank_and_comments(self.bytes, value.next, limit) + 1,
            Err(ValueFault::Open(_)) => {
                self.note(Trouble::Open, "@preamble", open);
                return (limit, false);
            }
            Err(_) => {}
        }
        (at, true)
    }

    fn blank(&self) -> Entry {
        let nowhere = Span::new(self.file, 0, 0);
        Entry {
            kind: String::new(),
            key: String::new(),
            key_span: nowhere,
            fields: Vec::new(),
            span: nowhere,
            partial: false,
        }
    }

    fn note(&mut self, trouble: Trouble, key: &str, at: usize) {
        if self.notes.len() >= NOTES {
            return;
        }
        let end = find(self.bytes, at, b'\n').unwrap_or(self.bytes.len());
        let end = at + trimmed(&self.bytes[at.min(end)..end]);
        let (code, words) = words(trouble, key);
        self.notes.push(Note {
            code,
            words,
            span: Some(Span::new(self.file, at, end)),
            unreadable: None,
        });
    }

    fn note_too_many(&mut self, at: usize) {
        self.notes.push(Note {
            code: "bib_too_many_entries",
            words: Words::new(
                format!("only the first {ENTRIES} entries were read"),
                format!("只读取了前 {ENTRIES} 个条目"),
            ),
            span: Some(Span::new(self.file, at, at)),
            unreadable: None,
        });
    }
}

/// Length without white space at the end.
fn trimmed(bytes: &[u8]) -> usize {
    bytes.trim_ascii_end().len()
}

fn words(trouble: Trouble, key: &str) -> (&'static str, Words) {
    let partial = "bib_entry_partial";
    let key = if key.is_empty() { "?" } else { key };
    match trouble {
        Trouble::Open => (
            "bib_entry_unreadable",
            Words::new(
                format!("{key}: a brace or quotation mark is never closed"),
                format!("{key}：花括号或引号没有闭合"),
            ),
        ),
        Trouble::SpacedKey => (
            partial,
            Words::new(
                format!("{key}: the key holds white space"),
                format!("{key}：键中含有空白"),
            ),
        ),
        Trouble::MissingComma => (
            partial,
            Words::new(
                format!("{key}: a comma is missing before this field"),
                format!("{key}：此字段之前缺少逗号"),
            ),
        ),
        Trouble::NoValue => (
            partial,
            Words::new(
                format!("{key}: not a field with a value"),
                format!("{key}：此处不是“字段 = 值”"),
            ),
        ),
        Trouble::Stray => (
            partial,
            Words::new(
                format!("{key}: a closing brace too many in this value"),
                format!("{key}：此值中多了一个右花括号"),
            ),
        ),
        Trouble::ClosedEarly => (
            partial,
            Words::new(
                format!("{key}: the entry closes before this field, which is lost"),
                format!("{key}：条目在此字段之前已经结束，该字段丢失"),
            ),
        ),
    }
}
