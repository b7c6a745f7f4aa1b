//! The words a reader sees in one block, each leading back to its source.

use std::borrow::Cow;
use std::ops::Range;

use super::source::Span;

/// The character [`Text::masked`] writes over each byte of what it hides: not white space, not a letter.
pub const MASK: char = '\u{1a}';

/// What a part of a visible text is, beyond plain words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InlineKind {
    /// A formula, shown as plain symbols.
    Math,
    /// Code or verbatim text.
    Code,
    /// A citation; the index is into [`super::Manuscript::citations`].
    Citation(usize),
    /// A cross reference; the index is into [`super::Manuscript::references`].
    Reference(usize),
    /// A bare address.
    Url,
    /// Emphasised words.
    Emphasis,
    /// Strong words.
    Strong,
    /// The mark of a footnote; its text is a block of its own.
    FootnoteMark,
    /// An acronym command (`\ac`, `\gls` and kin), shown as its key.
    Acronym,
    /// Struck out or added by a tracked change (`\del`, `\add`, `~~…~~`).
    Change,
}

/// A marked part of a visible text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inline {
    /// Bytes of [`Text::string`].
    pub range: Range<usize>,
    /// What it is.
    pub kind: InlineKind,
}

#[derive(Clone, Debug)]
struct Segment {
    at: usize,
    source: Span,
    /// The visible bytes are the source bytes, one for one.
    literal: bool,
}

/// Visible text with its way back to the source.
#[derive(Clone, Debug, Default)]
pub struct Text {
    /// What a reader sees, white space collapsed to single spaces.
    pub string: String,
    /// Marked parts, ordered by start; they may nest.
    pub inlines: Vec<Inline>,
    segments: Vec<Segment>,
}

impl Text {
    /// Adds visible text that stands in the source just so.
    pub fn push_literal(&mut self, text: &str, source: Span) {
        if text.is_empty() {
            return;
        }
        let end = self.string.len();
        match self.segments.last_mut() {
            Some(last) if last.goes_on(end, source) => {
                last.source.end = source.end;
                self.string.push_str(text);
            }
            _ => {
                self.segments.push(Segment {
                    at: self.string.len(),
                    source,
                    literal: true,
                });
                self.string.push_str(text);
            }
        }
    }

    /// Adds visible text that the source writes in another way.
    pub fn push_replaced(&mut self, text: &str, source: Span) {
        if !text.is_empty() {
            self.segments.push(Segment {
                at: self.string.len(),
                source,
                literal: false,
            });
            self.string.push_str(text);
        }
    }

    /// Marks what was added since `start`.
    pub fn mark(&mut self, start: usize, kind: InlineKind) {
        // A mark that was opened in another block begins where this one does, or not at all.
        let mut start = start.min(self.string.len());
        while !self.string.is_char_boundary(start) {
            start -= 1;
        }
        let range = start..self.string.len();
        self.inlines.push(Inline { range, kind });
    }

    /// Puts the marks in the order of their start; among equals the one that was closed first goes first. The builder
    /// does it once a block, since marks that nest deeply are closed from the inside.
    pub(super) fn order_marks(&mut self) {
        self.inlines.sort_by_key(|inline| inline.range.start);
    }

