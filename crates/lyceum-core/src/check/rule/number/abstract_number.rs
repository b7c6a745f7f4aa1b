//! A number of the abstract or the conclusion that stands nowhere in the body.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::place::{is_aside, receipt, regex, sentence_at, span};
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::number::{
    Decimal, Link, Number, NumberKind, factor_to_base, numbers, numbers_and_words,
};
use crate::text::{Block, Format, InlineKind, Manuscript, SectionKind};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "abstract-number",
    tier: Tier::Warning,
    title: Say::new(
        "a number of the abstract or conclusion is nowhere in the body",
        "摘要或结论中的数字未出现在正文中",
    ),
    rationale: Say::new(
        "Numbers with decimals, percentages, and numbers of three or more digits with a unit in the abstract and the conclusion are \
         looked for in everything else: text, tables, captions, formulas, appendices, also in source that is not shown. A body number \
         counts when it is equal, when it gives the number after rounding, as a share instead of a percentage, with another unit \
         prefix, as a count over a total, or as an exact difference of two numbers of one paragraph or table row. Silent for p-values, confidence levels, approximate numbers \
         and bounds, round hundreds and halves, years, versions and labels, sentences with a citation, a text without a body with numbers \
         of its own or with numbers that are computed when it is built, plain text files, and a text whose includes could not all be read.",
        "摘要和结论中带小数的数、百分比以及三位以上带单位的数，会在其余全部内容中查找：正文、表格、图题、公式、附录以及未显示的源文本。\
         正文中的数相等、舍入后相等、以比例代替百分比、单位前缀不同、由计数与总数得出，或恰为同段或同一表行中两数之差，均视为出现。p 值、置信水平、近似值与\
         界限、整百与半数、年份、版本与编号、含引用的句子、正文没有足够数字或数字在生成时计算的文稿、纯文本文件以及包含文件未能全部读取的文稿不报告。",
    ),
    profiles: &[Profile::Article, Profile::Thesis],
    examples: &[
        Example {
            format: Format::Markdown,
            text: "# Abstract\n\nAccuracy rose to 93.4% in 1,250 ms and cost fell by 12.5%.\n\n# Results\n\nAccuracy was 92.4%, on 8 of 10 \
                   sites, with values of 3.1, 4.2, 5.7 and 6.9 points in 1.25 s. Cost fell by 0.125 of the first value; 12 sites \
                   gave 88, 41, 17.2, 33.9 and 7.5 units.\n",
            bib: None,
            finds: &["93.4%"],
        },
        Example {
            format: Format::Markdown,
            text: "# 摘要\n\n准确率达到 93.4%，覆盖 85.0% 的样本。\n\n# 结果\n\n准确率为 92.4%，共 12 个站点，覆盖 3400/4000 个样本，数值为 \
                   3.1、4.2、5.7、6.9、88、41、17.2、33.9、7.5。\n",
            bib: None,
            finds: &["93.4%"],
        },
        Example {
            format: Format::Markdown,
            text: "# Abstract\n\nAccuracy rose to 92% (p < 0.001), about 93.7% of the best, by 4.3 points (95% CI 1.1 to 4.2), as in 2019, \
                   with version 2.1.\n\n# Results\n\nAccuracy was 92.4% where it had been 88.1% before: 1.1, 4.2, 5.7, 6.6, 41, 17.2, 33.9, \
                   7.5.\n\n# Conclusion\n\nAccuracy of 92.4% is a share of 0.924.\n",
            bib: None,
            finds: &[],
        },
        // Not enough of a body to tell.
        Example {
            format: Format::Markdown,
            text: "# Abstract\n\nAccuracy rose to 93.4%.\n\n# Results\n\nSee the figures.\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

/// Numbers a body must hold before the absence of one says something.
const BODY: usize = 12;
/// Numbers of a body beyond which it is data rather than text.
const LARGE: usize = 200_000;
/// Numbers of abstract and conclusion that are looked for.
const LOOKS: usize = 300;
/// Bytes of an abstract beyond which it is none.
const SUMMARY: usize = 8_000;
/// Sections that are no part of the argument.
const fn is_summary(kind: SectionKind) -> bool {
    matches!(kind, SectionKind::Abstract | SectionKind::Conclusion)
}

static LOOSE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)(?:\babout|\bapprox(?:imately|\.)?|\baround|\broughly|\bnearly|\balmost|\bover|\b(?:more|less|fewer|greater|better|higher|lower|larger|smaller) than|\bat (?:least|most)|\bup to|\bclose to|\bcirca|\bca\.?|\bbetween|\bwithin|\bsome|\bbelow|\babove|\bunder|\bexceed(?:s|ed|ing)?|[~≈<>≤≥∼]|\\sim|\\approx|\\simeq|\\l[et]q?|\\g[et]q?|约|近|超过|大约|至少|不到|高达|以上)\s*(?:the\s|a\s|by\s)?[$({]*$",
    )
});
static LEVEL: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)^[\s-]*(?:\(?C\.?\s?[IL]\b|CrI|HDI|confidence|credible|prediction interval|quantile|percentile|significance|level|置信|显著)",
    )
});
static P_BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)(?:\bp(?:[-\s]?values?)?|\balpha|α)\s*(?:of\s|was\s|is\s)?(?:\\?[a-z]*\s*)?[=<>≤≥⩽⩾]*\s*[${]*$",
    )
});

