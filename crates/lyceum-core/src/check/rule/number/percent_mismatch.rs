//! A percentage beside the two counts it is taken from, which do not give it.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::place::{PLACES, around, count, decimal, prose, receipt, regex, sentence_at, span};
use crate::base::{Say, Words};
use crate::check::statistics::share_fits;
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::Format;
use crate::text::number::{Decimal, Number, numbers_and_words};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "percent-mismatch",
    tier: Tier::Error,
    title: Say::new(
        "the percentage does not follow from its counts",
        "百分比与其计数不符",
    ),
    rationale: Say::new(
        "`12 of 40 (35%)`, `12/40 (35%)`, `35% (12/40)`, `35% (12 of 40)`, `(12/40, 35%)`, `(n = 12, 35% of 40)`, `40 例中的 12 例（35%）`: \
         no rounding, up, down or cut off, of count over total gives the percentage at its written precision. Silent when the \
         percentage or a count is approximate or a bound, when the brackets hold another number, when another count in the same \
         paragraph is the total that gives the percentage, when the sentence speaks of \
         weighted, adjusted, estimated or cumulative shares, and when the count is not smaller than the total.",
        "`12 of 40 (35%)`、`12/40 (35%)`、`35% (12/40)`、`(12/40, 35%)`、`(n = 12, 35% of 40)`、`40 例中的 12 例（35%）`：无论四舍五入、进位、\
         舍去或截断，计数除以总数都得不到所写精度的百分比。百分比或计数为近似值或界限、括号内另有数字、同段中另一计数作为总数时恰得该百分比、句中提到加权、调整、估计或\
         累积比例，以及计数不小于总数时不报告。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "Of these, 12 of 40 patients (35%) and 13/40 (30.0%) agreed; 45% (12/40) did not, nor did 35% (12 of 40).\n",
            bib: None,
            finds: &[
                "12 of 40 patients (35%",
                "13/40 (30.0%",
                "45% (12/40",
                "35% (12 of 40",
            ],
        },
        Example {
            format: Format::Markdown,
            text: "Most (12/40, 35%) agreed (n = 12, 35% of 40). 在 40 名患者中有 12 名（35%）同意。\n",
            bib: None,
            finds: &[
                "12/40, 35%",
                "n = 12, 35% of 40",
                "40 名患者中有 12 名（35%",
            ],
        },
        Example {
            format: Format::Markdown,
            text: "We saw 12 of 40 (30%), 1 of 3 (33%), 2 of 3 (66%), 2/3 (67%), 66.7% (2/3), 5,487 of 6,797 (81%).\n",
            bib: None,
            finds: &[],
        },
        // Approximate, compared, weighted, another total, an interval.
        Example {
            format: Format::Markdown,
            text: "About 12 of 40 (35%), 12 of 40 (~35%), 12 of 40 (>35%), 12 of 40 (35% vs 20%), 12 of 40 (35–40%).\n\n\
                   The weighted share was 12 of 40 (35%). Pressure fell to 140/90 (10%). Scores of 3/5 (12%) were rare.\n\n\
                   Mutations of codon 12/13 (40%), HPV 16/18 (70%), exon 19/21 (12%). We kept 2 out of 3 (65%). Question 3 of 40 (25%) was hard.\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

const N: &str = r"(?P<{}>\d{{1,3}}(?:,\d{{3}})+|\d{{1,9}})";
const P: &str = r"(?P<p>\d{1,3}(?:\.\d{1,4})?)\s?\\?[%％]";

fn named(name: &str) -> String {
    N.replace("{}", name).replace("{{", "{").replace("}}", "}")
}

static FORMS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let (c, t) = (named("c"), named("t"));
    let of = r"\s(?:of|out of)\s(?:the\s|all\s|a total of\s|these\s)?";
    let words = r"(?:\s[\p{L}][\p{L}'’-]*){0,3}";
    [
        format!(r"{c}(?:{of}|\s?/\s?){t}{words}\s?[\(\[（]\s?{P}"),
        format!(r"{P}(?:\sof{words})?\s?[\(\[（]\s?(?:[nN]\s?=\s?)?{c}(?:{of}|\s?/\s?){t}"),
        format!(r"[\(\[（]\s?(?:[nN]\s?=\s?)?(?P<at>){c}(?:{of}|\s?/\s?){t}\s?[,;:，；]\s?{P}"),
        format!(r"[\(\[（]\s?(?P<at>)[nN]\s?=\s?{c}\s?[,;]\s?{P}\s(?:of|out of)\s(?:the\s)?{t}"),
        format!(
            r"{t}\s?[例名人个位份篇条项只家所台次][\p{{Han}}]{{0,8}}中[\p{{Han}}]{{0,4}}\s?{c}\s?[例名人个位份篇条项只家所台次][\p{{Han}}]{{0,4}}\s?[（(]\s?{P}"
        ),
    ]
    .iter()
    .map(|pattern| regex(pattern))
    .collect()
});
static LOOSE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)(?:\babout|\bapproximately|\bapprox\.?|\baround|\broughly|\bnearly|\balmost|\bover|\bmore than|\bless than|\bfewer than|\bat least|\bat most|\bup to|\bclose to|\bcirca|\bca\.?|\bbetween|\bonly about|[~≈<>≤≥±∼]|\\sim|\\approx|约|近|超过|大约|至少|不到|左右)\s?(?:the\s|a\s)?$",
    )
});
static WEIGHTED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\bweight(?:ed|ing)|\bactuarial|kaplan|\badjusted|\bcumulative|standardi[sz]ed|\bimput|\bestimated|\bextrapolat|\bprojected|加权|校正|调整|估计|累积",
    )
});
/// What may follow a percentage that is the only one in its brackets.
static ENDS: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^\s?(?:[)\]）]|[,;:]\s?[^\d\s]|[,;:]\s[^\d\s])"));
/// What may follow counts in brackets after their percentage: words and the closing bracket.
static CLOSES: LazyLock<Regex> = LazyLock::new(|| regex(r"^[^\d%()\[\]]{0,40}[)\]）]"));
/// A score out of a maximum, blood pressure, visual acuity: no counts.
static SCORE: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"(?i)\b(?:scor|rating|scale|grade|points?\b|mm ?hg|blood pressure|acuity|20/)")
});

