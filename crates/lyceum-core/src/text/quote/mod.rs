//! Finds a quotation in a manuscript: by what a reader sees, whatever white space, dashes, quotation marks,
//! ligatures, hyphenation or markup the quotation was written with.
//!
//! Both sides are folded to the same plain letters; an index keeps, for each folded byte, where it came from. It is
//! built once for many quotations.

mod grams;
mod number;

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use grams::Grams;
use unicode_normalization::UnicodeNormalization;

use crate::text::model::{BlockKind, Manuscript};
use crate::text::source::Span;
use crate::text::tex_text::tex_to_text;

/// Where a quotation stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuoteMatch {
    /// Its place in the source, from its first to its last letter; of the first block only, when it runs over two
    /// blocks of different files.
    pub span: Span,
    /// Index of the block it starts in.
    pub block: usize,
    /// Its place in that block's visible text.
    pub visible: Range<usize>,
    /// True when it stands there letter for letter.
    pub exact: bool,
}

/// The folded text of a manuscript, for looking up many quotations.
#[derive(Debug)]
pub struct QuoteIndex<'a> {
    manuscript: &'a Manuscript,
    folded: String,
    /// Folded byte and what it came from: block and visible offset; one entry wherever the two stop running in step.
    origins: Vec<Origin>,
    /// How many needles were looked up; an index of grams pays from some on.
    asked: AtomicUsize,
    grams: OnceLock<Grams>,
}

/// Needles that are looked up by reading the text.
const PLAIN: usize = 32;

#[derive(Clone, Copy, Debug)]
struct Origin {
    at: usize,
    block: usize,
    start: usize,
    end: usize,
}

/// Finds every place of a quotation. For many quotations in one manuscript build a [`QuoteIndex`].
#[must_use]
pub fn find_quote(manuscript: &Manuscript, quote: &str) -> Vec<QuoteMatch> {
    QuoteIndex::new(manuscript).find(quote)
}

impl<'a> QuoteIndex<'a> {
    /// Folds the visible text of a manuscript. Consecutive paragraphs of one section are joined by a space, all other
    /// blocks are kept apart.
    #[must_use]
    pub fn new(manuscript: &'a Manuscript) -> Self {
        let mut folder = Folder::default();
        let mut before: Option<(BlockKind, usize)> = None;
        for (index, block) in manuscript.blocks.iter().enumerate() {
            let here = (block.kind, block.section);
            let joined = block.kind == BlockKind::Paragraph && before == Some(here);
            folder.boundary(joined);
            folder.block = index;
            folder.text(&block.text.string);
            before = Some(here);
        }
        Self {
            manuscript,
            folded: folder.out,
            origins: folder.origins,
            asked: AtomicUsize::new(0),
            grams: OnceLock::new(),
        }
    }

    /// Finds every place of a quotation, in reading order; none for a quotation without letters or digits.
    #[must_use]
    pub fn find(&self, quote: &str) -> Vec<QuoteMatch> {
        self.find_some(quote, usize::MAX)
    }

    /// Finds the first place of a quotation, at the price of one place however many there are.
    #[must_use]
    pub fn first(&self, quote: &str) -> Option<QuoteMatch> {
        self.find_some(quote, 1).pop()
    }

    fn find_some(&self, quote: &str, most: usize) -> Vec<QuoteMatch> {
        let mut tried: Vec<String> = Vec::new();
        for reading in readings(quote) {
            let needle = fold(&reading);
            if !needle.contains(char::is_alphanumeric) || tried.contains(&needle) {
                continue;
            }
            let found = self.find_folded(&needle, quote, most);
            if !found.is_empty() {
                return found;
            }
            tried.push(needle);
        }
        Vec::new()
    }

    fn find_folded(&self, needle: &str, quote: &str, most: usize) -> Vec<QuoteMatch> {
        if self.asked.fetch_add(1, Ordering::Relaxed) >= PLAIN {
            let grams = self.grams.get_or_init(|| Grams::new(&self.folded));
            if let Some(starts) = grams.candidates(needle) {
                return self.find_at(&starts, needle, quote, most);
            }
        }
        let mut found = Vec::new();
        let mut from = 0;
        while found.len() < most
            && let Some(at) = self.folded.get(from..).and_then(|rest| rest.find(needle))
        {
            from = self.take(from + at, needle, quote, &mut found);
        }
        found
    }

    /// The same for the only places where a needle can start.
    fn find_at(&self, starts: &[usize], needle: &str, quote: &str, most: usize) -> Vec<QuoteMatch> {
        let mut found = Vec::new();
        let mut from = 0;
        for &at in starts {
            if found.len() >= most {
                break;
            }
            let rest = self.folded.as_bytes().get(at..).unwrap_or(&[]);
            if at >= from && rest.starts_with(needle.as_bytes()) {
                from = self.take(at, needle, quote, &mut found);
            }
        }
        found
    }

    /// Takes a needle where it stands, unless it cuts a word there; returns where to look on.
    fn take(&self, at: usize, needle: &str, quote: &str, found: &mut Vec<QuoteMatch>) -> usize {
        let range = at..at + needle.len();
        if self.within_word(&range) {
            return at + needle.chars().next().map_or(1, char::len_utf8);
        }
        found.extend(self.place(&range, quote));
        range.end
    }

