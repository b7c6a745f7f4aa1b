//! A total number of participants in the abstract that the methods contradict.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::place::{PLACES, count, is_aside, receipt, regex, sentence_at, span};
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::number::numbers_and_words;
use crate::text::{Block, Format, InlineKind, Manuscript, SectionKind, Span};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "sample-size-conflict",
    // No real paper has shown yet how often it is right.
    tier: Tier::Opinion,
    title: Say::new("sample sizes contradict each other", "样本量前后矛盾"),
    rationale: Say::new(
        "The abstract gives one total (`N = 120 participants`, `a total of 120 participants`) and the body gives one other total of \
         the same noun, both times of people who took part, rated, or were tested, treated or asked, and the number of the abstract \
         stands nowhere in the body. Silent when either sentence cites somebody or speaks of a plan, an earlier study, recruitment, exclusion, drop-out, completion, analysis, groups or several studies, when the paper has more than \
         one study, when either side gives several totals, and when a word qualifies the noun on one side only.",
        "摘要给出一个总数（`N = 120 participants`、`共 120 名患者`），正文以同一名词给出另一个总数，两处都指参加、评分或接受测试、治疗、询问的人，且摘要中的数字在正文中从未出现。\
         任一句含引用，或提到计划、以往研究、招募、排除、脱落、完成、分析、分组或多项研究，全文有多项研究，任一方给出多个总数，或仅一方的名词带有修饰语时，不报告。",
    ),
    profiles: &[Profile::Article, Profile::Thesis],
    examples: &[
        Example {
            format: Format::Markdown,
            text: "# Abstract\n\nA total of 120 participants rated the items.\n\n# Methods\n\nA total of 118 participants took part, aged \
                   18 to 65.\n",
            bib: None,
            finds: &["A total of 120 participants"],
        },
        Example {
            format: Format::Markdown,
            text: "# 摘要\n\n共 120 名患者接受了访谈。\n\n# 方法\n\n共 118 名患者参加，年龄 18 至 65 岁。\n",
            bib: None,
            finds: &["共 120 名患者"],
        },
        Example {
            format: Format::Markdown,
            text: "# Abstract\n\nA total of 120 participants rated the items.\n\n# Methods\n\nA total of 125 participants were recruited. \
                   After exclusions a total of 120 participants remained.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "# Abstract\n\nA total of 120 participants rated the items.\n\n# Methods\n\nA total of 118 participants completed the \
                   survey; a total of 60 female participants came back.\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

static TOTAL: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?x)(?i)
        (?:\ba\stotal\sof\s|\bin\stotal,?\s|\baltogether,?\s|\boverall,?\s|\bin\sall,?\s|\b(?-i:N)\s?=\s?)
        (?P<n>\d{1,3}(?:,\d{3})+|\d{2,7})\s
        (?P<noun>participants|patients|subjects|students|children|adults|women|men|respondents|individuals|volunteers|employees|teachers|nurses|adolescents|infants|pupils|undergraduates)\b
        |(?:共|总计|合计|共计|共有|共纳入)\s?(?P<m>\d{2,7})\s?[名例位个](?P<word>患者|参与者|被试|受试者|学生|儿童|被调查者|志愿者|教师|护士)",
    )
});
/// What all people of a sample did, or had done to them: other words behind a number may tell of some of them.
static WHOLE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)^(?:\s?\([^()]{0,60}\))?(?:\s(?:from|of|in|at) [^.,;()]{1,40}?)?(?:\s(?:took part|take part|participated|rated|were (?:asked|tested|interviewed|surveyed|examined|treated|studied|observed|assessed)|served as)\b|,? aged\b|\s?[).,;]|(?:均|都)?(?:参加|参与|接受))",
    )
});
static OTHERWISE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)exclu|drop|remain|withdr|\banaly|complet|\bfinal|eligib|invit|recruit|screen|enrol|random|approach|contact|\binclud|\bafter\b|missing|\blost\b|attrit|follow|\bgroups?\b|\beach\b|experiments?\b|\bstud(?:y|ies) \d|subsample|subset|pilot|\banother|further|additional|respective|per\b|consent|return|respon(?:se|ded)|\bof (?:which|whom|these)|\bet al\b|\bearlier\b|previous|\bprior\b|\baim|\bplan|\bpower\b|\bneed|requir|expect|target|\bgoal\b|would|should|intend|\(\d{4}\)|排除|剔除|脱落|剩余|完成|分析|招募|筛选|随机|组|失访|有效|回收",
    )
});
static STUDIES: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:study|experiment|survey|trial|wave|phase|cohort|sample)s? (?:[2-9]|two|three|four|ii|b)\b|\b(?:two|three|four|five|several|multiple) (?:\w+ )?(?:studies|experiments|surveys|trials|samples|cohorts|datasets)\b|meta-analy|systematic review|[两三四五]项研究|研究[二三2-3]|实验[二三2-3]",
    )
});

