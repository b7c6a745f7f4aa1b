//! Which runs of letters and digits may be acronyms.

use std::ops::Range;

/// A possible acronym in a masked text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    /// Its bytes, plural ending included.
    pub(super) range: Range<usize>,
    /// Singular.
    pub(super) acronym: String,
    /// Part of a longer name: joined by a hyphen to another, or before a word with a capital.
    pub(super) named: bool,
}

/// Words after which IV and IIIA are numbers.
const NUMBERING: &[&str] = &[
    "act",
    "annex",
    "appendix",
    "article",
    "book",
    "category",
    "chapter",
    "class",
    "equation",
    "experiment",
    "factor",
    "factors",
    "fig",
    "figure",
    "figures",
    "grade",
    "grades",
    "group",
    "groups",
    "henry",
    "level",
    "levels",
    "louis",
    "model",
    "models",
    "no",
    "number",
    "part",
    "parts",
    "phase",
    "phases",
    "quadrant",
    "region",
    "section",
    "sections",
    "stage",
    "stages",
    "step",
    "studies",
    "study",
    "subtype",
    "table",
    "tables",
    "title",
    "type",
    "types",
    "version",
    "vol",
    "volume",
    "war",
];

/// All candidates of a text, in order.
pub(super) fn candidates(text: &str) -> Vec<Candidate> {
    let bytes = text.as_bytes();
    let mut found: Vec<Candidate> = Vec::new();
    let mut last_numeral = None;
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_alphanumeric() {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && bytes[at].is_ascii_alphanumeric() {
            at += 1;
        }
        let Some(token) = text.get(start..at).filter(|token| token.len() <= 7) else {
            continue;
        };
        if is_numeral(token) {
            let follows = last_numeral.is_some_and(|end: usize| start - end <= 5);
            last_numeral = Some(at);
            if !matches!(token, "IV") || follows || after_numbering(text, start) {
                continue;
            }
        }
        if is_attached(text, start, at) {
            continue;
        }
        let acronym = singular(token);
        let excluded = matches!(acronym, "SD" | "SE" | "CI")
            || is_formula(acronym)
            || (is_stage(acronym) && after_numbering(text, start));
        if is_shaped(acronym) && !excluded {
            found.push(Candidate {
                range: start..at,
                acronym: acronym.to_owned(),
                named: is_named(text, start, at),
            });
        }
    }
    found
}

/// Part of a word with other letters, of a name in code, an address or a file name.
fn is_attached(text: &str, start: usize, end: usize) -> bool {
    let before = text.get(..start).and_then(|t| t.chars().next_back());
    let mut after = text.get(end..).unwrap_or("").chars();
    let (next, second) = (after.next(), after.next());
    let glued = |c: char| {
        matches!(c, '_' | '@' | '\\' | '#' | '$' | '~') || (c.is_alphabetic() && !is_han(c))
    };
    before.is_some_and(glued)
        || next.is_some_and(|c| glued(c) && c != '~')
        || (before == Some('.') && text.get(..start - 1).is_some_and(ends_in_alphanumeric))
        || (next == Some('.') && second.is_some_and(|c| c.is_ascii_alphanumeric()))
}

/// `Jacobi-KAN`, `KAN-DGCNN`, `LLM Guard`.
fn is_named(text: &str, start: usize, end: usize) -> bool {
    let after = text.get(end..).unwrap_or("");
    let joined = after
        .strip_prefix(['-', ' '])
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
    let before = text
        .get(..start)
        .and_then(|t| t.strip_suffix('-'))
        .unwrap_or("");
    let first = before
        .rsplit(|c: char| !c.is_ascii_alphanumeric())
        .next()
        .and_then(|word| word.chars().next());
    joined || first.is_some_and(|c| c.is_ascii_uppercase())
}

fn ends_in_alphanumeric(text: &str) -> bool {
    text.ends_with(|c: char| c.is_ascii_alphanumeric())
}

pub(super) fn is_han(c: char) -> bool {
    ('\u{3400}'..='\u{9fff}').contains(&c)
}

/// Without the `s` of a plural.
pub(super) fn singular(token: &str) -> &str {
    match token.strip_suffix('s') {
        Some(stem) if stem.ends_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit()) => {
            stem
        }
        _ => token,
    }
}

