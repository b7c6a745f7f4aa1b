//! Finds a quotation in a manuscript: by what a reader sees, whatever white space, dashes, quotation marks,
//! ligatures, hyphenation or markup the quotation was written with; else by what stands in the source.
//!
//! Both sides are folded to the same plain letters; an index keeps, for each folded byte, where it came from. It is
//! built once for many quotations.

mod folded;
mod grams;
mod number;
mod raw;

use std::ops::Range;
use std::sync::OnceLock;

use folded::{Folded, Folder, fold};
use raw::Raw;

use crate::text::model::{Block, BlockKind, Manuscript};
use crate::text::source::Span;
use crate::text::tex_text::tex_to_text;

/// Words of one block: its index, and their place in its visible text.
pub type QuotePart = (usize, Range<usize>);

/// Where a quotation stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuoteMatch {
    /// Its place in the source, from its first to its last letter; of the first block only, when it runs over two
    /// blocks of different files.
    pub span: Span,
    /// Index of the block it starts in; `None` when no reader of the paper sees it, as in a comment.
    pub block: Option<usize>,
    /// Its place in that block's visible text.
    pub visible: Range<usize>,
    /// What it covers of further blocks.
    pub further: Vec<QuotePart>,
    /// True when it stands there letter for letter, as a reader sees it.
    pub exact: bool,
}

impl QuoteMatch {
    /// What it covers of each block, in reading order.
    pub fn parts(&self) -> impl Iterator<Item = QuotePart> + '_ {
        let first = self.block.map(|block| (block, self.visible.clone()));
        first.into_iter().chain(self.further.iter().cloned())
    }
}

/// The folded text of a manuscript, for looking up many quotations.
#[derive(Debug)]
pub struct QuoteIndex<'a> {
    manuscript: &'a Manuscript,
    folded: Folded,
    raw: OnceLock<Raw>,
    /// The folded text with a mark for every number.
    numberless: OnceLock<Folded>,
}

/// Finds every place of a quotation. For many quotations in one manuscript build a [`QuoteIndex`].
#[must_use]
pub fn find_quote(manuscript: &Manuscript, quote: &str) -> Vec<QuoteMatch> {
    QuoteIndex::new(manuscript).find(quote)
}

/// True when a reader goes on from one block to the next without a break: paragraphs and the formulas between them,
/// items of a list, cells of a table.
fn goes_on(before: &Block, block: &Block) -> bool {
    let running = |kind| matches!(kind, BlockKind::Paragraph | BlockKind::Math);
    let alike = match block.kind {
        BlockKind::Paragraph | BlockKind::Math => running(before.kind),
        BlockKind::ListItem | BlockKind::Cell => before.kind == block.kind,
        _ => false,
    };
    alike && before.section == block.section && before.float == block.float
}

impl<'a> QuoteIndex<'a> {
    /// Folds the visible text of a manuscript. Blocks that a reader reads on through are joined by a space, all others
    /// are kept apart.
    #[must_use]
    pub fn new(manuscript: &'a Manuscript) -> Self {
        let mut folder = Folder::default();
        let mut before: Option<&Block> = None;
        for (index, block) in manuscript.blocks.iter().enumerate() {
            let joined = before.is_some_and(|before| goes_on(before, block));
            folder.boundary(joined);
            folder.block = index;
            folder.text(&block.text.string);
            before = Some(block);
        }
        Self {
            manuscript,
            folded: Folded::new(folder),
            raw: OnceLock::new(),
            numberless: OnceLock::new(),
        }
    }

    /// Finds every place of a quotation, in reading order; none for a quotation without letters or digits. Words that
    /// no reader sees so are looked for as they stand in the source.
    #[must_use]
    pub fn find(&self, quote: &str) -> Vec<QuoteMatch> {
        self.find_some(quote, usize::MAX)
    }

    /// Finds the first place of a quotation, at the price of one place however many there are.
    #[must_use]
    pub fn first(&self, quote: &str) -> Option<QuoteMatch> {
        let mut found = self.find_some(quote, 1);
        found.truncate(1);
        found.pop()
    }

    fn find_some(&self, quote: &str, most: usize) -> Vec<QuoteMatch> {
        let mut tried: Vec<String> = Vec::new();
        for reading in readings(quote) {
            let needle = fold(&reading);
            if !needle.contains(char::is_alphanumeric) || tried.contains(&needle) {
                continue;
            }
            let ranges = self.folded.find(&needle, most);
            let found: Vec<QuoteMatch> = ranges
                .iter()
                .filter_map(|range| self.place(range, quote))
                .collect();
            if !found.is_empty() {
                return found;
            }
            tried.push(needle);
        }
        self.in_source(quote)
    }

