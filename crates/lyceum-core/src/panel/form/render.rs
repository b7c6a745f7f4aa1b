//! Writes a form: empty with its explanations, or filled.

use std::collections::BTreeMap;

use super::parse::{DIMENSION, FINDING, HEAD, key_of};
use super::types::FormError;
use crate::base::Language;
use crate::panel::brief::eligible;
use crate::panel::disk::{Dimension, Finding, Report, State};
use crate::panel::{BlockClass, Score, SeatId, Severity, Verdict};

/// How a line begins that tells an error.
const MARK: &str = "%% !! ";

/// The form of a seat; with a report, filled with it.
#[must_use]
pub fn render(
    state: &State,
    seat: SeatId,
    filled: Option<(&Report, &[Dimension])>,
    language: Language,
) -> String {
    let say = |en: &str, zh: &str| -> String {
        let words = if language == Language::Chinese {
            zh
        } else {
            en
        };
        words.lines().map(|line| format!("%% {line}\n")).collect()
    };
    let report = filled.map(|(report, _)| report);
    let mut out = format!(
        "%% {} {} · {}\n",
        state.review_id,
        seat.marker(),
        seat.title()
    );
    out.push_str(&say(
        "Lines that begin with %% are not read. Save and close: the form is checked, and nothing is submitted before you say so.\n\
         A text may have many lines. Put \\ before a line of text that begins with %%, === or a field.",
        "以 %% 开头的行不会被读取。保存并关闭后会检查表单；在你确认之前不会提交。\n\
         文本可以有多行。若正文某行以 %%、=== 或字段名开头，请在行首加 \\。",
    ));
    if let Some(card) = state.card(seat) {
        out.push_str(&say("What to look at:", "关注点："));
        let focus: Vec<&str> = card.focus.split_whitespace().collect();
        out.push_str(&format!("%%   {}\n", focus.join(" ")));
    }
    out.push_str("%%\n");
    out.push_str(&choices(
        "verdict",
        Verdict::ALL.iter().map(|one| one.as_str()),
    ));
    field(
        &mut out,
        HEAD,
        "verdict",
        report.map_or("", |one| one.verdict.as_str()),
    );
    out.push_str(&say(
        "Your name, as the letter shows it; may be empty.",
        "你的姓名，将显示在评审信中；可留空。",
    ));
    let operator = report.map_or("", |one| one.provenance.human_operator.as_str());
    field(&mut out, HEAD, "operator", operator);
    out.push_str("\n=== summary\n");
    out.push_str(&say(
        "What the paper claims, what is strong, what decides your verdict, what you could not judge.",
        "论文的主张、优点、决定结论的因素以及无法判断之处。",
    ));
    out.push_str(&escaped(report.map_or("", |one| one.summary.as_str()), &[]));
    out.push('\n');
    let findings: &[Finding] = report.map_or(&[], |one| one.findings.as_slice());
    for one in findings {
        finding(&mut out, Some(one), language);
    }
    if findings.is_empty() {
        finding(&mut out, None, language);
    }
    out.push_str(&say(
        "For another finding copy the part above, from === finding on. An empty one is left out.",
        "如有更多发现，请复制上面从 === finding 开始的部分。空的部分会被忽略。",
    ));
    let rows = filled.map_or(&[][..], |(_, rows)| rows);
    dimensions(&mut out, state, seat, rows, language);
    out
}

fn choices<'a>(key: &str, words: impl Iterator<Item = &'a str>) -> String {
    format!("%% {key}: {}\n", words.collect::<Vec<_>>().join(" | "))
}

