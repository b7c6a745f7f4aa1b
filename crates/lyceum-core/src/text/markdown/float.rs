//! Figures, listings and tables with their captions.

use std::ops::Range;

use super::reader::{Reader, line_start};
use crate::text::model::{BlockKind, Cell, FloatKind, LabelTarget, Table};

impl Reader<'_> {
    pub(super) fn image(&mut self, path: &str, at: Range<usize>) {
        let alone = self.muted == 0
            && self.figure.is_none()
            && self.hidden().is_none()
            && self.builder.at() == 0
            && self.waiting.is_empty()
            && self.paragraph.as_ref().is_some_and(|paragraph| {
                let before = self.text.get(paragraph.start..at.start);
                self.done.max(paragraph.start) >= at.start
                    || before.is_some_and(|gap| gap.trim().is_empty())
            })
            && self
                .paragraph
                .as_ref()
                .is_some_and(|paragraph| self.is_bare(at.end..paragraph.end, self.next));
        let inside = self.builder.float();
        if let Some(float) = inside
            && !alone
        {
            self.builder.out.floats[float]
                .graphics
                .push(path.to_owned());
        }
        if !alone {
            // Words of an image within a line are not printed.
            if let Some(paragraph) = &mut self.paragraph {
                paragraph.start = paragraph.start.max(at.start);
            }
            self.muted += 1;
            return;
        }
        self.builder.end();
        let span = self.span(&at);
        let float = self.builder.begin_float(FloatKind::Figure, span);
        self.builder.out.floats[float]
            .graphics
            .push(path.to_owned());
        self.figure = Some(float);
        self.begin(BlockKind::Caption, &at);
    }

    pub(super) fn end_image(&mut self, at: Range<usize>) {
        self.flush(at.end);
        if self.muted > 0 {
            self.muted -= 1;
            self.done = self.done.max(at.end);
            return;
        }
        let Some(float) = self.figure else {
            return;
        };
        self.done = self.done.max(at.end);
        let mut caption = self.builder.end();
        if caption.is_none()
            && let Some(title) = title_of(self.text, &at)
        {
            self.begin(BlockKind::Caption, &title);
            self.literal(title);
            caption = self.builder.end();
        }
        self.builder.out.floats[float].caption = caption;
    }

    pub(super) fn start_code(&mut self, at: &Range<usize>) {
        self.end_block();
        let line = line_start(self.text, at.start);
        let info = self.slice(at.clone()).lines().next().unwrap_or("");
        let cell = super::chunk::read(self.text, at.clone(), info);
        let caption = self.captions.remove(&line);
        if cell.label.is_some() || caption.is_some() {
            let span = self.span(at);
            let float = self.builder.begin_float(cell.kind, span);
            if let Some(id) = &cell.label {
                let span = self.span(id);
                self.builder.label(
                    self.slice(id.clone()).to_owned(),
                    LabelTarget::Float(float),
                    span,
                );
            }
            self.caption(float, caption.or_else(|| cell.caption.clone()));
            self.listing = Some(float);
        }
        if let Some(name) = &cell.chunk {
            let span = self.span(name);
            self.chunks
                .push((self.slice(name.clone()).to_owned(), span));
        }
        self.code = Some(at.clone());
    }

    pub(super) fn end_code(&mut self, at: Range<usize>) {
        self.code = None;
        let body = code_body(self.text, &at);
        if !self.slice(body.clone()).trim().is_empty() {
            if let Some(hidden) = self.hidden() {
                hidden.push(' ');
            } else {
                self.begin(BlockKind::Code, &at);
                self.builder.literal(
                    self.text.get(body.clone()).unwrap_or(""),
                    self.file,
                    body.start,
                );
                self.builder.end();
            }
        }
        self.done = self.done.max(at.end);
        if self.listing.take().is_some() {
            let span = self.span(&at);
            self.builder.end_float(span);
        }
        while self
            .islands
            .get(self.next)
            .is_some_and(|island| island.range.end <= at.end)
        {
            self.next += 1;
        }
    }

    /// Writes a caption block for a float.
    pub(super) fn caption(&mut self, float: usize, range: Option<Range<usize>>) {
        if let Some(range) = range {
            self.begin(BlockKind::Caption, &range);
            self.inlines(range);
            let caption = self.builder.end();
            self.builder.out.floats[float].caption = caption;
        }
    }

    pub(super) fn start_table(&mut self, at: &Range<usize>) {
        self.builder.end();
        self.rows.clear();
        let caption = self.captions.remove(&line_start(self.text, at.start));
        if caption.is_some() {
            let span = self.span(at);
            let float = self.builder.begin_float(FloatKind::Table, span);
            self.caption(float, caption);
            self.last_float = Some((float, at.start));
        }
    }

    pub(super) fn end_cell(&mut self) {
        if let Some(block) = self.builder.end()
            && let Some(row) = self.rows.last_mut()
        {
            row.push(Cell { block, columns: 1 });
        }
    }

    pub(super) fn end_table(&mut self, at: Range<usize>) {
        self.flush(at.start);
        let rows = std::mem::take(&mut self.rows);
        self.add_table(rows, 1, &at);
        if self
            .last_float
            .take_if(|(_, start)| *start == at.start)
            .is_some()
        {
            let span = self.span(&at);
            self.builder.end_float(span);
        }
    }

    pub(super) fn add_table(
        &mut self,
        rows: Vec<Vec<Cell>>,
        header_rows: usize,
        at: &Range<usize>,
    ) {
        let float = self.builder.float();
        let span = self.span(at);
        self.builder.out.tables.push(Table {
            rows,
            header_rows,
            float,
            span,
        });
    }
}

/// The title of an image, `![…](path "title")`.
fn title_of(text: &str, image: &Range<usize>) -> Option<Range<usize>> {
    let source = text.get(image.clone())?;
    let body = source.strip_suffix(')')?.trim_end();
    let quote = body
        .chars()
        .next_back()
        .filter(|c| matches!(c, '"' | '\''))?;
    let end = body.len() - 1;
    let start = body.get(..end)?.rfind(quote)? + 1;
    (end > start).then(|| image.start + start..image.start + end)
}

/// The inside of a code block, without its fences.
fn code_body(text: &str, block: &Range<usize>) -> Range<usize> {
    let source = text.get(block.clone()).unwrap_or("");
    let fence = source.chars().next().filter(|c| matches!(c, '`' | '~'));
    let Some(fence) = fence.filter(|&c| source.chars().take_while(|&d| d == c).count() > 2) else {
        return block.clone();
    };
    let start = source.find('\n').map_or(source.len(), |i| i + 1);
    let body = source.get(start..).unwrap_or("");
    let kept = body.trim_end();
    let last = kept.rfind('\n').map_or(0, |i| i + 1);
    let closes = kept.get(last..).is_some_and(|line| {
        let line = line.trim_start_matches(['>', ' ', '\t']);
        line.len() > 2 && line.chars().all(|c| c == fence)
    });
    let end = if closes { start + last } else { source.len() };
    // The options of a cell are not shown.
    let options = |line: &&str| {
        ["#| ", "//| ", "%%| "]
            .iter()
            .any(|mark| line.starts_with(mark))
    };
    let skipped: usize = body
        .split_inclusive('\n')
        .take_while(options)
        .map(str::len)
        .sum();
    let start = start + skipped;
    block.start + start..block.start + end.max(start)
}