fn check(paper: &Paper, found: &mut Found) {
    let manuscript = &paper.manuscript;
    let summaries: Vec<&Block> = manuscript
        .blocks
        .iter()
        .filter(|block| is_candidate(manuscript, block))
        .collect();
    // Plain text does not say where its abstract ends.
    if summaries.is_empty() || manuscript.format == Format::Plain {
        return;
    }
    if manuscript
        .notes
        .iter()
        .any(|note| note.unreadable.is_some() || note.code.starts_with("include"))
    {
        found.skip(
            "a part of the text could not be read",
            "文稿的一部分无法读取",
        );
        return;
    }
    let computed = [
        "`r ",
        "`{python}",
        "```{r",
        "```{python",
        "```{julia",
        "\\Sexpr{",
        "<<>>=",
    ];
    if manuscript
        .sources
        .iter()
        .any(|source| computed.iter().any(|mark| source.text.contains(mark)))
    {
        found.skip(
            "numbers of the text are computed when it is built",
            "文中的数字在生成时计算",
        );
        return;
    }
    let length: usize = summaries
        .iter()
        .filter(|block| manuscript.kind_of(block.section) == SectionKind::Abstract)
        .map(|block| block.text.len())
        .sum();
    if length > SUMMARY {
        found.skip("the abstract is as long as a paper", "摘要过长");
        return;
    }
    let body = Body::of(manuscript);
    if body.stated.len() > LARGE {
        found.skip("the body holds too many numbers", "正文中的数字太多");
        return;
    }
    if body.stated.len() < BODY {
        found.skip("the body holds too few numbers", "正文中的数字太少");
        return;
    }
    let mut looks = 0;
    for block in summaries {
        let text = block.text.masked(is_aside);
        for number in numbers(&text) {
            looks += 1;
            if looks > LOOKS {
                return;
            }
            if worth_a_look(block, &text, &number) && !body.holds(&number) {
                report(
                    found,
                    block,
                    &text,
                    &number,
                    manuscript.kind_of(block.section),
                );
            }
        }
    }
}

fn is_candidate(manuscript: &Manuscript, block: &Block) -> bool {
    let kind = manuscript.kind_of(block.section);
    is_summary(kind)
        && block.kind.is_prose()
        && block.float.is_none()
        && !is_mixed(manuscript, block)
}

/// A conclusion that holds discussion or results of its own is body.
fn is_mixed(manuscript: &Manuscript, block: &Block) -> bool {
    let title = manuscript
        .sections
        .get(block.section)
        .map(|section| section.title.to_lowercase())
        .unwrap_or_default();
    ["discuss", "result", "讨论", "结果"]
        .iter()
        .any(|part| title.contains(part))
}

fn worth_a_look(block: &Block, text: &str, number: &Number) -> bool {
    let shape = number.value.scale > 0
        || number.is_percent()
        || (number.unit.is_some() && number.value.absolute().as_count().is_some_and(|n| n >= 100));
    if number.kind != NumberKind::Quantity || !shape {
        return false;
    }
    let round = number.value.scale <= 0
        && number
            .value
            .as_count()
            .is_some_and(|n| n == 0 || n == 50 || n.is_multiple_of(100));
    let before = tail(text, number.range.start);
    let after = text.get(number.extent.end..).unwrap_or("");
    let multiple = number.unit.as_deref() == Some("×") && number.value.scale <= 0;
    let open = after.starts_with('+')
        || after.starts_with("以上")
        || after.trim_start().starts_with(['<', '>', '≤', '≥']);
    if round
        || multiple
        || open
        || LOOSE.is_match(before)
        || P_BEFORE.is_match(before)
        || LEVEL.is_match(after)
    {
        return false;
    }
    !cites(block, text, number.range.clone())
}

