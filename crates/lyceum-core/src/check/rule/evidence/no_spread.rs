//! A mean over several runs without how much the runs differ.

use std::sync::LazyLock;

use regex::Regex;

use super::super::wording::{Sentences, any_of, own_words, says};
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::Format;

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "evidence-no-spread",
    tier: Tier::Opinion,
    title: Say::new("several runs, no spread", "多次运行但未报告离散程度"),
    rationale: Say::new(
        "A mean over seeds says little without their spread. Speaks when a sentence reports a mean over a number of runs, \
         seeds, repetitions, restarts or folds and the whole paper, tables and captions included, names no standard \
         deviation or error, interval, error bar, range, variance or ±.",
        "多个随机种子的平均值若无离散程度，意义有限。当句子报告若干次运行、种子、重复或折的平均值，而全文（含表格和图注）没有\
         标准差、标准误、区间、误差棒、范围、方差或 ± 时报告。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "We report the mean accuracy over five random seeds. It is 91.2.\n",
            bib: None,
            finds: &["We report the mean accuracy over five random seeds."],
        },
        Example {
            format: Format::Markdown,
            text: "结果为 5 次独立运行的平均值，准确率为 91.2%。\n",
            bib: None,
            finds: &["结果为 5 次独立运行的平均值，准确率为 91.2%。"],
        },
        Example {
            format: Format::Markdown,
            text: "We report the mean accuracy over five random seeds. It is 91.2 ± 0.3.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "We average over five layers, and each run has ten trials.\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

const COUNT: &str =
    r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty|several|multiple)";

static RUNS: LazyLock<Regex> = LazyLock::new(|| {
    let forward = format!(
        r"\b(?:averag\w+|means?|median)\b[^.;]{{0,70}}\b(?:over|across|of|from)\b (?:the )?{COUNT} (?:\w+ ){{0,2}}(?:runs|seeds|repetitions|repeats|restarts|initiali[sz]ations|folds|replicates)\b"
    );
    let backward = format!(
        r"\b(?:over|across) {COUNT} (?:\w+ ){{0,2}}(?:runs|seeds|repetitions|repeats)\b[^.;]{{0,40}}\b(?:averag\w+|mean)\b"
    );
    any_of(&[
        &forward,
        &backward,
        r"[0-9两三四五六七八九十]+ ?(?:次|个)(?:独立|重复|随机)?(?:运行|实验|试验|种子|重复)[^。]{0,12}(?:平均|均值)",
        r"(?:平均|均值)[^。]{0,8}[0-9两三四五六七八九十]+ ?(?:次|个)(?:独立|重复|随机)?(?:运行|种子|重复)",
    ])
});
static SPREAD: LazyLock<Regex> = LazyLock::new(|| {
    any_of(&[
        r"±|\+/-|\\pm|\b(?:std|s\.?d\.?|s\.?e\.?m?\.?|ci|iqr|rmse)\b|standard (?:deviations?|errors?)|confidence (?:intervals?|bands?)|credible intervals?|error[- ]?bars?|varian(?:ce|ces|t)|variability|quartiles?|percentiles?|quantiles?|min(?:imum)? and max|best and worst|whiskers|box ?plots?|shaded|deviat|spread",
        r"标准差|标准误|置信区间|误差棒|方差|四分位|离散|波动",
    ])
});

fn check(paper: &Paper, found: &mut Found) {
    if says(paper, &SPREAD) {
        return;
    }
    for (block, text) in own_words(paper) {
        let Some(hit) = RUNS.find(&text) else {
            continue;
        };
        let Some(span) = block.text.span(Sentences::of(&text).at(hit.range())) else {
            continue;
        };
        found.push(
            span,
            Words::new(
                "a mean over several runs, and nowhere how much they differ",
                "给出了多次运行的平均值，但全文未说明其差异",
            ),
            Words::new(
                "Give the standard deviation or an interval with the number of runs.",
                "请给出标准差或区间以及运行次数。",
            ),
        );
    }
}