/// Two to six letters and digits, a letter first, two capitals or more, and no more small letters than capitals.
pub(super) fn is_shaped(token: &str) -> bool {
    let capitals = token.bytes().filter(u8::is_ascii_uppercase).count();
    let small = token.bytes().filter(u8::is_ascii_lowercase).count();
    (2..=6).contains(&token.len())
        && token.bytes().all(|b| b.is_ascii_alphanumeric())
        && token
            .bytes()
            .next()
            .is_some_and(|b| b.is_ascii_alphabetic())
        && capitals >= 2
        && small <= capitals
}

/// II to XXXIX.
fn is_numeral(token: &str) -> bool {
    if token.len() < 2 || !token.bytes().all(|b| matches!(b, b'I' | b'V' | b'X')) {
        return false;
    }
    let tens = token.bytes().take_while(|&b| b == b'X').count();
    let units = token.get(tens..).unwrap_or("");
    tens <= 3
        && matches!(
            units,
            "" | "I" | "II" | "III" | "IV" | "V" | "VI" | "VII" | "VIII" | "IX"
        )
}

/// IA, IIB, IIIC1: stages of a disease.
fn is_stage(token: &str) -> bool {
    let stem = token.trim_end_matches(|c: char| c.is_ascii_digit());
    let Some(roman) = stem.strip_suffix(['A', 'B', 'C', 'D']) else {
        return false;
    };
    matches!(roman, "I" | "II" | "III" | "IV" | "V")
}

fn after_numbering(text: &str, start: usize) -> bool {
    let before = text
        .get(..start)
        .unwrap_or("")
        .trim_end_matches([' ', '-', '.', '~']);
    if before.ends_with(['第', '期', '型', '级', '类', '表', '图', '相']) {
        return true;
    }
    let word: String = before
        .chars()
        .rev()
        .take(16)
        .take_while(char::is_ascii_alphabetic)
        .collect();
    let word: String = word.chars().rev().collect::<String>().to_ascii_lowercase();
    NUMBERING.contains(&word.as_str())
}

const ELEMENTS: &[&str] = &[
    "H", "He", "Li", "Be", "B", "C", "N", "O", "F", "Ne", "Na", "Mg", "Al", "Si", "P", "S", "Cl",
    "Ar", "K", "Ca", "Sc", "Ti", "V", "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn", "Ga", "Ge", "As",
    "Se", "Br", "Kr", "Rb", "Sr", "Y", "Zr", "Nb", "Mo", "Tc", "Ru", "Rh", "Pd", "Ag", "Cd", "In",
    "Sn", "Sb", "Te", "I", "Xe", "Cs", "Ba", "La", "Ce", "Pr", "Nd", "Sm", "Eu", "Gd", "Tb", "Dy",
    "Ho", "Er", "Tm", "Yb", "Lu", "Hf", "Ta", "W", "Re", "Os", "Ir", "Pt", "Au", "Hg", "Tl", "Pb",
    "Bi", "Po", "At", "Rn", "Ra", "Ac", "Th", "Pa", "U", "Np", "Pu", "Am", "D", "X",
];

/// Elements with a digit among them: `CO2`, `C6H12`.
fn is_formula(token: &str) -> bool {
    if !token.bytes().any(|b| b.is_ascii_digit()) {
        return false;
    }
    let mut rest = token;
    while !rest.is_empty() {
        let length = (1..=2).rev().find(|&length| {
            rest.get(..length)
                .is_some_and(|element| ELEMENTS.contains(&element))
        });
        let Some(length) = length else {
            return false;
        };
        rest = rest
            .get(length..)
            .unwrap_or("")
            .trim_start_matches(|c: char| c.is_ascii_digit());
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        candidates(text)
            .into_iter()
            .map(|candidate| candidate.acronym)
            .collect()
    }

    #[test]
    fn shapes() {
        assert_eq!(
            names("MRI, RCTs, NASA's, mRNA, PhD, BERTs, ABCDEF"),
            ["MRI", "RCT", "NASA", "mRNA", "PhD", "BERT", "ABCDEF"]
        );
        assert!(names("Python GitHub NumPy ABCDEFG I A 3D a x2").is_empty());
    }

    #[test]
    fn numbers_formulas_and_statistics_are_none() {
        assert!(
            names("CO2, H2O, C6H12, SD, SE, CI, II, XIX, XXXIX, Type IV, stage IIIB, III-IV")
                .is_empty()
        );
        assert_eq!(names("an IV line, XL, IIIB"), ["IV", "XL", "IIIB"]);
    }

    #[test]
    fn names_in_code_and_files_are_none() {
        assert!(names("MAX_SIZE README.md a.PDF \\TODO @USER").is_empty());
        assert_eq!(names("中文MRI检查 (CPU/GPU)."), ["MRI", "CPU", "GPU"]);
    }
}
