//! Tables that are laid out with spaces (simple and multiline tables) or drawn with lines (grid tables), as pandoc
//! reads them.

use std::ops::Range;

use crate::text::sentence::is_cjk;

/// A table as rows of cells; each cell is the pieces of its lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LaidOut {
    /// Rows in order.
    pub(super) rows: Vec<Vec<Vec<Range<usize>>>>,
    /// How many of them are headings.
    pub(super) header_rows: usize,
}

/// A line without its end, and where the next one starts.
pub(super) fn line(text: &str, at: usize) -> (Range<usize>, usize) {
    let rest = text.get(at..).unwrap_or("");
    match rest.find('\n') {
        Some(length) => (at..at + length, at + length + 1),
        None => (at..at + rest.len(), at + rest.len()),
    }
}

fn words(text: &str, range: Range<usize>) -> &str {
    text.get(range).unwrap_or("").trim()
}

/// Reads the grid table that starts at the line at `at`; returns it with the offset behind its last line.
pub(super) fn grid(text: &str, at: usize, limit: usize) -> Option<(LaidOut, usize)> {
    if !is_grid_rule(words(text, line(text, at).0)) {
        return None;
    }
    let mut table = LaidOut::default();
    let mut row: Vec<Vec<Range<usize>>> = Vec::new();
    let mut i = at;
    let mut end = at;
    let mut closed = false;
    while i < limit {
        let (range, next) = line(text, i);
        let body = words(text, range.clone());
        if is_grid_rule(body) {
            // Two rules without a row between are no table.
            if closed && i > at {
                return None;
            }
            if !row.is_empty() {
                table.rows.push(std::mem::take(&mut row));
            }
            if body.contains('=') {
                table.header_rows = table.rows.len();
            }
            closed = true;
        } else if body.starts_with('|') || body.starts_with('+') {
            cells(text, range, &mut row);
            closed = false;
        } else {
            break;
        }
        end = next;
        i = next;
    }
    (closed && !table.rows.is_empty()).then_some((table, end))
}

fn is_grid_rule(line: &str) -> bool {
    line.len() > 2
        && line.starts_with("+-") | line.starts_with("+=") | line.starts_with("+:")
        && line.ends_with('+')
        && line.bytes().all(|b| matches!(b, b'+' | b'-' | b'=' | b':'))
}

/// Adds the cells of one line to a row.
fn cells(text: &str, range: Range<usize>, row: &mut Vec<Vec<Range<usize>>>) {
    let source = text.get(range.clone()).unwrap_or("");
    let Some(first) = source.find(['|', '+']) else {
        return;
    };
    let mut start = first + 1;
    let mut column = 0;
    for (i, c) in source.char_indices().skip_while(|&(i, _)| i <= first) {
        if c == '|' {
            push_piece(text, range.start + start..range.start + i, column, row);
            start = i + 1;
            column += 1;
        }
    }
}

fn push_piece(text: &str, range: Range<usize>, column: usize, row: &mut Vec<Vec<Range<usize>>>) {
    while row.len() <= column {
        row.push(Vec::new());
    }
    let range = super::front::trimmed(text, range);
    if !range.is_empty() {
        row[column].push(range);
    }
}

/// True for a line of dashes in two or more groups.
pub(super) fn is_column_rule(line: &str) -> bool {
    is_dashes(line) && line.contains("- -") | line.contains("-  ")
}

/// True for a line of dashes and spaces.
pub(super) fn is_dashes(line: &str) -> bool {
    line.len() > 2 && line.starts_with("--") && line.bytes().all(|b| matches!(b, b'-' | b' '))
}

/// Reads the simple or multiline table whose first line is at `at`.
pub(super) fn laid_out(text: &str, at: usize, limit: usize) -> Option<(LaidOut, usize)> {
    let (first, second) = line(text, at);
    let first = words(text, first);
    if is_column_rule(first) {
        return simple(text, at, at, second, limit, true);
    }
    if is_dashes(first) {
        return multiline(text, second, limit);
    }
    if first.is_empty() || !is_column_rule(words(text, line(text, second).0)) {
        return None;
    }
    let (_, body) = line(text, second);
    simple(text, at, second, body, limit, false)
}

/// A table of one line a row: `header` at `at` unless `at == rule`, the columns' rule, then the body.
fn simple(
    text: &str,
    at: usize,
    rule: usize,
    body: usize,
    limit: usize,
    must_close: bool,
) -> Option<(LaidOut, usize)> {
    let columns = columns(text, line(text, rule).0);
    let mut table = LaidOut::default();
    if at < rule {
        table.rows.push(split(text, &[line(text, at).0], &columns));
        table.header_rows = 1;
    }
    let mut i = body;
    while i < limit {
        let (range, next) = line(text, i);
        let source = words(text, range.clone());
        if source.is_empty() {
            break;
        }
        if is_dashes(source) {
            let ends = words(text, line(text, next).0).is_empty() || next >= limit;
            return (ends && table.rows.len() > table.header_rows).then_some((table, next));
        }
        table.rows.push(split(text, &[range], &columns));
        i = next;
    }
    (!must_close && table.rows.len() > table.header_rows).then_some((table, i))
}

