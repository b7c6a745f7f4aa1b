//! A total in a table that is not the sum of its cells.

use std::cmp::Ordering;
use std::sync::LazyLock;

use regex::Regex;

use super::place::{decimal, receipt, regex, span};
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::number::Decimal;
use crate::text::{Block, Format, Manuscript, Table};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "table-total",
    tier: Tier::Warning,
    title: Say::new(
        "a total in a table is not the sum of its cells",
        "表中的合计不等于各项之和",
    ),
    rationale: Say::new(
        "A last row or last column called Total, Sum or 合计 is compared with the sum of the plain numbers above or beside it; half a \
         unit of the last digit is allowed for every cell that is not a count, and 99 to 101 for percentages. Only simple tables: every cell of the column \
         or row is one plain number, no cell spans several, no second total or subtotal, at least two terms. A column is judged only when \
         another column of the table adds up, or when it is off by less than half of the total or by one digit, so that means, rates and \
         totals over more than the rows shown stay silent; a total below its sum only when two others add up, since one thing may count in \
         several cells. Silent too for weights, distinct counts (`unique`), shares that may be \
         given to several, `All` and `Overall`.",
        "将名为 Total、Sum 或合计的末行或末列与其上方或旁边各单元格之和比较；计数以外的每个单元格允许末位半个单位的误差，百分比允许 99 至 101。仅限简单\
         表格：该行或该列每格均为单个数字，无跨列单元格，无第二个合计或小计，至少两项。只有表中另一列能够加总，或差额小于合计的一半或只差一位数字\
         时才判断，因此均值、比率以及包含未列出项目的合计不报告；合计小于各项之和时，须另有两行或两列能够加总，因为同一对象可能计入多格。加权、去重计数、可多选的比例以及 All、Overall 也不报告。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Latex,
            text: "\\begin{document}\n\\begin{tabular}{lrr}\n\\hline\nSite & Women & Men \\\\ \\hline\nNorth & 12 & 20 \\\\\nSouth & 30 & 11 \\\\\nWest & 8 & 9 \\\\\nTotal & 50 & 41 \\\\\n\\hline\n\\end{tabular}\n\\end{document}\n",
            bib: None,
            finds: &["41"],
        },
        Example {
            format: Format::Latex,
            text: "\\begin{document}\n\\begin{tabular}{lrrr}\n\\hline\n地区 & 女 & 男 & 合计 \\\\ \\hline\n北 & 12 & 20 & 32 \\\\\n南 & 30 & 11 & 43 \\\\\n西 & 8 & 9 & 17 \\\\\n\\hline\n\\end{tabular}\n\\end{document}\n",
            bib: None,
            finds: &["43"],
        },
        Example {
            format: Format::Latex,
            text: "\\begin{document}\n\\begin{tabular}{lrrr}\n\\hline\nSite & n & \\% & Mean \\\\ \\hline\nNorth & 1,200 & 33.3 & 4.1 \\\\\nSouth & 1,300 & 36.1 & 4.4 \\\\\nWest & 1,100 & 30.6 & 4.2 \\\\\nTotal & 3,600 & 100 & 4.2 \\\\\n\\hline\n\\end{tabular}\n\\end{document}\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "| Site | Women | Men |\n|---|--:|--:|\n| North | 12 | 20 |\n| South | 30 | 11 |\n| West | 8 | 9 |\n| **Total** | 50 | 41 |\n",
            bib: None,
            finds: &["41"],
        },
        Example {
            format: Format::Markdown,
            text: "| Adverse event | Patients |\n|---|---|\n| Headache | 12 |\n| Nausea | 9 |\n| Rash | 5 |\n| Total | 25 |\n",
            bib: None,
            finds: &[],
        },
        // Subtotals, other cells, rates, an average, one term.
        Example {
            format: Format::Markdown,
            text: "| Site | n |\n|---|---|\n| North | 12 |\n| South | 30 |\n| Subtotal | 42 |\n| West | 8 |\n| Total | 92 |\n\n\
                   | Site | n |\n|---|---|\n| North | 12 (3) |\n| South | 30 |\n| Total | 92 |\n\n\
                   | Site | Rate |\n|---|---|\n| North | 0.4 |\n| South | 0.6 |\n| Total | 0.5 |\n\n\
                   | Model | Loss | Total |\n|---|---|---|\n| A | 3 | 71 |\n| B | 4 | 72 |\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

static TOTAL: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"(?i)^(?:grand )?(?:total|sum|totals)(?: \((?:n|%)\))?:?$|^(?:合计|总计|总和|总数)$")
});
static ANY_TOTAL: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:sub-?)?totals?\b|\bsum\b|\ball\b|\boverall\b|\bcombined\b|\bof which\b|\bincluding\b|合计|总计|小计|总和|其中|总数|全部|\bboth\b|\bany\b|\bmultiple\b|\beither\b",
    )
});
static NO_SUM: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)unique|distinct|mean|average|median|rate|ratio|\bper\b|weight|cumulative|accuracy|score|multiple|overlap|平均|均值|率|中位|累计|去重|多选",
    )
});
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"^[-−–]?(?:\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.\d{1,6})?\s?(?P<u>\\?%|％)?$")
});

