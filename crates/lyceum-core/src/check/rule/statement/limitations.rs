//! An empirical paper that discusses its results and names no limit of them.

use std::sync::LazyLock;

use regex::Regex;

use super::super::wording::{any_of, has_section, says};
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::{Format, SectionKind};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "statement-limitations",
    tier: Tier::Opinion,
    title: Say::new("no word of limitations", "未提及局限性"),
    rationale: Say::new(
        "Speaks of papers with methods, results and a discussion or conclusion that nowhere use a word for a limit of the \
         work (limitation, limited, caveat, threat to validity, drawback, shortcoming, future work, remains to be, cannot \
         rule out), and points at the discussion.",
        "报告有方法、结果以及讨论或结论，却全文未用任何表示局限的词语（局限、不足、有待、尚需、未来工作）的论文，并指向讨论部分。",
    ),
    profiles: &[Profile::Article, Profile::Thesis],
    examples: &[
        Example {
            format: Format::Markdown,
            text: "# Methods\n\nWords.\n\n# Results\n\nWords.\n\n# Discussion\n\nAll is well.\n",
            bib: None,
            finds: &["# Discussion"],
        },
        Example {
            format: Format::Markdown,
            text: "# Methods\n\nWords.\n\n# Results\n\nWords.\n\n# Discussion\n\nThe small sample is a limitation.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "# 方法\n\n略。\n\n# 结果\n\n略。\n\n# 讨论\n\n本研究的不足在于样本量小。\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "# Introduction\n\nWords.\n\n# Discussion\n\nAll is well.\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

static STATED: LazyLock<Regex> = LazyLock::new(|| {
    any_of(&[
        r"\blimit(?:s|ed|ation|ations|ing)?\b|\bcaveats?\b|threats? to validity|drawbacks?|shortcomings?|weakness(?:es)?|future (?:work|research|stud)|further (?:work|research|stud|investigation)|remains? to be|cannot (?:rule out|exclude|be excluded)|generali[sz]ab|beyond the scope|should be interpreted|局限|不足|有待|尚需|未来(?:工作|研究)|今后|进一步研究",
    ])
});

fn check(paper: &Paper, found: &mut Found) {
    use SectionKind as S;
    let place = paper
        .manuscript
        .sections
        .iter()
        .find(|section| section.kind == S::Discussion)
        .or_else(|| {
            paper
                .manuscript
                .sections
                .iter()
                .find(|section| section.kind == S::Conclusion)
        });
    let Some(place) = place else {
        return;
    };
    let empirical = has_section(paper, S::Methods) && has_section(paper, S::Results);
    if !empirical || has_section(paper, S::Limitations) || says(paper, &STATED) {
        return;
    }
    found.push(
        place.span,
        Words::new("no word of limitations", "未提及局限性"),
        Words::new(
            "Say what the results do not show.",
            "请说明结果不能说明什么。",
        ),
    );
}
