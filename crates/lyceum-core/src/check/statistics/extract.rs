//! Finds test statistics with their own p-value in running text.
//!
//! A p-value belongs to a statistic only when it follows it directly, with at most an error term or an effect size in
//! between. Anything else (two statistics for one p, two p for one statistic, *respectively*) is left alone.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::compare::Reported;
use super::distribution::{Family, Statistic};
use crate::text::number::{Decimal, numbers};

/// A statistic and its p-value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestReport {
    /// The statistic.
    pub statistic: Statistic,
    /// Its p-value.
    pub reported: Reported,
    /// Bytes from the statistic to the end of the p-value.
    pub range: Range<usize>,
    /// Bytes of the statistic.
    pub statistic_range: Range<usize>,
    /// Bytes of the p-value.
    pub p_range: Range<usize>,
}

const NUM: &str = r"\d{1,7}(?:\.\d{1,3})?";
const VALUE: &str = r"(?P<v>[-−–‐‑]?\s?(?:\d{1,3}(?:,\d{3})+|\d{1,9})?(?:\.\d{1,12})?)";
const EQUALS: &str = r"\s?=\s?";

static STATISTIC: LazyLock<Regex> = LazyLock::new(|| {
    let chi = r"(?:χ|Χ|𝜒|\\chi|[Cc]hi|\b[Xx])(?:\s?[-\s]?(?:squared?|sq)|\s?\^?\{?[2²]\}?)";
    let pattern = format!(
        r"(?x)
        (?P<t>\bt\s?\(\s?(?:df\s?=\s?)?(?P<t_df>{NUM})\s?\){EQUALS})
        | (?P<ts>\bt_\{{?(?P<ts_df>\d\d{NUM}|\d\d)\}}?{EQUALS})
        | (?P<f>\bF\s?(?:\(|_\{{|_\(|_)?\s?(?:df1?\s?=\s?)?(?P<f_df1>{NUM})\s?[,;/]\s?(?:df2?\s?=\s?)?(?P<f_df2>{NUM})\s?[\)\}}]?{EQUALS})
        | (?P<c>{chi}\s?(?:\(|_\{{)\s?(?:d\.?f\.?\s?=\s?)?(?P<c_df>{NUM})\s?(?:[,;]\s?[Nn]\s?=\s?\d[\d,\s]*)?\s?[\)\}}]{EQUALS})
        | (?P<x>{chi}{EQUALS})
        | (?P<u>\bt{EQUALS})
        | (?P<z>\b[zZ](?:[-\s](?:score|value|statistic|test))?{EQUALS})
        | (?P<r>\br\s?\(\s?(?:df\s?=\s?)?(?P<r_df>{NUM})\s?\){EQUALS})
        ",
        // In extended mode white space in the pattern is nothing, so the parts say `\s` where they mean it.
    );
    regex(&pattern)
});
static NUMBER: LazyLock<Regex> = LazyLock::new(|| regex(&format!("^{VALUE}")));
static FREEDOM: LazyLock<Regex> = LazyLock::new(|| {
    regex(&format!(
        r"^\s?[,;]?\s?\(?\s?d\.?f\.?\s?[=:]\s?(?P<df>{NUM})\s?\)?"
    ))
});
static BETWEEN: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(?:\s?[,;]\s?(?:MS[Ee]|SE|(?:Cohen['’]?s\s)?d|(?:partial\s)?(?:η|ω|ε|\\eta)(?:p|_p|_\{p\})?\s?\^?\{?[2²]?\}?p?)\s?=\s?[-−–]?\d{0,9}(?:\.\d{1,9})?)*\s?[,;:]?\s?(?:and\s|with\s(?:a\s)?|at\s|[\(\[])?\s?(?:two[-\s](?:tailed|sided)\s)?",
    )
});
static P: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(?:(?P<ns>(?:[pP]\s?=\s?)?(?:n\.\s?s\.|ns\b|NS\b|N\.S\.|not significant\b))|[pP](?:\s?[-–]?\s?(?i:values?))?\s?(?:(?:of|was|is|were)\s)?\s?(?P<rel>=?\s?(?:<\s?=|>\s?=|<|>|≤|≥|⩽|⩾|\\leq?|\\geq?)|=)\s?|[pP]\s?[-–]?\s?(?i:values?)\s?(?P<of>of|was|is)\s)",
    )
});
static MORE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^\s?[\)\]]?\s?[,;/&]?\s?(?:and|or|&)?\s?(?:[pP]\s?(?:[-–]?\s?values?)?\s?[<>=≤≥]|[<>=≤≥]|\.?\d)|^.{0,60}\brespectively\b",
    )
});

fn regex(pattern: &str) -> Regex {
    #[expect(
        clippy::expect_used,
        reason = "literal patterns, compiled by every test"
    )]
    Regex::new(pattern).expect("pattern")
}

/// The statistics of a text that have a p-value of their own, in order.
#[must_use]
pub fn test_reports(text: &str) -> Vec<TestReport> {
    let mut reports = Vec::new();
    let mut open: Option<usize> = None;
    for captures in STATISTIC.captures_iter(text) {
        let Some(whole) = captures.get(0) else {
            continue;
        };
        let Some((statistic, end)) = statistic(text, &captures, whole.end()) else {
            continue;
        };
        let shared = open.is_some_and(|end| is_joined(text, end, whole.start()));
        let found = p_after(text, end);
        if let Some((reported, p_range, _)) = found.as_ref()
            && !shared
            && !more_follows(text, p_range.end)
        {
            reports.push(TestReport {
                statistic,
                reported: *reported,
                range: whole.start()..p_range.end,
                statistic_range: whole.start()..end,
                p_range: p_range.clone(),
            });
        }
        open = found.is_none().then_some(end);
    }
    reports
}

