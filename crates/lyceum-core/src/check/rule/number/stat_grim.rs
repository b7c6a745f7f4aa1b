//! A mean that integers on a scale cannot have (GRIM).

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::place::{PLACES, around, count, decimal, prose, receipt, regex, span};
use crate::base::{Say, Words};
use crate::check::statistics::grim;
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::Format;
use crate::text::number::Decimal;

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "stat-grim",
    tier: Tier::Warning,
    title: Say::new(
        "no integers on the scale have this mean",
        "量表上的整数不可能得到该均值",
    ),
    rationale: Say::new(
        "GRIM (Brown and Heathers 2017): a mean of n integers is a multiple of 1/n. It speaks only where one pair of brackets or one \
         run gives one mean `M` and one `n`, and the same paragraph says that the answers are whole points of a scale (`7-point scale`, \
         `scale from 1 to 7`, `Likert`), either of a single question or with the number of items; rounding both ways at a tie is \
         allowed. Silent when the paragraph speaks of averages over items without their number, of several things, sessions or times that each person rated, of adjusted, weighted, imputed, \
         estimated or trimmed means, of missing answers, and when n times items is too large to exclude any mean.",
        "GRIM（Brown 与 Heathers，2017）：n 个整数的均值必为 1/n 的倍数。仅当同一括号或同一串统计量中恰有一个均值 `M` 和一个 `n`，且同段说明\
         答案是量表上的整数分（`7 点量表`、`1 到 7`、`Likert`），并且为单个题目或写明题目数时才判断；恰在中间时两个方向的舍入都允许。段中提到\
         未写明题数的多题平均，每人对多个对象或多次的评分，调整、加权、插补、估计或截尾均值，缺失回答，或 n 与题数之积过大时不报告。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "Participants rated their mood on a 7-point scale. Mood was high (*M* = 5.19, *SD* = 1.20, *n* = 28).\n",
            bib: None,
            finds: &["M* = 5.19, *SD* = 1.20, *n* = 28"],
        },
        Example {
            format: Format::Markdown,
            text: "On the 7-point Likert item mood was high: M = 5.19 (n = 28). Later M = 5.21 (n = 28).\n\nRest was rated on a single item from 1 to 5 (n = 15, M = 3.47).\n",
            bib: None,
            finds: &["M = 5.19 (n = 28"],
        },
        Example {
            format: Format::Markdown,
            text: "Trust was measured with 2 items on a scale from 1 to 7 (n = 28, M = 4.81).\n\n被试在 7 点量表上对单个题目评分（n = 28，M = 5.19）。\n",
            bib: None,
            finds: &["n = 28, M = 4.81", "n = 28，M = 5.19"],
        },
        Example {
            format: Format::Markdown,
            text: "Participants rated their mood on a 7-point scale (M = 5.21, n = 28; M = 5.25, n = 28). Their age was noted (M = 25.19, n = 28).\n\n\
                   Age was high (M = 51.93, n = 28).\n\nAll rated it on a 7-point scale (M = 5.19, n = 280).\n",
            bib: None,
            finds: &[],
        },
        // Averages over items, adjusted means, missing answers.
        Example {
            format: Format::Markdown,
            text: "Answers on a 7-point scale were averaged over items (M = 5.19, n = 28).\n\nOn a 7-point scale the adjusted mean was lower \
                   (M = 5.19, n = 28).\n\nRatings on a 7-point Likert scale with missing answers (M = 5.19, n = 28).\n\nThe questionnaire has a \
                   7-point Likert scale (M = 5.19, n = 28).\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

static SCALE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?P<points>[3-9]|1[01]|three|four|five|six|seven|nine|ten|eleven)[-\s‐‑–]points?\b|\blikert\b|\b(?:scale|item)\b[^.]{0,40}\b(?:from\s)?(?P<low>[01])\b[^.]{0,40}?(?:\bto\b|[-–])[^.]{0,30}?\b(?P<high>[4-9]|10)\b|\b[01]\s?[-–]\s?(?P<top>[4-9]|10)\s(?:likert|rating\s)?scale|(?P<han>[3-9]|1[01])\s?[点级]\s?量表|李克特",
    )
});
static SINGLE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\bsingle[-\s]item|\bone item\b|\b(?:a|the|one|single) (?:single )?question\b|\brated (?:their|its|his|the|how|each)\b|\bindicated (?:how|their)\b|\basked (?:how|to rate)|\b(?:points?|likert|likert-type) (?:likert )?item\b|单个?题|一道题|单一题",
    )
});
static ITEMS: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?P<k>\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|twelve)[-\s‐‑–]items?\b|(?P<han>\d{1,2})\s?(?:个|道)?(?:题目|题项|条目)",
    )
});
static MANY: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)averag|composite|\bindex\b|sub-?scales?|\bitems\b|questionnaire|inventory|\bsum(?:med)?\b|cronbach|\balpha\b|α|\bratings\b|across|\beach\b|\bboth\b|\bmeans? of (?:the|these|those|all|their|several|two|three|four|five|[0-9])\b|\b(?:sessions|trials|days|weeks|waves|times|occasions|blocks)\b|问卷|平均|分量表|信度",
    )
});
/// Several things that one person rated: what is averaged then is not known to be one answer each.
static THINGS: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:rated|indicated|asked|judged|scored|evaluated)\b[^.(]{0,80}\b(?:the|these|those|all|several|many|various|different|their|two|three|four|five|six|seven|eight|nine|ten|twelve|[0-9]+) (?:\w+ )?\w*[^\Wsiu]s\b",
    )
});
static OTHERWISE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)adjust|weight|imput|estimat|trimmed|marginal|least.squares|missing|standardi[sz]ed|centered|centred|transformed|\blog|half.?points?|decimal|slider|continuous|visual analog|调整|加权|插补|估计|缺失|标准化",
    )
});
static RUN: LazyLock<Regex> = LazyLock::new(|| {
    let sd = r"(?:\s?[,;，；]\s?(?:SD|SE|s|标准差)\s?=\s?\d*\.?\d+)?";
    regex(&format!(
        r"\b(?:M|[Mm]ean)\s?=\s?(?P<m1>\d{{1,2}}\.\d{{1,3}}){sd}\s?[,;，；(（]\s?[nN]\s?=\s?(?P<n1>\d{{1,4}})\b|\b[nN]\s?=\s?(?P<n2>\d{{1,4}})\s?[,;，；]\s?(?:M|[Mm]ean)\s?=\s?(?P<m2>\d{{1,2}}\.\d{{1,3}})"
    ))
});

