//! A software paper that does not say who needs the software.

use std::sync::LazyLock;

use regex::Regex;

use super::super::wording::{any_of, has_section, opening, says};
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::{Format, SectionKind};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "statement-need",
    tier: Tier::Opinion,
    title: Say::new(
        "a software paper without a statement of need",
        "软件论文缺少需求说明",
    ),
    rationale: Say::new(
        "The Journal of Open Source Software asks for a section “Statement of need” (since 2020; papers from before have \
         none, so this stays an opinion). Silent when a heading or the text speaks of need or of a gap that the software fills.",
        "《Journal of Open Source Software》要求有“Statement of need”一节（2020 年起；此前的论文没有，因此只作为意见）。\
         标题或正文提到需求或软件所填补的空缺时不报告。",
    ),
    profiles: &[Profile::Software],
    examples: &[
        Example {
            format: Format::Markdown,
            text: "# Summary\n\nA tool for lists.\n",
            bib: None,
            finds: &["# Summary"],
        },
        Example {
            format: Format::Markdown,
            text: "# Summary\n\nA tool for lists.\n\n# Statement of need\n\nLists are long.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "# Summary\n\nThere is a need for a tool for lists.\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

static STATED: LazyLock<Regex> = LazyLock::new(|| {
    any_of(&[
        r"statements? of need|\bneed (?:for|of)\b|\bneeds of\b|\bis needed\b|fills? (?:a|this|the|that) gap|需求|空缺",
    ])
});

fn check(paper: &Paper, found: &mut Found) {
    if has_section(paper, SectionKind::StatementOfNeed) || says(paper, &STATED) {
        return;
    }
    let Some(span) = opening(paper) else {
        return;
    };
    found.push(
        span,
        Words::new("no statement of need", "没有需求说明"),
        Words::new(
            "Say which problem the software solves, and for whom.",
            "请说明软件为谁解决什么问题。",
        ),
    );
}
