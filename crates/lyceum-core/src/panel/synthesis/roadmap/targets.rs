//! Which passages an item may change: blocks in Markdown, paragraphs elsewhere.

use super::types::Target;
use crate::base::Sha256;
use crate::panel::disk::State;
use crate::panel::synthesis::block::{
    MarkdownBlock, MarkdownKind, blocks, manifest_sha256, short_hash,
};
use crate::text::{Format, Manuscript, QuoteMatch, Span};

/// The passages of a paper.
pub(super) struct Passages<'a> {
    state: &'a State,
    manuscript: &'a Manuscript,
    blocks: Option<Vec<MarkdownBlock>>,
    /// Why a Markdown text has no blocks.
    pub(super) missing: Option<String>,
}

impl<'a> Passages<'a> {
    pub(super) fn new(state: &'a State, manuscript: &'a Manuscript) -> Self {
        let mut missing = None;
        let main = manuscript.sources.first();
        let main = main.filter(|_| manuscript.format == Format::Markdown);
        let blocks = main.and_then(|main| {
            blocks(&main.lines_by_lf())
                .map_err(|why| missing = Some(format!("{} on line {}", why.reason, why.line)))
                .ok()
        });
        Self {
            state,
            manuscript,
            blocks,
            missing,
        }
    }

    /// The hash of the list of blocks.
    pub(super) fn manifest(&self) -> Option<Sha256> {
        let blocks = self.blocks.as_ref()?;
        Some(manifest_sha256(&self.state.paper.sha256, blocks))
    }

    /// The passages of some quotations, each once.
    pub(super) fn targets(&self, places: &[Option<QuoteMatch>]) -> Vec<Target> {
        let mut found: Vec<Target> = Vec::new();
        // A finding may quote a great deal; what it may change stays readable.
        for place in places.iter().flatten().take(50) {
            let target = self.block(place.span).or_else(|| self.span(place));
            if let Some(target) = target
                && !found.contains(&target)
            {
                found.push(target);
            }
        }
        found
    }

    fn block(&self, span: Span) -> Option<Target> {
        let main = self.manuscript.sources.first()?;
        if span.file.0 != 0 {
            return None;
        }
        let at = main.offset_by_lf(span.start);
        let blocks = self.blocks.as_ref()?;
        let i = blocks.partition_point(|one| one.range.end <= at);
        let block = blocks.get(i).filter(|one| one.range.contains(&at))?;
        Some(Target::Block {
            block_id: block.id.clone(),
            old_hash: block.hash.clone(),
            allowed_operations: operations(block.kind == MarkdownKind::Heading),
        })
    }

    fn span(&self, place: &QuoteMatch) -> Option<Target> {
        let block = self.manuscript.blocks.get(place.block?)?;
        let source = self.manuscript.sources.get(block.span.file.0 as usize)?;
        let text = source.slice(block.span);
        let lines = |offset| source.place(offset).line;
        Some(Target::Span {
            path: path(self.state, &source.path),
            first_line: lines(block.span.start),
            last_line: lines(block.span.end.saturating_sub(1).max(block.span.start)),
            old_hash: short_hash(text),
            allowed_operations: operations(block.kind == crate::text::BlockKind::Heading),
        })
    }
}

/// A heading is not rewritten or deleted by an item: sections are the author's.
fn operations(heading: bool) -> Vec<String> {
    let all = ["insert_after", "replace_block", "delete_block"];
    let some = if heading { &all[..1] } else { &all[..] };
    some.iter().map(|&name| name.to_owned()).collect()
}

/// The name a review has for a file of the paper.
pub(super) fn path(state: &State, name: &str) -> String {
    let files = state.lyceum.paper_files.iter().map(|file| &file.path);
    let mut named = files.chain([&state.paper.path]);
    let same = |path: &&String| {
        path.strip_suffix(name)
            .is_some_and(|head| head.is_empty() || head.ends_with(['/', '\\']))
    };
    named
        .find(same)
        .map_or_else(|| name.to_owned(), Clone::clone)
}
