//! The value of one field: pieces in braces, in quotation marks, numbers and macros, joined by `#`.

use super::scan::{braced, skip_blank_and_comments};
use super::strings::Strings;

/// A value as read.
#[derive(Debug)]
pub(super) struct Value {
    /// Pieces put together, macros resolved.
    pub raw: String,
    /// Its bytes, delimiters cut off when it is one piece.
    pub start: usize,
    pub end: usize,
    /// The first offset after it.
    pub next: usize,
}

/// Why a value could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueFault {
    /// Braces or quotation marks stay open up to the end of the entry.
    Open(usize),
    /// There is none.
    Absent,
    /// A closing brace stands in a quoted value that no brace opened; the offset is the brace's.
    Stray(usize),
}

/// Reads the value that begins at `at`, below `end`.
pub(super) fn read_value(
    text: &str,
    at: usize,
    end: usize,
    strings: &mut Strings,
) -> Result<Value, ValueFault> {
    let bytes = text.as_bytes();
    let mut at = skip_blank_and_comments(bytes, at, end);
    let mut value = Value {
        raw: String::new(),
        start: at,
        end: at,
        next: at,
    };
    let mut pieces = 0;
    loop {
        let (start, stop, next) = piece(bytes, at, end)?;
        let words = text.get(start..stop).unwrap_or("");
        let delimited = matches!(bytes[at], b'{' | b'"');
        if delimited || words.bytes().all(|b| b.is_ascii_digit()) {
            value.raw.push_str(words);
        } else {
            strings.expand(words, &mut value.raw);
        }
        pieces += 1;
        (value.start, value.end) = if pieces == 1 {
            (start, stop)
        } else {
            (value.start, next)
        };
        value.next = next;
        at = skip_blank_and_comments(bytes, next, end);
        if at >= end || bytes[at] != b'#' {
            return Ok(value);
        }
        at = skip_blank_and_comments(bytes, at + 1, end);
    }
}

/// One piece at `at`: content start, content end, first offset after it.
fn piece(bytes: &[u8], at: usize, end: usize) -> Result<(usize, usize, usize), ValueFault> {
    if at >= end {
        return Err(ValueFault::Open(at));
    }
    match bytes[at] {
        b'{' => {
            let close = braced(bytes, at, end).ok_or(ValueFault::Open(at))?;
            Ok((at + 1, close, close + 1))
        }
        b'"' => {
            let close = quoted(bytes, at, end)?;
            Ok((at + 1, close, close + 1))
        }
        _ => {
            let length = bytes[at..end]
                .iter()
                .take_while(|&&b| {
                    !b.is_ascii_whitespace()
                        && !matches!(
                            b,
                            b',' | b'{' | b'}' | b'"' | b'#' | b'=' | b'(' | b')' | b'%'
                        )
                })
                .count();
            if length == 0 {
                return Err(ValueFault::Absent);
            }
            Ok((at, at + length, at + length))
        }
    }
}

/// The closing quotation mark for the one at `open`; marks in braces do not count.
fn quoted(bytes: &[u8], open: usize, end: usize) -> Result<usize, ValueFault> {
    let mut depth = 0_usize;
    for (i, &b) in bytes[open + 1..end].iter().enumerate() {
        match b {
            b'{' => depth += 1,
            b'}' if depth == 0 => return Err(ValueFault::Stray(open + 1 + i)),
            b'}' => depth -= 1,
            b'"' if depth == 0 => return Ok(open + 1 + i),
            _ => {}
        }
    }
    Err(ValueFault::Open(open))
}
