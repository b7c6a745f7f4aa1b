//! Definitions: a bracket whose last item is the acronym, after words that spell it.

use std::sync::LazyLock;

use regex::Regex;

use super::candidate::{Candidate, is_han, singular};
use crate::text::MASK;

/// What one appearance of an acronym is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mention {
    /// A use.
    Use,
    /// A definition, with the words that spell it.
    Definition(String),
    /// Introduced in a form that is not read.
    Unread,
    /// Announced, but the words before do not spell it.
    Unconfirmed,
}

/// How many bytes before a bracket may belong to the words that spell an acronym.
const WINDOW: usize = 200;
/// How long a bracket that defines may be.
const BRACKET: usize = 240;

#[expect(
    clippy::expect_used,
    reason = "literal patterns only, each compiled by a test"
)]
fn pattern(literal: &str) -> Regex {
    Regex::new(literal).expect("pattern")
}

static LISTING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:e\.?g\.?|for example|for instance|see|see also|cf\.?|compare|such as|including|include|i\.a\.|如|例如|参见|见|包括|比如)(?:[\s,，:：]|\b|$)",
    )
});
static THAT_IS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)^(?:i\.?e\.?|namely|that is|viz\.?|即|也就是)[\s,，:：]*"));
static ANNOUNCED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:(?:here(?:in)?after|henceforth|hereinafter|from (?:here|now) on|subsequently|in short|for short|below|also)[\s,，:：]*)?(?:(?:abbreviated|abbrev\.|abbr\.|shortened|referred to|known|called|termed|denoted|acronym)\s*(?:as|to|by)?|(?:hereafter|henceforth|hereinafter|from (?:here|now) on|for short|in short)|(?:以下|下文|后文)?(?:简称|缩写|统称|称)为?|下称)[\s,，:：]*",
    )
});
/// What makes the word before an acronym, or after it, an introduction in running text.
static TOLD_BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:\b(?:abbreviated|abbreviation|acronym|shortened|denoted|known|referred to|called|termed|named|dubbed)(?: (?:as|to|by|the))?|简称|缩写|称|称为|简称为|缩写为|记为)\s*[:：]?\s*[“‘'\x22(（]?$",
    )
});
static TOLD_AFTER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^[”’'\x22)）]?,?\s*(?:\(?(?:which )?(?:stands|standing|short) for|,? ?(?:is|as) (?:an|the) (?:acronym|abbreviation|short)|[:=：]\s+[A-Z]|是.{0,20}的(?:缩写|简称)|即|,? (?:or|i\.e\.,?|that is,?|meaning) (?:the |an? )?[a-zA-Z])",
    )
});

/// Classifies the candidates of a masked text, one mention each.
pub(super) fn mentions(text: &str, candidates: &[Candidate]) -> Vec<Mention> {
    let brackets = brackets(text, BRACKET);
    candidates
        .iter()
        .map(|candidate| {
            let at = brackets.partition_point(|&(open, _)| open < candidate.range.start);
            let around = at
                .checked_sub(1)
                .and_then(|i| brackets.get(i))
                .filter(|&&(_, close)| candidate.range.end <= close);
            match around {
                Some(&bracket) => in_bracket(text, bracket, candidate, candidates),
                None => in_text(text, brackets.get(at), candidate),
            }
        })
        .collect()
}

/// Innermost round brackets of at most `longest` bytes, ASCII or full width: offsets of both marks.
pub(super) fn brackets(text: &str, longest: usize) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut open = None;
    for (i, c) in text.char_indices() {
        match c {
            '(' | '（' => open = Some(i),
            ')' | '）' => {
                if let Some(start) = open.take()
                    && i - start <= longest
                {
                    found.push((start, i));
                }
            }
            _ => {}
        }
    }
    found
}