/// A place in a series, before `3 of 10`.
static ORDINAL: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:question|item|phase|step|part|day|week|month|year|visit|session|wave|round|trial|study|experiment|stage|grade|level|class|chapter|volume|table|figure|page|layer|block|fold|model|version)s?\s$",
    )
});

/// Most points between a slip and the right percentage, where `12/40` could also name two things.
const SLIP: f64 = 10.0;

fn check(paper: &Paper, found: &mut Found) {
    let mut places = 0;
    for (block, text) in prose(&paper.manuscript) {
        let mut taken: Vec<std::ops::Range<usize>> = Vec::new();
        for form in FORMS.iter() {
            for captures in form.captures_iter(&text) {
                let Some((range, share)) = mismatch(&text, &captures, &mut places) else {
                    continue;
                };
                if taken
                    .iter()
                    .any(|other| other.start < range.end && range.start < other.end)
                {
                    continue;
                }
                taken.push(range.clone());
                report(found, span(block, range), &share);
            }
        }
    }
}

struct Share<'a> {
    count: &'a str,
    total: &'a str,
    percent: &'a str,
    exact: f64,
}

fn mismatch<'a>(
    text: &'a str,
    captures: &Captures<'a>,
    places: &mut usize,
) -> Option<(std::ops::Range<usize>, Share<'a>)> {
    let whole = captures.get(0)?;
    let (c, t, p) = (
        captures.name("c")?,
        captures.name("t")?,
        captures.name("p")?,
    );
    let (part, total) = (count(c.as_str())?, count(t.as_str())?);
    let percent = decimal(p.as_str())?;
    let start = captures.name("at").map_or(whole.start(), |at| at.end());
    let range = start..whole.end();
    let before = |at: usize| text.get(..at).unwrap_or("");
    let loose = [start, c.start(), p.start(), t.start()]
        .iter()
        .any(|at| LOOSE.is_match(tail(before(*at))))
        || before(p.start()).trim_end().ends_with('=');
    let glued = before(start).chars().next_back().is_some_and(|last| {
        last.is_alphanumeric() && !crate::text::is_cjk(last)
            || matches!(last, '-' | '–' | '.' | '/' | ':' | ',')
    });
    let rest = text.get(whole.end()..).unwrap_or("");
    let whole_share = if p.start() < c.start() {
        CLOSES.is_match(rest)
    } else if t.start() < p.start() {
        ENDS.is_match(rest)
    } else {
        rest.starts_with([')', ']', '）', ';', ','])
    };
    let slash = text
        .get(c.end()..t.start())
        .is_some_and(|between| between.contains('/'));
    let years = slash && (1900..2100).contains(&part) && (1900..2100).contains(&total);
    if part >= total
        || total < 2
        || loose
        || glued
        || years
        || !whole_share
        || share_fits(part, total, percent)?
    {
        return None;
    }
    *places += 1;
    let near = text.get(around(text, start, 2_000)).unwrap_or("");
    if *places > PLACES
        || slash && SCORE.is_match(sentence_at(text, start))
        || other_total(near, part, total, percent)
    {
        return None;
    }
    if WEIGHTED.is_match(sentence_at(text, start)) {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "shown with few digits only")]
    let exact = part as f64 / total as f64 * 100.0;
    // `codon 12/13 (40%)`, `HPV 16/18 (70%)`: two labels, unless the percentage is near the share of larger counts.
    let labels = slash
        && t.start() < p.start()
        && total < 100
        && (total < 20 || (exact - percent.to_f64()).abs() > SLIP);
    // `2 out of 3 (65%)` is a way of speaking.
    let idiom = !slash && total <= 10;
    if labels || idiom || ORDINAL.is_match(tail(before(c.start()))) {
        return None;
    }
    let share = Share {
        count: c.as_str(),
        total: t.as_str(),
        percent: p.as_str(),
        exact,
    };
    Some((range, share))
}