/// A table whose rows may have several lines, with blank lines between; `at` is behind the opening rule.
fn multiline(text: &str, at: usize, limit: usize) -> Option<(LaidOut, usize)> {
    let mut header = Vec::new();
    let mut i = at;
    let rule = loop {
        let (range, next) = line(text, i);
        let source = words(text, range.clone());
        if source.is_empty() || i >= limit || header.len() > 50 {
            return None;
        }
        if is_dashes(source) {
            break is_column_rule(source).then_some(i)?;
        }
        header.push(range);
        i = next;
    };
    let columns = columns(text, line(text, rule).0);
    let mut table = LaidOut::default();
    if !header.is_empty() {
        table.rows.push(split(text, &header, &columns));
        table.header_rows = 1;
    }
    let mut row = Vec::new();
    let mut i = line(text, rule).1;
    while i < limit {
        let (range, next) = line(text, i);
        let source = words(text, range.clone());
        if source.is_empty() || is_dashes(source) {
            if !row.is_empty() {
                table.rows.push(split(text, &row, &columns));
                row.clear();
            }
            if is_dashes(source) {
                return (table.rows.len() > table.header_rows).then_some((table, next));
            }
        } else {
            row.push(range);
        }
        i = next;
    }
    None
}

/// The column at which each group of dashes starts.
fn columns(text: &str, rule: Range<usize>) -> Vec<usize> {
    let source = text.get(rule).unwrap_or("");
    let mut starts = Vec::new();
    let mut before = b' ';
    for (i, b) in source.bytes().enumerate() {
        if b == b'-' && before != b'-' {
            starts.push(i);
        }
        before = b;
    }
    starts
}

/// Cuts lines at the columns; words that stick out of theirs are kept whole.
fn split(text: &str, lines: &[Range<usize>], columns: &[usize]) -> Vec<Vec<Range<usize>>> {
    let mut row: Vec<Vec<Range<usize>>> = vec![Vec::new(); columns.len()];
    for range in lines {
        let source = text.get(range.clone()).unwrap_or("");
        let mut wide = 0;
        let mut column = 0;
        let mut start = 0;
        let mut space = None;
        for (i, c) in source.char_indices() {
            if columns.get(column + 1).is_some_and(|&next| wide >= next) {
                let cut = if c.is_whitespace() || space == Some(i) {
                    i
                } else {
                    space.filter(|&at| at > start).unwrap_or(i)
                };
                push_piece(
                    text,
                    range.start + start..range.start + cut,
                    column,
                    &mut row,
                );
                start = cut;
                column += 1;
            }
            wide += if is_cjk(c) || matches!(c, '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ff60}') {
                2
            } else {
                1
            };
            if c.is_whitespace() {
                space = Some(i + c.len_utf8());
            }
        }
        push_piece(text, range.start + start..range.end, column, &mut row);
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str, table: &LaidOut) -> Vec<Vec<String>> {
        table
            .rows
            .iter()
            .map(|row| {
                row.iter()
                    .map(|cell| {
                        cell.iter()
                            .map(|piece| &text[piece.clone()])
                            .collect::<Vec<_>>()
                            .join(" ")
                    })
                    .collect()
            })
            .collect()
    }

    #[test]
    fn grid_tables_are_read() {
        let text =
            "+---+-----+\n| A | B   |\n+===+=====+\n| 1 | two |\n|   | 2   |\n+---+-----+\ntext";
        let (table, end) = grid(text, 0, text.len()).unwrap();
        assert_eq!(show(text, &table), [["A", "B"], ["1", "two 2"]]);
        assert_eq!((table.header_rows, &text[end..]), (1, "text"));
        assert!(grid("+ a\n+ b\n", 0, 8).is_none());
    }

    #[test]
    fn simple_and_multiline_tables_are_read() {
        let text = "  Name     N\n------  ----\n  Bob     12\n Alice     3\n\ntext";
        let (table, end) = laid_out(text, 0, text.len()).unwrap();
        assert_eq!(
            show(text, &table),
            [["Name", "N"], ["Bob", "12"], ["Alice", "3"]]
        );
        assert_eq!(&text[end..], "\ntext");
        let text = "-------------\nName    Count\n        here\n------ ------\nBob        1\n\nAlice      2\nSmith\n-------------\n";
        let (table, _) = laid_out(text, 0, text.len()).unwrap();
        assert_eq!(
            show(text, &table),
            [["Name", "Count here"], ["Bob", "1"], ["Alice Smith", "2"]]
        );
        let text = "----- ----\na     1\nb     2\n----- ----\n\n";
        let (table, _) = laid_out(text, 0, text.len()).unwrap();
        assert_eq!((table.rows.len(), table.header_rows), (2, 0));
        for text in [
            "---\n\ntext",
            "Title\n-----\n\ntext",
            "text\n",
            "-----\ntext\n\nmore",
        ] {
            assert!(laid_out(text, 0, text.len()).is_none(), "{text}");
        }
    }
}
