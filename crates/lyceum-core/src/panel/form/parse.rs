//! Reads a form.

use super::types::{Filled, FormError};
use crate::panel::brief::eligible;
use crate::panel::contract;
use crate::panel::disk::{Dimension, Evidence, Finding, Provenance, Report, Rest, State};
use crate::panel::{BlockClass, Score, SeatId, Severity, Verdict};

/// The fields of each part, in order.
pub(super) const HEAD: &[&str] = &["verdict", "operator"];
pub(super) const SUMMARY: &[&str] = &[];
pub(super) const FINDING: &[&str] = &[
    "severity",
    "title",
    "quote",
    "location",
    "detail",
    "suggestion",
    "confidence",
    "competence_basis",
    "anchor",
];
pub(super) const DIMENSION: &[&str] = &["score", "trigger", "block_class", "abstain_reason"];

/// A part of a form as it was written.
struct Part {
    line: usize,
    name: String,
    fields: Vec<Field>,
    /// Text before the first field: the words of the summary.
    loose: Field,
}

#[derive(Default)]
struct Field {
    line: usize,
    key: &'static str,
    lines: Vec<String>,
}

impl Field {
    /// The value without blank lines around it.
    fn value(&self) -> String {
        self.lines.join("\n").trim().to_owned()
    }
}

impl Part {
    fn new(line: usize, name: &str) -> Self {
        Self {
            line,
            name: name.to_owned(),
            fields: Vec::new(),
            loose: Field {
                line,
                ..Field::default()
            },
        }
    }

    /// The keys a part takes; `None` for a part there is not.
    fn keys(&self) -> Option<&'static [&'static str]> {
        match self.name.split_whitespace().next().unwrap_or("") {
            "" => Some(HEAD),
            "summary" => Some(SUMMARY),
            "finding" => Some(FINDING),
            "dimension" => Some(DIMENSION),
            _ => None,
        }
    }

    fn field(&self, key: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.key == key)
    }

    fn value(&self, key: &str) -> String {
        self.field(key).map(Field::value).unwrap_or_default()
    }

    fn line_of(&self, key: &str) -> usize {
        self.field(key).map_or(self.line, |field| field.line)
    }

    fn is_blank(&self) -> bool {
        self.fields.iter().all(|field| field.value().is_empty()) && self.loose.value().is_empty()
    }
}

/// Reads a form of a seat.
///
/// # Errors
/// Everything that is wrong with it, by line.
pub fn parse(text: &str, state: &State, seat: SeatId) -> Result<Filled, Vec<FormError>> {
    let mut errors = Vec::new();
    let parts = split(text, &mut errors);
    let mut report = Report {
        findings: Vec::new(),
        verdict: Verdict::Accept,
        summary: String::new(),
        provenance: Provenance {
            model: String::new(),
            peer_output_visible: Some(false),
            context_fresh: Some(true),
            human_operator: String::new(),
            rest: Rest::new(),
        },
        rest: Rest::new(),
    };
    let (mut dimensions, mut quote_lines, mut verdict) = (Vec::new(), Vec::new(), None);
    let mut scored_at = 1;
    for part in &parts {
        match part.name.split_whitespace().next().unwrap_or("") {
            "" => {
                verdict = one_of(part, "verdict", Verdict::parse, Verdict::ALL, &mut errors);
                report.provenance.human_operator = part.value("operator");
            }
            "summary" => {
                report.summary = part.loose.value();
                if report.summary.is_empty() {
                    errors.push(FormError::new(
                        part.line,
                        "the summary is empty: say what the paper claims, what decides your verdict, what you could not judge",
                        "总结为空：请写明论文的主张、决定结论的因素以及无法判断之处",
                    ));
                }
            }
            "finding" if part.is_blank() => {}
            "finding" => {
                let id = format!("{}-F{}", seat.as_str(), report.findings.len() + 1);
                let (finding, lines) = finding(part, id, &mut errors);
                report.findings.push(finding);
                quote_lines.push(lines);
            }
            "dimension" if part.is_blank() => {}
            _ => {
                scored_at = part.line;
                dimensions.extend(dimension(part, state, seat, &mut errors));
            }
        }
    }
    match verdict {
        Some(verdict) => report.verdict = verdict,
        None if parts
            .iter()
            .all(|part| !part.name.is_empty() || part.field("verdict").is_none()) =>
        {
            errors.push(FormError::new(
                1,
                "there is no verdict: write verdict: and one of accept, minor_revision, major_revision, reject",
                "缺少结论：请写 verdict: 加 accept、minor_revision、major_revision、reject 之一",
            ));
        }
        None => {}
    }
    if !parts.iter().any(|part| part.name == "summary") {
        errors.push(FormError::new(
            1,
            "there is no summary: write === summary and your words below it",
            "缺少总结：请写 === summary，并在下面写出内容",
        ));
    }
    if errors.is_empty()
        && let Some(contract) = contract::of_mode(state.mode)
        && let Err(refusal) = contract::validate_scores(contract, seat, &dimensions)
    {
        errors.push(FormError::new(
            scored_at,
            format!("{}. {}", refusal.message, refusal.hint),
            format!("评分维度有误：{}", refusal.message),
        ));
    }
    if errors.is_empty() {
        Ok(Filled {
            report,
            dimensions,
            quote_lines,
        })
    } else {
        errors.sort_by_key(|error| error.line);
        Err(errors)
    }
}

