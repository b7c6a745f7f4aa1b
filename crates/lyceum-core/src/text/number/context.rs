//! What the characters and words around a number say about it.

use super::NumberKind;

/// True for a character of Chinese, Japanese or Korean writing.
pub(super) fn is_cjk(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{303f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}')
}

/// True for a letter that makes a number glued to it a part of a name.
pub(super) fn is_name_letter(c: char) -> bool {
    (c.is_alphabetic() && !is_cjk(c)) || c == '_'
}

/// The character that ends before byte `at`.
pub(super) fn before(text: &str, at: usize) -> Option<char> {
    text.get(..at)?.chars().next_back()
}

/// The character at byte `at`.
pub(super) fn char_at(text: &str, at: usize) -> Option<char> {
    text.get(at..)?.chars().next()
}

/// The word before byte `at` after white space, lower case, without a final point; at most 16 characters are read.
pub(super) fn word_before(text: &str, at: usize) -> String {
    let head = text.get(..at).unwrap_or("");
    let head = head.trim_end_matches(|c: char| c.is_whitespace() || c == '~' || c == '(');
    let head = head.strip_suffix('.').unwrap_or(head);
    let mut letters: Vec<char> = head
        .chars()
        .rev()
        .take(16)
        .take_while(|c| c.is_alphabetic() || *c == '§')
        .collect();
    letters.reverse();
    letters.into_iter().collect::<String>().to_lowercase()
}

/// The word after byte `at` after at most one space, lower case; at most 16 characters are read.
pub(super) fn word_after(text: &str, at: usize) -> String {
    let tail = text.get(at..).unwrap_or("");
    tail.strip_prefix(|c: char| c.is_whitespace())
        .unwrap_or(tail)
        .chars()
        .take(16)
        .take_while(|c| c.is_alphabetic())
        .collect::<String>()
        .to_lowercase()
}

/// Parts of a text, whose numbers may have points.
static PARTS: &[&str] = &[
    "section",
    "sections",
    "sec",
    "secs",
    "figure",
    "figures",
    "fig",
    "figs",
    "table",
    "tables",
    "tab",
    "chapter",
    "chapters",
    "equation",
    "equations",
    "eq",
    "eqs",
    "eqn",
    "appendix",
    "algorithm",
    "listing",
    "lemma",
    "theorem",
    "definition",
    "proposition",
    "corollary",
    "example",
    "§",
    "图",
    "表",
    "第",
    "式",
    "节",
    "章",
];
/// Things that are told apart by whole numbers.
static LABELS: &[&str] = &[
    "step",
    "steps",
    "study",
    "studies",
    "experiment",
    "experiments",
    "type",
    "stage",
    "phase",
    "grade",
    "part",
    "item",
    "question",
    "level",
    "model",
    "group",
    "class",
    "no",
    "number",
    "nr",
    "rq",
    "hypothesis",
    "task",
    "case",
    "scenario",
    "condition",
    "page",
    "pages",
    "pp",
    "vol",
    "volume",
    "issue",
    "line",
    "lines",
    "row",
    "column",
    "footnote",
    "note",
    "day",
    "week",
    "month",
    "year",
    "visit",
    "wave",
    "time",
    "round",
    "trial",
    "session",
    "chromosome",
    "channel",
    "layer",
    "criterion",
    "aim",
    "objective",
    "category",
    "cluster",
    "factor",
    "quartile",
    "tier",
    "annex",
    "supplement",
    "box",
    "panel",
    "article",
    "sample",
];
static VERSIONS: &[&str] = &[
    "version", "versions", "ver", "v", "release", "python", "版本",
];
static MONTHS: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "jan",
    "feb",
    "mar",
    "apr",
    "jun",
    "jul",
    "aug",
    "sept",
    "sep",
    "oct",
    "nov",
    "dec",
];

/// True for the name of a month.
pub(super) fn is_month(word: &str) -> bool {
    MONTHS.contains(&word)
}

/// True for a word that is followed by the number of a thing.
fn is_label(word: &str, whole: bool) -> bool {
    PARTS.contains(&word)
        || (whole && LABELS.contains(&word))
        || ["图", "表", "第", "式"]
            .iter()
            .any(|end| word.ends_with(end))
}

/// The kind a plain number has by the words around it.
pub(super) fn kind(text: &str, start: usize, end: usize, whole: bool, signed: bool) -> NumberKind {
    let previous = word_before(text, start);
    if matches!(before(text, start), Some('§' | '#' | '№'))
        || (is_label(&previous, whole) && !signed)
    {
        return NumberKind::Label;
    }
    if VERSIONS.contains(&previous.as_str()) {
        return NumberKind::Version;
    }
    let digits = text.get(start..end).unwrap_or("");
    if whole && digits.len() <= 2 && is_month(&word_after(text, end)) {
        return NumberKind::Date;
    }
    if whole && !signed && digits.len() <= 4 && is_month(&previous) && previous != "may" {
        return if digits.len() == 4 {
            NumberKind::Year
        } else {
            NumberKind::Date
        };
    }
    let next = char_at(text, end);
    if next == Some('年') && digits.len() == 4 {
        return NumberKind::Year;
    }
    if matches!(next, Some('月' | '日' | '号')) && whole && digits.len() <= 2 {
        return NumberKind::Date;
    }
    let equals = text
        .get(..start)
        .is_some_and(|head| head.trim_end().ends_with(['=', '<', '>', '≤', '≥', '≈']));
    if whole && !signed && !equals && digits.len() == 4 && is_year(digits) {
        return NumberKind::Year;
    }
    NumberKind::Quantity
}

/// True for four digits that may be a year people write about.
fn is_year(digits: &str) -> bool {
    digits.bytes().all(|byte| byte.is_ascii_digit()) && ("1500".."2101").contains(&digits)
}
