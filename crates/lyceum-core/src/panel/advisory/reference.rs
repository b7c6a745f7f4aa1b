//! What reviewers recommend to cite: whether its DOI can be one, and whether the paper cites it already.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::types::{AdvisoryCheck, Row, RowStatus};
use crate::base::Words;
use crate::literature::Bibliography;
use crate::panel::SeatId;
use crate::panel::disk::{Finding, State};
use crate::text::{BlockKind, Manuscript, sentences};

/// Most recommendations looked at.
const MOST: usize = 500;

#[expect(
    clippy::expect_used,
    reason = "literal patterns, compiled by every test"
)]
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("pattern")
}

static DOI_LIKE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:https?://(?:dx\.)?doi\.org/|\bdoi:\s*)[^\s<>\x22]+|\b10\.[0-9]{2,}/[^\s<>\x22]+",
    )
});
static DOI: LazyLock<Regex> = LazyLock::new(|| pattern(r"^10\.[0-9]{4,9}(?:\.[0-9]+)*/\S+$"));
static ARXIV: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\barxiv[:\s/]*(?:abs/|pdf/)?([0-9]{4}\.[0-9]{4,5}|[a-z-]+/[0-9]{7})")
});
static AUTHOR_YEAR: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?P<name>\p{Lu}[\p{L}'’-]+)(?:\s+(?:et\s+al\.?|(?:and|&)\s+\p{Lu}[\p{L}'’-]+))?,?\s*\(?(?P<year>(?:19|20)[0-9]{2})\b",
    )
});
static RECOMMENDS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:cit(?:e|es|ed|ing|ation|ations)|references?|literature|see|discuss|engage|compare|build on)\b|引用|文献|参见",
    )
});
static NO_NAME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:in|since|from|until|before|after|during|section|table|figure|line|the|of|version|january|february|march|april|may|june|july|august|september|october|november|december)$",
    )
});

pub(super) fn check(
    manuscript: &Manuscript,
    bibliographies: &[Bibliography],
    state: &State,
) -> AdvisoryCheck {
    let cited = Cited::of(manuscript, bibliographies);
    let mut rows = Vec::new();
    for seat in &state.panel.seats {
        let findings = seat.report.iter().flat_map(|report| &report.findings);
        for finding in findings {
            if rows.len() < MOST {
                recommended(&cited, seat.seat_id, finding, &mut rows);
            }
        }
    }
    if rows.is_empty() {
        return AdvisoryCheck::skipped(Words::new(
            "no seat recommends a reference that could be recognised",
            "没有席位推荐可识别的文献",
        ));
    }
    let open = rows
        .iter()
        .filter(|row| row.status == RowStatus::NotChecked)
        .count();
    let note = (open > 0).then(|| {
        Words::new(
            format!(
                "{open} of {} were not looked up: this check uses no network",
                rows.len()
            ),
            format!("{} 条中有 {open} 条未查询：此项检查不使用网络", rows.len()),
        )
    });
    AdvisoryCheck::of(rows, note)
}

fn recommended(cited: &Cited, seat: SeatId, finding: &Finding, rows: &mut Vec<Row>) {
    let mut seen = HashSet::new();
    let mut push = |what: &str, status: RowStatus| {
        if seen.insert(what.to_lowercase()) {
            rows.push(Row {
                seat: Some(seat),
                finding: Some(finding.id.clone()),
                what: what.chars().take(200).collect(),
                status,
                place: None,
            });
        }
    };
    let suggestion = finding.suggestion.as_deref().unwrap_or("");
    for text in [finding.title.as_str(), &finding.detail, suggestion] {
        for found in DOI_LIKE.find_iter(text) {
            let doi = bare(found.as_str());
            let status = if !DOI.is_match(&doi) || doi.contains("xxxx") {
                RowStatus::MalformedDoi
            } else if cited.text.contains(&doi) {
                RowStatus::AlreadyCited
            } else {
                RowStatus::NotChecked
            };
            push(&doi, status);
        }
        for captures in ARXIV.captures_iter(text) {
            let number = captures.get(1).map_or("", |m| m.as_str()).to_lowercase();
            push(&format!("arXiv:{number}"), cited.has(&[&number]));
        }
        for range in sentences(text) {
            let sentence = text.get(range).unwrap_or("");
            if RECOMMENDS.is_match(sentence) {
                for captures in AUTHOR_YEAR.captures_iter(sentence) {
                    let part = |name: &str| captures.name(name).map_or("", |m| m.as_str());
                    let (name, year) = (part("name"), part("year"));
                    if !NO_NAME.is_match(name) {
                        let status = cited.has(&[&name.to_lowercase(), year]);
                        let mut words = captures.get(0).map_or("", |m| m.as_str()).to_owned();
                        if words.contains('(') {
                            words.push(')');
                        }
                        push(&words, status);
                    }
                }
            }
        }
    }
}

/// A DOI without what stands before and behind it, in lower case.
fn bare(text: &str) -> String {
    let lower = text.to_lowercase();
    let mut rest = lower.as_str();
    for prefix in ["https://", "http://", "dx.", "doi.org/", "doi:"] {
        rest = rest.strip_prefix(prefix).unwrap_or(rest).trim_start();
    }
    let mut rest = rest.trim_end_matches(['.', ',', ';', '。', '，', '；', '」', '”', '\'']);
    while rest.ends_with([')', ']']) && !rest.contains(['(', '[']) {
        rest = rest.get(..rest.len() - 1).unwrap_or("");
    }
    rest.to_owned()
}

/// What the paper cites, in lower case.
struct Cited {
    /// Sources and bibliographies in one, for identifiers.
    text: String,
    /// One text for each entry.
    entries: Vec<String>,
}

impl Cited {
    fn of(manuscript: &Manuscript, bibliographies: &[Bibliography]) -> Self {
        let mut entries: Vec<String> = manuscript
            .blocks
            .iter()
            .filter(|block| block.kind == BlockKind::Bibliography)
            .map(|block| block.text.string.to_lowercase())
            .collect();
        for entry in bibliographies.iter().flat_map(|bib| &bib.entries) {
            let fields: Vec<&str> = entry.fields.iter().map(|f| f.text.as_str()).collect();
            entries.push(fields.join(" ").to_lowercase());
        }
        let mut text = entries.join("\n");
        for source in &manuscript.sources {
            text.push('\n');
            text.push_str(&source.text.to_lowercase());
        }
        Self { text, entries }
    }

    /// Whether one entry holds all of these words.
    fn has(&self, words: &[&str]) -> RowStatus {
        let there = self
            .entries
            .iter()
            .any(|entry| words.iter().all(|word| entry.contains(*word)));
        if there {
            RowStatus::AlreadyCited
        } else {
            RowStatus::NotChecked
        }
    }
}
