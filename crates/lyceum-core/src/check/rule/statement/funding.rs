//! Thanks are given, and nowhere a word of who paid.

use std::sync::LazyLock;

use regex::Regex;

use super::super::wording::{any_of, has_section, is_blind, says};
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::{Format, SectionKind};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "statement-funding",
    tier: Tier::Opinion,
    title: Say::new("no word of funding", "未说明资助情况"),
    rationale: Say::new(
        "Journals ask who paid, or for the statement that nobody did. Speaks only of papers that have acknowledgements, and \
         points at them: a paper without any back matter has not got that far. Any form is enough: a grant, a fellowship, \
         “supported by”, “no funding”, a front matter field. Silent for blind review.",
        "期刊要求说明资助来源，或声明无资助。只有带致谢部分的论文才报告，并指向致谢：完全没有文末部分的稿件尚未写到这一步。\
         任何形式均可：基金、奖学金、“由……支持”、“无资助”、元数据字段。匿名评审稿不报告。",
    ),
    profiles: &[Profile::Article],
    examples: &[
        Example {
            format: Format::Markdown,
            text: "# Results\n\nWords.\n\n# Acknowledgements\n\nWe thank Anna for her comments.\n",
            bib: None,
            finds: &["# Acknowledgements"],
        },
        Example {
            format: Format::Markdown,
            text: "# Acknowledgements\n\nSupported by grant 12 of the council.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "# 致谢\n\n国家自然科学基金项目支持。\n",
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
        r"\bfund(?:s|ed|er|ers|ing)?\b|\bgrants?\b|\bsupport(?:ed|s)? (?:\w+ ){0,3}(?:by|from|of|through)\b|financial(?:ly)? support|scholarship|fellowship|\bsponsor|\bcontract (?:no|number|de-)|\bawards?\b|stipend|资助|基金|项目支持|经费",
    ])
});

fn check(paper: &Paper, found: &mut Found) {
    let thanks = paper
        .manuscript
        .sections
        .iter()
        .find(|section| section.kind == SectionKind::Acknowledgements);
    let Some(thanks) = thanks else {
        return;
    };
    if has_section(paper, SectionKind::Funding) || is_blind(paper) || says(paper, &STATED) {
        return;
    }
    found.push(
        thanks.span,
        Words::new("no word of funding", "未说明资助情况"),
        Words::new(
            "Name who paid, or say that nobody did.",
            "请写明资助来源，或声明无资助。",
        ),
    );
}
