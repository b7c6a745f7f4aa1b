//! Figures, tables, listings: their captions and images.

use super::super::model::{BlockKind, FloatKind, LabelTarget};
use super::super::source::Span;
use super::Reader;
use super::lexer::Kind;
use super::state::{Action, Outer};

/// The kind of a float environment, star cut off.
pub(super) fn float_kind(name: &str) -> Option<FloatKind> {
    Some(match name {
        "figure" | "wrapfigure" | "SCfigure" | "sidewaysfigure" | "marginfigure" | "subfigure"
        | "floatingfigure" | "figwindow" | "scheme" | "chart" | "graph" | "plate"
        | "figurehere" | "suppfigure" | "extfigure" => FloatKind::Figure,
        "table" | "wraptable" | "SCtable" | "sidewaystable" | "margintable" | "subtable"
        | "longtable" | "xltabular" | "longtabu" | "longtblr" | "deluxetable" | "supertable"
        | "tablehere" | "ctable" => FloatKind::Table,
        "algorithm" | "algorithm2e" | "procedure" | "function" | "subalgorithm" => {
            FloatKind::Algorithm
        }
        "listing" | "code" | "program" | "codelisting" | "sublisting" => FloatKind::Listing,
        _ => return None,
    })
}

impl Reader<'_> {
    /// Opens a float and returns what it stands in.
    pub(super) fn begin_float(&mut self, kind: FloatKind, span: Span) -> (usize, Outer) {
        let outer = if self.state.inline {
            self.set_aside()
        } else {
            self.end_block();
            Outer {
                block: None,
                serial: self.serial,
            }
        };
        let index = self.builder.begin_float(kind, span);
        (index, outer)
    }

    /// The state inside a float.
    pub(super) fn enter_float(&mut self, index: usize) {
        self.state.kind = BlockKind::Paragraph;
        self.state.inline = false;
        self.state.target = LabelTarget::Float(index);
    }

    pub(super) fn end_float(&mut self, outer: Outer, span: Span) {
        self.end_block();
        self.builder.end_float(span);
        if outer.block.is_some() {
            self.serial = outer.serial;
        }
        self.builder.resume(outer.block.map(|block| *block));
    }

    /// `\caption[short]{text}`, `\captionof{figure}{text}`.
    pub(super) fn caption(&mut self, name: &str, span: Span) {
        self.input.take(Kind::Star);
        let mut kind = FloatKind::Figure;
        if matches!(name, "captionof" | "captionbelowof" | "captionaboveof")
            && let Some((words, _)) = self.name_argument()
        {
            kind = float_kind(words.string.trim()).unwrap_or(FloatKind::Figure);
        }
        let _ = self.input.optional();
        if self.state.muted {
            return;
        }
        let (float, outer, whole) = match self.builder.float() {
            Some(float) => (float, self.set_aside(), false),
            None => {
                let (float, outer) = self.begin_float(kind, span);
                (float, outer, true)
            }
        };
        self.begin_block(BlockKind::Caption, span);
        if self.input.take_after_spaces(Kind::Open).is_some() {
            self.open_group(
                Action::Caption {
                    float,
                    outer,
                    whole,
                },
                span,
            );
            self.state.kind = BlockKind::Caption;
            self.state.inline = true;
            self.state.target = LabelTarget::Float(float);
        } else {
            self.end_caption(float, outer, whole);
        }
    }

    pub(super) fn end_caption(&mut self, float: usize, outer: Outer, whole: bool) {
        let index = self.end_block();
        if let Some(float) = self.builder.out.floats.get_mut(float)
            && float.caption.is_none()
        {
            float.caption = index;
        }
        if whole {
            let span = index
                .and_then(|i| self.builder.out.blocks.get(i))
                .map_or(Span::new(super::FileId(0), 0, 0), |block| block.span);
            self.end_float(outer, span);
            self.state.target = LabelTarget::Float(float);
        } else {
            self.take_up(outer);
        }
    }

    /// `\subfloat[caption]{content}` and kin.
    pub(super) fn subfloat(&mut self, span: Span) {
        self.input.take(Kind::Star);
        let mut caption = self.input.optional();
        if let Some(long) = self.input.optional() {
            caption = Some(long);
        }
        self.subfloat_with(caption, span);
    }

    pub(super) fn subfloat_with(&mut self, caption: Option<Vec<super::lexer::Token>>, span: Span) {
        if self.state.muted {
            return;
        }
        let kind = self
            .builder
            .float()
            .and_then(|float| self.builder.out.floats.get(float))
            .map_or(FloatKind::Figure, |float| float.kind);
        let Some(open) = self.input.take_after_spaces(Kind::Open) else {
            return;
        };
        let (index, outer) = self.begin_float(kind, span);
        self.open_group(Action::Float { outer }, open.span);
        self.enter_float(index);
        if let Some(caption) = caption {
            let outer = self.set_aside();
            self.begin_block(BlockKind::Caption, span);
            let action = Action::Caption {
                float: index,
                outer,
                whole: false,
            };
            self.read_group(caption, action, span);
            self.state.kind = BlockKind::Caption;
            self.state.inline = true;
        }
    }

    /// `\includegraphics[…]{file}` and kin.
    pub(super) fn graphics(&mut self, name: &str) {
        self.input.take(Kind::Star);
        while self.input.optional().is_some() {}
        let count = match name {
            "plottwo" => 2,
            _ => 1,
        };
        for _ in 0..count {
            let Some((path, _)) = self.name_argument() else {
                return;
            };
            let path = path.string.trim().to_owned();
            if let Some(float) = self.builder.float()
                && let Some(float) = self.builder.out.floats.get_mut(float)
                && !path.is_empty()
            {
                float.graphics.push(path);
            }
        }
    }
}
