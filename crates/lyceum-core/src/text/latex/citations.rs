//! Citations: natbib, biblatex, apacite and their kin; bibliographies and items written in the text.

use super::super::model::{BlockKind, Citation, CitationStyle, CitedKey};
use super::super::section::SectionKind;
use super::super::source::Span;
use super::super::visible::Text;
use super::Reader;
use super::lexer::{Kind, Token};
use super::state::Deferred;

/// Words of a citation's notes are looked for no further than this many tokens.
const NOTE: usize = 100;

/// How a citation command cites; `None` for a command that does not.
pub(super) fn style(name: &str) -> Option<CitationStyle> {
    let lower = name.to_ascii_lowercase();
    if !lower.contains("cite") {
        return None;
    }
    if lower == "nocite" {
        return Some(CitationStyle::Silent);
    }
    let setting = [
        "style", "setup", "declare", "every", "format", "delim", "color", "punct", "reset",
        "alias", "define", "dash", "left", "right", "sort", "toggle", "counter", "bibopen", "hook",
        "backref", "sep", "mid", "track", "number",
    ];
    if setting.iter().any(|part| lower.contains(part))
        && !matches!(lower.as_str(), "citetalias" | "citepalias")
    {
        return None;
    }
    let textual = [
        "citet",
        "textcite",
        "citeauthor",
        "citealt",
        "citeasnoun",
        "citetitle",
        "citea",
        "citen",
    ];
    if textual.iter().any(|part| lower.contains(part)) && !lower.contains("citealp")
        || lower == "citeyear"
    {
        return Some(CitationStyle::Textual);
    }
    Some(CitationStyle::Parenthetical)
}

/// Commands whose meaning a text's own definition does not change for us.
pub(super) fn is_standard(name: &str) -> bool {
    matches!(
        name,
        "cite"
            | "citep"
            | "citet"
            | "Citet"
            | "Citep"
            | "citealt"
            | "citealp"
            | "citeauthor"
            | "citeyear"
            | "citeyearpar"
            | "nocite"
            | "parencite"
            | "textcite"
            | "autocite"
            | "footcite"
            | "fullcite"
            | "cites"
            | "parencites"
            | "textcites"
            | "autocites"
    )
}