/// What a paragraph says about its scale.
struct Scale {
    items: u64,
    top: Option<u64>,
    quote: String,
}

fn check(paper: &Paper, found: &mut Found) {
    let mut places = 0;
    for (block, text) in prose(&paper.manuscript) {
        if !RUN.is_match(&text) || OTHERWISE.is_match(&text) {
            continue;
        }
        let Some(scale) = scale(&text) else {
            continue;
        };
        for captures in RUN.captures_iter(&text) {
            let Some(whole) = captures.get(0) else {
                continue;
            };
            let mean = captures.name("m1").or_else(|| captures.name("m2"));
            let n = captures.name("n1").or_else(|| captures.name("n2"));
            let (Some(mean), Some(n)) = (mean, n) else {
                continue;
            };
            places += 1;
            if places > PLACES {
                return;
            }
            let alone = !followed_by_more(&text, whole.range());
            if let (Some(value), Some(size)) = (decimal(mean.as_str()), count(n.as_str()))
                && alone
                && on_scale(value, &scale)
                && grim(value, size, scale.items) == Some(false)
            {
                report(found, span(block, whole.range()), &scale, value, size);
            }
        }
    }
}

fn scale(text: &str) -> Option<Scale> {
    let named = SCALE.captures(text)?;
    let top = ["points", "high", "top", "han"]
        .iter()
        .find_map(|name| named.name(name))
        .and_then(|m| number_word(m.as_str()));
    let quote = named.get(0)?.as_str().to_owned();
    let mut counts: Vec<u64> = ITEMS
        .captures_iter(text)
        .filter_map(|captures| captures.name("k").or_else(|| captures.name("han")))
        .filter_map(|m| number_word(m.as_str()))
        .collect();
    counts.dedup();
    match counts.as_slice() {
        [items] if *items > 0 => Some(Scale {
            items: *items,
            top,
            quote,
        }),
        [] if SINGLE.is_match(text) && !MANY.is_match(text) && !THINGS.is_match(text) => {
            Some(Scale {
                items: 1,
                top,
                quote,
            })
        }
        _ => None,
    }
}

fn number_word(word: &str) -> Option<u64> {
    if let Some(value) = count(word) {
        return Some(value);
    }
    let found = crate::text::number::numbers_and_words(word);
    found.first()?.value.as_count()
}

fn on_scale(mean: Decimal, scale: &Scale) -> bool {
    scale.top.is_none_or(|top| {
        mean.compare(Decimal::integer(i128::from(top))) != std::cmp::Ordering::Greater
    })
}

/// True when the run goes on with another mean or size, so that it is not clear which belong together.
fn followed_by_more(text: &str, range: Range<usize>) -> bool {
    let near = around(text, range.start, 400);
    let rest = text.get(range.end..near.end).unwrap_or("");
    let close = rest.find([')', ']', '）', '.', '。']).unwrap_or(rest.len());
    let head = text.get(near.start..range.start).unwrap_or("");
    let open = head.rfind(['(', '[', '（', '.', '。']).unwrap_or(0);
    RUN.is_match(rest.get(..close).unwrap_or(""))
        || RUN.is_match(head.get(open..).unwrap_or(""))
        || rest.trim_start().starts_with(['–', '-', '±', '/'])
}

fn report(found: &mut Found, place: crate::text::Span, scale: &Scale, mean: Decimal, n: u64) {
    let total = n.saturating_mul(scale.items);
    #[expect(clippy::cast_precision_loss, reason = "shown with few digits only")]
    let (size, below) = (total as f64, (mean.to_f64() * total as f64).floor());
    let digits = usize::try_from(mean.scale).unwrap_or(2) + 2;
    let near = format!(
        "{below}/{total} = {:.digits$}, {}/{total} = {:.digits$}",
        below / size,
        below + 1.0,
        (below + 1.0) / size,
    );
    let problem = found.push(
        place,
        Words::new(
            format!("{total} whole numbers cannot have the mean {mean}: {near}"),
            format!("{total} 个整数的均值不可能是 {mean}：{near}"),
        ),
        Words::new(
            "Check the mean and n, and say how many answered and how many items were averaged.",
            "请核对均值与 n，并说明作答人数及参与平均的题目数。",
        ),
    );
    let (shown_mean, shown_n, items) = (mean.to_string(), n.to_string(), scale.items.to_string());
    problem.receipt = Some(receipt(
        "GRIM: mean of n × items integers",
        &[
            ("mean", &shown_mean),
            ("n", &shown_n),
            ("items", &items),
            ("scale", &scale.quote),
        ],
        near,
        format!("neither is rounded to {mean}"),
    ));
}
