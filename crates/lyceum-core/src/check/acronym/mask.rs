//! What in a paragraph is not the author's running text: masked byte by byte, so that offsets stay.

use std::sync::LazyLock;

use regex::Regex;

use super::definition::{brackets, spell};
use crate::text::{InlineKind, MASK, Text};

#[expect(
    clippy::expect_used,
    reason = "literal patterns only, each compiled by a test"
)]
fn pattern(literal: &str) -> Regex {
    Regex::new(literal).expect("pattern")
}

/// What makes a bracket a citation, group authors included.
static YEAR: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b(?:1[89]|20)\d{2}[a-z]?\b|\bn\.d\.|\bin press\b"));
/// Longest bracket that is taken for a citation, in bytes.
const CITATION: usize = 500;
/// A name with its year in brackets.
static NARRATIVE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b[A-Z][A-Za-z]{1,20}(?:[’']s)?\s?[(（](?:1[89]|20)\d{2}[a-z]?(?:[,，][^()（）]{0,40})?[)）]",
    )
});
/// Names in a list as medical journals write them: `Smith JA, Jones B`.
static NAMES: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?:\b[A-Z][a-z]+ [A-Z]{1,3}, ){1,60}\b[A-Z][a-z]+ [A-Z]{1,3}\b"));
/// Initials before or after a name: `J. A. Smith`, `(J.A.S.)`.
static INITIALS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(?:[A-Z]\.[ -]?){2,5}"));
/// Grant and part numbers: `DE-AC52-07NA27344`.
static NUMBERED: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[A-Z0-9]+(?:[-/][A-Z0-9]+)+\b"));
/// Fewest digits of such a number.
const DIGITS: usize = 4;
/// Addresses that the reader took for words.
static ADDRESS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(?:https?://|www\.|doi:|ftp://)\S+|\b[\w.+-]+@[\w-]+\.\w+"));
/// A group author's short form in a citation: an acronym that the reader has been told.
static TOLD: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\[([A-Za-z0-9]{2,7})\]|^[(（]([A-Za-z0-9]{2,7})[,，;；]"));

/// A masked paragraph.
pub(super) struct Masked {
    /// As long as the visible text.
    pub(super) text: String,
    /// Acronyms given to the reader inside masked citations, with the offset.
    pub(super) told: Vec<(usize, String)>,
}

/// Masks formulas, code, addresses, citations, initials; `None` for a text in capitals, in which nothing can be told.
pub(super) fn mask(text: &Text) -> Option<Masked> {
    let masked = text.masked(|kind| {
        !matches!(
            kind,
            InlineKind::Emphasis | InlineKind::Strong | InlineKind::Change
        )
    });
    if is_shouted(&masked) {
        return None;
    }
    let mut told = Vec::new();
    let mut cited = Vec::new();
    for (open, close) in brackets(&masked, CITATION) {
        let inner = masked.get(open..close).unwrap_or("");
        if !YEAR.is_match(inner) {
            continue;
        }
        cited.push(open..close);
        for captures in TOLD.captures_iter(inner) {
            let before = masked.get(..open).unwrap_or("");
            let name = captures.get(1).or_else(|| {
                let name = captures.get(2)?;
                spell(tail(before), name.as_str()).map(|_| name)
            });
            if let Some(name) = name {
                told.push((open + name.start(), name.as_str().to_owned()));
            }
        }
    }
    let mut bytes = masked.clone().into_owned().into_bytes();
    for hit in NUMBERED.find_iter(&masked) {
        let digits = hit.as_str().bytes().filter(u8::is_ascii_digit).count();
        if digits >= DIGITS {
            bytes[hit.range()].fill(MASK as u8);
        }
    }
    for range in cited {
        bytes[range].fill(MASK as u8);
    }
    for pattern in [&ADDRESS, &NARRATIVE, &NAMES, &INITIALS] {
        for hit in pattern.find_iter(&masked) {
            bytes[hit.range()].fill(MASK as u8);
        }
    }
    Some(Masked {
        text: String::from_utf8(bytes).unwrap_or_else(|_| masked.into_owned()),
        told,
    })
}

/// The last hundred bytes or so.
fn tail(text: &str) -> &str {
    let mut start = text.len().saturating_sub(100);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text.get(start..).unwrap_or("")
}

/// Most words of more than three letters are in capitals.
fn is_shouted(text: &str) -> bool {
    let (mut capitals, mut all) = (0_usize, 0_usize);
    for word in text.split_whitespace() {
        let letters = word.chars().filter(|c| c.is_ascii_alphabetic()).count();
        if letters > 3 {
            all += 1;
            capitals += usize::from(!word.chars().any(|c| c.is_ascii_lowercase()));
        }
    }
    all >= 4 && capitals * 2 > all
}
