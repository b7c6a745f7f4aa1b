//! One token of TeX at a time from a text. Knows characters only: no macros, no meaning of commands.

use super::super::source::{FileId, Span};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Characters without a meaning to TeX.
    Word,
    /// White space without a blank line.
    Space,
    /// White space with a blank line.
    Paragraph,
    /// `\name` or `\%`.
    Command,
    /// `{`
    Open,
    /// `}`
    Close,
    /// `[`
    Bracket,
    /// `]`
    BracketEnd,
    /// `*`
    Star,
    /// `$`
    Dollar,
    /// `&`
    Cell,
    /// `#1`; the number is the digit.
    Parameter(u8),
    /// `^`
    Super,
    /// `_`
    Sub,
    /// `~`
    Tie,
    /// `% …`, with the line end and the spaces after it.
    Comment,
    /// The end of a group that the reader opened itself.
    GroupEnd,
    /// A character that the reader adds.
    Char(char),
    /// Work put off until here; the number is its place in the reader's list.
    Deferred(u32),
    /// Nothing is left.
    End,
}

/// A token: where its characters stand, and which part of the manuscript it belongs to. The two differ for tokens of a
/// macro's body, which belong to the macro's call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// The characters.
    pub(super) at: Span,
    /// What a person is shown.
    pub(super) span: Span,
}

impl Token {
    /// A token that stands in the text just so.
    pub(super) fn literal(self) -> bool {
        self.at == self.span
    }

    pub(super) fn synthetic(kind: Kind, span: Span) -> Self {
        Self {
            kind,
            at: Span {
                end: span.start,
                ..span
            },
            span,
        }
    }
}

/// Reads the token at `pos` and returns it with the place of the next one.
pub(super) fn token(text: &str, file: FileId, pos: usize, at_is_letter: bool) -> (Token, usize) {
    let bytes = text.as_bytes();
    let make = |kind, end: usize| {
        let at = Span::new(file, pos, end);
        Token { kind, at, span: at }
    };
    let Some(&first) = bytes.get(pos) else {
        return (make(Kind::End, pos), pos);
    };
    let single = match first {
        b'{' => Kind::Open,
        b'}' => Kind::Close,
        b'[' => Kind::Bracket,
        b']' => Kind::BracketEnd,
        b'*' => Kind::Star,
        b'$' => Kind::Dollar,
        b'&' => Kind::Cell,
        b'^' => Kind::Super,
        b'_' => Kind::Sub,
        b'~' => Kind::Tie,
        b'\\' => {
            let end = command_end(bytes, text, pos, at_is_letter);
            let next = if bytes.get(end - 1).is_some_and(u8::is_ascii_alphabetic) {
                gobbled(bytes, end)
            } else {
                end
            };
            return (make(Kind::Command, end), next);
        }
        b'%' => {
            let line_end = line_end(bytes, pos);
            let mut next = (line_end + 1).min(bytes.len());
            while bytes.get(next).is_some_and(|b| matches!(b, b' ' | b'\t')) {
                next += 1;
            }
            return (make(Kind::Comment, line_end), next);
        }
        b'#' => {
            return match bytes.get(pos + 1) {
                Some(&digit @ b'1'..=b'9') => {
                    (make(Kind::Parameter(digit - b'0'), pos + 2), pos + 2)
                }
                // `##1` in a body is a parameter of a macro defined inside it: not followed.
                Some(b'#') => (make(Kind::Word, pos + 2), pos + 2),
                _ => (make(Kind::Word, pos + 1), pos + 1),
            };
        }
        b if b.is_ascii_whitespace() => {
            let (end, blank) = white(bytes, pos);
            let kind = if blank { Kind::Paragraph } else { Kind::Space };
            return (make(kind, end), end);
        }
        _ => {
            let end = bytes
                .get(pos..)
                .and_then(|rest| rest.iter().position(|&b| is_special(b)))
                .map_or(bytes.len(), |n| pos + n);
            return (make(Kind::Word, end), end);
        }
    };
    (make(single, pos + 1), pos + 1)
}

fn is_special(b: u8) -> bool {
    b.is_ascii_whitespace()
        || matches!(
            b,
            b'{' | b'}'
                | b'['
                | b']'
                | b'*'
                | b'$'
                | b'&'
                | b'^'
                | b'_'
                | b'~'
                | b'\\'
                | b'%'
                | b'#'
        )
}

fn command_end(bytes: &[u8], text: &str, pos: usize, at_is_letter: bool) -> usize {
    let is_letter = |b: u8| b.is_ascii_alphabetic() || (at_is_letter && b == b'@');
    let mut end = pos + 1;
    while bytes.get(end).is_some_and(|&b| is_letter(b)) {
        end += 1;
    }
    if end == pos + 1 {
        end += text
            .get(end..)
            .and_then(|rest| rest.chars().next())
            .map_or(0, char::len_utf8);
    }
    end
}

/// Spaces after a command's name vanish, a blank line does not.
fn gobbled(bytes: &[u8], end: usize) -> usize {
    let (after, blank) = white(bytes, end);
    if blank { end } else { after }
}

/// The end of the white space at `pos`, and whether a blank line is in it.
fn white(bytes: &[u8], pos: usize) -> (usize, bool) {
    let mut end = pos;
    let mut lines = 0;
    while let Some(b) = bytes.get(end).filter(|b| b.is_ascii_whitespace()) {
        lines += usize::from(*b == b'\n');
        end += 1;
    }
    // The spaces after a comment line were taken with it, so a line end there is a blank line.
    let after_comment = lines == 1 && starts_line(bytes, pos);
    (end, lines > 1 || after_comment)
}

fn starts_line(bytes: &[u8], pos: usize) -> bool {
    bytes
        .get(..pos)
        .and_then(|head| head.iter().rev().find(|b| !matches!(b, b' ' | b'\t')))
        .is_some_and(|&b| b == b'\n')
}

pub(super) fn line_end(bytes: &[u8], pos: usize) -> usize {
    bytes
        .get(pos..)
        .and_then(|rest| rest.iter().position(|&b| b == b'\n'))
        .map_or(bytes.len(), |n| pos + n)
}
