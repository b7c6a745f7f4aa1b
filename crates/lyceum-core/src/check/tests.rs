//! Every rule's examples are tests, and every rule has the parts the manual needs.

use std::collections::{BTreeMap, HashSet};

use super::rule;
use super::{Selection, Tier, assemble, check};
use crate::base::Date;
use crate::port::{Files, ReadError};
use crate::text::{Budget, Format, load};

/// A folder in memory.
#[derive(Default)]
pub(crate) struct MemoryFiles(pub(crate) BTreeMap<String, Vec<u8>>);

impl Files for MemoryFiles {
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        let bytes = self.0.get(path).ok_or(ReadError::Missing)?;
        if bytes.len() as u64 > limit {
            return Err(ReadError::TooLarge { limit });
        }
        Ok(bytes.clone())
    }

    fn exists(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    fn modified(&self, _: &str) -> Option<i64> {
        None
    }
}

/// The quotes of what one rule finds in a text.
pub(crate) fn findings(rule: &str, format: Format, text: &str, bib: Option<&str>) -> Vec<String> {
    let main = match format {
        Format::Markdown => "paper.md",
        Format::Latex => "paper.tex",
        Format::Plain => "paper.txt",
    };
    findings_at(rule, format, (main, text), bib.map(|bib| ("refs.bib", bib)))
}

/// The same for files with paths of their own.
pub(crate) fn findings_at(
    rule: &str,
    format: Format,
    (main, text): (&str, &str),
    bib: Option<(&str, &str)>,
) -> Vec<String> {
    let mut files = MemoryFiles::default();
    files.0.insert(main.to_owned(), text.as_bytes().to_vec());
    let mut found = Vec::new();
    if let Some((path, bib)) = bib {
        files.0.insert(path.to_owned(), bib.as_bytes().to_vec());
        found.push(path.to_owned());
    }
    let budget = Budget::default();
    let manuscript = load(&files, &[main.to_owned()], format, budget).unwrap();
    let today = Date {
        year: 2026,
        month: 11,
        day: 30,
    };
    let profile = super::rule::find(rule).unwrap().profiles[0];
    let paper = assemble(&files, manuscript, &found, budget, profile, today);
    let selection = Selection {
        rules: vec![rule.to_owned()],
        opinions: true,
        ..Selection::default()
    };
    check(&paper, &selection)
        .problems
        .into_iter()
        .map(|problem| problem.quote)
        .collect()
}

#[test]
fn examples_hold() {
    let mut wrong = Vec::new();
    for rule in rule::all() {
        for example in rule.examples {
            let got = findings(rule.id, example.format, example.text, example.bib);
            if got != example.finds {
                wrong.push(format!(
                    "{}: {:?}\n  expected {:?}\n  got      {got:?}",
                    rule.id, example.text, example.finds
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_rule_is_complete() {
    let mut ids = HashSet::new();
    for rule in rule::all() {
        assert!(ids.insert(rule.id), "{} twice", rule.id);
        assert!(
            rule.id
                .chars()
                .all(|c| c.is_ascii_lowercase() || c == '-' || c.is_ascii_digit()),
            "{}",
            rule.id
        );
        assert!(
            rule.examples.iter().any(|e| !e.finds.is_empty()),
            "{}: no example for",
            rule.id
        );
        assert!(
            rule.examples.iter().any(|e| e.finds.is_empty()),
            "{}: no example against",
            rule.id
        );
        assert!(!rule.profiles.is_empty(), "{}: no profile", rule.id);
        for say in [rule.title, rule.rationale] {
            assert!(
                !say.en.is_empty() && !say.zh.is_empty(),
                "{}: a language is missing",
                rule.id
            );
        }
    }
}

#[test]
fn tiers_sort_gravest_first() {
    assert!(Tier::Error < Tier::Warning && Tier::Warning < Tier::Opinion);
}

#[test]
fn what_our_reading_lacks_is_no_flood_of_accusations() {
    let references: String = (0..12).map(|i| format!("\\ref{{sec:{i}}} ")).collect();
    let text = format!(
        "\\documentclass{{article}}\\begin{{document}}\\section{{A}}\\label{{a}} See \\ref{{a}}. {references}\\end{{document}}"
    );
    assert!(findings("label-undefined", Format::Latex, &text, None).is_empty());
    let keys: String = (0..12).map(|i| format!("\\cite{{k{i}}} ")).collect();
    let text = format!(
        "\\documentclass{{article}}\\begin{{document}}{keys}\\bibliography{{refs}}\\end{{document}}"
    );
    assert!(
        findings(
            "citation-undefined",
            Format::Latex,
            &text,
            Some("% nothing yet\n")
        )
        .is_empty()
    );
    let some = Some("@book{other, title={A}}\n");
    assert_eq!(
        findings("citation-undefined", Format::Latex, &text, some).len(),
        12
    );
}