fn finding(out: &mut String, one: Option<&Finding>, language: Language) {
    let english = language == Language::English;
    out.push_str("\n=== finding\n");
    out.push_str(&choices(
        "severity",
        Severity::ALL.iter().map(|one| one.as_str()),
    ));
    let mut put = |key: &str, value: &str| field(out, FINDING, key, value);
    put("severity", one.map_or("", |one| one.severity.as_str()));
    put("title", one.map_or("", |one| one.title.as_str()));
    let evidence = one.map_or(&[][..], |one| one.evidence.as_slice());
    if evidence.is_empty() {
        out.push_str(if english {
            "%% Words of the paper, letter for letter, and where they stand; repeat both lines for more.\n"
        } else {
            "%% 逐字复制论文原文及其位置；可重复这两行。\n"
        });
        field(out, FINDING, "quote", "");
        field(out, FINDING, "location", "");
    }
    for row in evidence {
        field(out, FINDING, "quote", &row.quote);
        field(out, FINDING, "location", &row.location);
    }
    field(
        out,
        FINDING,
        "detail",
        one.map_or("", |one| one.detail.as_str()),
    );
    out.push_str(if english {
        "%% The rest may stay empty. confidence: 1 to 5\n"
    } else {
        "%% 其余可留空。confidence：1 到 5\n"
    });
    let text = |value: Option<&String>| value.cloned().unwrap_or_default();
    field(
        out,
        FINDING,
        "suggestion",
        &text(one.and_then(|one| one.suggestion.as_ref())),
    );
    let confidence = one.and_then(|one| one.confidence).map(|n| n.to_string());
    field(out, FINDING, "confidence", &confidence.unwrap_or_default());
    field(
        out,
        FINDING,
        "competence_basis",
        &text(one.and_then(|one| one.competence_basis.as_ref())),
    );
    field(
        out,
        FINDING,
        "anchor",
        &text(one.and_then(|one| one.anchor.as_ref())),
    );
}

fn dimensions(
    out: &mut String,
    state: &State,
    seat: SeatId,
    rows: &[Dimension],
    language: Language,
) {
    for one in eligible(state, seat) {
        let row = rows.iter().find(|row| row.id == one.id);
        out.push_str(&format!(
            "\n=== dimension {}\n%% {}: {}\n",
            one.id, one.name, one.description
        ));
        out.push_str(if language == Language::English {
            "%% trigger for warn and block; abstain_reason for not_assessed. Leave all dimensions empty to score none.\n"
        } else {
            "%% warn 和 block 需要 trigger；not_assessed 需要 abstain_reason。全部留空表示不评分。\n"
        });
        out.push_str(&choices("score", Score::ALL.iter().map(|one| one.as_str())));
        out.push_str(&choices(
            "block_class",
            BlockClass::ALL.iter().map(|one| one.as_str()),
        ));
        let text = |value: Option<&String>| value.cloned().unwrap_or_default();
        field(
            out,
            DIMENSION,
            "score",
            row.map_or("", |row| row.score.as_str()),
        );
        field(
            out,
            DIMENSION,
            "trigger",
            &text(row.and_then(|row| row.trigger.as_ref())),
        );
        let class = row.and_then(|row| row.block_class);
        field(
            out,
            DIMENSION,
            "block_class",
            class.map_or("", |class| class.as_str()),
        );
        field(
            out,
            DIMENSION,
            "abstain_reason",
            &text(row.and_then(|row| row.abstain_reason.as_ref())),
        );
    }
}

/// One field with its value.
fn field(out: &mut String, keys: &'static [&'static str], key: &str, value: &str) {
    let mut lines = value.split('\n');
    let first = lines.next().unwrap_or("");
    out.push_str(key);
    out.push(':');
    if !first.is_empty() {
        out.push(' ');
        out.push_str(first);
    }
    out.push('\n');
    let rest: Vec<&str> = lines.collect();
    if !rest.is_empty() {
        out.push_str(&escaped(&rest.join("\n"), keys));
    }
}

/// Lines of a value, those marked that would be read as something else.
fn escaped(text: &str, keys: &'static [&'static str]) -> String {
    text.split('\n')
        .map(|line| {
            let reads = line.starts_with("%%")
                || line.starts_with("===")
                || line.starts_with('\\')
                || key_of(line, keys).is_some();
            format!("{}{line}\n", if reads { "\\" } else { "" })
        })
        .collect()
}

/// A text that was filled in, with what is wrong written above each line; marks of an earlier look are taken out.
#[must_use]
pub fn marked(text: &str, errors: &[FormError], language: Language) -> String {
    let mut at_line: BTreeMap<usize, Vec<&FormError>> = BTreeMap::new();
    for error in errors {
        at_line.entry(error.line).or_default().push(error);
    }
    let mut out = String::with_capacity(text.len() + errors.len() * 80);
    for (i, line) in text.split_inclusive('\n').enumerate() {
        for error in at_line.get(&(i + 1)).into_iter().flatten() {
            let words = match language {
                Language::English => &error.words.en,
                Language::Chinese => &error.words.zh,
            };
            let words: Vec<&str> = words.split_whitespace().collect();
            out.push_str(&format!("{MARK}{}\n", words.join(" ")));
        }
        if !line.starts_with(MARK) {
            out.push_str(line);
        }
    }
    out
}
