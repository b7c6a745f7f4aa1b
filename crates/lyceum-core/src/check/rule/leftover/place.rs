//! Where the rules of this group look: running text without code and formulas, and sources without comments and code.

use std::collections::BTreeMap;
use std::ops::Range;

use regex::Regex;

use crate::check::Paper;
use crate::text::{
    Block, BlockKind, FileId, Format, HiddenKind, InlineKind, Manuscript, SectionKind, Span,
};

/// True for inlines that are not words of the author: hidden before a rule looks for words.
pub(super) const fn not_words(kind: InlineKind) -> bool {
    !matches!(kind, InlineKind::Emphasis | InlineKind::Strong)
}

/// Blocks of running text and table cells, reference lists left out.
pub(super) fn written(manuscript: &Manuscript) -> impl Iterator<Item = (usize, &Block)> {
    manuscript
        .blocks
        .iter()
        .enumerate()
        .filter(|(_, block)| {
            block.kind.is_prose()
                || matches!(
                    block.kind,
                    BlockKind::Cell | BlockKind::Heading | BlockKind::Title
                )
        })
        .filter(|(_, block)| manuscript.kind_of(block.section) != SectionKind::References)
}

/// Ranges of one text that do not overlap: of two that do, the first that came stays.
#[derive(Debug, Default)]
pub(super) struct Taken(BTreeMap<usize, usize>);

impl Taken {
    /// Adds a range unless it overlaps one that is there.
    pub(super) fn add(&mut self, range: Range<usize>) {
        let before = self.0.range(..range.end).next_back();
        if before.is_none_or(|(_, &end)| end <= range.start) {
            self.0.insert(range.start, range.end);
        }
    }

    /// True when nothing was added.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The ranges in order.
    pub(super) fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        self.0.iter().map(|(&start, &end)| start..end)
    }
}

/// True when a visible range stands between quotation marks that enclose just it, and so is spoken of, not used.
pub(super) fn is_mentioned(text: &str, start: usize, end: usize) -> bool {
    let before = text.get(..start).and_then(|t| t.chars().next_back());
    let after = text.get(end..).and_then(|t| t.chars().next());
    matches!(
        before,
        Some('"' | '“' | '‘' | '\'' | '`' | '«' | '「' | '『')
    ) && matches!(
        after,
        Some('"' | '”' | '’' | '\'' | '»' | '」' | '』' | '.' | ',' | ':')
    )
}

/// One file's text with everything that is not text of the paper overwritten by spaces, byte for byte: comments,
/// disabled parts, code, and what follows `\end{document}`.
pub(super) struct Readable {
    /// The file.
    pub(super) file: FileId,
    /// The text, as long as the source.
    pub(super) text: String,
    /// Where the text proper starts: after `\begin{document}`, when that is in this file.
    pub(super) body: usize,
}

/// The files of the manuscript that were read as `format`, made readable.
pub(super) fn readable(paper: &Paper) -> Vec<Readable> {
    let manuscript = &paper.manuscript;
    let mut files: Vec<Option<Vec<u8>>> = manuscript
        .sources
        .iter()
        .map(|source| {
            (Format::of(&source.path) == Some(manuscript.format))
                .then(|| source.text.clone().into_bytes())
        })
        .collect();
    let mut blank = |span: Span| {
        if let Some(Some(bytes)) = files.get_mut(span.file.0 as usize)
            && let Some(part) = bytes.get_mut(span.range())
        {
            for byte in part
                .iter_mut()
                .filter(|byte| !matches!(byte, b'\n' | b'\r'))
            {
                *byte = b' ';
            }
        }
    };
    for comment in &manuscript.comments {
        blank(comment.span);
    }
    for hidden in &manuscript.hidden {
        if hidden.kind == HiddenKind::Disabled {
            blank(hidden.span);
        }
    }
    for block in &manuscript.blocks {
        if block.kind == BlockKind::Code {
            blank(block.span);
            continue;
        }
        for inline in block
            .text
            .inlines
            .iter()
            .filter(|inline| inline.kind == InlineKind::Code)
        {
            if let Some(span) = block.text.span(inline.range.clone()) {
                blank(span);
            }
        }
    }
    files
        .into_iter()
        .enumerate()
        .filter_map(|(i, bytes)| {
            let mut text = String::from_utf8(bytes?).ok()?;
            let mut body = 0;
            if manuscript.format == Format::Latex {
                body = text.find("\\begin{document}").unwrap_or(0);
                if let Some(end) = text.get(body..).and_then(|t| t.find("\\end{document}")) {
                    text.truncate(body + end);
                }
            }
            let file = FileId(u32::try_from(i).ok()?);
            Some(Readable { file, text, body })
        })
        .collect()
}

/// The options, as written, with which a LaTeX package is loaded; `None` when it is not.
pub(super) fn package<'a>(manuscript: &'a Manuscript, name: &str) -> Option<&'a str> {
    manuscript
        .packages
        .iter()
        .find(|(package, _)| package == name)
        .map(|(_, options)| options.as_str())
}

/// A literal pattern.
#[expect(
    clippy::expect_used,
    reason = "literal patterns only, each compiled by a test"
)]
pub(super) fn pattern(literal: &str) -> Regex {
    Regex::new(literal).expect("pattern")
}
