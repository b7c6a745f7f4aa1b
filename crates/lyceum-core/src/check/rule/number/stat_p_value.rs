//! A p-value that does not follow from the test statistic it is reported with.

use std::sync::LazyLock;

use regex::Regex;

use super::place::{PLACES, prose, receipt, regex, sentence_at, span};
use crate::base::{Say, Words};
use crate::check::statistics::{
    Family, Interval, Reported, Side, Statistic, TestReport, Verdict, compare, p_interval,
    significance_differs, test_reports,
};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::number::Decimal;
use crate::text::{Format, Manuscript};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "stat-p-value",
    tier: Tier::Error,
    title: Say::new(
        "the p-value does not follow from the statistic",
        "p 值与检验统计量不符",
    ),
    rationale: Say::new(
        "The two-tailed p-value is recalculated from a reported t, F, χ², z or r with its degrees of freedom, for every \
         value that the rounding of the statistic leaves open, and compared by the published statcheck rule: `p = .03` \
         after rounding to its decimals, `<` and `>` as they stand, `ns` at .05. Silent when the p-value does not directly \
         follow its statistic, when one p-value may belong to several statistics, when the sentence speaks of a \
         correction, exact or resampled test, when the paper speaks of one-tailed tests and half the p-value fits, when \
         `p = …` is just half of it, and, for a p-value that is too large, when the paper corrects p-values or degrees of \
         freedom anywhere.",
        "根据文中报告的 t、F、χ²、z 或 r 及其自由度重新计算双侧 p 值，考虑统计量四舍五入所允许的全部取值，并按已发表的 statcheck \
         规则比较：`p = .03` 按其小数位数舍入后比较，`<`、`>` 按原义比较，`ns` 以 .05 为界。以下情况不报告：p 值未紧跟统计量；一个 \
         p 值可能对应多个统计量；句中提到校正、精确检验或重抽样；文中提到单侧检验且 p 值的一半相符；`p = …` 恰为其一半；以及 p 值\
         偏大而全文任何一处提到 p 值或自由度校正。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "The groups differed in attention (*t*(85) = 2.32, *P* = 0.03).\n",
            bib: None,
            finds: &["t*(85) = 2.32, *P* = 0.03"],
        },
        Example {
            format: Format::Markdown,
            text: "Users were found ($z = 2.3079$, $P < 0.02$), and scores rose, $F(2, 40) = 1.20$, $p < .05$.\n",
            bib: None,
            finds: &["$z = 2.3079$, $P < 0.02$", "$F(2, 40) = 1.20$, $p < .05$"],
        },
        Example {
            format: Format::Markdown,
            text: "组间差异显著，χ²(1) = 1.85, p = 0.005。\n",
            bib: None,
            finds: &["χ²(1) = 1.85, p = 0.005"],
        },
        Example {
            format: Format::Markdown,
            text: "It rose, t(28) = 1.51, p > .05, and fell, F(1,986)=77.5, p<0.0001. Then t(26)=2.35, p=0.03; χ2(1) = 7.85, \
                   p = 0.005, r(25) = .40, p = .04.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Latex,
            text: "\\begin{document}\nIt rose, $t(28)=2.1$, $p<.01$, and the rest did not, $t(28)=1.8$, $p<.05$.\n\\end{document}\n",
            bib: None,
            finds: &["t(28)=2.1$, $p<.01", "t(28)=1.8$, $p<.05"],
        },
        Example {
            format: Format::Latex,
            text: "\\begin{document}\nIt rose, $t(28)=2.1$, $p<.05$ ($\\chi^2(1)=7.85$, $p=.005$), and \\textit{F}(2,~40)~=~5.2, \\textit{p}~=~.01.\n\\end{document}\n",
            bib: None,
            finds: &[],
        },
        // A correction that is none of tests.
        Example {
            format: Format::Markdown,
            text: "Typing mistakes in the archive were corrected by hand.\n\nA difference was seen, t(28) = 2.32, p = .08.\n",
            bib: None,
            finds: &["t(28) = 2.32, p = .08"],
        },
        // One-tailed by the words of the paper, or by the exact half.
        Example {
            format: Format::Markdown,
            text: "All tests were one-tailed.\n\nIt rose, t(28) = 1.80, p < .05. And z = 1.70, p = .0446.\n",
            bib: None,
            finds: &[],
        },
        // Corrected, exact, resampled; shared p-values.
        Example {
            format: Format::Markdown,
            text: "After Bonferroni correction t(28) = 2.32, p = .08. By a permutation test t(28) = 2.32, p = .04. Both \
                   t(28) = 1.2 and t(28) = 3.4, p = .002. The effect was F(1, 20) = 4.1 and 5.2, p = .03 and .04, \
                   respectively.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "P-values were corrected for multiple comparisons.\n\nA difference was seen, t(28) = 2.32, p = .08.\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

static ONE_TAILED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:one|1|single)[-\s‐‑–]?(?:tailed|sided|tail)\b|\bdirectional (?:test|hypothes)|单侧|单尾",
    )
});
static CORRECTED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)bonferroni|\bholm\b|benjamini|hochberg|false discovery|\bfdr\b|family-?wise|\bfwer?\b|\b[sš]id[aá]k|\btukey|\bdunn(?:ett)?\b|scheff|games.howell|multiple (?:comparison|testing|test)|greenhouse|huynh|geisser|\badjust(?:ed|ing|ment)?\b[^.]{0,40}\b(?:p|alpha|significance)\b|\b(?:p|alpha)[- ]?(?:values?|levels?)?[^.]{0,30}\badjust",
    )
});
/// A correction of something, and words by which it may be one of p-values; a paper also corrects text, data and light paths.
static CORRECTION: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?i)\bcorrect(?:ed|ion)s?\b|校正|矫正"));
static OF_TESTS: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\bp\b|\bp-?values?|signific|compar|\btest|anova|alpha|α|spheric|continuity|yates|welch|degrees of freedom|\bdf\b|post.?hoc|pairwise|contrast|statistic|error|type.?i\b|level|cluster|voxel|threshold|family|multipl|χ|\bchi\b|value|probabilit|inferen|effect|result|analys|检验|显著|比较|水平|阈|统计|结果|分析",
    )
});
static SPECIAL: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)bonferroni|\bholm\b|benjamini|hochberg|false discovery|\bfdr\b|\b[sš]id[aá]k|\btukey|\bdunn|scheff|games.howell|greenhouse|huynh|\badjust\w*|\bcorrect(?:ed|ion)s?\b|bootstrap|permut|monte.carlo|\bexact\b|\bfisher|random[iu][sz]ation test|simulat|imput|bayes|kenward|robust|\bone[- ](?:tailed|sided)|校正|矫正|置换|自助法|精确",
    )
});
static RANKS: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)mann.?whitney|wilcoxon|kruskal|signed.rank|rank.sum|\b[UWT]\s?=\s?\d|kendall|\blog.?rank",
    )
});

