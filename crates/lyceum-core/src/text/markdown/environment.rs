//! LaTeX environments inside Markdown: formulas, floats with caption and label, tables, verbatim text.

use std::ops::Range;

use super::front::trimmed;
use super::reader::Reader;
use crate::text::model::{BlockKind, Cell, FloatKind, Hidden, HiddenKind, LabelTarget};
use crate::text::visible::InlineKind;

impl Reader<'_> {
    /// Takes the environment `name` with what is inside it; `at` is the whole.
    pub(super) fn environment(&mut self, name: &str, inner: Range<usize>, at: &Range<usize>) {
        let outside = std::mem::replace(&mut self.tex, true);
        self.inside(name, inner, at);
        self.tex = outside;
    }

    fn inside(&mut self, name: &str, inner: Range<usize>, at: &Range<usize>) {
        let stem = name.trim_end_matches('*');
        if let Some(kind) = float_of(stem) {
            self.builder.end();
            let span = self.span(at);
            let float = self.builder.begin_float(kind, span);
            self.float_inside(float, inner);
            self.builder.end_float(span);
            return;
        }
        match stem {
            "equation" | "align" | "gather" | "multline" | "eqnarray" | "displaymath" | "math"
            | "flalign" | "alignat" | "subequations" | "dmath" | "aligned" | "gathered"
            | "split" => {
                self.math_environment(inner, at);
            }
            "comment" => {
                let text = self.slice(inner).trim().to_owned();
                let span = self.span(at);
                self.builder.out.hidden.push(Hidden {
                    kind: HiddenKind::Disabled,
                    text,
                    span,
                });
            }
            "verbatim" | "Verbatim" | "lstlisting" | "minted" => {
                self.builder.end();
                self.begin(BlockKind::Code, at);
                self.builder.literal(
                    self.text.get(inner.clone()).unwrap_or(""),
                    self.file,
                    inner.start,
                );
                self.builder.end();
            }
            "tabular" | "tabularx" | "tabulary" | "array" => self.tabular(inner, at),
            "tikzpicture" | "pgfpicture" | "filecontents" => {}
            "abstract" => {
                let span = self.span(&(at.start..inner.start));
                self.builder.section(1, Some("Abstract"), span, true);
                self.paragraphs(inner, BlockKind::Paragraph);
                self.after_abstract = true;
            }
            "itemize" | "enumerate" | "description" => self.items(inner),
            "quote" | "quotation" => self.paragraphs(inner, BlockKind::Quote),
            _ => {
                let kind = self.kind();
                self.paragraphs(inner, kind);
            }
        }
    }

    fn math_environment(&mut self, inner: Range<usize>, at: &Range<usize>) {
        let within = self.builder.open_kind().is_some();
        if !within {
            self.begin(BlockKind::Math, at);
        }
        self.space(&(at.start..at.start));
        let start = self.builder.at();
        let shown = self.formulas.shown(self.slice(inner.clone()));
        self.replaced(&shown, at);
        self.mark(start, InlineKind::Math);
        if !within {
            self.builder.end();
        }
        self.math_labels(inner);
    }

    /// Reads paragraphs between blank lines.
    pub(super) fn paragraphs(&mut self, range: Range<usize>, kind: BlockKind) {
        self.builder.end();
        let mut start = range.start;
        let mut at = range.start;
        for line in self.slice(range.clone()).split_inclusive('\n') {
            if line.trim().is_empty() {
                self.one_paragraph(start..at, kind);
                start = at + line.len();
            }
            at += line.len();
        }
        self.one_paragraph(start..range.end, kind);
    }

    fn one_paragraph(&mut self, range: Range<usize>, kind: BlockKind) {
        let range = trimmed(self.text, range);
        if !range.is_empty() {
            self.begin(kind, &range);
            self.inlines(range);
            self.builder.end();
        }
    }

    fn items(&mut self, inner: Range<usize>) {
        let source = self.slice(inner.clone());
        let starts: Vec<usize> = source
            .match_indices("\\item")
            .map(|(i, _)| inner.start + i)
            .collect();
        for (i, &start) in starts.iter().enumerate() {
            let end = starts.get(i + 1).copied().unwrap_or(inner.end);
            self.one_paragraph(start + 5..end, BlockKind::ListItem);
        }
    }

    /// Caption, labels, images and tables of a float.
    fn float_inside(&mut self, float: usize, inner: Range<usize>) {
        let mut at = inner.start;
        let mut captions = Vec::new();
        while let Some(i) = self.slice(at..inner.end).find("\\caption") {
            at += i + 8;
            let Some(open) = self.slice(at..inner.end).find('{').map(|i| at + i) else {
                break;
            };
            let Some(close) = balanced(self.text, open, inner.end) else {
                break;
            };
            captions.push(open + 1..close);
            at = close + 1;
        }
        let outside = |at: usize| {
            !captions
                .iter()
                .any(|caption: &Range<usize>| caption.contains(&at))
        };
        for (i, mark) in self.slice(inner.clone()).match_indices("\\label{") {
            let start = inner.start + i + mark.len();
            if outside(start)
                && let Some(length) = self.slice(start..inner.end).find('}')
            {
                let span = self.span(&(start..start + length));
                let name = self.slice(start..start + length).to_owned();
                self.builder.label(name, LabelTarget::Float(float), span);
            }
        }
        for (i, mark) in self.slice(inner.clone()).match_indices("\\includegraphics") {
            let start = inner.start + i + mark.len();
            let open = self
                .slice(start..inner.end)
                .find('{')
                .map(|i| start + i + 1);
            if let Some(open) = open
                && let Some(length) = self.slice(open..inner.end).find('}')
            {
                let path = self.slice(open..open + length).to_owned();
                self.builder.out.floats[float].graphics.push(path);
            }
        }
        for caption in captions {
            self.caption(float, Some(trimmed(self.text, caption)));
        }
        for name in ["tabular", "tabularx", "longtable"] {
            let (open, close) = (format!("\\begin{{{name}"), format!("\\end{{{name}"));
            let source = self.slice(inner.clone());
            if let (Some(from), Some(to)) = (source.find(&open), source.rfind(&close))
                && let Some(brace) = source.get(from..to).and_then(|part| part.find('}'))
            {
                let whole = inner.start + from..inner.start + to;
                self.tabular(whole.start + brace + 1..whole.end, &whole);
            }
        }
    }

    /// Rows and cells of a tabular; `inner` starts with its options and column specification.
    fn tabular(&mut self, inner: Range<usize>, at: &Range<usize>) {
        self.builder.end();
        let mut start = inner.start;
        for _ in 0..3 {
            let rest = self.slice(start..inner.end);
            let gap = rest.len() - rest.trim_start().len();
            let end = match rest.trim_start().as_bytes().first() {
                Some(b'{') => balanced(self.text, start + gap, inner.end),
                Some(b'[') => rest.find(']').map(|i| start + i),
                _ => None,
            };
            match end {
                Some(end) => start = end + 1,
                None => break,
            }
        }
        let mut rows = Vec::new();
        let mut from = start;
        for part in self.slice(start..inner.end).split("\\\\") {
            let row = from..from + part.len();
            from = row.end + 2;
            let cells = self.tabular_row(row);
            if !cells.is_empty() {
                rows.push(cells);
            }
        }
        let header_rows = usize::from(rows.len() > 1);
        self.add_table(rows, header_rows, at);
    }

    fn tabular_row(&mut self, row: Range<usize>) -> Vec<Cell> {
        let mut cells = Vec::new();
        let mut start = trimmed(self.text, row.clone()).start;
        loop {
            let source = self.slice(start..row.end);
            let Some(rule) = [
                "\\hline",
                "\\toprule",
                "\\midrule",
                "\\bottomrule",
                "\\cline",
                "\\cmidrule",
                "\\addlinespace",
            ]
            .iter()
            .find(|rule| source.starts_with(**rule)) else {
                break;
            };
            let rest = source.get(rule.len()..).unwrap_or("");
            let tail = rest.trim_start_matches(|c: char| c.is_whitespace());
            let length = match tail.as_bytes().first() {
                Some(b'{' | b'(' | b'[') if rule.starts_with("\\c") => {
                    tail.find('}').map_or(0, |i| i + 1)
                }
                _ => 0,
            };
            start = (start + rule.len() + (rest.len() - tail.len()) + length).min(row.end);
            start = trimmed(self.text, start..row.end).start;
        }
        if start >= row.end || self.slice(start..row.end).trim().is_empty() {
            return cells;
        }
        let mut before = 0;
        let mut from = start;
        for (i, c) in self.slice(start..row.end).char_indices() {
            if c == '&' && before != b'\\' {
                self.tabular_cell(from..start + i, &mut cells);
                from = start + i + 1;
            }
            before = if c.is_ascii() { c as u8 } else { 0 };
        }
        self.tabular_cell(from..row.end, &mut cells);
        cells
    }

    fn tabular_cell(&mut self, range: Range<usize>, cells: &mut Vec<Cell>) {
        let range = trimmed(self.text, range);
        let mut columns = 1;
        let mut words = range.clone();
        if self.slice(range.clone()).starts_with("\\multicolumn{") {
            let digits = self.slice(range.start + 13..range.end);
            columns = digits
                .split('}')
                .next()
                .and_then(|n| n.trim().parse().ok())
                .unwrap_or(1);
            let second = digits.find('}').map(|i| range.start + 13 + i + 1);
            let third = second
                .and_then(|open| balanced(self.text, open, range.end))
                .map(|close| close + 1);
            if let Some(open) = third
                && let Some(close) = balanced(self.text, open, range.end)
            {
                words = open + 1..close;
            }
        }
        self.begin(BlockKind::Cell, &range);
        self.inlines(words);
        if let Some(block) = self.builder.end() {
            cells.push(Cell { block, columns });
        }
    }
}

fn float_of(stem: &str) -> Option<FloatKind> {
    Some(match stem {
        "figure" | "wrapfigure" | "sidewaysfigure" | "SCfigure" => FloatKind::Figure,
        "table" | "wraptable" | "sidewaystable" | "longtable" => FloatKind::Table,
        "listing" => FloatKind::Listing,
        "algorithm" | "algorithm2e" => FloatKind::Algorithm,
        _ => return None,
    })
}

/// The brace that closes the one at `open`.
fn balanced(text: &str, open: usize, limit: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    if bytes.get(open) != Some(&b'{') {
        return None;
    }
    let mut depth = 0_usize;
    let mut i = open;
    while i < limit.min(bytes.len()) {
        match bytes[i] {
            b'\\' => i += 1,
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(i),
            b'}' => depth -= 1,
            _ => {}
        }
        i += 1;
    }
    None
}
