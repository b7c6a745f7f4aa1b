//! Other declarations are there, the one on conflicts of interest is not.

use std::sync::LazyLock;

use regex::Regex;

use super::super::wording::{any_of, has_section, is_blind, says};
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::{Format, SectionKind};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "statement-conflicts",
    tier: Tier::Opinion,
    title: Say::new("no word of conflicts of interest", "未声明利益冲突"),
    rationale: Say::new(
        "Speaks only of papers that carry the declarations of a journal article (data availability, ethics, funding or \
         author contributions under headings of their own) and points at the first of them. Any form is enough: conflict or \
         competing interests, “nothing to disclose”, a front matter field. Silent for blind review.",
        "只有带期刊论文声明（以单独标题给出的数据可用性、伦理、资助或作者贡献）的论文才报告，并指向其中第一个。任何形式均可：\
         利益冲突、竞争性利益、“无需披露”、元数据字段。匿名评审稿不报告。",
    ),
    profiles: &[Profile::Article],
    examples: &[
        Example {
            format: Format::Markdown,
            text: "# Results\n\nWords.\n\n# Author contributions\n\nA. wrote it.\n",
            bib: None,
            finds: &["# Author contributions"],
        },
        Example {
            format: Format::Markdown,
            text: "# Author contributions\n\nA. wrote it. The authors declare no competing interests.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "# 作者贡献\n\n张三撰写。作者声明无利益冲突。\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "# Results\n\nWords.\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

static STATED: LazyLock<Regex> = LazyLock::new(|| {
    any_of(&[
        r"conflicts? of interests?|conflicting interests?|(?:competing|financial|commercial) interests?|nothing to (?:disclose|declare)|no conflicts?|declarations? of interest|disclosure|利益冲突|竞争性?利益",
    ])
});

fn check(paper: &Paper, found: &mut Found) {
    use SectionKind as S;
    let declared = paper.manuscript.sections.iter().find(|section| {
        matches!(
            section.kind,
            S::DataAvailability | S::CodeAvailability | S::Ethics | S::Funding | S::Contributions
        )
    });
    let Some(declared) = declared else {
        return;
    };
    if has_section(paper, S::Conflicts) || is_blind(paper) || says(paper, &STATED) {
        return;
    }
    found.push(
        declared.span,
        Words::new("no word of conflicts of interest", "未声明利益冲突"),
        Words::new(
            "Declare the interests, or that there are none.",
            "请声明利益冲突，或声明没有。",
        ),
    );
}
