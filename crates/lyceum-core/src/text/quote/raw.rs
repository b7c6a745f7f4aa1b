//! A quotation of what stands in the source, markup included, and of which words of the paper it is.

use std::ops::Range;

use regex::Regex;

use super::folded::{Folded, Folder, Origin, fold};
use super::number::NUMBER;
use super::{QuoteIndex, QuoteMatch, QuotePart};
use crate::text::model::Manuscript;
use crate::text::source::{FileId, Span};

/// Most places of a quotation in the source that are looked at.
const PLACES: usize = 64;
/// What stands for a number.
const MARK: &str = "\u{1}";

/// The source of a manuscript, folded, and which words of it a reader sees.
#[derive(Debug)]
pub(super) struct Raw {
    folded: Folded,
    /// Pieces of visible text by their place in the source.
    pieces: Vec<Piece>,
    /// The farthest end, in the same file, of the pieces up to each one.
    farthest: Vec<u32>,
}

#[derive(Debug)]
struct Piece {
    source: Span,
    block: usize,
    visible: Range<usize>,
    literal: bool,
}

impl Raw {
    fn new(manuscript: &Manuscript) -> Self {
        let mut folder = Folder::default();
        for (index, source) in manuscript.sources.iter().enumerate() {
            // The reference list that LaTeX generates comes and goes: no review pins it.
            let generated = index > 0 && source.path.ends_with(".bbl");
            if !generated {
                folder.boundary(false);
                folder.block = index;
                folder.text(&source.text);
            }
        }
        let mut pieces: Vec<Piece> = Vec::new();
        for (block, one) in manuscript.blocks.iter().enumerate() {
            pieces.extend(one.text.pieces().map(|(visible, source, literal)| Piece {
                source,
                block,
                visible,
                literal,
            }));
        }
        pieces.sort_by_key(|piece| (piece.source.file, piece.source.start, piece.block));
        let mut farthest = Vec::with_capacity(pieces.len());
        let mut last: Option<(FileId, u32)> = None;
        for piece in &pieces {
            let end = match last {
                Some((file, end)) if file == piece.source.file => end.max(piece.source.end),
                _ => piece.source.end,
            };
            last = Some((piece.source.file, end));
            farthest.push(end);
        }
        Self {
            folded: Folded::new(folder),
            pieces,
            farthest,
        }
    }

    /// The place of a folded range in the source.
    fn span(&self, range: &Range<usize>) -> Option<Span> {
        let first: Origin = self.folded.origin(range.start)?;
        let last = self.folded.origin(range.end.checked_sub(1)?)?;
        let file = FileId(u32::try_from(first.block).ok()?);
        (first.block == last.block).then(|| Span::new(file, first.start, last.end))
    }

    /// What a reader sees of a place in the source.
    fn parts(&self, span: Span) -> Vec<QuotePart> {
        let to = self.pieces.partition_point(|piece| {
            (piece.source.file, piece.source.start) < (span.file, span.end)
        });
        let mut parts: Vec<QuotePart> = Vec::new();
        for (piece, farthest) in self.pieces.iter().zip(&self.farthest).take(to).rev() {
            if piece.source.file != span.file || *farthest <= span.start {
                break;
            }
            if piece.source.end <= span.start {
                continue;
            }
            let mut seen = piece.visible.clone();
            if piece.literal {
                let before = span.start.saturating_sub(piece.source.start) as usize;
                let behind = piece.source.end.saturating_sub(span.end) as usize;
                seen = seen.start + before..seen.end.saturating_sub(behind);
            }
            parts.push((piece.block, seen));
        }
        parts.sort_by_key(|(block, seen)| (*block, seen.start));
        parts.dedup_by(|next, first| {
            let same = next.0 == first.0;
            if same {
                first.1.end = first.1.end.max(next.1.end);
            }
            same
        });
        parts
    }

    fn place(&self, range: &Range<usize>) -> Option<QuoteMatch> {
        let span = self.span(range)?;
        let mut parts = self.parts(span).into_iter();
        let (block, visible) = parts
            .next()
            .map_or((None, 0..0), |(block, visible)| (Some(block), visible));
        Some(QuoteMatch {
            span,
            block,
            visible,
            further: parts.collect(),
            exact: false,
        })
    }

    /// True when a folded range starts or ends inside a number, such as `12` in `3.12`.
    fn within_number(&self, range: &Range<usize>) -> bool {
        let text = self.folded.text.as_str();
        let (before, after) = text.split_at_checked(range.start).unwrap_or_default();
        let head = before.strip_suffix(['.', ',']);
        let head = head.is_some_and(|rest| rest.ends_with(|c: char| c.is_ascii_digit()));
        let starts = head && after.starts_with(|c: char| c.is_ascii_digit());
        let (before, after) = text.split_at_checked(range.end).unwrap_or_default();
        let tail = after.strip_prefix(['.', ',']);
        let tail = tail.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        starts || (tail && before.ends_with(|c: char| c.is_ascii_digit()))
    }
}

impl QuoteIndex<'_> {
    /// The places of a quotation in the source, those first and alone that a reader sees anything of.
    ///
    /// What no reader sees vouches for no number: where the paper says the same words with another one, a comment that
    /// has the quoted one is no place.
    pub(super) fn in_source(&self, quote: &str) -> Vec<QuoteMatch> {
        let needle = fold(quote);
        if !needle.contains(char::is_alphanumeric) {
            return Vec::new();
        }
        let raw = self.raw.get_or_init(|| Raw::new(self.manuscript));
        let (mut seen, mut unseen) = (Vec::new(), Vec::new());
        for range in raw.folded.find(&needle, PLACES) {
            if raw.within_number(&range) {
                continue;
            }
            match raw.place(&range) {
                Some(found) if found.block.is_some() => seen.push(found),
                found => unseen.extend(found),
            }
        }
        if !seen.is_empty() {
            return seen;
        }
        if !unseen.is_empty() && self.has_other_numbers(&needle) {
            return Vec::new();
        }
        unseen
    }

    /// The first place of a pattern in the source that a reader sees anything of.
    pub(super) fn in_source_with(&self, pattern: &Regex) -> Option<QuoteMatch> {
        let raw = self.raw.get_or_init(|| Raw::new(self.manuscript));
        let found = pattern.find_iter(&raw.folded.text).take(PLACES);
        let mut places = found.filter_map(|found| raw.place(&found.range()));
        places.find(|place| place.block.is_some())
    }

    /// True when a reader sees the words of a needle with some numbers in the places of its own.
    fn has_other_numbers(&self, needle: &str) -> bool {
        if !needle.contains(|c: char| c.is_ascii_digit()) {
            return false;
        }
        let Ok(number) = Regex::new(NUMBER) else {
            return false;
        };
        let numberless = self.numberless.get_or_init(|| {
            Folded::plain(number.replace_all(&self.folded.text, MARK).into_owned())
        });
        let needle = number.replace_all(needle, MARK);
        !numberless.find(&needle, 1).is_empty()
    }
}

#[cfg(test)]
mod tests;
