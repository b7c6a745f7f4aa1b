//! Shows islands in their place: formulas, citations, references, labels, notes, laid-out tables.

use std::ops::Range;

use super::attribute::Attributes;
use super::island::{Island, Mark};
use super::reader::Reader;
use crate::text::model::{
    BlockKind, Cell, CitationStyle, CitedKey, Comment, CommentKind, CrossReference, FloatKind,
    LabelTarget,
};
use crate::text::visible::InlineKind;

impl Reader<'_> {
    pub(super) fn laid_out(&mut self, table: super::layout::LaidOut, at: Range<usize>) {
        self.builder.end();
        let caption = self.captions.remove(&at.start);
        let captioned = caption.is_some();
        if captioned {
            let span = self.span(&at);
            let float = self.builder.begin_float(FloatKind::Table, span);
            self.caption(float, caption);
        }
        let mut rows = Vec::new();
        for row in table.rows {
            let mut cells = Vec::new();
            for pieces in row {
                let place = pieces.first().map_or(at.start..at.start, |first| {
                    first.start..pieces.last().map_or(first.end, |last| last.end)
                });
                self.begin(BlockKind::Cell, &place);
                for piece in pieces {
                    self.space(&(piece.start..piece.start));
                    self.inlines(piece);
                }
                if let Some(block) = self.builder.end() {
                    cells.push(Cell { block, columns: 1 });
                }
            }
            rows.push(cells);
        }
        self.add_table(rows, table.header_rows, &at);
        if captioned {
            let span = self.span(&at);
            self.builder.end_float(span);
        }
    }

    pub(super) fn open_note(&mut self, at: &Range<usize>) {
        if self.muted > 0 || self.hidden().is_some() {
            return;
        }
        self.open(at);
        let block = self.builder.suspend();
        self.waiting.push(block);
        self.begin(BlockKind::Footnote, at);
    }

    pub(super) fn close_note(&mut self) {
        if let Some(block) = self.waiting.pop() {
            self.builder.resume(block);
        }
    }

    pub(super) fn island(&mut self, island: Island) {
        let at = island.range;
        match island.mark {
            Mark::Nothing => {}
            Mark::Words(words) => self.replaced(&words, &at),
            Mark::Literal => self.literal(at),
            Mark::Url => {
                let start = self.builder.at();
                self.literal(at);
                self.mark(start, InlineKind::Url);
            }
            Mark::Math { inner, display } => self.formula(inner, display, &at),
            Mark::Attributes(list) => self.attributes(list, &at),
            Mark::SpanClose(list) => self.attributes(list, &at),
            Mark::Citation { keys, style } => self.cite(&keys, style, &at),
            Mark::References { names, command } => self.refer(&names, &command, &at),
            Mark::Label(name) => self.label(name, &at),
            Mark::Open(kind) => self.push_mark(Some(kind)),
            Mark::Close => self.pop_mark(),
            Mark::NoteOpen => self.open_note(&at),
            Mark::NoteClose => self.close_note(),
            Mark::Comment(inner) => {
                let text = self.slice(inner).trim().to_owned();
                let span = self.span(&at);
                self.builder.out.comments.push(Comment {
                    kind: CommentKind::Html,
                    text,
                    span,
                });
            }
            Mark::Tag(tag) => self.tag(tag, &at),
            Mark::Preformatted(inner) => {
                self.builder.end();
                self.begin(BlockKind::Code, &at);
                self.builder.literal(
                    self.text.get(inner.clone()).unwrap_or(""),
                    self.file,
                    inner.start,
                );
                self.builder.end();
            }
            Mark::DivOpen(list) => self.open_div(&list, &at),
            Mark::DivClose => self.close_div(&at),
            Mark::Graphics(path) => {
                if let Some(float) = self.builder.float() {
                    let path = self.slice(path).to_owned();
                    self.builder.out.floats[float].graphics.push(path);
                }
            }
            Mark::Environment { name, inner } => self.environment(self.slice(name), inner, &at),
            Mark::Table(table) => self.laid_out(table, at),
            Mark::Example(name) => {
                self.examples.push(self.slice(name).to_owned());
                self.literal(at);
            }
            Mark::Definition(key) => {
                let span = self.span(&key);
                let key = self.slice(key).to_owned();
                self.builder.out.bib_items.push((key, span));
            }
        }
    }

    pub(super) fn formula(&mut self, inner: Range<usize>, display: bool, at: &Range<usize>) {
        let shown = self.formulas.shown(self.slice(inner.clone()));
        let start = self.builder.at();
        if display {
            self.space(&(at.start..at.start));
        }
        let start = start.max(self.builder.at());
        self.replaced(&shown, at);
        self.mark(start, InlineKind::Math);
        if display {
            self.last_math = at.end;
        }
        self.math_labels(inner);
    }

    /// Labels inside a formula.
    pub(super) fn math_labels(&mut self, inner: Range<usize>) {
        let source = self.slice(inner.clone());
        for (i, mark) in source.match_indices("\\label{") {
            let start = inner.start + i + mark.len();
            if let Some(length) = self.slice(start..inner.end).find('}') {
                let name = start..start + length;
                let span = self.span(&name);
                let words = self.slice(name).trim().to_owned();
                self.builder.label(words, LabelTarget::Equation, span);
            }
        }
    }

    pub(super) fn attributes(&mut self, list: Attributes, at: &Range<usize>) {
        if self.in_heading {
            self.heading = Some(list);
            return;
        }
        let Some(id) = list.id else {
            return;
        };
        let near_math = self.last_math > 0
            && self.last_math <= at.start
            && self
                .text
                .get(self.last_math..at.start)
                .is_some_and(|gap| gap.trim().is_empty());
        let target = match self.builder.float() {
            Some(float) => LabelTarget::Float(float),
            None if near_math => LabelTarget::Equation,
            None => LabelTarget::Other,
        };
        let span = self.span(&id);
        self.builder.label(self.slice(id).to_owned(), target, span);
    }

    pub(super) fn label(&mut self, name: Range<usize>, at: &Range<usize>) {
        let target = match self.builder.float() {
            Some(float) => LabelTarget::Float(float),
            None if self.in_heading => LabelTarget::Section,
            None => LabelTarget::Other,
        };
        let words = self.slice(name).trim().to_owned();
        let span = self.span(at);
        self.builder.label(words, target, span);
    }

    pub(super) fn cite(&mut self, keys: &[Range<usize>], style: CitationStyle, at: &Range<usize>) {
        let keys: Vec<CitedKey> = keys
            .iter()
            .map(|key| CitedKey {
                key: self.slice(key.clone()).to_owned(),
                span: self.span(key),
            })
            .collect();
        let span = self.span(at);
        if self.muted > 0 || self.hidden().is_some() || style == CitationStyle::Silent {
            self.builder.cite(keys, CitationStyle::Silent, "", span);
            return;
        }
        let shown = self
            .slice(at.clone())
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        self.open(at);
        self.builder.cite(keys, style, &shown, span);
    }

    pub(super) fn refer(&mut self, names: &[Range<usize>], command: &str, at: &Range<usize>) {
        if self.muted > 0 || self.hidden().is_some() {
            return;
        }
        self.open(at);
        let shown = self
            .slice(at.clone())
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        for (i, name) in names.iter().enumerate() {
            let words = self.slice(name.clone()).to_owned();
            let span = if names.len() == 1 {
                self.span(at)
            } else {
                self.span(name)
            };
            if i == 0 {
                self.builder.refer(words, command.to_owned(), &shown, span);
            } else {
                let block = None;
                let command = command.to_owned();
                self.builder.out.references.push(CrossReference {
                    name: words,
                    command,
                    span,
                    block,
                });
            }
        }
    }
}
