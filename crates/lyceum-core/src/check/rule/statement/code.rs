//! Own code, and nowhere a word where it is.

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
    id: "statement-code",
    tier: Tier::Opinion,
    title: Say::new("no word where the code is", "未说明代码从何处获取"),
    rationale: Say::new(
        "Results that a program made can be checked only with the program. Speaks only when the authors say that they wrote \
         code for the work (“we implemented … in Python”, “custom scripts”), and points at that sentence. Any form of \
         statement is enough, an address of a repository included. Silent for blind review.",
        "由程序得到的结果只有借助程序才能核查。只有作者自称编写了代码（“我们用 Python 实现了……”“自编脚本”）时才报告，并指向该句。\
         任何形式的说明均可，包括代码仓库地址。匿名评审稿不报告。",
    ),
    profiles: &[Profile::Article],
    examples: &[
        Example {
            format: Format::Markdown,
            text: "# Methods\n\nWe implemented the sampler in Python. It is fast.\n",
            bib: None,
            finds: &["We implemented the sampler in Python."],
        },
        Example {
            format: Format::Markdown,
            text: "# Methods\n\nImages were scored with custom MATLAB scripts.\n",
            bib: None,
            finds: &["Images were scored with custom MATLAB scripts."],
        },
        Example {
            format: Format::Markdown,
            text: "# Methods\n\nWe implemented the sampler in Python (<https://github.com/a/b>).\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "# Methods\n\nWe implemented the sampler in Python. The source code is available from the authors.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "# Methods\n\nWe implemented a new policy in three schools and coded the answers.\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

static OWN: LazyLock<Regex> = LazyLock::new(|| {
    any_of(&[
        r"\bwe (?:\w+ )?(?:implemented|wrote|developed|coded|programmed) (?:[\w-]+ ){1,8}in (?:python|r|c\+\+|c|matlab|julia|java|fortran|rust|pytorch|tensorflow|jax|go|javascript)\b",
        r"\b(?:custom|in-house|home-?made|custom-written|self-written|bespoke) (?:[\w+]+ ){0,2}(?:scripts?|code|software|programs?)\b",
        r"\bwe (?:\w+ )?(?:wrote|developed) (?:a |an |our own )?(?:\w+ )?(?:software|computer program|scripts?|source code|code)\b",
        r"(?:我们|本文)[^。]{0,12}(?:用|使用|基于)[^。]{0,6}(?:Python|MATLAB|C\+\+|R|Java|PyTorch)[^。]{0,6}(?:实现|编写)|自编(?:脚本|程序|代码)",
    ])
});
static STATED: LazyLock<Regex> = LazyLock::new(|| {
    any_of(&[
        r"\b(?:code|software) (?:and \w+ )?availability\b|\bavailability of (?:\w+ )*(?:code|software)\b|code[- _]availability",
        r"\b(?:code|software|scripts?|implementations?|source|package|library|programs?|notebooks?)\b[^.]{0,140}\b(?:available|accessible|deposited|archived|downloaded|download|released?|provided|shared|published|hosted|open[- ]sourced?|on request|upon request|repository|licen[cs]ed?)\b",
        r"\b(?:available|release|released|provide|publish|share|open[- ]source)\b[^.]{0,80}\b(?:code|software|scripts?|implementations?|package)\b",
        r"github|gitlab|bitbucket|codeberg|sourceforge|zenodo|osf\.io|figshare|\bcran\b|\bpypi\b|supplementary (?:code|software|materials?)|anonymous\.4open",
        r"代码(?:可用性|获取|仓库)|代码[^。]{0,30}(?:获取|下载|公开|开源|提供)|开源",
    ])
});

fn check(paper: &Paper, found: &mut Found) {
    let Some(span) = first_sentence(paper, &OWN) else {
        return;
    };
    if has_section(paper, SectionKind::CodeAvailability)
        || is_blind(paper)
        || says(paper, &STATED)
        || links_to(paper, &REPOSITORY)
    {
        return;
    }
    found.push(
        span,
        Words::new(
            "own code, and no word where it is",
            "使用了自行编写的代码，但未说明从何处获取",
        ),
        Words::new(
            "Say where the code is and under which licence.",
            "请说明代码的存放位置和许可证。",
        ),
    );
}
