//! People or animals were studied, and nowhere a word of approval or consent.

use std::sync::LazyLock;

use regex::Regex;

use super::super::wording::{any_of, first_sentence, has_section, says};
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::{Format, SectionKind};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "statement-ethics",
    tier: Tier::Opinion,
    title: Say::new(
        "people or animals were studied, no word of approval or consent",
        "研究涉及人或动物，但未提及伦理审批或知情同意",
    ),
    rationale: Say::new(
        "Speaks only when the authors say that they recruited, enrolled, interviewed or treated people, or kept, treated or \
         killed animals, and points at that sentence. Any word of an ethics committee, a review board, consent, Helsinki, an \
         exemption or an animal protocol is enough. Silent for reviews and meta-analyses.",
        "只有作者自称招募、纳入、访谈或治疗了人，或饲养、处理、处死了动物时才报告，并指向该句。文中提到伦理委员会、审查委员会、\
         知情同意、赫尔辛基宣言、豁免或动物实验方案即可。综述和荟萃分析不报告。",
    ),
    profiles: &[Profile::Article, Profile::Thesis],
    examples: &[
        Example {
            format: Format::Markdown,
            text: "# Methods\n\nForty patients were recruited at two clinics. They were old.\n",
            bib: None,
            finds: &["Forty patients were recruited at two clinics."],
        },
        Example {
            format: Format::Markdown,
            text: "# 方法\n\n本研究招募了 40 名患者。\n",
            bib: None,
            finds: &["本研究招募了 40 名患者。"],
        },
        Example {
            format: Format::Markdown,
            text: "# Methods\n\nForty patients were recruited and gave written informed consent.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "# Methods\n\nParticipants of a market are agents; we simulate 40 patients.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "# Methods\n\nIn this systematic review, patients were recruited in all trials.\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

static STUDIED: LazyLock<Regex> = LazyLock::new(|| {
    any_of(&[
        r"\b(?:participants|patients|volunteers|respondents|students|children|adolescents|adults|workers|nurses|teachers|subjects|people) (?:were|was) (?:\w+ )?(?:recruited|enrolled|interviewed|surveyed)\b",
        r"\bwe (?:\w+ )?(?:recruited|enrolled|interviewed|surveyed) (?:[\w,-]+ ){0,5}(?:participants|patients|volunteers|respondents|students|children|adolescents|adults|workers|nurses|teachers|subjects|people)\b",
        r"\b(?:mice|rats|rabbits|pigs|monkeys|macaques|zebrafish|animals) were (?:\w+ )?(?:housed|ana?esthetized|ana?esthetised|euthani[sz]ed|sacrificed|injected|killed|perfused)\b",
        r"(?:招募|纳入|访谈)了?[^。]{0,12}(?:患者|受试者|被试|参与者|志愿者|学生)|(?:小鼠|大鼠|实验动物)[^。]{0,12}(?:饲养|麻醉|处死|购自)",
    ])
});
static STATED: LazyLock<Regex> = LazyLock::new(|| {
    any_of(&[
        r"\bethic|institutional review|review board|\bIRB\b|\bconsent|helsinki|declaration of geneva|animal (?:care|welfare|protocol|experimentation)|\bIACUC\b|exempt|approved by|approval|伦理|知情同意|赫尔辛基|动物实验.{0,10}批准",
    ])
});
static SECOND_HAND: LazyLock<Regex> = LazyLock::new(|| {
    any_of(&[
        r"systematic review|meta-analy|scoping review|literature review|simulated (?:patients|participants)|系统综述|荟萃分析|meta ?分析",
    ])
});

fn check(paper: &Paper, found: &mut Found) {
    let Some(span) = first_sentence(paper, &STUDIED) else {
        return;
    };
    if has_section(paper, SectionKind::Ethics) || says(paper, &STATED) || says(paper, &SECOND_HAND)
    {
        return;
    }
    found.push(
        span,
        Words::new(
            "people or animals were studied, and no word of approval or consent",
            "研究了人或动物，但未提及伦理审批或知情同意",
        ),
        Words::new(
            "Name the committee and its decision, and the consent.",
            "请写明伦理委员会及其决定，以及知情同意情况。",
        ),
    );
}