fn in_bracket(
    text: &str,
    (open, close): (usize, usize),
    candidate: &Candidate,
    all: &[Candidate],
) -> Mention {
    let mark = text
        .get(open..)
        .and_then(|t| t.chars().next())
        .map_or(1, char::len_utf8);
    let inner = text.get(open + mark..close).unwrap_or("");
    let before = before(text, open);
    if LISTING.is_match(inner.trim()) {
        return Mention::Use;
    }
    let items: Vec<&str> = inner
        .split([',', ';', '，', '；', '、'])
        .map(str::trim)
        // What a citation leaves behind its mask is no item.
        .filter(|item| item.chars().any(char::is_alphanumeric))
        .collect();
    let Some((last, others)) = items.split_last() else {
        return Mention::Use;
    };
    // The acronym must be the last item, alone but for a lead, and this very candidate.
    let inside = all.partition_point(|other| other.range.end <= close);
    let is_last = inside
        .checked_sub(1)
        .and_then(|last| all.get(last))
        .is_some_and(|other| other.range == candidate.range);
    let that_is =
        THAT_IS.is_match(last) || others.first().is_some_and(|item| THAT_IS.is_match(item));
    let bare = THAT_IS.replace(last, "");
    let announced = ANNOUNCED.is_match(&bare)
        || others.first().is_some_and(|item| {
            ANNOUNCED
                .find(item)
                .is_some_and(|lead| lead.end() == item.len())
        });
    let bare = ANNOUNCED.replace(&bare, "");
    let name = bare.trim_matches(|c: char| !c.is_alphanumeric());
    let name = name.strip_prefix("the ").unwrap_or(name);
    if !is_last || singular(name) != candidate.acronym {
        return Mention::Use;
    }
    let words: Vec<&str> = others
        .iter()
        .copied()
        .filter(|item| !ANNOUNCED.is_match(item) && !THAT_IS.is_match(item))
        .collect();
    let only_acronyms = !words.is_empty()
        && words
            .iter()
            .all(|item| super::candidate::is_shaped(singular(item)));
    if only_acronyms {
        return Mention::Use;
    }
    let spelled = words
        .iter()
        .rev()
        .find_map(|item| spell(item, &candidate.acronym))
        .or_else(|| spell(before, &candidate.acronym))
        .or_else(|| words.iter().rev().find_map(|item| chinese(item)))
        .or_else(|| chinese(before));
    match spelled {
        Some(expansion) => Mention::Definition(expansion),
        None if that_is => Mention::Use,
        None if announced => Mention::Unconfirmed,
        None if words.is_empty() => Mention::Unread,
        None => Mention::Use,
    }
}

fn in_text(text: &str, next: Option<&(usize, usize)>, candidate: &Candidate) -> Mention {
    let lead = window_before(text, candidate.range.start, 40);
    let after = window_after(text, candidate.range.end, 60);
    if let Some(&(open, close)) = next
        && text
            .get(candidate.range.end..open)
            .is_some_and(|gap| gap.trim_matches(['”', '"', '’', '*', ' ']).is_empty())
    {
        let inner = text
            .get(open..close)
            .unwrap_or("")
            .trim_matches(['(', '（', ' ']);
        if spell(inner, &candidate.acronym).is_some()
            || may_explain(inner, &candidate.acronym)
            || chinese(inner).is_some()
        {
            return Mention::Unread;
        }
    }
    if TOLD_BEFORE.is_match(lead) {
        return Mention::Unconfirmed;
    }
    let alternative = lead.trim_end_matches(['“', '"', '‘', ' ']);
    let named = [" or", " or the", ",", " –", " —", ":"]
        .iter()
        .any(|end| alternative.ends_with(end))
        && spell(
            before(text, candidate.range.start).trim_end_matches("or "),
            &candidate.acronym,
        )
        .is_some();
    if named || TOLD_AFTER.is_match(after) {
        return Mention::Unread;
    }
    Mention::Use
}

/// Two words or more, in small letters, one of which begins like the acronym.
fn may_explain(inner: &str, acronym: &str) -> bool {
    let first = acronym.chars().next().map(|c| c.to_ascii_lowercase());
    let words = words(inner);
    words.len() >= 2
        && words.iter().any(|(_, word)| {
            word.chars().next().map(|c| c.to_ascii_lowercase()) == first
                && word.chars().any(|c| c.is_ascii_lowercase())
        })
}

fn window_before(text: &str, end: usize, length: usize) -> &str {
    let mut start = end.saturating_sub(length);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text.get(start..end).unwrap_or("")
}

fn window_after(text: &str, start: usize, length: usize) -> &str {
    let mut end = (start + length).min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(start..end).unwrap_or("")
}

/// The words before an offset, in the same sentence.
fn before(text: &str, end: usize) -> &str {
    let window = window_before(text, end, WINDOW);
    let cut = window
        .char_indices()
        .filter(|&(i, c)| {
            matches!(c, ';' | '；' | '。' | '？' | '！' | '(' | '（' | ')' | '）')
                || (matches!(c, '.' | '?' | '!')
                    && window.get(i + 1..).is_some_and(|rest| {
                        rest.starts_with(' ')
                            && rest.trim_start().starts_with(|c: char| c.is_uppercase())
                    }))
        })
        .map(|(i, c)| i + c.len_utf8())
        .next_back()
        .unwrap_or(0);
    window.get(cut..).unwrap_or("")
}

/// Small words that an acronym passes over.
const SMALL: &[&str] = &[
    "a", "an", "and", "as", "at", "by", "de", "des", "du", "for", "from", "in", "la", "of", "on",
    "or", "the", "to", "und", "via", "with",
];