/// Names of columns and rows that hold whole things, so that nothing was rounded.
static COUNT: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)^n$|^#|^no\.|\b(?:n|number|counts?|participants|patients|subjects|women|men|male|females?|boys|girls|children|adults|students|papers|articles|studies|records|files|tests|cases|commits|issues|events|deaths|species|samples|sites|items)\b|数$|^[男女]$|人|例",
    )
});

/// A plain number of a cell.
#[derive(Clone, Copy)]
struct Term {
    value: Decimal,
    percent: bool,
    block: usize,
}

/// A row or column with its total.
struct Line {
    name: String,
    /// True when whole things are counted, so that nothing was rounded.
    counts: bool,
    terms: Vec<Term>,
    total: Term,
}

/// How a line adds up.
#[derive(PartialEq, Eq)]
enum Outcome {
    Adds,
    /// Off by little or by one digit.
    Near,
    Far,
}

fn check(paper: &Paper, found: &mut Found) {
    let manuscript = &paper.manuscript;
    for table in &manuscript.tables {
        let Some(grid) = grid(manuscript, table) else {
            continue;
        };
        judge(manuscript, columns(&grid), "column", found);
        judge(manuscript, rows(&grid), "row", found);
    }
}

/// The cells of a table as words, when it is a plain rectangle.
struct Grid<'a> {
    header: Vec<String>,
    rows: Vec<Vec<(usize, &'a str)>>,
}

fn grid<'a>(manuscript: &'a Manuscript, table: &Table) -> Option<Grid<'a>> {
    let width = table.rows.first()?.len();
    let plain = table
        .rows
        .iter()
        .all(|row| row.len() == width && row.iter().all(|cell| cell.columns <= 1));
    let body = table.rows.get(table.header_rows..)?;
    if !plain || width < 2 || body.len() < 2 || body.len() > 200 {
        return None;
    }
    let words = |block: usize| {
        manuscript
            .blocks
            .get(block)
            .map_or("", |block: &Block| block.text.string.trim())
    };
    let header = (0..width)
        .map(|column| {
            let parts: Vec<&str> = table
                .rows
                .iter()
                .take(table.header_rows)
                .filter_map(|row| row.get(column))
                .map(|cell| words(cell.block))
                .collect();
            parts.join(" ")
        })
        .collect();
    let rows = body
        .iter()
        .map(|row| {
            row.iter()
                .map(|cell| (cell.block, words(cell.block)))
                .collect()
        })
        .collect();
    Some(Grid { header, rows })
}

fn term((block, words): (usize, &str)) -> Option<Term> {
    let captures = NUMBER.captures(words)?;
    let unit = captures.name("u");
    let digits = unit.map_or(words, |unit| words.get(..unit.start()).unwrap_or(words));
    Some(Term {
        value: decimal(digits)?,
        percent: unit.is_some(),
        block,
    })
}

/// The columns over a last row that is a total.
fn columns(grid: &Grid<'_>) -> Vec<Line> {
    let Some((last, above)) = grid.rows.split_last() else {
        return Vec::new();
    };
    let name = last.first().map_or("", |cell| cell.1);
    let others = above
        .iter()
        .filter_map(|row| row.first())
        .any(|cell| cell.1.is_empty() || ANY_TOTAL.is_match(cell.1));
    if !TOTAL.is_match(name) || others || above.len() < 2 {
        return Vec::new();
    }
    (1..last.len())
        .filter_map(|column| {
            let terms: Option<Vec<Term>> =
                above.iter().map(|row| term(*row.get(column)?)).collect();
            Some(Line {
                name: grid.header.get(column)?.clone(),
                counts: COUNT.is_match(grid.header.get(column)?),
                terms: terms?,
                total: term(*last.get(column)?)?,
            })
        })
        .collect()
}

/// The rows before a last column that is a total.
fn rows(grid: &Grid<'_>) -> Vec<Line> {
    let Some((last, before)) = grid.header.split_last() else {
        return Vec::new();
    };
    let terms_before = before.get(1..).unwrap_or_default();
    if !TOTAL.is_match(last)
        || terms_before.len() < 2
        || terms_before
            .iter()
            .any(|head| ANY_TOTAL.is_match(head) || NO_SUM.is_match(head) || head.contains('%'))
    {
        return Vec::new();
    }
    // A cell with a note explains a sum that does not add up, also in the row of the totals.
    let noted =
        |cell: &(usize, &str)| cell.1.chars().any(|c| c.is_ascii_digit()) && term(*cell).is_none();
    if grid.rows.iter().any(|row| row.iter().skip(1).any(noted)) {
        return Vec::new();
    }
    grid.rows
        .iter()
        .filter_map(|row| {
            let (total, cells) = row.split_last()?;
            let terms: Option<Vec<Term>> = cells.get(1..)?.iter().map(|cell| term(*cell)).collect();
            Some(Line {
                name: cells.first()?.1.to_owned(),
                counts: terms_before.iter().all(|head| COUNT.is_match(head)),
                terms: terms?,
                total: term(*total)?,
            })
        })
        .collect()
}