/// The parts with their fields.
fn split(text: &str, errors: &mut Vec<FormError>) -> Vec<Part> {
    let mut parts = vec![Part::new(1, "")];
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (i, line) in text.split('\n').enumerate() {
        let number = i + 1;
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.starts_with("%%") {
            continue;
        }
        if let Some(name) = line.strip_prefix("===") {
            let name: Vec<&str> = name.split_whitespace().collect();
            let part = Part::new(number, &name.join(" ").to_lowercase());
            if part.keys().is_none() || part.name.is_empty() {
                errors.push(FormError::new(
                    number,
                    "no part is called so: write === summary, === finding or === dimension and its id",
                    "没有这样的部分：请写 === summary、=== finding 或 === dimension 加编号",
                ));
            }
            if part.name == "summary" && parts.iter().any(|part| part.name == "summary") {
                errors.push(FormError::new(
                    number,
                    "there is a second summary: put all of it under the first",
                    "出现第二个总结：请合并到第一个",
                ));
            }
            parts.push(part);
            continue;
        }
        let Some(part) = parts.last_mut() else {
            continue;
        };
        let keys = part.keys().unwrap_or(&[]);
        if let Some((key, rest)) = key_of(line, keys) {
            let again = key != "quote" && key != "location" && part.field(key).is_some();
            if again {
                errors.push(FormError::new(
                    number,
                    format!("{key} is there twice in this part: keep one, or put \\ before a line of text that begins so"),
                    format!("此部分中 {key} 出现两次：请保留一个；若是正文，请在行首加 \\"),
                ));
            }
            part.fields.push(Field {
                line: number,
                key,
                lines: vec![rest.to_owned()],
            });
            continue;
        }
        let line = line.strip_prefix('\\').unwrap_or(line);
        match part.fields.last_mut() {
            Some(field) => field.lines.push(line.to_owned()),
            None => part.loose.lines.push(line.to_owned()),
        }
        let stray = part.fields.is_empty() && part.name != "summary" && !line.trim().is_empty();
        if stray && part.keys().is_some() {
            errors.push(FormError::new(
                number,
                format!(
                    "this line belongs to no field: begin it with one of {}",
                    fields(part.keys())
                ),
                format!(
                    "此行不属于任何字段：请以下列之一开头：{}",
                    fields(part.keys())
                ),
            ));
        }
    }
    parts
}

fn fields(keys: Option<&[&str]>) -> String {
    let keys = keys.unwrap_or(&[]).iter();
    keys.map(|key| format!("{key}:"))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The field that a line begins, with what follows.
pub(super) fn key_of<'a>(
    line: &'a str,
    keys: &'static [&'static str],
) -> Option<(&'static str, &'a str)> {
    let (name, rest) = line.split_once([':', '：'])?;
    let name = name.trim_end();
    let key = keys.iter().find(|key| key.eq_ignore_ascii_case(name))?;
    Some((key, rest))
}

/// A closed word of a field; an error with the choices when it is none of them.
fn one_of<T: Word>(
    part: &Part,
    key: &'static str,
    read: fn(&str) -> Option<T>,
    all: &'static [T],
    errors: &mut Vec<FormError>,
) -> Option<T> {
    let value = part.value(key);
    let word = value.to_lowercase().replace([' ', '-'], "_");
    let found = read(&word);
    if found.is_none() && (part.field(key).is_some() || !part.name.is_empty()) {
        let choices: Vec<&str> = all.iter().map(|one| one.word()).collect();
        let shown: String = value.chars().take(40).collect();
        errors.push(FormError::new(
            part.line_of(key),
            format!("{key} is {shown:?}: write one of {}", choices.join(", ")),
            format!("{key} 为 {shown:?}：请填写 {} 之一", choices.join("、")),
        ));
    }
    found
}