    /// Length of the visible text in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.string.len()
    }

    /// True when a reader sees nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.string.trim().is_empty()
    }

    /// The source of a visible byte range; `None` for a text without content.
    #[must_use]
    pub fn span(&self, range: Range<usize>) -> Option<Span> {
        let first = self.segment_at(range.start)?;
        let last = self.segment_at(range.end.saturating_sub(1).max(range.start))?;
        let start = first
            .point(range.start)
            .map_or(first.source, |offset| Span {
                start: offset,
                ..first.source
            });
        let end = last
            .point(range.end.max(range.start))
            .map_or(last.source, |offset| Span {
                start: last.source.start,
                end: offset,
                ..last.source
            });
        if start.file == end.file {
            Some(Span {
                file: start.file,
                start: start.start,
                end: end.end.max(start.start),
            })
        } else {
            Some(start)
        }
    }

    /// The pieces it is made of: their visible bytes, their source, and whether both are the same bytes.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (Range<usize>, Span, bool)> + '_ {
        let ends = self.segments.iter().skip(1).map(|next| next.at);
        self.segments
            .iter()
            .zip(ends.chain([self.string.len()]))
            .map(|(one, end)| (one.at..end, one.source, one.literal))
    }

    fn segment_at(&self, offset: usize) -> Option<&Segment> {
        let i = self
            .segments
            .partition_point(|segment| segment.at <= offset);
        self.segments.get(i.saturating_sub(1))
    }

    /// The visible text with every inline that `hide` names overwritten byte by byte with [`MASK`], so that
    /// offsets stay.
    #[must_use]
    pub fn masked(&self, hide: impl Fn(InlineKind) -> bool) -> Cow<'_, str> {
        if !self.inlines.iter().any(|inline| hide(inline.kind)) {
            return Cow::Borrowed(&self.string);
        }
        let mut bytes = self.string.clone().into_bytes();
        for inline in self.inlines.iter().filter(|inline| hide(inline.kind)) {
            bytes[inline.range.clone()].fill(MASK as u8);
        }
        Cow::Owned(String::from_utf8(bytes).unwrap_or_else(|_| self.string.clone()))
    }

    /// The inlines of one kind of interest that overlap a visible range.
    pub fn inlines_in(&self, range: Range<usize>) -> impl Iterator<Item = &Inline> {
        self.inlines
            .iter()
            .filter(move |inline| inline.range.start < range.end && range.start < inline.range.end)
    }
}

impl Segment {
    /// True when a literal piece at the visible offset `at` only continues this one.
    fn goes_on(&self, at: usize, source: Span) -> bool {
        self.literal
            && self.source.file == source.file
            && self.source.end == source.start
            && self.at + self.source.range().len() == at
    }

    /// The source offset of a visible offset inside a literal segment.
    fn point(&self, offset: usize) -> Option<u32> {
        if !self.literal {
            return None;
        }
        let inner = u32::try_from(offset.checked_sub(self.at)?).ok()?;
        Some((self.source.start + inner).min(self.source.end))
    }
}

#[cfg(test)]
mod tests {
    use super::super::source::FileId;
    use super::*;

    #[test]
    fn spans_lead_back_through_replacements() {
        let file = FileId(0);
        let mut text = Text::default();
        text.push_literal("see ", Span::new(file, 0, 4));
        text.push_replaced("—", Span::new(file, 4, 7));
        text.push_literal("there", Span::new(file, 7, 12));
        assert_eq!(text.span(0..3), Some(Span::new(file, 0, 3)));
        assert_eq!(text.span(4..7), Some(Span::new(file, 4, 7)));
        assert_eq!(text.span(2..9), Some(Span::new(file, 2, 9)));
    }

    #[test]
    fn a_mark_of_another_block_stays_on_boundaries() {
        let mut text = Text::default();
        text.push_literal("变量", Span::new(FileId(0), 0, 6));
        for start in [1, 4, 100] {
            text.mark(start, InlineKind::Strong);
        }
        assert!(
            text.inlines
                .iter()
                .all(|inline| text.string.get(inline.range.clone()).is_some())
        );
    }

    #[test]
    fn masking_keeps_offsets() {
        let mut text = Text::default();
        text.push_literal("a ", Span::new(FileId(0), 0, 2));
        let start = text.len();
        text.push_literal("变x", Span::new(FileId(0), 3, 7));
        text.mark(start, InlineKind::Math);
        let masked = text.masked(|kind| kind == InlineKind::Math);
        assert_eq!(masked.len(), text.len());
        assert_eq!(masked, "a \u{1a}\u{1a}\u{1a}\u{1a}");
    }
}
