//! A waiver gives no reason.

use crate::base::Say;
use crate::check::{Example, Profile, Rule, Tier};
use crate::text::Format;

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "waiver-without-reason",
    tier: Tier::Warning,
    title: Say::new("waiver gives no reason", "豁免没有说明理由"),
    rationale: Say::new(
        "Whoever reads the text next must see why a problem stays, so a waiver without a reason does not hold. Any \
         words count as a reason.",
        "以后阅读文稿的人需要知道问题为何保留，因此没有理由的豁免无效。任何文字都可作为理由。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "<!-- lyceum: allow citation-undefined -->\nWords.\n",
            bib: None,
            finds: &["<!-- lyceum: allow citation-undefined -->"],
        },
        Example {
            format: Format::Markdown,
            text: "<!-- lyceum: allow citation-undefined 即将发表 -->\nWords.\n",
            bib: None,
            finds: &[],
        },
    ],
    check: super::by_the_engine,
};
