//! Text that is in the source and that a reader of the paper cannot see: white, transparent, tiny, phantom.

use super::super::model::HiddenKind;
use super::super::source::Span;
use super::Reader;
use super::lexer::Kind;
use super::state::{Action, Math};

/// Below this size in points no one reads.
const READABLE: f64 = 2.0;

/// Names and values of colours that are white, and of those the text defines as such.
fn is_white(model: &str, value: &str, own: &std::collections::HashSet<String>) -> bool {
    let value: String = value.to_ascii_lowercase().split_whitespace().collect();
    let all = |wanted: f64| {
        let mut parts = value.split(',').map(str::parse::<f64>);
        parts.all(|part| part.is_ok_and(|part| part >= wanted))
    };
    match model.trim() {
        "" | "named" => {
            matches!(value.as_str(), "white" | "white!100" | "black!0") || own.contains(&value)
        }
        "rgb" => all(0.99),
        "gray" => all(0.99),
        "RGB" => all(253.0),
        // A shade that no eye tells from white is white.
        "HTML" => {
            value.len() == 6
                && (0..3).all(|i| {
                    value
                        .get(2 * i..2 * i + 2)
                        .and_then(|part| u8::from_str_radix(part, 16).ok())
                        .is_some_and(|part| part >= 0xfa)
                })
        }
        "cmyk" => value
            .split(',')
            .all(|part| part.parse::<f64>().is_ok_and(|part| part <= 0.01)),
        _ => false,
    }
}

impl Reader<'_> {
    /// Colours, sizes and boxes. True when the command is one of them.
    pub(super) fn colour_command(&mut self, name: &str, span: Span) -> bool {
        match name {
            "color" | "textcolor" => self.colour(name == "textcolor"),
            "definecolor" | "providecolor" => self.define_colour(),
            "colorlet" => {
                let name = self.plain_argument();
                let value = self.plain_argument();
                if is_white("", &value, &self.whites) {
                    self.whites.insert(name.to_ascii_lowercase());
                }
            }
            "colorbox" | "fcolorbox" => self.colour_box(name),
            "cellcolor" | "rowcolor" | "columncolor" | "rowcolors" | "pagecolor" => {
                let _ = self.input.optional();
                let count = if name == "rowcolors" { 3 } else { 1 };
                for _ in 0..count {
                    let _ = self.input.argument();
                }
                if name == "pagecolor" {
                    self.dark_page = true;
                }
                self.state.coloured = true;
            }
            "fontsize" => {
                let size = self.plain_argument();
                let _ = self.plain_argument();
                self.set_hidden(
                    points(&size).is_some_and(|size| size < READABLE),
                    HiddenKind::Tiny,
                    span,
                );
            }
            "tiny" | "scriptsize" | "footnotesize" | "small" | "normalsize" | "large" | "Large"
            | "LARGE" | "huge" | "Huge" => self.set_hidden(false, HiddenKind::Tiny, span),
            "transparent" | "texttransparent" => {
                let value = self.plain_argument();
                let clear = value.trim().parse::<f64>().is_ok_and(|value| value <= 0.02);
                if name == "transparent" {
                    self.set_hidden(clear, HiddenKind::Invisible, span);
                } else {
                    self.hidden_argument(clear, HiddenKind::Invisible);
                }
            }
            "phantom" | "hphantom" | "vphantom" => {
                self.hidden_argument(true, HiddenKind::Invisible)
            }
            "resizebox" => {
                self.input.take(Kind::Star);
                let sizes = [self.plain_argument(), self.plain_argument()];
                let tiny = sizes
                    .iter()
                    .any(|size| points(size).is_some_and(|size| size < READABLE / 4.0));
                self.hidden_argument(tiny, HiddenKind::Tiny);
            }
            "scalebox" => {
                let value = self.plain_argument();
                let _ = self.input.optional();
                let tiny = value
                    .trim()
                    .parse::<f64>()
                    .is_ok_and(|value| value.abs() * 10.0 < READABLE);
                self.hidden_argument(tiny, HiddenKind::Tiny);
            }
            _ => return false,
        }
        true
    }

    fn plain_argument(&mut self) -> String {
        match self.input.argument() {
            Some((tokens, _)) => self.input.words(&tokens).string,
            None => String::new(),
        }
    }

    fn colour(&mut self, argument: bool) {
        let model = self
            .input
            .optional()
            .map(|tokens| self.input.words(&tokens).string)
            .unwrap_or_default();
        let value = self.plain_argument();
        let white =
            is_white(&model, &value, &self.whites) && !self.state.coloured && !self.dark_page;
        if argument {
            self.hidden_argument(white, HiddenKind::Invisible);
        } else {
            self.set_hidden(
                white,
                HiddenKind::Invisible,
                Span::new(super::FileId(0), 0, 0),
            );
        }
    }

    fn define_colour(&mut self) {
        let _ = self.input.optional();
        let (name, model, value) = (
            self.plain_argument(),
            self.plain_argument(),
            self.plain_argument(),
        );
        if is_white(&model, &value, &self.whites) {
            self.whites.insert(name.trim().to_ascii_lowercase());
        }
    }

    fn colour_box(&mut self, name: &str) {
        let model = self
            .input
            .optional()
            .map(|tokens| self.input.words(&tokens).string)
            .unwrap_or_default();
        if name == "fcolorbox" {
            let _ = self.plain_argument();
        }
        let value = self.plain_argument();
        let white = is_white(&model, &value, &self.whites);
        if self.argument_group(Action::Scope) {
            self.state.coloured = !white;
            self.state.math = Math::No;
        }
    }

    /// Reads the argument, hidden or not.
    fn hidden_argument(&mut self, hidden: bool, kind: HiddenKind) {
        if !self.argument_group(Action::Scope) || self.state.muted {
            return;
        }
        if hidden && self.state.hidden.is_none() {
            self.state.hidden = Some(kind);
        }
    }

    /// From here to the end of the group text is hidden, or is seen again.
    fn set_hidden(&mut self, hidden: bool, kind: HiddenKind, _span: Span) {
        if self.state.muted {
            return;
        }
        if hidden && self.state.hidden.is_none() {
            self.state.hidden = Some(kind);
        } else if !hidden && self.state.hidden == Some(kind) {
            let outside = self
                .groups
                .last()
                .is_some_and(|group| group.saved.hidden.is_some());
            if !outside {
                self.flush_hidden(None);
                self.state.hidden = None;
            }
        }
    }
}

/// A length in points; `None` when it is not written in a unit of its own.
fn points(size: &str) -> Option<f64> {
    let size = size.trim();
    let digits = size.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let value: f64 = digits.trim().parse().ok()?;
    let factor = match size.get(digits.len()..)? {
        "" | "pt" | "bp" | "px" => 1.0,
        "mm" => 2.845,
        "cm" => 28.45,
        "in" => 72.27,
        "em" | "ex" => 8.0,
        "sp" => 1.0 / 65_536.0,
        _ => return None,
    };
    Some(value * factor)
}