fn check(paper: &Paper, found: &mut Found) {
    let manuscript = &paper.manuscript;
    let said = |pattern: &Regex| {
        manuscript
            .blocks
            .iter()
            .any(|block| pattern.is_match(&block.text.string))
    };
    let mut one_tailed = None;
    let mut corrected = None;
    let mut places = 0;
    for (block, text) in prose(manuscript) {
        for report in test_reports(&text) {
            let Some((interval, side)) = judge(&report) else {
                continue;
            };
            places += 1;
            if places > PLACES {
                return;
            }
            let sentence = sentence_at(&text, report.range.start);
            let half = compare(report.reported, interval.halved()) == Verdict::Consistent;
            let exact_half = half && matches!(report.reported, Reported::Equal(_));
            let excused = match side {
                Side::TooSmall => {
                    exact_half || half && *one_tailed.get_or_insert_with(|| said(&ONE_TAILED))
                }
                Side::TooLarge => *corrected.get_or_insert_with(|| corrects(manuscript)),
            };
            let ranks = report.statistic.family == Family::Z && RANKS.is_match(sentence);
            if excused || ranks || SPECIAL.is_match(sentence) {
                continue;
            }
            let quote = |range: std::ops::Range<usize>| text.get(range).unwrap_or("").to_owned();
            let differs = significance_differs(report.reported, interval);
            let problem = found.push(
                span(block, report.range.clone()),
                message(&report, interval, differs),
                Words::new(
                    "Recalculate the test, and mend the statistic, the degrees of freedom or the p-value; say so if the test is one-tailed or corrected.",
                    "请重新计算该检验，并改正统计量、自由度或 p 值；若为单侧或经过校正，请注明。",
                ),
            );
            problem.receipt = Some(receipt(
                procedure(&report.statistic),
                &[
                    ("statistic", &quote(report.statistic_range.clone())),
                    ("p", &quote(report.p_range.clone())),
                ],
                between(interval),
                comparison(report.reported, interval),
            ));
        }
    }
}

