//! Where the numbers of a paper stand, for the rules of this group.

use std::borrow::Cow;
use std::ops::Range;

use regex::Regex;
use serde_json::{Map, Value};

use crate::check::Receipt;
use crate::text::number::Decimal;
use crate::text::{Block, InlineKind, Manuscript, SectionKind, Span};

/// Compiles a pattern of this group.
pub(super) fn regex(pattern: &str) -> Regex {
    #[expect(
        clippy::expect_used,
        reason = "literal patterns, compiled by every test"
    )]
    Regex::new(pattern).expect("pattern")
}

/// True for inlines whose numbers say nothing about the work: code, citations, cross references, addresses, footnote marks.
pub(super) const fn is_aside(kind: InlineKind) -> bool {
    matches!(
        kind,
        InlineKind::Code
            | InlineKind::Citation(_)
            | InlineKind::Reference(_)
            | InlineKind::Url
            | InlineKind::FootnoteMark
            | InlineKind::Acronym
            | InlineKind::Change
    )
}

/// Blocks written in sentences, outside the reference list, with asides masked.
pub(super) fn prose(manuscript: &Manuscript) -> impl Iterator<Item = (&Block, Cow<'_, str>)> {
    manuscript
        .blocks
        .iter()
        .filter(|block| block.kind.is_prose())
        .filter(|block| manuscript.kind_of(block.section) != SectionKind::References)
        .map(|block| (block, block.text.masked(is_aside)))
}

/// The source of a visible range, the block when it has none.
pub(super) fn span(block: &Block, range: Range<usize>) -> Span {
    block.text.span(range).unwrap_or(block.span)
}

/// A receipt with named inputs.
pub(super) fn receipt(
    procedure: impl Into<String>,
    inputs: &[(&str, &str)],
    computed: impl Into<String>,
    comparison: impl Into<String>,
) -> Receipt {
    let inputs: Map<String, Value> = inputs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), Value::from(*value)))
        .collect();
    Receipt {
        procedure: procedure.into(),
        inputs,
        computed: computed.into(),
        comparison: comparison.into(),
    }
}

/// How far around a number a rule looks, in bytes; a hostile line may have no end.
const REACH: usize = 1_500;
/// How many doubtful places of one paper a rule looks into.
pub(super) const PLACES: usize = 500;

/// The text around a byte, at most `reach` bytes to either side.
pub(super) fn around(text: &str, at: usize, reach: usize) -> Range<usize> {
    let mut start = at.saturating_sub(reach);
    let mut end = at.saturating_add(reach).min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

/// The sentence around a byte of a text.
pub(super) fn sentence_at(text: &str, at: usize) -> &str {
    let near = around(text, at, REACH);
    let at = at - near.start;
    let text = text.get(near).unwrap_or("");
    crate::text::sentences(text)
        .into_iter()
        .find(|range| range.start <= at && at < range.end)
        .and_then(|range| text.get(range))
        .unwrap_or(text)
}

/// A count as written, grouping taken out.
pub(super) fn count(raw: &str) -> Option<u64> {
    let digits: String = raw.chars().filter(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// A decimal as written, grouping and white space taken out.
pub(super) fn decimal(raw: &str) -> Option<Decimal> {
    let plain: String = raw
        .chars()
        .filter(|c| !c.is_whitespace() && *c != ',')
        .map(|c| if matches!(c, '−' | '–') { '-' } else { c })
        .collect();
    Decimal::parse(&plain)
}