struct Total<'a> {
    value: u64,
    noun: String,
    place: Span,
    quote: &'a str,
    silent: bool,
}

fn check(paper: &Paper, found: &mut Found) {
    let manuscript = &paper.manuscript;
    if manuscript
        .blocks
        .iter()
        .any(|block| STUDIES.is_match(&block.text.string))
    {
        return;
    }
    let (mut above, mut below) = (Vec::new(), Vec::new());
    for block in manuscript
        .blocks
        .iter()
        .filter(|block| block.kind.is_prose())
    {
        match manuscript.kind_of(block.section) {
            SectionKind::Abstract => totals(block, &mut above),
            SectionKind::References | SectionKind::Introduction | SectionKind::Discussion => {}
            _ => totals(block, &mut below),
        }
    }
    let [one] = above.as_slice() else {
        return;
    };
    let same: Vec<&Total<'_>> = below
        .iter()
        .filter(|total| total.noun == one.noun)
        .collect();
    let [other] = same.as_slice() else {
        return;
    };
    if one.value == other.value
        || one.silent
        || other.silent
        || stands_in_body(manuscript, one.value)
    {
        return;
    }
    let problem = found.push(
        one.place,
        Words::new(
            format!("the body says “{}”", other.quote),
            format!("正文写的是“{}”", other.quote),
        ),
        Words::new(
            "Give one number, or say how one follows from the other.",
            "请统一该数字，或说明二者的关系。",
        ),
    );
    problem.receipt = Some(receipt(
        "comparison of totals of one noun",
        &[("abstract", one.quote), ("body", other.quote)],
        format!("{} and {}", one.value, other.value),
        "different, and the first stands nowhere in the body",
    ));
}

fn totals<'a>(block: &'a Block, into: &mut Vec<Total<'a>>) {
    let text = block.text.masked(is_aside);
    for captures in TOTAL.captures_iter(&text) {
        if into.len() > PLACES {
            return;
        }
        let number = captures.name("n").or_else(|| captures.name("m"));
        let noun = captures.name("noun").or_else(|| captures.name("word"));
        let (Some(whole), Some(number), Some(noun)) = (captures.get(0), number, noun) else {
            continue;
        };
        let Some(value) = count(number.as_str()) else {
            continue;
        };
        into.push(Total {
            value,
            noun: noun.as_str().to_lowercase(),
            place: span(block, whole.range()),
            quote: block.text.string.get(whole.range()).unwrap_or(""),
            silent: is_partial(block, &text, whole.range()),
        });
    }
}

/// True when a number may be that of some of the people, of a plan, or of somebody else's study.
fn is_partial(block: &Block, text: &str, range: Range<usize>) -> bool {
    let sentence = sentence_at(text, range.start);
    let start = sentence.as_ptr() as usize - text.as_ptr() as usize;
    let cites = block
        .text
        .inlines_in(start..start + sentence.len())
        .any(|inline| matches!(inline.kind, InlineKind::Citation(_)));
    cites || OTHERWISE.is_match(sentence) || !WHOLE.is_match(text.get(range.end..).unwrap_or(""))
}

/// True when a count of the abstract stands anywhere else.
fn stands_in_body(manuscript: &Manuscript, value: u64) -> bool {
    manuscript
        .blocks
        .iter()
        .filter(|block| manuscript.kind_of(block.section) != SectionKind::Abstract)
        .any(|block| {
            numbers_and_words(&block.text.string)
                .iter()
                .any(|number| number.value.as_count() == Some(value))
        })
}