/// True when the sentence of a number rests on somebody else's work.
fn cites(block: &Block, text: &str, range: Range<usize>) -> bool {
    let sentence = sentence_at(text, range.start);
    let start = sentence.as_ptr() as usize - text.as_ptr() as usize;
    block
        .text
        .inlines_in(start..start + sentence.len())
        .any(|inline| matches!(inline.kind, InlineKind::Citation(_) | InlineKind::Url))
        || sentence.contains(" et al")
        || numbers(sentence)
            .iter()
            .any(|n| n.kind == NumberKind::Citation)
}

fn tail(text: &str, end: usize) -> &str {
    let head = text.get(..end).unwrap_or("");
    let start = head.char_indices().rev().nth(30).map_or(0, |(at, _)| at);
    head.get(start..).unwrap_or("")
}

/// One number of the body, without its sign.
struct Stated {
    value: Decimal,
    unit: Option<String>,
}

/// What the body holds.
struct Body {
    stated: Vec<Stated>,
    /// Exact differences of two numbers of one block or table row, and what is missing to 100 %.
    derived: HashSet<Decimal>,
    /// The quantities of each block or table row, for shares and changes worked out from two of them.
    blocks: Vec<Vec<f64>>,
}

/// Numbers of one block whose differences are formed.
const PAIRS: usize = 40;

impl Body {
    fn of(manuscript: &Manuscript) -> Self {
        let mut body = Self {
            stated: Vec::new(),
            derived: HashSet::new(),
            blocks: Vec::new(),
        };
        let mut rows = vec![None; manuscript.blocks.len()];
        for (table, row) in manuscript
            .tables
            .iter()
            .flat_map(|table| &table.rows)
            .enumerate()
        {
            for cell in row {
                if let Some(place) = rows.get_mut(cell.block) {
                    *place = Some(table);
                }
            }
        }
        let mut open: (Option<usize>, Vec<Number>) = (None, Vec::new());
        for (block, row) in manuscript.blocks.iter().zip(rows) {
            if is_candidate(manuscript, block)
                || manuscript.kind_of(block.section) == SectionKind::References
            {
                continue;
            }
            let found = numbers_and_words(&block.text.string);
            if row.is_none() || row != open.0 {
                body.take(std::mem::take(&mut open.1));
            }
            open.0 = row;
            open.1.extend(found);
        }
        body.take(open.1);
        for text in outside(manuscript) {
            body.stated
                .extend(numbers_and_words(text).into_iter().map(Stated::of));
        }
        body
    }

    /// Takes the numbers of one block or row.
    fn take(&mut self, found: Vec<Number>) {
        for pair in found.windows(2) {
            if let [part, total] = pair
                && let Some(percent) = share(part, total)
            {
                self.stated.push(Stated {
                    value: percent,
                    unit: Some("%".to_owned()),
                });
            }
        }
        let quantities: Vec<&Number> = found
            .iter()
            .filter(|n| n.is_quantity())
            .take(PAIRS)
            .collect();
        if quantities.len() > 1 {
            let values = quantities.iter().map(|n| n.value.absolute().to_f64());
            self.blocks.push(values.collect());
        }
        for (i, a) in quantities.iter().enumerate() {
            if a.is_percent()
                && let Some(rest) = Decimal::integer(100).minus(a.value.absolute())
            {
                self.derived.insert(rest.simplified());
            }
            for b in quantities.iter().skip(i + 1).filter(|b| b.unit == a.unit) {
                if let Some(difference) = a.value.absolute().minus(b.value.absolute()) {
                    self.derived.insert(difference.absolute().simplified());
                }
            }
        }
        self.stated.extend(found.into_iter().map(Stated::of));
    }

    fn holds(&self, number: &Number) -> bool {
        let value = number.value.absolute();
        let unit = number.unit.as_deref();
        self.derived.contains(&value.simplified())
            || self.stated.iter().any(|body| body.gives(value, unit))
            || (unit == Some("%") && self.has_ratio(value))
            || self.follows(value, unit == Some("%"))
    }

