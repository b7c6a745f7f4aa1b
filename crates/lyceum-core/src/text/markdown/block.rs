//! What only makes sense at the start of a line: div fences, captions, laid-out tables, definitions, line blocks.

use std::ops::Range;

use super::attribute::{self, Attributes};
use super::island::{Cover, Mark};
use super::layout;
use super::scan::{Caption, Scanner};
use super::{cite, front};

impl Scanner<'_> {
    /// Takes what starts on the line at `at`; returns the offset behind it.
    pub(super) fn line(&mut self, at: usize) -> Option<usize> {
        if let Some(range) = self.pending.take_if(|range| range.start == at) {
            return Some(self.cover(range, Cover::Blank, Mark::Nothing));
        }
        let (range, next) = layout::line(self.text, at);
        let next = next.min(self.end);
        let indent = self.bytes[at..range.end]
            .iter()
            .take_while(|&&b| b == b' ')
            .count();
        let first = at + indent;
        if first >= range.end || self.is_code(first) {
            return None;
        }
        if self.tables.binary_search(&at).is_ok() {
            self.pipe_table(at);
            return None;
        }
        match self.bytes[first] {
            b':' if self.starts(first, ":::") => self.fence(at, first, next),
            b':' | b'T' | b't' => self.caption_before(at, first),
            b'[' => self.definition(first, next),
            b'(' if self.starts(first, "(@") => self.example(first),
            b'+' => {
                let table = layout::grid(self.text, at, self.end);
                table.and_then(|(table, end)| self.table(at, end, table))
            }
            b'|' => self.line_block(first),
            _ if indent < 4 || self.bytes[first] == b'-' => self.laid_out(at, range, next),
            _ => None,
        }
    }

    fn is_code(&self, first: usize) -> bool {
        self.opaque[self.next_opaque.min(self.opaque.len())..]
            .iter()
            .find(|opaque| opaque.range.end > first)
            .is_some_and(|opaque| opaque.block && opaque.range.start <= first)
    }

    fn fence(&mut self, at: usize, first: usize, next: usize) -> Option<usize> {
        let line = self.text.get(first..next)?.trim_end();
        let body = line.trim_start_matches(':');
        let words = body.trim_end_matches(':').trim();
        let start = first + (line.len() - body.len());
        let mark = if words.is_empty() {
            Mark::DivClose
        } else if words.starts_with('{') {
            let open = start + self.text.get(start..next)?.find('{')?;
            Mark::DivOpen(attribute::parse(self.text, open)?.0)
        } else {
            let open = start + self.text.get(start..next)?.find(words)?;
            let mut list = Attributes::default();
            list.classes.push(open..open + words.len());
            Mark::DivOpen(list)
        };
        Some(self.cover(at..next, Cover::Blank, mark))
    }

    /// The caption that starts on the line at `at`, as the range of its words; `None` for another line.
    fn caption_at(&mut self, at: usize) -> Option<(Range<usize>, usize)> {
        let (line, _) = layout::line(self.text, at);
        let source = self.text.get(line.clone())?;
        let body = source.trim_start();
        let start = at + (source.len() - body.len());
        let mark = ["Table:", "table:", ":"]
            .iter()
            .find(|mark| body.starts_with(**mark))?;
        let rest = body.get(mark.len()..)?;
        if *mark == ":" && !rest.starts_with([' ', '\t']) {
            return None;
        }
        let end = self.paragraph_end(start);
        let words = front::trimmed(self.text, start + mark.len()..end);
        (!words.is_empty()).then_some((words, end))
    }

    fn skip_blank(&self, mut at: usize) -> usize {
        for _ in 0..4 {
            let (range, next) = layout::line(self.text, at);
            if next >= self.end
                || self
                    .text
                    .get(range)
                    .is_none_or(|line| !line.trim().is_empty())
            {
                break;
            }
            at = next;
        }
        at
    }

    /// A caption paragraph right before a table.
    fn caption_before(&mut self, at: usize, first: usize) -> Option<usize> {
        if !self.starts(first, "Table:")
            && !self.starts(first, "table:")
            && !self.starts(first, ": ")
        {
            return None;
        }
        let (words, end) = self.caption_at(at)?;
        let target = self.skip_blank(end);
        let is_table = self.tables.binary_search(&target).is_ok()
            || layout::grid(self.text, target, self.end).is_some()
            || layout::laid_out(self.text, target, self.end).is_some();
        if !is_table || !self.captioned.insert(target) {
            return None;
        }
        self.found.captions.push(Caption {
            target,
            range: words,
        });
        Some(self.cover(at..end, Cover::Blank, Mark::Nothing))
    }

    /// Looks for a caption behind what starts at `target` and ends at `end`.
    fn caption_after(&mut self, target: usize, end: usize, wanted: Option<&str>) {
        if self.captioned.contains(&target) || end >= self.end {
            return;
        }
        let at = self.skip_blank(end);
        let Some((words, end)) = self.caption_at(at) else {
            return;
        };
        let source = self.text.get(words.clone()).unwrap_or("");
        if wanted.is_some_and(|wanted| !source.contains(wanted)) {
            return;
        }
        self.captioned.insert(target);
        self.found.captions.push(Caption {
            target,
            range: words,
        });
        self.pending = Some(at..end);
    }

    fn pipe_table(&mut self, at: usize) {
        let mut end = at;
        while end < self.end {
            let (range, next) = layout::line(self.text, end);
            let line = self.text.get(range).unwrap_or("").trim();
            if line.is_empty() || end > at && (line.starts_with(": ") || line.starts_with("Table:"))
            {
                break;
            }
            end = next;
        }
        self.table_end = end;
        self.caption_after(at, end, None);
    }

    /// Code blocks may have a caption too, when it carries a label (`{#lst:code}`).
    pub(super) fn listing_caption(&mut self, code: &Range<usize>) {
        let target = self.bytes[..code.start]
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |i| i + 1);
        let end = self.bytes[code.end.min(self.end).saturating_sub(1)..self.end]
            .iter()
            .position(|&b| b == b'\n')
            .map_or(self.end, |i| code.end.saturating_sub(1) + i + 1);
        self.caption_after(target, end, Some("{#lst"));
    }

    fn table(&mut self, at: usize, end: usize, table: layout::LaidOut) -> Option<usize> {
        let end = end.min(self.end);
        self.cover(at..end, Cover::Blank, Mark::Table(table));
        self.caption_after(at, end, None);
        Some(end)
    }

    fn laid_out(&mut self, at: usize, range: Range<usize>, next: usize) -> Option<usize> {
        let source = self.text.get(range)?;
        if source.len() > 2_000 {
            return None;
        }
        let dashes = layout::is_dashes(source.trim());
        if !dashes && (next >= self.end || !self.starts_dashes(next)) {
            return None;
        }
        // A line of text in the middle of a paragraph is no heading of a table.
        if !dashes && !self.after_blank_line(at) {
            return None;
        }
        let (table, end) = layout::laid_out(self.text, at, self.end)?;
        self.table(at, end, table)
    }

    fn starts_dashes(&self, at: usize) -> bool {
        self.bytes[at..self.end]
            .iter()
            .take(64)
            .find(|&&b| b != b' ')
            .is_some_and(|&b| b == b'-')
    }

    fn after_blank_line(&self, at: usize) -> bool {
        at < 2
            || self.bytes[..at - 1]
                .iter()
                .rev()
                .find(|b| !matches!(b, b' ' | b'\t'))
                .is_none_or(|&b| b == b'\n')
    }

    /// `[@tag:x]: doi:…` defines a key; other link definitions belong to the block parser.
    fn definition(&mut self, first: usize, next: usize) -> Option<usize> {
        let close = self.close_of_square(first)?;
        if self.byte(close + 1) != b':' || close >= next || self.byte(first + 1) == b'^' {
            return None;
        }
        let inner = front::trimmed(self.text, first + 1..close);
        let value = self.text.get(close + 2..next)?.trim();
        let key = match self.text.get(inner.clone())?.strip_prefix('@') {
            Some(_) => inner.start + 1..inner.end,
            None if self.text.get(inner.clone())?.starts_with("tag:")
                && cite::is_manubot_key(value) =>
            {
                inner
            }
            None => return Some(next),
        };
        Some(self.cover(first..next, Cover::Blank, Mark::Definition(key)))
    }

    /// `(@name) text` is an item of an example list.
    fn example(&mut self, first: usize) -> Option<usize> {
        let inner = first + 2;
        let length = self.bytes[inner..self.end]
            .iter()
            .take(80)
            .position(|b| !b.is_ascii_alphanumeric() && !matches!(b, b'_' | b'-'))?;
        let close = inner + length;
        if self.byte(close) != b')' || !matches!(self.byte(close + 1), b' ' | b'\t') {
            return None;
        }
        Some(self.push(first..close + 1, Mark::Example(inner..close)))
    }

    /// `| line` without a table around it: the bar is not visible.
    fn line_block(&mut self, first: usize) -> Option<usize> {
        if self.byte(first + 1) != b' ' {
            return None;
        }
        let (range, _) = layout::line(self.text, first);
        let line = self.text.get(range)?;
        if line.get(1..)?.contains('|') || first < self.table_end {
            return None;
        }
        Some(self.push(first..first + 1, Mark::Nothing))
    }
}
