//! Real manuscripts: what is counted in each, checked against the papers.

use std::collections::HashSet;

use super::*;
use crate::corpora::Folder;

/// Sections, floats, labels, references, cited keys, tables, comments, items of a reference list.
type Counts = [usize; 8];

#[test]
fn real_manuscripts_are_read_whole() {
    let Some(corpora) = crate::corpora() else {
        return;
    };
    let expected: [(&str, &str, Counts, &[&str]); 7] = [
        (
            "latex_emcee-paper",
            "ms.tex",
            [16, 3, 15, 22, 48, 0, 15, 34],
            &[],
        ),
        (
            "latex_msc-thesis-gw",
            "main.tex",
            [28, 10, 147, 244, 224, 2, 199, 0],
            &[],
        ),
        (
            "latex_phd-thesis-template",
            "thesis.tex",
            [42, 8, 9, 5, 6, 3, 331, 0],
            &["conditional_undecided"],
        ),
        (
            "latex_sympy-paper",
            "paper.tex",
            [27, 5, 24, 33, 75, 3, 65, 0],
            &["include_missing"],
        ),
        (
            "latex_sympy-paper",
            "supplement.tex",
            [24, 2, 18, 14, 17, 0, 63, 0],
            &[],
        ),
        ("joss_emcee", "paper.tex", [3, 0, 2, 0, 0, 0, 69, 0], &[]),
        (
            "thesis_markdown/style",
            "template.tex",
            [1, 0, 0, 0, 0, 0, 44, 0],
            &[],
        ),
    ];
    for (folder, main, counts, codes) in expected {
        let m = read_from(&Folder(corpora.join("manuscripts").join(folder)), main);
        let got: Counts = [
            m.sections.len(),
            m.floats.len(),
            m.labels.len(),
            m.references.len(),
            m.citations.iter().map(|citation| citation.keys.len()).sum(),
            m.tables.len(),
            m.comments.len(),
            m.bib_items.len(),
        ];
        assert_eq!(got, counts, "{folder}/{main}");
        let mut noted = notes(&m);
        noted.dedup();
        assert_eq!(noted, codes, "{folder}/{main}");
        let defined: HashSet<&str> = m.labels.iter().map(|label| label.name.as_str()).collect();
        let undefined: Vec<&str> = m
            .references
            .iter()
            .map(|reference| reference.name.as_str())
            .filter(|name| !defined.contains(name) && !name.starts_with("S-"))
            .collect();
        assert!(undefined.is_empty(), "{folder}/{main}: {undefined:?}");
    }
}