/// True when another count of the same text is the total that gives the percentage.
fn other_total(text: &str, part: u64, total: u64, percent: Decimal) -> bool {
    numbers_and_words(text)
        .iter()
        .filter_map(Number::count)
        .any(|other| {
            other != total && other > part && share_fits(part, other, percent) == Some(true)
        })
}

/// The last characters of a text, enough for a word or two.
fn tail(text: &str) -> &str {
    let start = text.char_indices().rev().nth(24).map_or(0, |(at, _)| at);
    text.get(start..).unwrap_or("")
}

fn report(found: &mut Found, place: crate::text::Span, share: &Share<'_>) {
    let Share {
        count,
        total,
        percent,
        exact,
    } = share;
    let digits = percent
        .split_once('.')
        .map_or(0, |(_, fraction)| fraction.len());
    let shown = format!("{exact:.*}", digits + 1);
    let problem = found.push(
        place,
        Words::new(
            format!("{count} of {total} is {shown}%, not {percent}%"),
            format!("{total} 中的 {count} 是 {shown}%，而不是 {percent}%"),
        ),
        Words::new(
            "Mend the count, the total or the percentage, or name the total it refers to.",
            "请改正计数、总数或百分比，或写明百分比所对应的总数。",
        ),
    );
    problem.receipt = Some(receipt(
        "count / total × 100",
        &[("count", count), ("total", total), ("percent", percent)],
        format!("{exact:.4}%"),
        format!("no rounding to {digits} decimals gives {percent}%"),
    ));
}