fn judge(manuscript: &Manuscript, lines: Vec<Line>, what: &str, found: &mut Found) {
    let outcomes: Vec<Option<Outcome>> = lines.iter().map(outcome).collect();
    let adds = outcomes
        .iter()
        .filter(|outcome| **outcome == Some(Outcome::Adds))
        .count();
    let off = outcomes
        .iter()
        .filter(|outcome| outcome.as_ref().is_some_and(|o| *o != Outcome::Adds))
        .count();
    // One thing may count in several cells, which only other lines can rule out.
    let overlaps = |line: &Line| {
        adds < 2
            && sum(&line.terms)
                .is_some_and(|sum| sum.compare(line.total.value) == Ordering::Greater)
    };
    // A table whose lines mostly do not add up is not meant to.
    if off > adds.max(1) {
        return;
    }
    for (line, outcome) in lines.iter().zip(outcomes) {
        let wrong = match outcome {
            Some(Outcome::Near) => (adds > 0 || line.terms.len() >= 3) && !overlaps(line),
            Some(Outcome::Far) => adds > 1,
            _ => false,
        };
        if wrong {
            report(manuscript, line, what, found);
        }
    }
}

fn outcome(line: &Line) -> Option<Outcome> {
    let total = line.total;
    if NO_SUM.is_match(&line.name) || line.terms.iter().any(|term| term.percent != total.percent) {
        return None;
    }
    let negative = line
        .terms
        .iter()
        .chain([&total])
        .any(|term| term.value.mantissa < 0);
    let positive = line
        .terms
        .iter()
        .filter(|term| term.value.mantissa > 0)
        .count();
    if negative || positive < 2 {
        return None;
    }
    let sum = sum(&line.terms)?;
    let difference = sum.minus(total.value)?.absolute();
    let hundred = total.value.same_value(Decimal::integer(100));
    let share = total.percent
        || line.name.contains('%')
        || (hundred && line.terms.iter().any(|term| term.value.scale > 0));
    if share && hundred {
        let fits = difference.compare(Decimal::integer(1)) != Ordering::Greater;
        return Some(if fits { Outcome::Adds } else { Outcome::Far });
    }
    if share {
        return None;
    }
    // Half a unit of every term and of the total, counted in the coarsest of their digits.
    let scale = line
        .terms
        .iter()
        .map(|term| term.value.scale)
        .chain([total.value.scale])
        .min()?;
    let count = i128::try_from(line.terms.len() + 1).ok()?;
    let whole = scale <= 0 && line.counts;
    let tolerance = Decimal {
        mantissa: if whole { 0 } else { 5 * count },
        scale: scale + 1,
    };
    if difference.compare(tolerance) != Ordering::Greater {
        return Some(Outcome::Adds);
    }
    let double = difference.times(2)?;
    let near = double.compare(total.value) == Ordering::Less || is_one_digit(sum, total.value);
    Some(if near { Outcome::Near } else { Outcome::Far })
}

fn sum(terms: &[Term]) -> Option<Decimal> {
    terms
        .iter()
        .try_fold(Decimal::integer(0), |sum, term| sum.plus(term.value))
}

/// True when the two differ in one digit, or two neighbours are swapped.
fn is_one_digit(a: Decimal, b: Decimal) -> bool {
    let (a, b) = (a.simplified().to_string(), b.simplified().to_string());
    strsim::damerau_levenshtein(&a, &b) <= 1
}

fn report(manuscript: &Manuscript, line: &Line, what: &str, found: &mut Found) {
    let Some(sum) = sum(&line.terms) else {
        return;
    };
    let Some(block) = manuscript.blocks.get(line.total.block) else {
        return;
    };
    let place = span(block, 0..block.text.len());
    let (total, name) = (line.total.value, &line.name);
    let what_zh = if what == "column" { "列" } else { "行" };
    let problem = found.push(
        place,
        Words::new(
            format!("the {what} “{name}” sums to {sum}, not {total}"),
            format!("“{name}”{what_zh}之和为 {sum}，而不是 {total}"),
        ),
        Words::new(
            "Mend the total or the cells, or say what else it counts.",
            "请改正合计或各单元格，或说明合计还包含什么。",
        ),
    );
    let cells = line
        .terms
        .iter()
        .map(|term| term.value.to_string())
        .collect::<Vec<_>>()
        .join(" + ");
    problem.receipt = Some(receipt(
        "sum of the cells",
        &[("cells", &cells), ("total", &total.to_string())],
        sum.to_string(),
        format!("differs from {total} by more than rounding allows"),
    ));
}