/// The words at the end of `text` whose initials spell the acronym in order; a word in capitals spells all its letters.
/// Small words are passed over, and one other word.
pub(super) fn spell(text: &str, acronym: &str) -> Option<String> {
    let letters: Vec<char> = acronym
        .chars()
        .filter(char::is_ascii_alphabetic)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    let words: Vec<(usize, &str)> = words(text);
    let mut left = letters.len();
    let mut passed = 0;
    for &(start, word) in words.iter().rev().take(letters.len() * 2 + 4) {
        let spelled = ending(word, letters.get(..left)?);
        if spelled == 0 {
            if !SMALL.contains(&word.to_lowercase().as_str()) {
                passed += 1;
            }
            if passed > 1 {
                return None;
            }
            continue;
        }
        left -= spelled;
        if left == 0 {
            let expansion = text.get(start..)?.replace(MASK, " ");
            let expansion = expansion.split_whitespace().collect::<Vec<_>>().join(" ");
            // One word alone spells nothing.
            return (words.last().map(|&(last, _)| last) != Some(start) || letters.len() == 1)
                .then_some(expansion);
        }
    }
    None
}

/// How many of the last letters a word spells: its initial, or all its letters when it is in capitals.
fn ending(word: &str, letters: &[char]) -> usize {
    let own: Vec<char> = word.chars().map(|c| c.to_ascii_lowercase()).collect();
    let capitals = own.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase());
    if capitals && letters.len() > own.len() && letters.ends_with(&own) {
        return own.len();
    }
    usize::from(!own.is_empty() && own.first() == letters.last())
}

/// Words with their offsets; hyphens, dashes and slashes part them.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = None;
    for (i, c) in text.char_indices() {
        let inside = c.is_alphanumeric() || (matches!(c, '\'' | '’') && start.is_some());
        match (inside, start) {
            (true, None) => start = Some(i),
            (false, Some(from)) => {
                found.push((from, text.get(from..i).unwrap_or("")));
                start = None;
            }
            _ => {}
        }
    }
    if let Some(from) = start {
        found.push((from, text.get(from..).unwrap_or("")));
    }
    found
}

/// A Chinese phrase at the end of a text, which may stand for any acronym.
fn chinese(text: &str) -> Option<String> {
    let trimmed = text.trim_end_matches(|c: char| {
        c == MASK || c.is_whitespace() || matches!(c, '”' | '"' | '》' | '」')
    });
    let phrase: Vec<char> = trimmed
        .chars()
        .rev()
        .take(20)
        .take_while(|&c| is_han(c))
        .collect();
    (phrase.len() >= 2).then(|| phrase.into_iter().rev().collect())
}

#[cfg(test)]
mod tests {
    use super::super::candidate::candidates;
    use super::*;

    fn classes(text: &str) -> Vec<(String, Mention)> {
        let found = candidates(text);
        let mentions = mentions(text, &found);
        found
            .into_iter()
            .map(|candidate| candidate.acronym)
            .zip(mentions)
            .collect()
    }

    fn only(text: &str) -> Mention {
        let mut all = classes(text);
        assert_eq!(all.len(), 1, "{text}");
        all.remove(0).1
    }

    fn defines(text: &str, expansion: &str) {
        assert_eq!(
            only(text),
            Mention::Definition(expansion.to_owned()),
            "{text}"
        );
    }

    #[test]
    fn initials_spell() {
        defines(
            "We used magnetic resonance imaging (MRI) here.",
            "magnetic resonance imaging",
        );
        defines(
            "Two randomised controlled trials (RCTs).",
            "randomised controlled trials",
        );
        defines(
            "the Bureau of Land Management (BLM)",
            "Bureau of Land Management",
        );
        defines("a state-of-the-art (SOTA) model", "state-of-the-art");
        defines(
            "expected squared distance (ESD; \u{1a}\u{1a}\u{1a})",
            "expected squared distance",
        );
        defines(
            "(structural equation model, SEM)",
            "structural equation model",
        );
        defines(
            "graph neural networks (hereafter GNN)",
            "graph neural networks",
        );
        defines("graph neural networks (i.e., GNN)", "graph neural networks");
    }

    #[test]
    fn a_chinese_phrase_spells_any() {
        defines("采用结构方程模型（SEM）分析。", "采用结构方程模型");
        defines(
            "卷积神经网络（convolutional neural network, CNN）",
            "convolutional neural network",
        );
        defines("卷积神经网络（以下简称CNN）", "卷积神经网络");
    }

    #[test]
    fn other_brackets_are_uses_or_left_open() {
        assert_eq!(only("imaging (e.g., MRI)"), Mention::Use);
        assert_eq!(only("imaging (see MRI)"), Mention::Use);
        assert_eq!(only("a scanner (namely MRI)"), Mention::Use);
        assert_eq!(only("a scanner (hereafter MRI)"), Mention::Unconfirmed);
        assert_eq!(only("deoxyribose acid (DNA)"), Mention::Unread);
        assert_eq!(
            only("MRI (magnetic resonance imaging) was used"),
            Mention::Unread
        );
        assert_eq!(only("MRI stands for something"), Mention::Unread);
        assert_eq!(only("called MRI"), Mention::Unconfirmed);
        let listed = classes("scans (MRI, CT)");
        assert!(listed.iter().all(|(_, mention)| *mention == Mention::Use));
    }
}