/// True when only a joint stands between a statistic without a p-value and the next one.
fn is_joined(text: &str, end: usize, start: usize) -> bool {
    text.get(end..start).is_some_and(|between| {
        between.len() <= 40 && !between.contains(['.', '(']) && !between.contains(" p")
    })
}

fn more_follows(text: &str, at: usize) -> bool {
    text.get(at..).is_some_and(|rest| MORE.is_match(rest))
}

/// The statistic and where it ends, degrees of freedom written after it included.
fn statistic(text: &str, captures: &Captures<'_>, at: usize) -> Option<(Statistic, usize)> {
    let get = |name: &str| captures.name(name).and_then(|m| Decimal::parse(m.as_str()));
    let value = NUMBER.captures(text.get(at..)?)?.name("v")?;
    let mut end = at + value.end();
    let value = plain_decimal(value.as_str())?;
    if !ends_well(text, end) {
        return None;
    }
    let (family, df1, df2) = if captures.name("t").is_some() {
        (Family::T, None, get("t_df"))
    } else if captures.name("ts").is_some() {
        (Family::T, None, get("ts_df"))
    } else if captures.name("f").is_some() {
        (Family::F, get("f_df1"), get("f_df2"))
    } else if captures.name("c").is_some() {
        (Family::ChiSquared, get("c_df"), None)
    } else if captures.name("r").is_some() {
        (Family::R, None, get("r_df"))
    } else if captures.name("z").is_some() {
        (Family::Z, None, None)
    } else {
        let freedom = FREEDOM.captures(text.get(end..)?)?;
        end += freedom.get(0)?.end();
        let df = Decimal::parse(freedom.name("df")?.as_str());
        if captures.name("x").is_some() {
            (Family::ChiSquared, df, None)
        } else {
            (Family::T, None, df)
        }
    };
    if family == Family::T && df2.is_none() || family == Family::R && df2.is_none() {
        return None;
    }
    if family == Family::R && value.absolute().to_f64() > 1.0 {
        return None;
    }
    let statistic = Statistic {
        family,
        df1,
        df2,
        value,
    };
    Some((statistic, end))
}

fn plain_decimal(raw: &str) -> Option<Decimal> {
    let plain: String = raw
        .chars()
        .filter(|c| !c.is_whitespace() && *c != ',')
        .map(|c| {
            if matches!(c, '−' | '–' | '‐' | '‑') {
                '-'
            } else {
                c
            }
        })
        .collect();
    Decimal::parse(&plain)
}

/// False when what follows shows that the value goes on: an exponent, a range, a spread, a share.
fn ends_well(text: &str, at: usize) -> bool {
    let rest = text.get(at..).unwrap_or("");
    let tight = rest.chars().next();
    if tight.is_some_and(|c| c.is_alphanumeric() || matches!(c, '%' | '^' | '/' | '-' | '–' | '_'))
    {
        return false;
    }
    if matches!(tight, Some('.' | ','))
        && rest
            .get(1..2)
            .is_some_and(|c| c.starts_with(|c: char| c.is_ascii_digit()))
    {
        return false;
    }
    !rest
        .trim_start()
        .starts_with(['±', '×', '·', '–', '−', '^', '%', '/'])
}

/// The p-value that follows directly.
fn p_after(text: &str, at: usize) -> Option<(Reported, Range<usize>, Decimal)> {
    let rest = text.get(at..)?;
    let skip = BETWEEN.find(rest)?.end();
    let start = at + skip;
    let rest = text.get(start..)?;
    let captures = P.captures(rest)?;
    let head = captures.get(0)?.end();
    if captures.name("ns").is_some() {
        // `3.5 ns` are nanoseconds.
        let apart = text
            .get(..start)?
            .trim_end()
            .ends_with([',', ';', '(', '[']);
        if !apart && !rest.starts_with(['p', 'P']) {
            return None;
        }
        return Some((
            Reported::NotSignificant,
            start..start + head,
            Decimal::integer(1),
        ));
    }
    let (value, length) = p_number(rest.get(head..)?)?;
    let relation: String = captures
        .name("rel")
        .map_or("=", |m| m.as_str())
        .split_whitespace()
        .collect();
    let reported = match relation.trim_start_matches('=') {
        "" => Reported::Equal(value),
        "<" => Reported::Less(value),
        ">" => Reported::Greater(value),
        "≤" | "⩽" | "<=" | "\\le" | "\\leq" => Reported::AtMost(value),
        _ => Reported::AtLeast(value),
    };
    Some((reported, start..start + head + length, value))
}

fn p_number(rest: &str) -> Option<(Decimal, usize)> {
    let limit = rest
        .char_indices()
        .map(|(i, _)| i)
        .nth(40)
        .unwrap_or(rest.len());
    let window = rest.get(..limit)?;
    let first = numbers(window).into_iter().next()?;
    let skip = first.range.start;
    let own = window.get(..skip)?.trim().is_empty() && first.unit.is_none() && first.is_quantity();
    let value = first.value;
    let range = value.mantissa >= 0 && value.to_f64() <= 1.0 && value.scale > 0;
    let next = window.get(first.range.end..)?;
    let comma = next.starts_with(',')
        && next
            .get(1..2)
            .is_some_and(|c| c.starts_with(|c: char| c.is_ascii_digit()));
    let goes_on = first.link.is_some() || next.starts_with(|c: char| c.is_alphanumeric());
    (own && range && !comma && !goes_on).then_some((value, first.range.end))
}
