//! A key is cited that no bibliography holds.

use crate::base::{Say, Words};
use crate::check::{BibliographyState, Example, Found, Paper, Profile, Rule, Tier};
use crate::text::Format;

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "citation-undefined",
    tier: Tier::Error,
    title: Say::new(
        "cited key is not in the bibliography",
        "引用的键不在参考文献库中",
    ),
    rationale: Say::new(
        "A key without an entry prints as a question mark or not at all. Silent when a bibliography could not be \
         read, or when the text names none.",
        "没有条目的键会显示为问号或根本不显示。如果参考文献库无法读取，或文稿没有指定参考文献库，则不报告。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@smith2020].\n",
            bib: Some("@article{smith2021, title={A}}\n"),
            finds: &["smith2020"],
        },
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@smith2021].\n",
            bib: Some("@article{smith2021, title={A}}\n"),
            finds: &[],
        },
    ],
    check,
};

fn check(paper: &Paper, found: &mut Found) {
    if paper.bibliography_state != BibliographyState::Complete {
        return;
    }
    for key in paper
        .manuscript
        .citations
        .iter()
        .flat_map(|citation| &citation.keys)
    {
        if key.key == "*" || paper.entry(&key.key).is_some() {
            continue;
        }
        let nearest = paper
            .entries()
            .map(|entry| {
                (
                    strsim::damerau_levenshtein(&entry.key, &key.key),
                    &entry.key,
                )
            })
            .min()
            .filter(|(distance, _)| *distance <= 2);
        let hint = match nearest {
            Some((_, near)) => Words::new(
                format!("Did you mean {near}?"),
                format!("是否应为 {near}？"),
            ),
            None => Words::new("Add the entry or mend the key.", "请补充条目或改正键名。"),
        };
        found.push(
            key.span,
            Words::new(
                format!("no entry for {}", key.key),
                format!("没有键为 {} 的条目", key.key),
            ),
            hint,
        );
    }
}
