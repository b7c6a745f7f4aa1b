//! Formulas as plain symbols: good enough to read numbers and statistics in them.

use unicode_normalization::UnicodeNormalization;

use super::super::model::BlockKind;
use super::super::source::Span;
use super::super::tex_symbols::{accent, superscript, symbol};
use super::super::visible::InlineKind;
use super::Reader;
use super::lexer::{Kind, Token};
use super::state::{Action, Environment, GroupKind, Math};

/// Longest exponent that is shown raised.
const RAISED: usize = 8;

impl Reader<'_> {
    pub(super) fn dollar(&mut self, token: Token) {
        match self.state.math {
            Math::No => {
                let next = self.input.peek();
                let double = next.kind == Kind::Dollar;
                if double {
                    self.input.next();
                    if !self.state.inline {
                        self.begin_math(Math::DoubleDollar, token.span);
                    }
                } else {
                    self.begin_math(Math::Dollar, token.span);
                }
            }
            // A dollar inside a group of a formula belongs to a box that an unknown command makes there.
            Math::Dollar | Math::DoubleDollar
                if matches!(
                    self.groups.last().map(|g| &g.kind),
                    Some(GroupKind::Brace(_))
                ) => {}
            Math::Dollar => self.close_math(token.span),
            Math::DoubleDollar => {
                self.input.take(Kind::Dollar);
                self.close_math(token.span);
            }
            // In a cell of `array` a dollar leaves the formula and comes back: nothing to read in that.
            Math::Parenthesis | Math::Bracket | Math::Other if self.in_flat_table() => {}
            Math::Parenthesis | Math::Bracket | Math::Other => self.note_unbalanced(token.span),
        }
    }

    pub(super) fn begin_math(&mut self, mode: Math, span: Span) {
        let display = matches!(mode, Math::DoubleDollar | Math::Bracket) && !self.state.inline;
        if display {
            self.end_block();
        }
        let (start, serial) = self.mark_start();
        self.push_group(GroupKind::Math { start, serial }, span);
        self.state.math = mode;
        self.state.inline = true;
        if display {
            self.state.kind = BlockKind::Math;
        }
    }

    /// Closes the innermost formula and what is open in it.
    pub(super) fn close_math(&mut self, span: Span) {
        while let Some(group) = self.groups.last() {
            let found = matches!(group.kind, GroupKind::Math { .. });
            let open = group.open;
            if !found {
                self.note_unbalanced(open);
            }
            self.close_top(span);
            if found {
                return;
            }
        }
    }

    fn in_flat_table(&self) -> bool {
        self.groups
            .iter()
            .rev()
            .find_map(|group| match &group.kind {
                GroupKind::Environment { kind, .. } => Some(matches!(kind, Environment::FlatTable)),
                GroupKind::Brace(_) => None,
                GroupKind::Math { .. } => Some(false),
            })
            .unwrap_or(false)
    }

    /// TeX lets no formula cross a blank line: its end is missing.
    pub(super) fn close_math_at_paragraph(&mut self, span: Span) {
        self.note_unbalanced(span);
        self.close_math(span);
    }

    pub(super) fn end_math(&mut self, start: usize, serial: usize, mode: Math, span: Span) {
        let display = matches!(mode, Math::DoubleDollar | Math::Bracket);
        if display && self.builder.open_kind() == Some(BlockKind::Math) && !self.state.inline {
            self.end_block();
        } else {
            if self.builder.at() == start && self.serial == serial {
                self.show_unknown(span);
            }
            self.mark(start, serial, InlineKind::Math);
        }
    }

    /// A formula of commands that nobody defined prints something all the same: their names stand for it.
    fn show_unknown(&mut self, span: Span) {
        let letters: String = self
            .input
            .slice(span)
            .chars()
            .filter(|c| !matches!(c, '$' | '\\' | '{' | '}' | '(' | ')'))
            .take(100)
            .collect();
        self.show(letters.trim(), span);
    }

    /// `^`: short exponents are raised, others written out.
    pub(super) fn superscript(&mut self, token: Token) {
        if !self.in_math() {
            self.word(token);
            return;
        }
        self.input.take(Kind::Space);
        let Some(tokens) = self.input.short_argument(RAISED) else {
            self.show("^", token.span);
            return;
        };
        let text: String = tokens.iter().map(|&t| self.shown_symbol(t)).collect();
        let raised: Option<String> = text.trim().chars().map(superscript).collect();
        let span = tokens
            .last()
            .map_or(token.span, |last| token.span.join(last.span));
        match (raised, text.trim()) {
            (_, "") => self.input.unread(tokens),
            (_, "∘") => self.show("°", span),
            (_, "*" | "′" | "†" | "th" | "st" | "nd" | "rd") => self.show(text.trim(), span),
            (Some(raised), _) => self.show(&raised, span),
            (None, _) => {
                self.show("^", token.span);
                self.input.unread(tokens);
            }
        }
    }

    pub(super) fn subscript(&mut self, token: Token) {
        self.word(token);
    }

    /// The characters a token shows by itself.
    fn shown_symbol(&self, token: Token) -> String {
        let text = self.input.text(token);
        match token.kind {
            Kind::Command => match text.strip_prefix('\\') {
                Some("text" | "mathrm" | "rm" | "textrm" | "mathit") => String::new(),
                Some(name) => symbol(name).unwrap_or("?").to_owned(),
                None => "?".to_owned(),
            },
            Kind::Open | Kind::Close => String::new(),
            _ => text.to_owned(),
        }
    }

    /// Commands of formulas. True when the name is one of them.
    pub(super) fn math_command(&mut self, name: &str, span: Span) -> bool {
        match name {
            "(" if !self.in_math() => self.begin_math(Math::Parenthesis, span),
            "[" if !self.in_math() => self.begin_math(Math::Bracket, span),
            ")" if self.state.math == Math::Parenthesis => self.close_math(span),
            "]" if self.state.math == Math::Bracket => self.close_math(span),
            "(" | "[" | ")" | "]" => self.note_unbalanced(span),
            "ensuremath" => self.ensure_math(),
            "frac" | "dfrac" | "tfrac" | "cfrac" | "nicefrac" | "sfrac" | "flatfrac" => {
                self.fraction(span)
            }
            "over" => self.show("/", span),
            "sqrt" => {
                let _ = self.input.optional();
                self.show("√", span);
            }
            "left" | "right" | "middle" => {
                // `\left.` is a delimiter that is not there.
                let next = self.input.peek();
                if next.kind == Kind::Word && self.input.text(next).starts_with('.') {
                    let _ = self.input.argument();
                }
            }
            "not" => {
                let next = self.input.peek();
                if next.kind == Kind::Word && self.input.text(next).starts_with('=') {
                    let _ = self.input.argument();
                    self.show("≠", span);
                }
            }
            "tag" => {
                self.input.take(Kind::Star);
                let _ = self.input.argument();
            }
            _ => return false,
        }
        true
    }

    fn ensure_math(&mut self) {
        let (start, serial) = self.mark_start();
        let action = if self.in_math() {
            Action::Scope
        } else {
            Action::Mark {
                start,
                serial,
                kind: InlineKind::Math,
            }
        };
        if self.argument_group(action) && !self.in_math() {
            self.state.math = Math::Other;
            self.state.inline = true;
        }
    }

    /// `\text{…}` in a formula.
    pub(super) fn text_in_math(&mut self) {
        if self.in_math() && self.argument_group(Action::Scope) {
            self.state.math = Math::No;
        }
    }

    /// `a/b`, with brackets around what is longer than one token.
    fn fraction(&mut self, span: Span) {
        let Some((above, _)) = self.input.argument() else {
            return;
        };
        let Some((below, _)) = self.input.argument() else {
            self.input.unread(above);
            return;
        };
        let mut tokens = Vec::with_capacity(above.len() + below.len() + 4);
        for (part, last) in [(above, false), (below, true)] {
            let long = part.len() > 1
                || part.first().is_some_and(|&token| {
                    self.input.text(token).contains(['+', '-', '=', '/', ','])
                });
            if long {
                tokens.push(Token::synthetic(Kind::Char('('), span));
            }
            tokens.extend(part);
            if long {
                tokens.push(Token::synthetic(Kind::Char(')'), span));
            }
            if !last {
                tokens.push(Token::synthetic(Kind::Char('/'), span));
            }
        }
        self.input.unread(tokens);
    }

    /// An accent over its argument. True when it was one.
    pub(super) fn accented(&mut self, name: &str, span: Span) -> bool {
        let Some(mark) = accent(name) else {
            return false;
        };
        let Some(tokens) = self.input.short_argument(RAISED) else {
            return true;
        };
        let span = tokens.last().map_or(span, |last| span.join(last.span));
        if let Some(position) = tokens.iter().position(|t| t.kind == Kind::Command)
            && let Some(&inner) = tokens.get(position)
            && let Some(inner_mark) = self.input.text(inner).strip_prefix('\\').and_then(accent)
        {
            // An accent on an accent: `\~{\^e}`.
            let base: String = tokens
                .iter()
                .filter(|t| t.kind == Kind::Word)
                .map(|&t| self.input.text(t))
                .collect();
            let composed: String = compose(&base, &[inner_mark, mark]);
            self.show(&composed, span);
            return true;
        }
        let base: String = tokens.iter().map(|&t| self.shown_symbol(t)).collect();
        if base.contains('?') {
            self.input.unread(tokens);
            return true;
        }
        if base.is_empty() {
            let alone = match name {
                "~" => "~",
                "^" => "^",
                _ => "",
            };
            self.show(alone, span);
            return true;
        }
        let composed = compose(&base, &[mark]);
        self.show(&composed, span);
        true
    }
}

/// Puts marks on the first letter.
fn compose(base: &str, marks: &[char]) -> String {
    let mut letters = base.chars();
    let first = match letters.next() {
        Some('ı') => 'i',
        Some('ȷ') => 'j',
        Some(c) => c,
        None => return String::new(),
    };
    std::iter::once(first)
        .chain(marks.iter().copied())
        .chain(letters)
        .nfc()
        .collect()
}
