//! Labels and cross references.

use super::super::model::{CrossReference, LabelTarget};
use super::super::source::Span;
use super::Reader;
use super::citations::{split_keys, split_whole};
use super::lexer::{Kind, Token};
use super::state::Action;

/// True for a command that refers to labels.
pub(super) fn is_reference(name: &str) -> bool {
    matches!(
        name,
        "ref"
            | "eqref"
            | "pageref"
            | "autoref"
            | "Autoref"
            | "nameref"
            | "Nameref"
            | "vref"
            | "Vref"
            | "vpageref"
            | "fref"
            | "Fref"
            | "subref"
            | "titleref"
            | "thref"
            | "prettyref"
            | "fullref"
            | "autopageref"
            | "bref"
            | "refeq"
            | "vnameref"
            | "zref"
            | "zpageref"
            | "pref"
            | "getrefnumber"
            | "getpagerefnumber"
            | "lineref"
            | "rangeref"
            | "sref"
    ) || is_list(name)
        || is_range(name)
}

/// References that take a comma list.
fn is_list(name: &str) -> bool {
    matches!(
        name,
        "cref"
            | "Cref"
            | "labelcref"
            | "cpageref"
            | "Cpageref"
            | "namecref"
            | "nameCref"
            | "lcnamecref"
            | "namecrefs"
            | "nameCrefs"
            | "lcnamecrefs"
            | "labelcpageref"
            | "zcref"
            | "zcpageref"
            | "vcref"
            | "Vcref"
    )
}

fn is_range(name: &str) -> bool {
    matches!(
        name,
        "crefrange"
            | "Crefrange"
            | "cpagerefrange"
            | "Cpagerefrange"
            | "vrefrange"
            | "vpagerefrange"
    )
}

impl Reader<'_> {
    pub(super) fn label(&mut self) {
        let _ = self.input.optional();
        let Some((words, _)) = self.name_argument() else {
            return;
        };
        if let Some(name) = split_whole(&words) {
            self.add_label(name.key, self.state.target, name.span);
        }
    }

    pub(super) fn add_label(&mut self, name: String, target: LabelTarget, span: Span) {
        self.builder.label(name, target, span);
    }

    pub(super) fn reference(&mut self, name: &str, token: Token) {
        self.input.take(Kind::Star);
        let _ = self.input.optional();
        let rounds = if is_range(name) { 2 } else { 1 };
        for round in 0..rounds {
            let Some((words, place)) = self.name_argument() else {
                return;
            };
            let whole = if token.literal() {
                token.span.join(place)
            } else {
                token.span
            };
            if is_list(name) {
                let names = split_keys(&words);
                let single = names.len() == 1;
                for (i, label) in names.into_iter().enumerate() {
                    if i > 0 {
                        self.show(", ", label.span);
                    }
                    let span = if single { whole } else { label.span };
                    self.refer(label.key, name, span);
                }
            } else if let Some(label) = split_whole(&words) {
                if round > 0 {
                    self.show("–", label.span);
                }
                let span = if rounds == 1 { whole } else { label.span };
                self.refer(label.key, name, span);
            }
        }
    }

    fn refer(&mut self, name: String, command: &str, span: Span) {
        if self.ready(&name, span) {
            let shown = name.clone();
            self.builder.refer(name, command.to_owned(), &shown, span);
        } else {
            self.builder.out.references.push(CrossReference {
                name,
                command: command.to_owned(),
                span,
                block: None,
            });
        }
    }

    /// `\hyperref[label]{text}`
    pub(super) fn hyper_reference(&mut self, token: Token) {
        let Some(tokens) = self.input.optional() else {
            for _ in 0..3 {
                let _ = self.input.argument();
            }
            return;
        };
        let words = self.name_of(tokens);
        if let Some(label) = split_whole(&words) {
            self.builder.out.references.push(CrossReference {
                name: label.key,
                command: "hyperref".to_owned(),
                span: if token.literal() {
                    label.span
                } else {
                    token.span
                },
                block: None,
            });
        }
        self.argument_group(Action::Nothing);
    }

    /// A command nobody defined that ends in `ref`: its argument is kept, and counts as a reference when it names a label.
    pub(super) fn perhaps_reference(&mut self, name: &str) {
        if !name.to_ascii_lowercase().ends_with("ref") || self.input.peek().kind != Kind::Open {
            return;
        }
        let Some((tokens, _)) = self.input.braced_name() else {
            return;
        };
        let words = self.input.words(&tokens);
        for label in split_keys(&words) {
            self.perhaps.push((label.key, name.to_owned(), label.span));
        }
        self.input.unread(tokens);
    }

    /// Keeps of the likely references those that name a label of the text.
    pub(super) fn settle_references(&mut self) {
        let perhaps = std::mem::take(&mut self.perhaps);
        if perhaps.is_empty() {
            return;
        }
        let out = &mut self.builder.out;
        let labels: std::collections::HashSet<&str> =
            out.labels.iter().map(|label| label.name.as_str()).collect();
        for (name, command, span) in perhaps {
            if labels.contains(name.as_str()) {
                out.references.push(CrossReference {
                    name,
                    command,
                    span,
                    block: None,
                });
            }
        }
    }

    /// xr's `\externaldocument[prefix]{file}`.
    pub(super) fn external_document(&mut self) {
        let prefix = self
            .input
            .optional()
            .map(|tokens| self.input.words(&tokens).string)
            .unwrap_or_default();
        let _ = self.input.optional();
        if let Some((file, _)) = self.name_argument() {
            let value = format!("{}|{}", prefix.trim(), file.string.trim());
            self.builder.out.packages.push(("xr".to_owned(), value));
        }
    }
}
