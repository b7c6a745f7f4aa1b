//! Tables: rows, cells, rules.

use super::super::model::{BlockKind, Cell, Table};
use super::super::source::Span;
use super::Reader;
use super::lexer::{Kind, Token};
use super::state::{Environment, GroupKind};
use crate::base::Words;

/// Blocks of a text from which on cells are no longer kept: no paper has as many, and each costs memory.
const BLOCKS: usize = 400_000;

/// A table that is being read.
#[derive(Debug)]
pub(super) struct OpenTable {
    rows: Vec<Vec<Cell>>,
    row: Vec<Cell>,
    columns: u32,
    /// Rows above the first rule inside the table.
    ruled: Option<usize>,
    /// Rows above `\endhead` of a long table.
    head: Option<usize>,
    span: Span,
}

impl Reader<'_> {
    pub(super) fn begin_table(&mut self, span: Span) {
        self.end_block();
        self.tables.push(OpenTable {
            rows: Vec::new(),
            row: Vec::new(),
            columns: 1,
            ruled: None,
            head: None,
            span,
        });
        self.state.kind = BlockKind::Cell;
        self.state.inline = true;
    }

    /// True when `&` and `\\` here divide the innermost table, not something inside one of its cells.
    fn at_table_level(&self) -> bool {
        self.groups
            .iter()
            .rev()
            .find_map(|group| match &group.kind {
                GroupKind::Environment { kind, .. } => match kind {
                    Environment::Transparent | Environment::User { .. } | Environment::Blocks => {
                        None
                    }
                    Environment::Table | Environment::FloatTable { .. } => Some(true),
                    _ => Some(false),
                },
                GroupKind::Brace(_) | GroupKind::Math { .. } => Some(false),
            })
            .unwrap_or(false)
    }

    /// `&`
    pub(super) fn next_cell(&mut self, token: Token) {
        if self.state.kind == BlockKind::Cell && !self.in_math() && self.at_table_level() {
            self.end_cell(token.span);
        } else {
            self.space(token.span);
        }
    }

    fn end_cell(&mut self, span: Span) {
        if self.state.muted {
            return;
        }
        if self.builder.open_kind() != Some(BlockKind::Cell) {
            self.begin_block(BlockKind::Cell, span);
        }
        if self.builder.out.blocks.len() >= BLOCKS {
            let words = Words::new(
                "tables hold too many cells; the rest was passed over",
                "表格单元格过多，其余部分已略过",
            );
            self.note("table_too_large", words, Some(span));
            drop(self.builder.suspend());
            return;
        }
        let Some(block) = self.end_block() else {
            return;
        };
        if let Some(table) = self.tables.last_mut() {
            let columns = std::mem::replace(&mut table.columns, 1);
            table.row.push(Cell { block, columns });
        }
    }

    /// `\\` and kin: a new row of a table, else white space.
    pub(super) fn line_break(&mut self, span: Span) {
        self.input.take(Kind::Star);
        let adjacent = self.input.peek();
        if adjacent.kind == Kind::Bracket && adjacent.at.start == span.end && self.is_length() {
            let _ = self.input.optional();
        }
        if self.state.kind == BlockKind::Cell && !self.in_math() && self.at_table_level() {
            self.end_row(span);
        } else {
            self.space(span);
        }
    }

    /// True when the bracket that comes next holds a length: `\\[2pt]`.
    fn is_length(&mut self) -> bool {
        let Some(open) = self.input.take(Kind::Bracket) else {
            return false;
        };
        let word = self.input.peek();
        let text = self.input.text(word);
        let length = word.kind == Kind::Command
            || text.starts_with(|c: char| c.is_ascii_digit() || "-.+".contains(c));
        self.input.unread(vec![open]);
        length
    }

    pub(super) fn end_row(&mut self, span: Span) {
        let empty = self.tables.last().is_none_or(|table| table.row.is_empty());
        if empty && self.builder.open_kind() != Some(BlockKind::Cell) {
            return;
        }
        self.end_cell(span);
        if let Some(table) = self.tables.last_mut() {
            let row = std::mem::take(&mut table.row);
            table.rows.push(row);
        }
    }

    /// `\multicolumn{2}{c}{…}`: the words are read as the rest of the cell.
    pub(super) fn multicolumn(&mut self) {
        let columns = self
            .name_argument()
            .and_then(|(words, _)| words.string.trim().parse::<u32>().ok())
            .unwrap_or(1);
        let _ = self.input.argument();
        if self.state.kind == BlockKind::Cell
            && let Some(table) = self.tables.last_mut()
        {
            table.columns = columns.clamp(1, 1_000);
        }
    }

    /// A horizontal rule.
    pub(super) fn rule(&mut self) {
        if self.state.kind != BlockKind::Cell {
            return;
        }
        if let Some(table) = self.tables.last_mut()
            && !table.rows.is_empty()
            && table.ruled.is_none()
        {
            table.ruled = Some(table.rows.len());
        }
    }

    /// `\endfirsthead`, `\endhead`, `\endfoot`, `\endlastfoot`: what stands above is printed once only for the reader.
    pub(super) fn end_head(&mut self, name: &str) {
        let Some(table) = self.tables.last_mut() else {
            return;
        };
        match (name, table.head) {
            ("endfirsthead" | "endhead", None) => table.head = Some(table.rows.len()),
            (_, Some(head)) => table.rows.truncate(head),
            (_, None) => table.rows.clear(),
        }
    }

    pub(super) fn end_table(&mut self, span: Span) {
        self.end_row(span);
        self.end_block();
        let Some(table) = self.tables.pop() else {
            return;
        };
        let words = table.rows.iter().flatten().any(|cell| {
            self.builder
                .out
                .blocks
                .get(cell.block)
                .is_some_and(|block| !block.text.is_empty())
        });
        if table.rows.is_empty() || !words {
            return;
        }
        let count = table.rows.len();
        let header_rows = table
            .head
            .or(table.ruled)
            .filter(|&rows| rows > 0 && rows < count)
            .unwrap_or(usize::from(count > 1));
        self.builder.out.tables.push(Table {
            rows: table.rows,
            header_rows,
            float: self.builder.float(),
            span: table.span.join(span),
        });
    }
}
