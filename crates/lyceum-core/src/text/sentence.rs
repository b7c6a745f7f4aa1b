//! Sentences and words of visible text, English and Chinese.
//!
//! Works on any text whose white space is collapsed, also on a masked one ([`super::MASK`] counts as a word). It is
//! careful rather than clever: where a stop may belong to an abbreviation the sentence goes on.

use std::ops::Range;

use super::visible::MASK;

/// Stops that never end a sentence, whatever follows.
const NEVER: &[&str] = &[
    "e.g", "i.e", "eg", "ie", "cf", "vs", "viz", "al", "fig", "figs", "eq", "eqs", "eqn", "eqns",
    "sec", "secs", "sect", "ref", "refs", "tab", "tbl", "ch", "chap", "app", "appx", "alg", "thm",
    "def", "prop", "lem", "cor", "dr", "prof", "mr", "mrs", "ms", "st", "vol", "vols", "pp", "ed",
    "eds", "approx", "ca", "resp", "incl", "dept", "univ", "ser", "suppl", "supp", "ext", "gen",
    "col", "lt", "hon", "rev", "sen", "rep", "gov", "art", "nos", "w.r.t", "s.t", "c.f", "a.k.a",
    "lit", "trans", "proc", "conf", "int", "natl", "assoc", "bros", "n.b", "p.s", "pers", "comm",
    "unpubl", "subsp", "ssp", "var", "spp",
];

/// Abbreviations only before a number: elsewhere they are words.
const BEFORE_NUMBER: &[&str] = &["no", "p", "art", "para", "line", "v", "ver", "nr", "n"];

/// Abbreviations that may also close a sentence: it ends when a word that opens sentences follows.
const MAYBE: &[&str] = &[
    "etc", "inc", "ltd", "co", "corp", "jr", "sr", "u.s", "u.k", "u.s.a", "e.u", "ph.d", "m.sc",
    "b.sc", "m.d", "a.m", "p.m", "sp", "est", "min", "max", "avg", "std", "dev", "jan", "feb",
    "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
];

/// Words that open sentences much more often than they follow an initial.
const OPENERS: &[&str] = &[
    "the",
    "a",
    "an",
    "this",
    "these",
    "that",
    "those",
    "we",
    "our",
    "it",
    "its",
    "they",
    "their",
    "he",
    "she",
    "there",
    "here",
    "in",
    "on",
    "at",
    "for",
    "from",
    "to",
    "with",
    "as",
    "by",
    "however",
    "moreover",
    "furthermore",
    "thus",
    "therefore",
    "hence",
    "then",
    "when",
    "while",
    "if",
    "although",
    "because",
    "since",
    "after",
    "before",
    "both",
    "all",
    "each",
    "some",
    "most",
    "many",
    "such",
    "note",
    "finally",
    "first",
    "second",
    "next",
    "let",
    "where",
    "what",
    "how",
    "why",
    "you",
    "i",
    "to",
    "under",
    "no",
    "not",
    "given",
    "using",
    "following",
    "but",
    "and",
    "so",
    "also",
];

/// True for Han characters and Japanese kana, which are written without spaces.
#[must_use]
pub const fn is_cjk(c: char) -> bool {
    matches!(c,
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{3040}'..='\u{30ff}'
        | '\u{20000}'..='\u{323af}' | '\u{3005}' | '\u{3007}')
}

/// True for [`is_cjk`] and the full-width punctuation that goes with it.
#[must_use]
pub(super) const fn is_cjk_text(c: char) -> bool {
    is_cjk(c) || matches!(c, '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ff60}')
}

/// The sentences of a visible text as byte ranges in order, without the spaces between them.
#[must_use]
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let next = at + c.len_utf8();
        let end = match c {
            '。' | '！' | '？' | '；' | '｡' => Some(closing(text, next)),
            '.' | '!' | '?' | '…' => latin_end(text, start, at),
            _ => None,
        };
        match end {
            Some(end) => {
                push_trimmed(&mut found, text, start..end);
                start = end;
                at = end;
            }
            // A run of stops is judged once, at its first.
            None if is_latin_stop(c) => at = stops(text, next),
            None => at = next,
        }
    }
    push_trimmed(&mut found, text, start..text.len());
    found
}

fn is_latin_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…')
}

/// The end of a run of Latin stops from `at` on.
fn stops(text: &str, at: usize) -> usize {
    skip(text, at, is_latin_stop)
}