/// A closed word.
trait Word: Copy {
    fn word(&self) -> &'static str;
}

macro_rules! word {
    ($($name:ty),+) => { $(impl Word for $name { fn word(&self) -> &'static str { self.as_str() } })+ };
}
word!(Verdict, Severity, Score, BlockClass);

fn finding(part: &Part, id: String, errors: &mut Vec<FormError>) -> (Finding, Vec<usize>) {
    let severity = one_of(part, "severity", Severity::parse, Severity::ALL, errors);
    for (key, en, zh) in [
        ("title", "name the point in one line", "用一行概括此问题"),
        (
            "detail",
            "say what is wrong and why it matters",
            "说明问题所在及其影响",
        ),
    ] {
        if part.value(key).is_empty() {
            errors.push(FormError::new(
                part.line_of(key),
                format!("the finding has no {key}: {en}"),
                format!("此发现缺少 {key}：{zh}"),
            ));
        }
    }
    let (evidence, lines) = evidence(part, errors);
    let some = |key: &str| Some(part.value(key)).filter(|value| !value.is_empty());
    let confidence = some("confidence").and_then(|value| {
        let number = value.parse::<u8>().ok().filter(|n| (1..=5).contains(n));
        if number.is_none() {
            errors.push(FormError::new(
                part.line_of("confidence"),
                "confidence is a number from 1 (a guess) to 5 (certain), or empty",
                "confidence 是 1（猜测）到 5（确定）的数字，或留空",
            ));
        }
        number
    });
    let finding = Finding {
        id,
        severity: severity.unwrap_or(Severity::Comment),
        title: part
            .value("title")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" "),
        detail: part.value("detail"),
        evidence,
        suggestion: some("suggestion"),
        confidence,
        competence_basis: some("competence_basis"),
        anchor: some("anchor"),
        cost_scope: None,
        consequence: None,
        rest: Rest::new(),
    };
    (finding, lines)
}

/// The pairs of quote and location, in order.
fn evidence(part: &Part, errors: &mut Vec<FormError>) -> (Vec<Evidence>, Vec<usize>) {
    let (mut rows, mut lines): (Vec<Evidence>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut open = false;
    for field in &part.fields {
        let value = field.value();
        match field.key {
            "quote" => {
                open = !value.is_empty();
                if open {
                    rows.push(Evidence {
                        quote: value,
                        location: String::new(),
                        rest: Rest::new(),
                    });
                    lines.push(field.line);
                }
            }
            "location" if !value.is_empty() => match rows.last_mut() {
                Some(row) if open && row.location.is_empty() => row.location = value,
                _ => errors.push(FormError::new(
                    field.line,
                    "this location has no quote above it: write quote: with words of the paper first",
                    "此位置上方没有引文：请先写 quote: 加论文原文",
                )),
            },
            _ => {}
        }
    }
    if rows.is_empty() {
        errors.push(FormError::new(
            part.line_of("quote"),
            "the finding has no quote: copy the words of the paper it stands on",
            "此发现没有引文：请复制其依据的论文原文",
        ));
    }
    for (row, line) in rows.iter().zip(&lines) {
        if row.location.is_empty() {
            errors.push(FormError::new(
                *line,
                "the quote has no location: write location: and where it stands",
                "此引文没有位置：请写 location: 加所在位置",
            ));
        }
    }
    (rows, lines)
}

fn dimension(
    part: &Part,
    state: &State,
    seat: SeatId,
    errors: &mut Vec<FormError>,
) -> Option<Dimension> {
    let id = part.name.split_whitespace().nth(1)?.to_uppercase();
    let mine = eligible(state, seat);
    if !mine.iter().any(|one| one.id == id) {
        let ids: Vec<&str> = mine.iter().map(|one| one.id).collect();
        errors.push(FormError::new(
            part.line,
            format!(
                "{id} is no dimension of this seat: take {}, or remove the part",
                ids.join(", ")
            ),
            format!(
                "{id} 不是此席位的维度：请使用 {}，或删除此部分",
                ids.join("、")
            ),
        ));
        return None;
    }
    let score = one_of(part, "score", Score::parse, Score::ALL, errors)?;
    let some = |key: &str| Some(part.value(key)).filter(|value| !value.is_empty());
    let block_class = match some("block_class") {
        None => None,
        Some(_) => Some(one_of(
            part,
            "block_class",
            BlockClass::parse,
            BlockClass::ALL,
            errors,
        )?),
    };
    Some(Dimension {
        id,
        score,
        trigger: some("trigger"),
        block_class,
        abstain_reason: some("abstain_reason"),
    })
}