    /// True when two quantities of one block give the value: as a share or a change in per cent, or as a ratio.
    fn follows(&self, value: Decimal, percent: bool) -> bool {
        let wanted = value.to_f64();
        let ulp = 10_f64.powi(-value.scale.max(0)) * 1.000_001;
        let gives = |a: f64, b: f64| {
            let ratio = a / b;
            let found = if percent {
                [ratio * 100.0, (ratio - 1.0).abs() * 100.0]
            } else {
                [ratio, ratio]
            };
            found.iter().any(|found| (found - wanted).abs() < ulp)
        };
        self.blocks.iter().any(|block| {
            block.iter().enumerate().any(|(i, a)| {
                block
                    .iter()
                    .skip(i + 1)
                    .any(|b| *a > 0.0 && *b > 0.0 && (gives(*a, *b) || gives(*b, *a)))
            })
        })
    }
}

impl Body {
    /// True when a ratio of the body, less or more than one by so many per cent, gives the percentage.
    fn has_ratio(&self, percent: Decimal) -> bool {
        let hundred = Decimal::integer(100);
        [hundred.minus(percent), hundred.plus(percent)]
            .into_iter()
            .flatten()
            .filter_map(|ratio| ratio.shifted(-2))
            .any(|ratio| {
                self.stated
                    .iter()
                    .filter(|body| body.unit.is_none() && body.value.scale >= 2)
                    .any(|body| body.gives(ratio, None))
            })
    }
}

impl Stated {
    fn of(number: Number) -> Self {
        Self {
            value: number.value.absolute(),
            unit: number.unit,
        }
    }

    /// True when this number, rounded and brought to the unit, is the value.
    fn gives(&self, value: Decimal, unit: Option<&str>) -> bool {
        let same = |shift: i32| {
            self.value.shifted(shift).is_some_and(|body| {
                body.same_value(value)
                    || (body.scale > value.scale
                        && body.mantissa != 0
                        && body
                            .roundings(value.scale)
                            .iter()
                            .any(|r| r.same_value(value)))
            })
        };
        // A unit or a power of ten may stand once for several numbers, so equal digits are the same value.
        if [0, 2, -2, 3, -3, 6, -6, 9, -9].into_iter().any(same) {
            return true;
        }
        match (self.unit.as_deref(), unit) {
            (Some(own), Some(other)) => {
                let ((own, from), (other, to)) = (factor_to_base(own), factor_to_base(other));
                own == other && from != to && same(from - to)
            }
            _ => false,
        }
    }
}

/// The percentage of a count over a total, cut off after six decimals.
fn share(part: &Number, total: &Number) -> Option<Decimal> {
    if !matches!(part.link, Some(Link::Fraction | Link::Of)) {
        return None;
    }
    let (part, total) = (
        part.value.as_count()?,
        total.value.as_count().filter(|total| *total > 0)?,
    );
    let millionths = u128::from(part).checked_mul(100_000_000)? / u128::from(total);
    Some(Decimal {
        mantissa: i128::try_from(millionths).ok()?,
        scale: 6,
    })
}

/// The source text outside the blocks of abstract and conclusion: macros, data of plots, comments.
fn outside(manuscript: &Manuscript) -> Vec<&str> {
    let mut parts = Vec::new();
    for (file, source) in manuscript.sources.iter().enumerate() {
        if source.path.ends_with(".bib") {
            continue;
        }
        let mut at = 0;
        let mut spans: Vec<Range<usize>> = manuscript
            .blocks
            .iter()
            .filter(|block| block.span.file.0 as usize == file && is_candidate(manuscript, block))
            .map(|block| block.span.start as usize..block.span.end as usize)
            .collect();
        spans.sort_by_key(|span| span.start);
        for span in spans {
            parts.extend(source.text.get(at..span.start.max(at)));
            at = at.max(span.end);
        }
        parts.extend(source.text.get(at..));
    }
    parts
}

fn report(found: &mut Found, block: &Block, text: &str, number: &Number, kind: SectionKind) {
    let quote = text.get(number.extent.clone()).unwrap_or(&number.raw);
    let (en, zh) = if kind == SectionKind::Abstract {
        ("abstract", "摘要")
    } else {
        ("conclusion", "结论")
    };
    let problem = found.push(
        span(block, number.extent.clone()),
        Words::new(
            format!("{quote} in the {en} is nowhere in the body"),
            format!("{zh}中的 {quote} 未出现在正文中"),
        ),
        Words::new(
            "Mend the number, or give it in the body with what it rests on.",
            "请改正该数字，或在正文中给出它及其依据。",
        ),
    );
    problem.receipt = Some(receipt(
        "search of the body for the value",
        &[("number", quote)],
        "no match",
        "equal, rounded, as a share or percentage, with another unit prefix, as count over total, as a difference",
    ));
}
