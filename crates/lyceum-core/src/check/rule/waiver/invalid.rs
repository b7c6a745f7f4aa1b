//! A waiver names no rule, or cannot be read.

use crate::base::Say;
use crate::check::{Example, Profile, Rule, Tier};
use crate::text::Format;

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "waiver-invalid",
    tier: Tier::Warning,
    title: Say::new("waiver names no rule", "豁免没有指明已知的规则"),
    rationale: Say::new(
        "A waiver with a misspelt rule waives nothing, and its author does not notice. Speaks of comments that begin \
         with `lyceum: allow` and of `[[check.waiver]]` only.",
        "规则名拼错的豁免不起作用，而作者不会察觉。只针对以 `lyceum: allow` 开头的注释和 `[[check.waiver]]`。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "<!-- lyceum: allow citation-undefind in print -->\nWords.\n",
            bib: None,
            finds: &["<!-- lyceum: allow citation-undefind in print -->"],
        },
        Example {
            format: Format::Markdown,
            text: "<!-- lyceum: allow -->\nWords.\n",
            bib: None,
            finds: &["<!-- lyceum: allow -->"],
        },
        Example {
            format: Format::Markdown,
            text: "<!-- lyceum: allow citation-undefined in print -->\nWords.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "<!-- The Lyceum allows visitors on Sundays. -->\nWords.\n",
            bib: None,
            finds: &[],
        },
    ],
    check: super::by_the_engine,
};
