//! Text folded to plain letters, each leading back to where it came from, and the search in it.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use unicode_normalization::UnicodeNormalization;

use super::grams::Grams;

/// Needles that are looked up by reading the text.
const PLAIN: usize = 32;

/// What a folded byte came from: block (or file) and offset there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    pub(super) at: usize,
    pub(super) block: usize,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A folded text in which thousands of needles are looked up.
#[derive(Debug)]
pub(super) struct Folded {
    pub(super) text: String,
    /// One entry for each folded letter.
    origins: Vec<Origin>,
    /// How many needles were looked up; an index of grams pays from some on.
    asked: AtomicUsize,
    grams: OnceLock<Grams>,
}

impl Folded {
    pub(super) fn new(folder: Folder) -> Self {
        Self {
            text: folder.out,
            origins: folder.origins,
            asked: AtomicUsize::new(0),
            grams: OnceLock::new(),
        }
    }

    /// A text that leads back nowhere.
    pub(super) fn plain(text: String) -> Self {
        Self::new(Folder {
            out: text,
            ..Folder::default()
        })
    }

    /// Where a needle stands without cutting a word; at most so many places.
    pub(super) fn find(&self, needle: &str, most: usize) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut from = 0;
        if self.asked.fetch_add(1, Ordering::Relaxed) >= PLAIN {
            let grams = self.grams.get_or_init(|| Grams::new(&self.text));
            if let Some(starts) = grams.candidates(needle) {
                for at in starts {
                    if found.len() >= most {
                        break;
                    }
                    let rest = self.text.as_bytes().get(at..).unwrap_or(&[]);
                    if at >= from && rest.starts_with(needle.as_bytes()) {
                        from = self.take(at, needle, &mut found);
                    }
                }
                return found;
            }
        }
        while found.len() < most
            && let Some(at) = self.text.get(from..).and_then(|rest| rest.find(needle))
        {
            from = self.take(from + at, needle, &mut found);
        }
        found
    }

    /// Takes a needle where it stands, unless it cuts a word there; returns where to look on.
    fn take(&self, at: usize, needle: &str, found: &mut Vec<Range<usize>>) -> usize {
        let range = at..at + needle.len();
        if self.within_word(&range) {
            return at + needle.chars().next().map_or(1, char::len_utf8);
        }
        let end = range.end;
        found.push(range);
        end
    }

    /// True when a folded range starts or ends inside a word.
    fn within_word(&self, range: &Range<usize>) -> bool {
        let letter = |c: char| c.is_alphanumeric() && !crate::text::sentence::is_cjk(c);
        let cuts = |at: usize| {
            let (before, after) = self.text.split_at_checked(at).unwrap_or_default();
            before.ends_with(letter) && after.starts_with(letter)
        };
        cuts(range.start) || cuts(range.end)
    }

    /// The character that a folded byte came from.
    pub(super) fn origin(&self, at: usize) -> Option<Origin> {
        let i = self.origins.partition_point(|origin| origin.at <= at);
        self.origins.get(i.checked_sub(1)?).copied()
    }
}

/// Folds text and keeps where each folded character came from.
#[derive(Default)]
pub(super) struct Folder {
    out: String,
    origins: Vec<Origin>,
    pub(super) block: usize,
    /// A white space that has not been written yet.
    gap: Option<(usize, usize)>,
}

impl Folder {
    /// Ends a block; the next one is joined by a space or kept apart.
    pub(super) fn boundary(&mut self, joined: bool) {
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

    pub(super) fn text(&mut self, text: &str) {
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
pub(super) fn fold(quote: &str) -> String {
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