/// The end of the stops and closing marks from `at` on.
fn closing(text: &str, at: usize) -> usize {
    skip(text, at, |c| {
        matches!(
            c,
            '。' | '！'
                | '？'
                | '；'
                | '｡'
                | '!'
                | '?'
                | '…'
                | '"'
                | '\''
                | '”'
                | '’'
                | '»'
                | ')'
                | ']'
                | '}'
                | '」'
                | '』'
                | '）'
                | '】'
                | '》'
                | '〉'
        )
    })
}

fn skip(text: &str, at: usize, wanted: impl Fn(char) -> bool) -> usize {
    text.get(at..).map_or(at, |rest| {
        rest.char_indices()
            .find(|&(_, c)| !wanted(c))
            .map_or(text.len(), |(i, _)| at + i)
    })
}

/// Where the sentence ends that the stop at `at` closes; `None` when it goes on.
fn latin_end(text: &str, start: usize, at: usize) -> Option<usize> {
    let run = stops(text, at);
    let end = note_marks(text, closing(text, run));
    let rest = text.get(end..)?;
    let Some(after) = rest.chars().next() else {
        return Some(end);
    };
    if is_cjk(after) {
        return (!text.get(at..run)?.starts_with('.') || end > run).then_some(end);
    }
    if !after.is_whitespace() {
        return None;
    }
    let rest = rest.trim_start_matches(|c: char| {
        c.is_whitespace()
            || matches!(
                c,
                '"' | '\'' | '“' | '‘' | '«' | '(' | '[' | '{' | '*' | '_'
            )
    });
    let Some(first) = rest.chars().next() else {
        return Some(end);
    };
    if first.is_lowercase() {
        return None;
    }
    if text.get(at..run)? == "." {
        let before = text.get(start..at)?;
        if goes_on(before, rest, first) {
            return None;
        }
    }
    Some(end)
}

/// Passes over a note or citation set right after the stop: `done.[12] Next`, `done.^1^ Next`.
fn note_marks(text: &str, at: usize) -> usize {
    let mut end = skip(text, at, |c| {
        c == MASK || matches!(c, '¹' | '²' | '³' | '⁰'..='⁹')
    });
    if let Some(rest) = text.get(end..)
        && rest.starts_with('[')
        && let Some(close) = rest.char_indices().take(200).find(|&(_, c)| c == ']')
    {
        end += close.0 + 1;
    }
    end
}

/// True when the word before a single stop is an abbreviation, an initial or the number of a list item.
fn goes_on(before: &str, rest: &str, first: char) -> bool {
    let token = before
        .rsplit(|c: char| {
            c.is_whitespace() || matches!(c, '(' | '[' | '{' | '"' | '“' | '‘' | '/' | ',' | '~')
        })
        .next()
        .unwrap_or("");
    if token.is_empty() || token.len() > 24 {
        return false;
    }
    let whole = token.len() == before.trim_start().len();
    if whole && token.chars().all(|c| c.is_ascii_digit() || c == '.') {
        return true;
    }
    let folded = token.to_lowercase();
    let folded = folded.as_str();
    let opens = || {
        let word: String = rest.chars().take_while(|c| c.is_alphabetic()).collect();
        OPENERS.contains(&word.to_lowercase().as_str())
    };
    let capital = token.chars().next().is_some_and(char::is_uppercase);
    if NEVER.contains(&folded) {
        // `al.`, `def.` and kin are words too when a new sentence plainly follows an ordinary use; only the short
        // Latin ones can stand before an opener, and they cannot close a sentence.
        return true;
    }
    if BEFORE_NUMBER.contains(&folded) && (first.is_ascii_digit() || first == MASK) {
        return true;
    }
    if MAYBE.contains(&folded) {
        return !opens();
    }
    let letters: Vec<char> = token.chars().filter(|c| c.is_alphabetic()).collect();
    let initials = token
        .split(['.', '-'])
        .all(|part| part.chars().count() <= 1)
        && !letters.is_empty();
    initials && capital && !opens()
}

fn push_trimmed(found: &mut Vec<Range<usize>>, text: &str, range: Range<usize>) {
    let Some(part) = text.get(range.clone()) else {
        return;
    };
    let start = range.start + (part.len() - part.trim_start().len());
    let end = start + part.trim().len();
    if end > start {
        found.push(start..end);
    }
}