    /// True when a folded range starts or ends inside a word.
    fn within_word(&self, range: &Range<usize>) -> bool {
        let letter = |c: char| c.is_alphanumeric() && !crate::text::sentence::is_cjk(c);
        let cuts = |at: usize| {
            let (before, after) = self.folded.split_at_checked(at).unwrap_or_default();
            before.ends_with(letter) && after.starts_with(letter)
        };
        cuts(range.start) || cuts(range.end)
    }

    /// Leads a folded range back to the text.
    fn place(&self, range: &Range<usize>, quote: &str) -> Option<QuoteMatch> {
        let first = self.origin(range.start)?;
        let last = self.origin(range.end.checked_sub(1)?)?;
        let start = first.start;
        let block = self.manuscript.blocks.get(first.block)?;
        let (visible, span) = if first.block == last.block {
            let visible = start..last.end;
            let span = block.text.span(visible.clone())?;
            (visible, span)
        } else {
            let visible = start..block.text.len();
            let end = self
                .manuscript
                .blocks
                .get(last.block)?
                .text
                .span(0..last.end)?;
            let span = block.text.span(visible.clone())?.join(end);
            (visible, span)
        };
        let exact = block.text.string.get(visible.clone()) == Some(quote.trim());
        Some(QuoteMatch {
            span,
            block: first.block,
            visible,
            exact,
        })
    }

    /// The visible character that a folded byte came from.
    fn origin(&self, at: usize) -> Option<Origin> {
        let i = self.origins.partition_point(|origin| origin.at <= at);
        self.origins.get(i.checked_sub(1)?).copied()
    }
}

/// Folds text and keeps where each folded character came from.
#[derive(Default)]
struct Folder {
    out: String,
    origins: Vec<Origin>,
    block: usize,
    /// A white space that has not been written yet.
    gap: Option<(usize, usize)>,
}

impl Folder {
    /// Ends a block; the next one is joined by a space or kept apart.
    fn boundary(&mut self, joined: bool) {
        self.gap = None;
        if !self.out.is_empty() {
            let (block, end) = self
                .origins
                .last()
                .map_or((0, 0), |last| (last.block, last.end));
            self.origins.push(Origin {
                at: self.out.len(),
                block,
                start: end,
                end,
            });
            self.out.push(if joined { ' ' } else { '\n' });
        }
    }

    fn text(&mut self, text: &str) {
        let mut chars = text.char_indices().peekable();
        while let Some((i, c)) = chars.next() {
            let mut end = i + c.len_utf8();
            if is_dropped(c) {
                continue;
            }
            if c.is_whitespace() {
                if self.gap.is_none() {
                    self.gap = Some((i, end));
                }
                continue;
            }
            // A letter with its combining marks is one letter.
            let mut letter = String::from(c);
            while let Some((j, mark)) = chars.next_if(|&(_, mark)| is_combining(mark)) {
                letter.push(mark);
                end = j + mark.len_utf8();
            }
            self.letter(&letter, i, end);
        }
    }

    fn letter(&mut self, letter: &str, start: usize, end: usize) {
        let folded: String = letter.nfkc().filter_map(fold_char).collect();
        let wide = |c: char| crate::text::sentence::is_cjk_text(c);
        if let Some((gap, gap_end)) = self.gap.take() {
            // Chinese is written without spaces; a line end between two characters is not one.
            let before = self.out.chars().next_back();
            let silent = before.is_some_and(wide) && letter.chars().next().is_some_and(wide);
            if letter.starts_with(char::is_lowercase) && self.drop_hyphen() {
                // `hyphen- ation`: a word that was divided at a line end.
            } else if !silent && before.is_some_and(|c| c != ' ' && c != '\n') {
                self.push(" ", gap, gap_end);
            }
        }
        self.push(&folded, start, end);
    }

    /// Takes back a hyphen behind a letter.
    fn drop_hyphen(&mut self) -> bool {
        let divided = self
            .out
            .strip_suffix('-')
            .is_some_and(|word| word.ends_with(char::is_lowercase));
        if divided {
            self.out.pop();
            self.origins.pop_if(|origin| origin.at == self.out.len());
        }
        divided
    }

    fn push(&mut self, folded: &str, start: usize, end: usize) {
        if !folded.is_empty() {
            self.origins.push(Origin {
                at: self.out.len(),
                block: self.block,
                start,
                end,
            });
            self.out.push_str(folded);
        }
    }
}

/// A quotation folded as the text is, with words that were hyphenated at a line end put together.
fn fold(quote: &str) -> String {
    let mut folder = Folder::default();
    folder.text(quote.trim());
    folder.out
}

/// One character as all its variants.
fn fold_char(c: char) -> Option<char> {
    Some(match c {
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' | '﹣' | '－' | '⁻' => '-',
        '“' | '”' | '„' | '‟' | '«' | '»' | '″' | '＂' | '「' | '」' | '『' | '』' => {
            '"'
        }
        '‘' | '’' | '‚' | '‛' | '′' | '`' | '´' | '＇' => '\'',
        c if is_dropped(c) || c.is_whitespace() => return None,
        c => c,
    })
}

/// Characters that no reader sees: soft hyphens, joiners, direction marks, the byte order mark.
fn is_dropped(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{202a}'..='\u{202e}')
}

fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
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