/// True when the paper speaks of corrected p-values or degrees of freedom.
fn corrects(manuscript: &Manuscript) -> bool {
    manuscript.blocks.iter().any(|block| {
        let text = &block.text.string;
        CORRECTED.is_match(text) || CORRECTION.is_match(text) && OF_TESTS.is_match(text)
    })
}

/// The recalculated interval and the side of the miss, when there is one under every reading of the statistic.
fn judge(report: &TestReport) -> Option<(Interval, Side)> {
    let interval = p_interval(&report.statistic)?;
    let Verdict::Inconsistent(side) = compare(report.reported, interval) else {
        return None;
    };
    if report.statistic.family == Family::R {
        // Some write the sample size where the degrees of freedom belong.
        let smaller = report.statistic.df2?.minus(Decimal::integer(2))?;
        let other = Statistic {
            df2: Some(smaller),
            ..report.statistic
        };
        if p_interval(&other)
            .is_some_and(|other| compare(report.reported, other) == Verdict::Consistent)
        {
            return None;
        }
    }
    Some((interval, side))
}

fn procedure(statistic: &Statistic) -> String {
    let df = |df: Option<Decimal>| df.map_or_else(String::new, |df| df.to_string());
    match statistic.family {
        Family::T => format!(
            "two-tailed p of t with {} degrees of freedom",
            df(statistic.df2)
        ),
        Family::F => format!(
            "upper-tail p of F with {} and {} degrees of freedom",
            df(statistic.df1),
            df(statistic.df2)
        ),
        Family::ChiSquared => format!(
            "upper-tail p of chi-squared with {} degrees of freedom",
            df(statistic.df1)
        ),
        Family::Z => "two-tailed p of the standard normal z".to_owned(),
        Family::R => format!(
            "two-tailed p of Pearson's r with {} degrees of freedom",
            df(statistic.df2)
        ),
    }
}

/// Four significant digits are enough to see any difference that is reported.
fn short(p: f64) -> String {
    if p < 1e-4 {
        format!("{p:.2e}")
    } else {
        format!("{p:.5}")
    }
}

fn between(interval: Interval) -> String {
    format!("p from {} to {}", short(interval.low), short(interval.high))
}

fn comparison(reported: Reported, interval: Interval) -> String {
    let rounded = |scale: i32| {
        let digits = usize::try_from(scale).unwrap_or(0);
        let (low, high) = (
            format!("{:.digits$}", interval.low),
            format!("{:.digits$}", interval.high),
        );
        if low == high {
            low
        } else {
            format!("{low} to {high}")
        }
    };
    match reported {
        Reported::Equal(p) => format!("rounds to {}, reported {p}", rounded(p.scale)),
        Reported::Less(p) => format!("not below {p}"),
        Reported::AtMost(p) => format!("above {p}"),
        Reported::Greater(p) => format!("not above {p}"),
        Reported::AtLeast(p) => format!("below {p}"),
        Reported::NotSignificant => "below .05, reported as not significant".to_owned(),
    }
}

fn message(report: &TestReport, interval: Interval, differs: bool) -> Words {
    let p = if interval.high < 1e-4 {
        format!("{:.1e}", interval.high)
    } else {
        format!("{:.4}", (interval.low + interval.high) / 2.0)
    };
    let (en, zh) = match report.reported {
        Reported::Equal(given) => (format!("p = {given}"), format!("p = {given}")),
        Reported::Less(given) => (format!("p < {given}"), format!("p < {given}")),
        Reported::AtMost(given) => (format!("p ≤ {given}"), format!("p ≤ {given}")),
        Reported::Greater(given) => (format!("p > {given}"), format!("p > {given}")),
        Reported::AtLeast(given) => (format!("p ≥ {given}"), format!("p ≥ {given}")),
        Reported::NotSignificant => ("not significant".to_owned(), "不显著".to_owned()),
    };
    let (more, more_zh) = if differs {
        (
            "; significance at .05 changes",
            "，在 .05 水平上的显著性结论随之改变",
        )
    } else {
        ("", "")
    };
    Words::new(
        format!("the statistic gives p ≈ {p}, reported is {en}{more}"),
        format!("由统计量算得 p ≈ {p}，文中报告为 {zh}{more_zh}"),
    )
}