/// The words of a text with their byte ranges. A Latin word keeps inner apostrophes and hyphens, a number its inner
/// points and commas; each Chinese character is a word of its own.
pub fn words(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        loop {
            let (start, c) = chars.next()?;
            if is_cjk(c) {
                let range = start..start + c.len_utf8();
                return text.get(range.clone()).map(|word| (range, word));
            }
            if !c.is_alphanumeric() {
                continue;
            }
            let mut end = start + c.len_utf8();
            let mut last = c;
            while let Some(&(i, c)) = chars.peek() {
                if c.is_alphanumeric() && !is_cjk(c) || is_mark(c) {
                    end = i + c.len_utf8();
                    last = c;
                    chars.next();
                } else if joins(last, c, text.get(i + c.len_utf8()..)) {
                    chars.next();
                } else {
                    break;
                }
            }
            return text.get(start..end).map(|word| (start..end, word));
        }
    })
}

const fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{ad}' | '\u{200d}')
}

/// True when `c` stands inside a word: between `last` and the start of `rest`.
fn joins(last: char, c: char, rest: Option<&str>) -> bool {
    let Some(next) = rest.and_then(|rest| rest.chars().next()) else {
        return false;
    };
    if is_cjk(next) || !next.is_alphanumeric() {
        return false;
    }
    match c {
        '\'' | '’' | '-' | '\u{2010}' | '\u{2011}' => true,
        '.' | ',' => last.is_ascii_digit() && next.is_ascii_digit(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<&str> {
        sentences(text)
            .into_iter()
            .map(|range| &text[range])
            .collect()
    }

    #[test]
    fn plain_sentences_split() {
        assert_eq!(
            split("One. Two! Three? Four"),
            ["One.", "Two!", "Three?", "Four"]
        );
        assert_eq!(
            split("He said “done.” Then (it ended.) We left."),
            ["He said “done.”", "Then (it ended.)", "We left."]
        );
        assert_eq!(
            split("In 2019. 45 patients came."),
            ["In 2019.", "45 patients came."]
        );
        assert_eq!(
            split("Known.[12] Next one.¹ Last"),
            ["Known.[12]", "Next one.¹", "Last"]
        );
        assert_eq!(split("Known [@a]. Next."), ["Known [@a].", "Next."]);
        assert_eq!(split(""), Vec::<&str>::new());
        assert_eq!(split("  "), Vec::<&str>::new());
    }

    #[test]
    fn abbreviations_initials_and_decimals_do_not() {
        for whole in [
            "We use tools, e.g. Python and i.e. R, as Smith et al. Did before.",
            "See Fig. 3 and Eq. 4, vs. Table 2, by Dr. Who.",
            "Sample No. 5 was p. 12 in vol. 3.",
            "J. R. R. Tolkien and M.-A. Miller wrote it.",
            "It was 0.5 and p < .05 at 3.2.1 of example.com now.",
            "“What?” he asked.",
            "1. Introduction",
            "Cats, dogs etc. are here.",
            "The U.S. Department agreed.",
            "It waited ... and went.",
        ] {
            assert_eq!(split(whole), [whole]);
        }
        assert_eq!(split("Cats, etc. The dogs."), ["Cats, etc.", "The dogs."]);
        assert_eq!(
            split("It has vitamin C. The rest."),
            ["It has vitamin C.", "The rest."]
        );
        assert_eq!(
            split("Is it so? No. We left."),
            ["Is it so?", "No.", "We left."]
        );
    }

    #[test]
    fn chinese_splits_at_its_own_stops() {
        assert_eq!(
            split("第一句。第二句！“第三句。”第四；第五"),
            ["第一句。", "第二句！", "“第三句。”", "第四；", "第五"]
        );
        assert_eq!(
            split("使用 Python 3.8 版本。结束"),
            ["使用 Python 3.8 版本。", "结束"]
        );
    }

    #[test]
    fn words_keep_their_inner_marks() {
        let all: Vec<&str> = words("It's a well-known 1,234.5 – 数据x (F1). end-")
            .map(|(_, word)| word)
            .collect();
        assert_eq!(
            all,
            [
                "It's",
                "a",
                "well-known",
                "1,234.5",
                "数",
                "据",
                "x",
                "F1",
                "end"
            ]
        );
        let (range, word) = words("  ab").next().unwrap();
        assert_eq!((range, word), (2..4, "ab"));
    }

    #[test]
    fn long_runs_end_soon() {
        for part in [".", "?", ". ", "a. ", "。", "[", ".[", "\"", "A."] {
            let text = part.repeat(300_000);
            let all = sentences(&text);
            assert!(all.iter().all(|range| text.get(range.clone()).is_some()));
        }
    }
}
