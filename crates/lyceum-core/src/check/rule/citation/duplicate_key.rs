//! Two entries of one file have the same key.

use std::collections::HashMap;

use super::cited::{cited, is_auxiliary};
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::Format;

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "bib-duplicate-key",
    tier: Tier::Error,
    title: Say::new("two entries have the same key", "两个条目使用同一个键"),
    rationale: Say::new(
        "Only one of two entries with the same key is printed, and BibTeX stops with an error. Reported at the second \
         entry when the key is cited. Silent for keys that differ in case, for keys the text does not cite, and for \
         entries in comments.",
        "键相同的两个条目只有一个会出现在参考文献表中，BibTeX 还会报错。在第二个条目处报告，且仅当该键被引用。仅大小写不同的键、文中未引用的键\
         以及注释中的条目不报告。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@a].\n",
            bib: Some("@book{a, title={A}}\n@article{a, title={B}}\n"),
            finds: &["a"],
        },
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@a].\n",
            bib: Some(
                "% @book{a, title={A}}\n@comment{@book{a, title={A}}}\n@article{a, title={B}}\n@book{A, title={B}}\n@book{b,}@book{b,}",
            ),
            finds: &[],
        },
    ],
    check,
};

fn check(paper: &Paper, found: &mut Found) {
    let cited = cited(paper);
    for bib in &paper.bibliographies {
        let source = paper.manuscript.source(bib.file);
        let mut seen = HashMap::new();
        for entry in bib.entries.iter().filter(|entry| !is_auxiliary(entry)) {
            if entry.key.is_empty() || !cited.has(entry) {
                continue;
            }
            let Some(first) = seen.insert(entry.key.as_str(), entry.key_span) else {
                continue;
            };
            let line = source.place(first.start).line;
            found.push(
                entry.key_span,
                Words::new(
                    format!("the key {} was already used in line {line}", entry.key),
                    format!("键 {} 在第 {line} 行已经使用过", entry.key),
                ),
                Words::new(
                    "Give one of the entries another key, or delete it.",
                    "请给其中一个条目换一个键，或将其删除。",
                ),
            );
        }
    }
}
