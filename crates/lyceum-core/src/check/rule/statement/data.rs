//! Own data, and nowhere a word where they are.

use std::sync::LazyLock;

use regex::Regex;

use super::super::wording::{
    REPOSITORY, any_of, first_sentence, has_section, is_blind, links_to, says,
};
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::{Format, SectionKind};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "statement-data",
    tier: Tier::Opinion,
    title: Say::new("no word where the data are", "未说明数据从何处获取"),
    rationale: Say::new(
        "Most journals ask where the data behind the results can be had. Speaks only when the authors say that they \
         collected data themselves, and points at that sentence. Any form of statement is enough: a heading, a sentence \
         (“data are available …”, “on request”), a repository, a supplement, a front matter field. Silent for blind review.",
        "多数期刊要求说明结果所依据的数据从何处获取。只有作者自称收集了数据时才报告，并指向该句。任何形式的说明均可：标题、句子\
         （“数据可从……获取”“可向作者索取”）、数据仓库、补充材料、元数据字段。匿名评审稿不报告。",
    ),
    profiles: &[Profile::Article],
    examples: &[
        Example {
            format: Format::Markdown,
            text: "# Methods\n\nWe collected 300 water samples from ten lakes. They were frozen.\n",
            bib: None,
            finds: &["We collected 300 water samples from ten lakes."],
        },
        Example {
            format: Format::Markdown,
            text: "# 方法\n\n我们采集了 300 份水样。\n",
            bib: None,
            finds: &["我们采集了 300 份水样。"],
        },
        Example {
            format: Format::Markdown,
            text: "# Methods\n\nWe collected 300 water samples.\n\n**Data availability.** On request.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "# Methods\n\nWe collected 300 samples. All data can be downloaded from Zenodo.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "# Methods\n\nWe prove a bound for 300 matrices. Garbage is collected.\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

static OWN: LazyLock<Regex> = LazyLock::new(|| {
    any_of(&[
        r"\bwe (?:\w+ )?(?:collected|recorded|sampled|surveyed|interviewed|gathered|sequenced|measured) (?:\w+ ){0,6}(?:data|samples?|responses|questionnaires|participants|patients|respondents|students|households|records|measurements|recordings|interviews|specimens|lakes|sites)\b",
        r"\b(?:data|samples|questionnaires|responses|specimens|recordings) (?:were|was) (?:\w+ )?(?:collected|gathered|recorded|obtained) (?:from|at|in|between|using|by|during)\b",
        r"(?:我们|本研究|本文)[^。]{0,10}(?:采集|收集|调查|发放|回收)了?[^。]{0,20}(?:样|份|问卷|数据|名|例)",
    ])
});
static STATED: LazyLock<Regex> = LazyLock::new(|| {
    any_of(&[
        r"\bdata (?:\w+ )?(?:availability|sharing|access|deposition)\b|\bavailability of (?:\w+ )*(?:data|materials)\b|data[- _]availability",
        r"\b(?:data|datasets?|data ?sets?|materials|recordings|corpus|annotations)\b[^.]{0,120}\b(?:available|accessible|deposited|archived|downloaded|download|released?|provided|shared|published|hosted|open access|on request|upon request)\b",
        r"\b(?:available|accessible|deposited|archived|released|shared|provide|publish|release|download)\b[^.]{0,80}\b(?:data|datasets?|data ?sets?|materials)\b",
        r"\b(?:zenodo|figshare|dryad|dataverse|osf\.io|open science framework|genbank|mendeley data|pangaea|openneuro|icpsr|github|gitlab|hugging ?face|supplementary (?:data|materials?|information|tables?|files?)|supporting information)\b",
        r"数据(?:可用性|可得性|获取|共享)|数据[^。]{0,30}(?:获取|下载|公开|索取|获得|提供)|补充材料|附件数据",
    ])
});

fn check(paper: &Paper, found: &mut Found) {
    let Some(span) = first_sentence(paper, &OWN) else {
        return;
    };
    if has_section(paper, SectionKind::DataAvailability)
        || is_blind(paper)
        || says(paper, &STATED)
        || links_to(paper, &REPOSITORY)
    {
        return;
    }
    found.push(
        span,
        Words::new(
            "own data, and no word where they are",
            "使用了自行收集的数据，但未说明从何处获取",
        ),
        Words::new(
            "Say where the data are, or why they cannot be shared.",
            "请说明数据的存放位置，或不能共享的原因。",
        ),
    );
}
