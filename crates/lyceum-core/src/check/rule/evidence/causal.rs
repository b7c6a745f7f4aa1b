//! Causes named where the design can only show that things go together.

use std::sync::LazyLock;

use regex::Regex;

use super::super::wording::{Sentences, any_of, own_words, says};
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::{BlockKind, Format, SectionKind};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "evidence-causal",
    tier: Tier::Opinion,
    title: Say::new(
        "causal wording on an observational design",
        "观察性设计中的因果措辞",
    ),
    rationale: Say::new(
        "A cross-sectional, cohort, case-control or survey study shows association. Looks at title, abstract and conclusion \
         of papers that name such a design as theirs. Silent when the paper names a trial, an intervention, an experiment or \
         a method of causal inference anywhere, and when the sentence is hedged (may, suggests, associated, whether).",
        "横断面、队列、病例对照或问卷研究只能说明关联。检查自称采用此类设计的论文的标题、摘要和结论。文中任何地方提到试验、\
         干预、实验或因果推断方法，或句中有保留语气（可能、提示、相关、是否）时不报告。",
    ),
    profiles: Profile::WHOLE,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "# Abstract\n\nIn this cross-sectional study we asked 300 nurses. Night work causes poor sleep.\n",
            bib: None,
            finds: &["Night work causes poor sleep."],
        },
        Example {
            format: Format::Markdown,
            text: "# 摘要\n\n本文采用横断面研究。夜班导致睡眠变差。\n",
            bib: None,
            finds: &["夜班导致睡眠变差。"],
        },
        Example {
            format: Format::Markdown,
            text: "# Abstract\n\nIn this cross-sectional study night work was associated with poor sleep and may cause it.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "# Abstract\n\nA cohort study with propensity scores. Night work causes poor sleep.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "# Abstract\n\nPacking data in caches reduces misses and leads to faster code.\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

static DESIGN: LazyLock<Regex> = LazyLock::new(|| {
    any_of(&[
        r"\b(?:this|our|the present|a|an|we (?:conducted|performed|did|carried out) an?) (?:\w+[- ]){0,4}(?:cross-sectional|case-control|cohort|observational|correlational|survey) (?:\w+ )?(?:study|survey|analysis|design)\b",
        r"\bwe (?:surveyed|retrospectively (?:reviewed|analy[sz]ed|collected))\b|\bcross-sectional (?:survey|study|design|data)\b",
        r"横断面|病例对照|队列研究|问卷调查|相关性研究|回顾性(?:研究|分析)",
    ])
});
static STRONGER: LazyLock<Regex> = LazyLock::new(|| {
    any_of(&[
        r"\brandomi[sz]|\brandomly (?:assigned|allocated)|\bintervention|\binstrumental variable|difference-in-difference|regression discontinuity|mendelian|propensity|\bcausal (?:inference|effect|model|graph|diagram|mediation)|quasi-experiment|natural experiment|\bexperiment|controlled trial|directed acyclic|granger|synthetic control|fixed[- ]effects",
        r"随机|干预|工具变量|双重差分|断点回归|倾向|因果推断|实验|固定效应",
    ])
});
static CAUSE: LazyLock<Regex> = LazyLock::new(|| {
    any_of(&[
        r"\b(?:causes|caused|leads to|led to|results in|resulted in|prevents|prevented|protects? against|is responsible for|are responsible for)\b",
        r"\b(?:reduces?|reduced|increases?|increased|lowers?|lowered|raises?|raised) (?:the )?(?:risk|odds|likelihood|incidence|mortality)\b",
        r"导致|引起|造成|降低了?[^。，]{0,10}风险|增加了?[^。，]{0,10}风险",
    ])
});
static HEDGED: LazyLock<Regex> = LazyLock::new(|| {
    any_of(&[
        r"\b(?:may|might|could|can|would|suggest\w*|associat\w+|correlat\w+|whether|possibl[ey]|potential\w*|likely|hypothesi[sz]\w*|not|cannot|known to|risk factors?|if|linked|related)\b",
        r"可能|提示|相关|关联|是否|或许|未必|不能|如果",
    ])
});

fn check(paper: &Paper, found: &mut Found) {
    if !says(paper, &DESIGN) || says(paper, &STRONGER) {
        return;
    }
    for (block, text) in own_words(paper) {
        let place = paper.manuscript.kind_of(block.section);
        let claims = block.kind == BlockKind::Title
            || matches!(place, SectionKind::Abstract | SectionKind::Conclusion);
        if !claims {
            continue;
        }
        let mut last = None;
        let mut hits = CAUSE.find_iter(&text).peekable();
        if hits.peek().is_none() {
            continue;
        }
        let sentences = Sentences::of(&text);
        for hit in hits {
            let whole = sentences.at(hit.range());
            if last.as_ref() == Some(&whole) || HEDGED.is_match(&text[whole.clone()]) {
                continue;
            }
            if let Some(span) = block.text.span(whole.clone()) {
                found.push(
                    span,
                    Words::new(
                        format!(
                            "“{}” names a cause, the design shows association",
                            hit.as_str()
                        ),
                        format!("“{}”表示因果，而该设计只能说明关联", hit.as_str()),
                    ),
                    Words::new(
                        "Word it as an association, or say what carries the causal reading.",
                        "请改为关联的表述，或说明因果解释的依据。",
                    ),
                );
            }
            last = Some(whole);
        }
    }
}
