//! The hygiene rules on the injection corpus and on real papers.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::base::Date;
use crate::check::tests::MemoryFiles;
use crate::check::{Paper, Profile, Selection, assemble, check};
use crate::corpora;
use crate::corpora::manuscripts;
use crate::text::{Budget, Format, load};

/// A record as a manuscript: TeX kinds as LaTeX, metadata in JSON as front matter, a BibTeX entry as the bibliography.
fn paper(kind: &str, text: &str) -> Paper {
    let mut files = MemoryFiles::default();
    let mut found = Vec::new();
    let (main, format, body) = if kind.ends_with("_tex") {
        let body =
            format!("\\documentclass{{article}}\n\\begin{{document}}\n{text}\n\\end{{document}}\n");
        ("paper.tex", Format::Latex, body)
    } else if text.starts_with("@article") {
        files
            .0
            .insert("refs.bib".to_owned(), text.as_bytes().to_vec());
        found.push("refs.bib".to_owned());
        ("paper.md", Format::Markdown, String::from("Words.\n"))
    } else {
        ("paper.md", Format::Markdown, text.to_owned())
    };
    let metadata = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text);
    files.0.insert(main.to_owned(), body.into_bytes());
    let budget = Budget::default();
    let mut manuscript = load(&files, &[main.to_owned()], format, budget).unwrap();
    for (key, value) in metadata.into_iter().flatten() {
        let value = value.as_str().unwrap_or_default().to_owned();
        manuscript.front_matter.fields.push((key, value, None));
    }
    let today = Date {
        year: 2026,
        month: 11,
        day: 30,
    };
    assemble(&files, manuscript, &found, budget, Profile::Fragment, today)
}

fn hits(paper: &Paper, rule: &str) -> usize {
    let selection = Selection {
        rules: vec![rule.to_owned()],
        opinions: true,
        ..Selection::default()
    };
    check(paper, &selection).problems.len()
}

/// Attacks of each kind that the rule on orders finds, at least.
const LEAST: &[(&str, usize)] = &[
    ("direct_override", 31),
    ("encoded", 16),
    ("hidden_markup", 28),
    ("hidden_tex", 28),
    ("hidden_unicode", 12),
    ("peer_review_plain", 28),
];

struct Count {
    records: usize,
    instruction: usize,
    /// A problem of a rule that is shown by default.
    shown: usize,
}

fn corpus() -> BTreeMap<(String, String), Count> {
    let mut counts = BTreeMap::new();
    let Some(root) = corpora() else {
        return counts;
    };
    let lines = std::fs::read_to_string(root.join("injection/dev.jsonl")).unwrap();
    for line in lines.lines() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        let field = |key: &str| record[key].as_str().unwrap().to_owned();
        let (label, kind, text) = (field("label"), field("kind"), field("text"));
        let paper = paper(&kind, &text);
        let instruction = hits(&paper, "reviewer-instruction") > 0;
        let shown =
            instruction || hits(&paper, "hidden-unicode") > 0 || hits(&paper, "hidden-text") > 0;
        let count = counts.entry((label, kind)).or_insert(Count {
            records: 0,
            instruction: 0,
            shown: 0,
        });
        count.records += 1;
        count.instruction += usize::from(instruction);
        count.shown += usize::from(shown);
    }
    counts
}

#[test]
fn the_injection_corpus_is_judged_as_measured() {
    let counts = corpus();
    let mut table = String::new();
    for ((label, kind), count) in &counts {
        let _ = writeln!(
            table,
            "{label:7} {kind:26} {:4} records {:4} orders {:4} shown",
            count.records, count.instruction, count.shown
        );
    }
    eprintln!("{table}");
    for ((label, kind), count) in &counts {
        if label == "benign" {
            assert_eq!(
                count.instruction, 0,
                "{kind}: an order where there is none\n{table}"
            );
            // A tab that a script shows is kept from display in one record.
            let most = usize::from(kind == "benign_markup");
            assert!(count.shown <= most, "{kind}: shown\n{table}");
        } else if let Some((_, least)) = LEAST.iter().find(|(name, _)| name == kind) {
            assert!(
                count.instruction >= *least,
                "{kind}: fewer than {least}\n{table}"
            );
        }
    }
}

#[test]
fn real_papers_hold_no_orders() {
    for (name, paper) in manuscripts() {
        for rule in ["reviewer-instruction", "hidden-text", "hidden-unicode"] {
            assert_eq!(hits(&paper, rule), 0, "{rule} in {name}");
        }
    }
}
