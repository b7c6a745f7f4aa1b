//! A result that is not significant, dressed as almost significant.

use std::sync::LazyLock;

use regex::Regex;

use super::super::wording::{Sentences, any_of, own_words};
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::Format;

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "evidence-trend",
    tier: Tier::Opinion,
    title: Say::new("“trend towards significance”", "“接近显著”的说法"),
    rationale: Say::new(
        "A p-value above the threshold is not on its way anywhere. Speaks of trends towards significance, of results that \
         approached, verged on or just missed it, of marginal and borderline significance. Silent where the words stand in \
         quotation marks or the sentence speaks of the phrase itself.",
        "高于阈值的 p 值并不会“趋向”显著。报告：趋于显著、接近显著、边缘显著、临界显著等说法。置于引号中或谈论该说法本身时不报告。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "There was a trend towards significance (p = .08). The effect was marginally significant.\n",
            bib: None,
            finds: &["trend towards significance", "marginally significant"],
        },
        Example {
            format: Format::Markdown,
            text: "两组差异接近显著（p = 0.06）。\n",
            bib: None,
            finds: &["接近显著"],
        },
        Example {
            format: Format::Markdown,
            text: "The phrase “trend towards significance” is common. Terms like marginally significant mislead. The trend \
                   towards higher costs was significant.\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

static TREND: LazyLock<Regex> = LazyLock::new(|| {
    any_of(&[
        r"\btrend(?:s|ed|ing)? (?:towards?|to) (?:statistical(?:ly)? )?significan(?:ce|t)\b",
        r"\b(?:marginal(?:ly)?|borderline|nearly|near|almost|quasi)[- ](?:statistical(?:ly)? )?significan(?:ce|t)\b",
        r"\b(?:approach(?:ed|es|ing)?|verg(?:ed|es|ing) on|bordered on|close to|(?:just |narrowly )(?:missed|failed to reach|fell short of)|almost reached|nearly reached) (?:statistical |conventional )?significance\b",
        r"接近(?:于)?(?:统计学)?显著|边缘(?:性)?显著|边际显著|趋于显著|临界显著|有显著(?:性)?的?趋势",
    ])
});
static SPOKEN_OF: LazyLock<Regex> = LazyLock::new(|| {
    any_of(&[
        r"\b(?:phrases?|terms?|wording|expressions?|so-called|described as|labell?ed|such as|avoid)\b|所谓|说法|术语|措辞",
    ])
});

fn check(paper: &Paper, found: &mut Found) {
    for (block, text) in own_words(paper) {
        let mut hits = TREND.find_iter(&text).peekable();
        if hits.peek().is_none() {
            continue;
        }
        let sentences = Sentences::of(&text);
        for hit in hits {
            let whole = sentences.at(hit.range());
            let before = text[..hit.start()].trim_end().chars().next_back();
            let quoted = matches!(before, Some('“' | '"' | '‘' | '\'' | '`'));
            if quoted || SPOKEN_OF.is_match(&text[whole]) {
                continue;
            }
            if let Some(span) = block.text.span(hit.range()) {
                found.push(
                    span,
                    Words::new(
                        "a result that is not significant is worded as almost significant",
                        "不显著的结果被表述为接近显著",
                    ),
                    Words::new(
                        "Give the estimate with its interval and the p-value, without the adjective.",
                        "请给出估计值及其区间和 p 值，去掉该形容。",
                    ),
                );
            }
        }
    }
}