    /// Leads a folded range back to the text.
    fn place(&self, range: &Range<usize>, quote: &str) -> Option<QuoteMatch> {
        let first = self.folded.origin(range.start)?;
        let last = self.folded.origin(range.end.checked_sub(1)?)?;
        let block = self.manuscript.blocks.get(first.block)?;
        let mut further = Vec::new();
        let (visible, span) = if first.block == last.block {
            let visible = first.start..last.end;
            let span = block.text.span(visible.clone())?;
            (visible, span)
        } else {
            for index in first.block + 1..=last.block {
                let text = &self.manuscript.blocks.get(index)?.text;
                let end = if index == last.block {
                    last.end
                } else {
                    text.len()
                };
                further.push((index, 0..end));
            }
            let end = self
                .manuscript
                .blocks
                .get(last.block)?
                .text
                .span(0..last.end)?;
            let visible = first.start..block.text.len();
            let span = block.text.span(visible.clone())?.join(end);
            (visible, span)
        };
        let exact = block.text.string.get(visible.clone()) == Some(quote.trim());
        Some(QuoteMatch {
            span,
            block: Some(first.block),
            visible,
            further,
            exact,
        })
    }
}

/// The ways a quotation may be meant, the plainest first: as it stands; with hyphenated line ends joined; without the
/// markup of Markdown or LaTeX; with dashes written as hyphens.
fn readings(quote: &str) -> Vec<String> {
    let kept = divided(quote, true);
    let joined = divided(quote, false);
    let mut all = vec![quote.to_owned(), kept];
    let plain = without_markup(&joined);
    let tex = tex_to_text(&without_commands(&joined));
    for reading in [joined, plain, tex] {
        let dashes = reading.replace("---", "—").replace("--", "–");
        all.push(reading);
        all.push(dashes);
    }
    all
}

/// `hyphen-⏎ation` as one word, with or without its hyphen.
fn divided(quote: &str, keep: bool) -> String {
    let mut out = String::with_capacity(quote.len());
    let mut rest = quote;
    while let Some(at) = rest.find(['-', '\u{ad}', '‐']) {
        let (head, tail) = rest.split_at(at);
        out.push_str(head);
        let mark = tail.chars().next().map_or(0, char::len_utf8);
        let after = tail.get(mark..).unwrap_or("");
        let gap = after.len() - after.trim_start().len();
        let line_end = after.get(..gap).is_some_and(|gap| gap.contains('\n'));
        let word = head.chars().next_back().is_some_and(char::is_alphabetic)
            && after
                .trim_start()
                .chars()
                .next()
                .is_some_and(char::is_lowercase);
        if line_end && word {
            if keep {
                out.push('-');
            }
            rest = after.trim_start();
        } else {
            out.push_str(tail.get(..mark).unwrap_or(""));
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

/// Drops the marks of Markdown: emphasis, code, links, images, attributes.
fn without_markup(quote: &str) -> String {
    let mut out = String::with_capacity(quote.len());
    let mut chars = quote.char_indices().peekable();
    let mut skip_to = 0;
    let mut before = ' ';
    while let Some((i, c)) = chars.next() {
        if i < skip_to {
            continue;
        }
        let next = chars.peek().map(|&(_, c)| c);
        match c {
            '*' | '`' | '$' => {}
            // An underscore inside a word is part of it.
            '_' if !(before.is_alphanumeric() && next.is_some_and(char::is_alphanumeric)) => {}
            '~' if next == Some('~') || before == '~' => {}
            '\\' if next.is_some_and(|c| c.is_ascii_punctuation()) => {}
            '!' if next == Some('[') => {}
            '[' if quote.get(i..).is_some_and(|rest| !rest.starts_with("[@"))
                && closes_link(quote, i) => {}
            ']' if next == Some('(') || next == Some('{') => {
                let close = if next == Some('(') { ')' } else { '}' };
                let length = quote.get(i..).and_then(|rest| rest.find(close));
                skip_to = length.map_or(0, |length| i + length + 1);
            }
            _ => out.push(c),
        }
        before = c;
    }
    out
}

/// True when the bracket that opens at `at` is that of a link or span.
fn closes_link(quote: &str, at: usize) -> bool {
    let rest = quote.get(at..).unwrap_or("");
    rest.find(']').is_some_and(|close| {
        rest.get(close + 1..)
            .is_some_and(|after| after.starts_with(['(', '{']))
    })
}

/// Drops LaTeX commands that print nothing, with their arguments.
fn without_commands(quote: &str) -> String {
    let mut out = String::with_capacity(quote.len());
    let mut rest = quote;
    while let Some(at) = rest.find('\\') {
        let (head, tail) = rest.split_at(at);
        out.push_str(head);
        let silent = [
            "\\label{",
            "\\index{",
            "\\vspace{",
            "\\hspace{",
            "\\protect",
        ]
        .iter()
        .find(|command| tail.starts_with(**command));
        rest = match silent {
            Some(command) if command.ends_with('{') => tail
                .find('}')
                .and_then(|close| tail.get(close + 1..))
                .unwrap_or(""),
            Some(command) => tail.get(command.len()..).unwrap_or(""),
            None => {
                let length = 1 + tail.chars().nth(1).map_or(0, char::len_utf8);
                out.push_str(tail.get(..length).unwrap_or(""));
                tail.get(length..).unwrap_or("")
            }
        };
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests;
