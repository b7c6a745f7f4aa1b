//! What a paper says, for rules that look for wording.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::check::Paper;
use crate::text::{Block, BlockKind, InlineKind, SectionKind, Span, sentences};

/// One of several wordings; case does not count. Words and their boundaries are those of Latin script, which keeps the
/// search fast on any text.
pub(super) fn any_of(wordings: &[&str]) -> Regex {
    let source = wordings
        .join("|")
        .replace(r"\b", r"(?-u:\b)")
        .replace(r"\w", r"[0-9a-z_\x{c0}-\x{24f}]");
    #[expect(
        clippy::expect_used,
        reason = "literal patterns, compiled by the tests of their rules"
    )]
    Regex::new(&format!("(?i){source}")).expect("pattern")
}

/// Blocks in which the authors speak: prose and headings, no quotations, code or references.
pub(super) fn own_words(paper: &Paper) -> impl Iterator<Item = (&Block, Cow<'_, str>)> {
    paper
        .manuscript
        .blocks
        .iter()
        .filter(|block| {
            matches!(
                block.kind,
                BlockKind::Title
                    | BlockKind::Paragraph
                    | BlockKind::ListItem
                    | BlockKind::Caption
                    | BlockKind::Footnote
            )
        })
        .map(|block| (block, plain(block)))
}

/// A block without code, formulas and addresses.
fn plain(block: &Block) -> Cow<'_, str> {
    block
        .text
        .masked(|kind| matches!(kind, InlineKind::Code | InlineKind::Math | InlineKind::Url))
}

/// True when the visible text anywhere, headings and cells included, or the front matter has the wording.
pub(super) fn says(paper: &Paper, wording: &Regex) -> bool {
    paper
        .manuscript
        .blocks
        .iter()
        .filter(|block| !matches!(block.kind, BlockKind::Code | BlockKind::Bibliography))
        .any(|block| wording.is_match(&block.text.string))
        || paper
            .manuscript
            .front_matter
            .fields
            .iter()
            .any(|(key, value, _)| wording.is_match(key) || wording.is_match(value))
}

/// True when an address of the wording stands in the source of the text, where a link may hide it from the reader.
pub(super) fn links_to(paper: &Paper, address: &Regex) -> bool {
    paper
        .manuscript
        .sources
        .iter()
        .enumerate()
        .filter(|(i, _)| {
            !paper
                .bibliographies
                .iter()
                .any(|bibliography| bibliography.file.0 as usize == *i)
        })
        .any(|(_, source)| address.is_match(&source.text))
}

/// The first sentence of the authors with a wording: its place.
pub(super) fn first_sentence(paper: &Paper, wording: &Regex) -> Option<Span> {
    own_words(paper).find_map(|(block, text)| {
        let hit = wording.find(&text)?;
        block.text.span(Sentences::of(&text).at(hit.range()))
    })
}

/// The sentences of one text, found once.
pub(super) struct Sentences<'a> {
    text: &'a str,
    ranges: Vec<Range<usize>>,
}

impl<'a> Sentences<'a> {
    /// Finds them.
    pub(super) fn of(text: &'a str) -> Self {
        Self {
            text,
            ranges: sentences(text),
        }
    }

    /// The sentence around a range, no more than [`REACH`] bytes to each side.
    pub(super) fn at(&self, range: Range<usize>) -> Range<usize> {
        let i = self
            .ranges
            .partition_point(|sentence| sentence.end <= range.start);
        let whole = self.ranges.get(i).cloned().unwrap_or(range.clone());
        let floor = |mut at: usize| {
            while !self.text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let start = whole.start.max(floor(range.start.saturating_sub(REACH)));
        let far = floor((range.end + REACH).min(self.text.len()));
        start.min(range.start)..whole.end.min(far).max(range.end)
    }
}

/// No sentence people write is longer than twice this; what is longer is looked at in part, so that hostile text
/// costs no more than its length.
const REACH: usize = 600;

/// True when a section of the kind is there.
pub(super) fn has_section(paper: &Paper, kind: SectionKind) -> bool {
    paper
        .manuscript
        .sections
        .iter()
        .any(|section| section.kind == kind)
}

/// Where to point when something is nowhere: the title, else the first heading, else the first words.
pub(super) fn opening(paper: &Paper) -> Option<Span> {
    let manuscript = &paper.manuscript;
    let block = |kind| {
        manuscript
            .blocks
            .iter()
            .find(move |block| block.kind == kind)
    };
    let title = block(BlockKind::Title).map(|title| title.span);
    let field = manuscript
        .front_matter
        .fields
        .iter()
        .find(|(key, ..)| key == "title")
        .and_then(|(.., span)| *span);
    title
        .or(field)
        .or_else(|| block(BlockKind::Heading).map(|heading| heading.span))
        .or_else(|| manuscript.blocks.first().map(|first| first.span))
}

/// True for a text that hides its authors for blind review, where names, funds and places of data are left out.
pub(super) fn is_blind(paper: &Paper) -> bool {
    let manuscript = &paper.manuscript;
    let option = |options: &str| {
        ["review", "anonymous", "submission", "blind"]
            .iter()
            .any(|word| options.split(',').any(|one| one.trim() == *word))
    };
    manuscript
        .packages
        .iter()
        .any(|(_, options)| option(options))
        || manuscript.blocks.iter().any(|block| {
            block.kind == BlockKind::Author
                && block.text.string.to_lowercase().contains("anonymous")
        })
}

/// Places where data and code are kept.
pub(super) static REPOSITORY: LazyLock<Regex> = LazyLock::new(|| {
    any_of(&[
        r"github\.(?:com|io)|gitlab|bitbucket|codeberg|sourceforge|zenodo|osf\.io|figshare|dataverse|dryad",
    ])
});
