//! Text on its way to the manuscript: ligatures, muted and hidden text, paragraphs.

use super::super::model::{BlockKind, Hidden};
use super::super::section::SectionKind;
use super::super::source::Span;
use super::super::tex_text::LIGATURES;
use super::super::visible::InlineKind;
use super::Reader;
use super::lexer::{Kind, Token};
use super::state::{Math, Outer};

impl Reader<'_> {
    /// Shows the characters of a token.
    pub(super) fn word(&mut self, token: Token) {
        let source = self.input.source(token.at.file);
        let text = source.get(token.at.range()).unwrap_or("");
        let plain = self.state.math != Math::No
            || self.state.typewriter
            || !text.bytes().any(|b| matches!(b, b'`' | b'\'' | b'-'));
        if plain {
            self.piece(text, token, 0);
            return;
        }
        let mut at = 0;
        let mut from = 0;
        while let Some(found) = text
            .get(at..)
            .and_then(|rest| rest.find(['`', '\'', '-', '!', '?']))
        {
            let place = at + found;
            let rest = text.get(place..).unwrap_or("");
            let Some((tex, shown)) = LIGATURES.iter().find(|(tex, _)| rest.starts_with(tex)) else {
                at = place + 1;
                continue;
            };
            self.piece(text.get(from..place).unwrap_or(""), token, from);
            let span = sub_span(token, place, tex.len());
            self.show(shown, span);
            at = place + tex.len();
            from = at;
        }
        self.piece(text.get(from..).unwrap_or(""), token, from);
    }

    /// Shows a part of a token that begins at byte `offset` of it.
    fn piece(&mut self, text: &str, token: Token, offset: usize) {
        if text.is_empty() {
            return;
        }
        if token.literal() {
            let span = sub_span(token, offset, text.len());
            self.show_literal(text, span);
        } else {
            self.show(text, token.span);
        }
    }

    /// Shows text that stands in the source just so.
    pub(super) fn show_literal(&mut self, text: &str, span: Span) {
        if self.ready(text, span) {
            self.builder.literal(text, span.file, span.start as usize);
        }
    }

    /// Shows text for a place.
    pub(super) fn show(&mut self, text: &str, span: Span) {
        if text.trim_matches(' ').is_empty() {
            if !text.is_empty() {
                self.space(span);
            }
            return;
        }
        if self.ready(text, span) {
            self.builder.replaced(text, span);
        }
    }

    pub(super) fn space(&mut self, span: Span) {
        if self.state.muted {
            return;
        }
        if self.state.hidden.is_some() {
            self.hidden_text.push(' ');
            return;
        }
        self.builder.space(span);
    }

    /// True when text is visible; opens a block for it when none is open.
    pub(super) fn ready(&mut self, text: &str, span: Span) -> bool {
        if self.state.muted {
            return false;
        }
        if self.state.hidden.is_some() {
            self.hidden_from = Some(self.hidden_from.map_or(span, |from| from.join(span)));
            self.hidden_text.push_str(text);
            return false;
        }
        if self.builder.open_kind().is_none() {
            if self.front_again {
                self.virtual_section("", SectionKind::Front, span);
            }
            self.builder.begin(self.state.kind, span);
        }
        true
    }

    /// A blank line or `\par`.
    pub(super) fn paragraph(&mut self, span: Span) {
        if matches!(
            self.state.math,
            Math::Dollar | Math::DoubleDollar | Math::Parenthesis | Math::Bracket
        ) {
            self.close_math_at_paragraph(span);
        }
        if self.state.inline || self.state.math != Math::No {
            self.space(span);
        } else if !self.state.muted && self.state.hidden.is_none() {
            self.end_block();
        } else {
            self.space(span);
        }
    }

    pub(super) fn end_block(&mut self) -> Option<usize> {
        self.serial += 1;
        self.builder.end()
    }

    /// Opens a block, closing the open one unless it cannot end here.
    pub(super) fn begin_block(&mut self, kind: BlockKind, span: Span) {
        self.serial += 1;
        self.builder.begin(kind, span);
    }

    /// Sets the open block aside.
    pub(super) fn set_aside(&mut self) -> Outer {
        let outer = Outer {
            block: self.builder.suspend().map(Box::new),
            serial: self.serial,
        };
        self.serial += 1;
        outer
    }

    /// Ends the inner block and goes on with the one set aside. Returns the index of the inner one.
    pub(super) fn take_up(&mut self, outer: Outer) -> Option<usize> {
        let index = self.end_block();
        self.builder.resume(outer.block.map(|block| *block));
        self.serial = outer.serial;
        index
    }

    /// Where a mark begins that ends later.
    pub(super) fn mark_start(&self) -> (usize, usize) {
        (self.builder.at(), self.serial)
    }

    pub(super) fn mark(&mut self, start: usize, serial: usize, kind: InlineKind) {
        if self.state.muted || self.state.hidden.is_some() {
            return;
        }
        let start = if serial == self.serial { start } else { 0 };
        if self.builder.at() > start {
            self.builder.mark(start, kind);
        }
    }

    /// Records hidden text gathered so far. `end` is the place where it stops.
    pub(super) fn flush_hidden(&mut self, end: Option<Span>) {
        let text = std::mem::take(&mut self.hidden_text);
        let from = self.hidden_from.take();
        let (Some(kind), Some(span)) = (self.state.hidden, from) else {
            return;
        };
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() {
            return;
        }
        // What closes the group is no part of the text.
        let stop = |end: Span| Span {
            end: end.start,
            ..end
        };
        let span = end.map_or(span, |end| span.join(stop(end)));
        self.builder.out.hidden.push(Hidden { kind, text, span });
    }

    /// Joins the characters of tokens, user macros opened, into a name with its places.
    pub(super) fn name_of(&mut self, tokens: Vec<Token>) -> super::super::visible::Text {
        let tokens = self.opened(tokens);
        self.input.words(&tokens)
    }

    /// Reads a `{…}` that names something.
    pub(super) fn name_argument(&mut self) -> Option<(super::super::visible::Text, Span)> {
        let (tokens, span) = self.input.braced_name()?;
        Some((self.name_of(tokens), span))
    }

    /// Puts tokens before what comes next, closed by the reader itself, and opens a group for them.
    pub(super) fn read_group(
        &mut self,
        mut tokens: Vec<Token>,
        action: super::state::Action,
        span: Span,
    ) {
        tokens.push(Token::synthetic(Kind::GroupEnd, span));
        if self.input.push(tokens.into(), None) {
            self.open_group(action, span);
        }
    }
}

/// The place of a part of a token: its own when the token stands in the text, else the whole call.
fn sub_span(token: Token, offset: usize, length: usize) -> Span {
    if token.literal() {
        let start = token.at.start as usize + offset;
        Span::new(token.at.file, start, start + length)
    } else {
        token.span
    }
}
