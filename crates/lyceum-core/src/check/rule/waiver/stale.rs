//! A waiver matches no problem any more.

use crate::base::Say;
use crate::check::{Example, Profile, Rule, Tier};
use crate::text::Format;

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "waiver-stale",
    tier: Tier::Warning,
    title: Say::new("waiver matches no problem", "豁免不再对应任何问题"),
    rationale: Say::new(
        "A waiver that outlives its problem hides the next one in the same place. Silent when the rule it names did \
         not run or could not judge this text, and for a waiver of the configuration that may be meant for another \
         text.",
        "问题消失后仍保留的豁免会掩盖同一位置的下一个问题。如果所指规则没有运行或无法判断本文，或配置中的豁免可能针对另一篇文稿，则不报告。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\n<!-- lyceum: allow citation-undefined in print -->\nSeen [@a].\n",
            bib: Some("@book{a, title={A}}\n"),
            finds: &["<!-- lyceum: allow citation-undefined in print -->"],
        },
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\n<!-- lyceum: allow citation-undefined in print -->\nSeen [@b].\n",
            bib: Some("@book{a, title={A}}\n"),
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "<!-- An ordinary comment about lyceum: allow what you like. -->\nWords.\n",
            bib: None,
            finds: &[],
        },
    ],
    check: super::by_the_engine,
};