impl Reader<'_> {
    pub(super) fn cite(&mut self, name: &str, style: CitationStyle, token: Token) {
        let mut span = token.span;
        self.input.take(Kind::Star);
        self.angle_notes();
        let many = name.ends_with("cites");
        let volume = name.to_ascii_lowercase().contains("volcite");
        if many {
            self.round_notes();
        }
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let mut keys = Vec::new();
        loop {
            let first = self.input.optional();
            let second = if first.is_some() {
                self.input.optional()
            } else {
                None
            };
            match (first, second) {
                (Some(first), Some(second)) => {
                    add_note(&mut before, first, span);
                    add_note(&mut after, second, span);
                }
                (Some(first), None) => add_note(&mut after, first, span),
                (None, _) => {}
            }
            // biblatex's \volcite[see]{2}[3]{key}: the first braces name a volume.
            if volume && self.name_argument().is_some() {
                let _ = self.input.optional();
            }
            let Some((words, place)) = self.name_argument() else {
                break;
            };
            span = if token.literal() {
                span.join(place)
            } else {
                span
            };
            keys.extend(split_keys(&words));
            if !many || !matches!(self.input.peek().kind, Kind::Bracket | Kind::Open) {
                break;
            }
        }
        if matches!(name, "citefield" | "citename" | "citelist") {
            let _ = self.input.argument();
        }
        if keys.is_empty() {
            return;
        }
        let shown = self.shown_keys(name, &keys);
        if before.is_empty() && after.is_empty() {
            self.finish_cite(keys, style, &shown, span, (false, false));
            return;
        }
        let work = Deferred::Cite {
            keys,
            style,
            shown,
            span,
            before: !before.is_empty(),
            after: !after.is_empty(),
        };
        let deferred = self.defer(work, span);
        before.push(deferred);
        before.extend(after);
        self.input.unread(before);
    }

    fn shown_keys(&self, name: &str, keys: &[CitedKey]) -> String {
        let alias = name.ends_with("alias");
        let shown: Vec<&str> = keys
            .iter()
            .map(|key| match self.aliases.get(&key.key) {
                Some(short) if alias => short.as_str(),
                _ => key.key.as_str(),
            })
            .collect();
        shown.join(", ")
    }

    pub(super) fn finish_cite(
        &mut self,
        keys: Vec<CitedKey>,
        style: CitationStyle,
        shown: &str,
        span: Span,
        (before, after): (bool, bool),
    ) {
        if before {
            self.space(span);
        }
        if style == CitationStyle::Silent || !self.ready(shown, span) {
            self.builder.out.citations.push(Citation {
                keys,
                style,
                span,
                block: None,
            });
        } else {
            self.builder.cite(keys, style, shown, span);
        }
        if after {
            self.show(", ", span);
        }
    }

    /// apacite's `\cite<see>{key}`.
    fn angle_notes(&mut self) {
        let next = self.input.peek();
        if next.kind != Kind::Word || !self.input.text(next).starts_with('<') {
            return;
        }
        let mut read = Vec::new();
        while read.len() < NOTE {
            let token = self.input.next();
            read.push(token);
            if self.input.text(token).contains('>') {
                return;
            }
            if matches!(token.kind, Kind::End | Kind::Paragraph) {
                break;
            }
        }
        self.input.unread(read);
    }

    /// biblatex's `\cites(see)(and more)…`.
    fn round_notes(&mut self) {
        loop {
            let next = self.input.peek();
            if next.kind != Kind::Word || !self.input.text(next).starts_with('(') {
                return;
            }
            let mut read = Vec::new();
            loop {
                let token = self.input.next();
                read.push(token);
                if self.input.text(token).ends_with(')') {
                    break;
                }
                if read.len() > NOTE || matches!(token.kind, Kind::End | Kind::Paragraph) {
                    self.input.unread(read);
                    return;
                }
            }
        }
    }

    /// `\defcitealias{key}{text}`
    pub(super) fn define_alias(&mut self) {
        let Some((key, _)) = self.name_argument() else {
            return;
        };
        if let Some((tokens, _)) = self.input.argument() {
            let text = self.name_of(tokens).string;
            self.aliases.insert(
                key.string.trim().to_owned(),
                super::super::tex_text::tex_to_text(&text),
            );
        }
    }

    /// `\bibliography{a,b}`, `\addbibresource{a.bib}`.
    pub(super) fn bibliography(&mut self, name: &str) {
        let _ = self.input.optional();
        let Some((words, _)) = self.name_argument() else {
            return;
        };
        let many = matches!(name, "bibliography" | "nobibliography");
        for file in split_keys(&words) {
            let path = file.key.trim_matches('"');
            let path = if many && !path.ends_with(".bib") {
                format!("{path}.bib")
            } else {
                path.to_owned()
            };
            let known = self
                .builder
                .out
                .bibliographies
                .iter()
                .any(|(known, _)| *known == path);
            if !known {
                self.builder.out.bibliographies.push((path, file.span));
            }
        }
    }

    /// `\bibitem[label]{key}`
    pub(super) fn bib_item(&mut self, span: Span) {
        let _ = self.input.optional();
        let Some((words, _)) = self.name_argument() else {
            return;
        };
        if let Some(key) = split_whole(&words) {
            self.builder.out.bib_items.push((key.key, key.span));
        }
        if !self.state.muted {
            self.begin_block(BlockKind::Bibliography, span);
        }
    }

    pub(super) fn begin_bibliography(&mut self, span: Span) {
        let _ = self.input.argument();
        self.virtual_section("References", SectionKind::References, span);
        self.state.kind = BlockKind::Bibliography;
        self.state.muted = false;
    }
}

/// Adds a note to those of a citation with several parts.
fn add_note(notes: &mut Vec<Token>, note: Vec<Token>, span: Span) {
    if note.is_empty() {
        return;
    }
    if !notes.is_empty() {
        notes.push(Token::synthetic(Kind::Char(','), span));
        notes.push(Token::synthetic(Kind::Space, span));
    }
    notes.extend(note);
}

/// Splits a comma list, each name with its own place.
pub(super) fn split_keys(words: &Text) -> Vec<CitedKey> {
    let mut keys = Vec::new();
    let mut start = 0;
    for part in words.string.split(',') {
        let from = start + (part.len() - part.trim_start().len());
        let key = part.trim();
        start += part.len() + 1;
        if key.is_empty() {
            continue;
        }
        if let Some(span) = words.span(from..from + key.len()) {
            keys.push(CitedKey {
                key: key.to_owned(),
                span,
            });
        }
    }
    keys
}

/// The whole of a name, which may hold commas.
pub(super) fn split_whole(words: &Text) -> Option<CitedKey> {
    let key = words.string.trim();
    let from = words.string.len() - words.string.trim_start().len();
    let span = words.span(from..from + key.len())?;
    (!key.is_empty()).then(|| CitedKey {
        key: key.to_owned(),
        span,
    })
}
