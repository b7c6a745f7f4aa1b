//! Islands that open with a mark of one character: formulas, braces, raised and lowered text, bare addresses.

use super::island::{Cover, Mark};
use super::scan::Scanner;
use super::{attribute, cite};
use crate::text::CitationStyle;
use crate::text::sentence::is_cjk;
use crate::text::tex_symbols::superscript;

/// Longest superscript or subscript, in bytes.
const SCRIPT: usize = 60;

impl Scanner<'_> {
    /// Formulas by pandoc's rules.
    pub(super) fn dollar(&mut self, at: usize) -> usize {
        let limit = self.paragraph_end(at);
        if self.byte(at + 1) == b'$' {
            let mut i = at + 2;
            while i + 1 < limit {
                match self.bytes[i] {
                    b'\\' => i += 1,
                    b'$' if self.bytes[i + 1] == b'$' => {
                        if self
                            .text
                            .get(at + 2..i)
                            .is_none_or(|inner| inner.trim().is_empty())
                        {
                            return i + 2;
                        }
                        let inner = at + 2..i;
                        return self.push(
                            at..i + 2,
                            Mark::Math {
                                inner,
                                display: true,
                            },
                        );
                    }
                    _ => {}
                }
                i += 1;
            }
            // None in this paragraph: whatever stands here is text.
            return limit.max(at + 2).min(self.skip_dollars(at));
        }
        if self.byte(at + 1).is_ascii_whitespace() || self.byte(at + 1) == 0 {
            return at + 1;
        }
        match self.closing_dollar(at + 2, limit) {
            Some(close) => {
                let inner = at + 1..close;
                self.push(
                    at..close + 1,
                    Mark::Math {
                        inner,
                        display: false,
                    },
                )
            }
            None => at + 1,
        }
    }

    pub(super) fn skip_dollars(&self, at: usize) -> usize {
        at + self.bytes[at..self.end]
            .iter()
            .take_while(|&&b| b == b'$')
            .count()
    }

    /// The next dollar at or behind `from` that closes a formula: as in pandoc, one with a space before it ends the
    /// search, one with a digit behind it is passed over. It does not depend on where the formula opens, so that
    /// each is looked for once.
    pub(super) fn closing_dollar(&mut self, from: usize, limit: usize) -> Option<usize> {
        let mut i = match self.next_dollar {
            Some(known) if known >= from => known,
            _ => from,
        };
        while i < self.end {
            match self.bytes[i] {
                b'\\' => i += 1,
                b'$' if self.bytes[i - 1].is_ascii_whitespace()
                    || !self.byte(i + 1).is_ascii_digit() =>
                {
                    break;
                }
                b'\n' if i >= limit => break,
                _ => {}
            }
            i += 1;
        }
        self.next_dollar = Some(i);
        let closes = i < limit
            && i < self.end
            && self.bytes[i] == b'$'
            && !self.bytes[i - 1].is_ascii_whitespace();
        closes.then_some(i)
    }

    pub(super) fn open_curly(&mut self, at: usize) -> usize {
        for (open, close, longest) in [("{{", "}}", 300), ("{%", "%}", 2_000), ("{#", "#}", 4_000)]
        {
            if !self.starts(at, open)
                || open == "{#" && !matches!(self.byte(at + 2), b'#' | b' ' | b'-' | b'\n')
            {
                continue;
            }
            let longest = self.ahead(longest);
            let limit = self.end.min(at + longest);
            let inside = self.bytes[at + 2..limit.max(at + 2)]
                .windows(2)
                .position(|pair| pair == close.as_bytes());
            if let Some(length) = inside {
                let range = at..at + 2 + length + 2;
                let mark = if open == "{{" {
                    Mark::Literal
                } else {
                    Mark::Nothing
                };
                let cover = if open != "{{" && self.alone(range.start, range.end) {
                    Cover::Blank
                } else {
                    Cover::Inert
                };
                return self.cover(range, cover, mark);
            }
            self.budget = self.budget.saturating_sub(longest);
        }
        if self.byte(at + 1) == b'@'
            && let Some((key, end)) = cite::key(self.text, at + 1)
            && self.byte(end) == b'}'
        {
            if self
                .text
                .get(key.clone())
                .is_some_and(cite::is_cross_reference)
            {
                return self.references(at..end + 1, vec![key]);
            }
            let keys = vec![key];
            let style = CitationStyle::Parenthetical;
            return self.push(at..end + 1, Mark::Citation { keys, style });
        }
        let Some((list, end)) = attribute::parse(self.text, at).filter(|&(_, end)| end <= self.end)
        else {
            return at + 1;
        };
        let before = if at == 0 { b'\n' } else { self.bytes[at - 1] };
        let attached = match before {
            b')' | b']' | b'`' | b'$' => true,
            b'}' => self
                .found
                .islands
                .last()
                .is_some_and(|last| last.range.end == at),
            _ => {
                before.is_ascii_whitespace()
                    && (list.is_marked() || list.dash && matches!(self.byte(end), b'\n' | 0))
            }
        };
        if attached {
            self.push(at..end, Mark::Attributes(list))
        } else {
            at + 1
        }
    }

    pub(super) fn bookdown_label(&mut self, at: usize) -> usize {
        let inside = at + 3;
        let length = self.bytes[inside..self.end]
            .iter()
            .take(200)
            .position(|&b| b == b')');
        match length {
            Some(length) => self.push(
                at..inside + length + 1,
                Mark::Label(inside..inside + length),
            ),
            None => inside,
        }
    }

    pub(super) fn caret(&mut self, at: usize) -> usize {
        // As in pandoc, raised text comes before a note: `^[✉](#mail)^`.
        let Some(close) = self.script(at, b'^') else {
            if self.byte(at + 1) == b'['
                && let Some(close) = self.close_of_square(at + 1)
            {
                return self.bracketed(
                    at..at + 2,
                    Mark::NoteOpen,
                    close..close + 1,
                    Mark::NoteClose,
                );
            }
            return at + 1;
        };
        let inner = self.text.get(at + 1..close).unwrap_or("");
        let raised: Option<String> = inner.chars().map(superscript).collect();
        match raised {
            Some(raised) if !inner.is_empty() => self.push(at..close + 1, Mark::Words(raised)),
            _ => self.scripted(at, close),
        }
    }

    pub(super) fn tilde(&mut self, at: usize) -> usize {
        if self.byte(at + 1) == b'~' {
            return at
                + self.bytes[at..self.end]
                    .iter()
                    .take_while(|&&b| b == b'~')
                    .count();
        }
        match self.script(at, b'~') {
            Some(close) => self.scripted(at, close),
            None => at + 1,
        }
    }

    /// Hides both marks of a superscript or subscript.
    pub(super) fn scripted(&mut self, at: usize, close: usize) -> usize {
        self.bracketed(at..at + 1, Mark::Nothing, close..close + 1, Mark::Nothing)
    }

    pub(super) fn script(&self, at: usize, mark: u8) -> Option<usize> {
        let rest = self.bytes.get(at + 1..self.end.min(at + SCRIPT))?;
        let length = rest
            .iter()
            .position(|&b| b == mark || b.is_ascii_whitespace())?;
        (length > 0 && rest[length] == mark && rest.get(length + 1) != Some(&mark))
            .then_some(at + 1 + length)
    }

    /// A bare address, to its last character that is not punctuation of the sentence.
    pub(super) fn address(&mut self, at: usize) -> usize {
        let scheme = ["https://", "http://", "ftp://", "HTTP://", "HTTPS://"]
            .iter()
            .find(|scheme| self.starts(at, scheme));
        let Some(scheme) = scheme.filter(|_| !self.follows_word(at)) else {
            return at + 1;
        };
        let mut end = at + scheme.len();
        let mut depth = 0_usize;
        for (i, c) in self.text.get(end..self.end).unwrap_or("").char_indices() {
            let stops = match c {
                '<' | '>' | '"' | '`' | '|' | '\\' | '{' | '}' | '[' | ']' | '，' | '。' | '；'
                | '、' | '）' | '（' | '”' | '’' | '“' => true,
                '(' => {
                    depth += 1;
                    false
                }
                ')' if depth == 0 => true,
                ')' => {
                    depth -= 1;
                    false
                }
                _ => c.is_whitespace() || c.is_control() || is_cjk(c),
            };
            if stops {
                break;
            }
            end = at + scheme.len() + i + c.len_utf8();
        }
        let url = self.text.get(at..end).unwrap_or("");
        let url = url.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '_', '~']);
        if url.len() <= scheme.len() {
            return at + scheme.len();
        }
        self.push(at..at + url.len(), Mark::Url)
    }
}
