//! What the three checks say of a small paper and its panel.

use serde_json::{Value, json};

use super::*;
use crate::panel::SeatId;
use crate::port::{Files, ReadError};
use crate::text::{Budget, Format, load};

struct One(&'static str, &'static str);

impl Files for One {
    fn read(&self, path: &str, _: u64) -> Result<Vec<u8>, ReadError> {
        if path == self.0 {
            Ok(self.1.as_bytes().to_vec())
        } else {
            Err(ReadError::Missing)
        }
    }
    fn exists(&self, path: &str) -> bool {
        path == self.0
    }
    fn modified(&self, _: &str) -> Option<i64> {
        None
    }
}

const PAPER: &str = "# Abstract\n\nThe drug lowered pressure by 12.4 mmHg in 240 patients.\n\n# Methods\n\n## Sample\n\n\
We measured the pressure of every patient twice in the morning. The QRST was used.\n\n| a | b |\n|---|---|\n| 1 | 57.3 |\n\n\
Table: Pressure by group.\n\n# References\n\nDoe J. On pressure. 2019. doi:10.1000/pressure.1\n";

fn manuscript(text: &'static str) -> Manuscript {
    load(
        &One("p.md", text),
        &["p.md".to_owned()],
        Format::Markdown,
        Budget::default(),
    )
    .unwrap()
}

fn state(findings: Value) -> State {
    let state = json!({
        "schema_version": "1", "review_id": "rev-20261201-00000000",
        "created_at": "2026-12-01T00:00:00+00:00", "updated_at": "2026-12-01T00:00:00+00:00",
        "mode": "quick", "status": "all_submitted",
        "paper": {"path": "p.md", "sha256": "0".repeat(64), "bytes": 1, "format": "md"},
        "panel": {"seats": [{
            "seat_id": "eic", "role_marker": "EIC", "agent_file": "x", "status": "submitted",
            "dispatched_at": null, "submitted_at": null, "configuration_card": 1,
            "report": {"findings": findings, "verdict": "accept", "summary": "s", "provenance": {}}
        }]}
    });
    State::parse(&serde_json::to_vec(&state).unwrap(), "state.json").unwrap()
}

fn finding(title: &str, detail: &str, location: &str) -> Value {
    json!({"id": "eic-F1", "severity": "minor", "title": title, "detail": detail,
           "evidence": [{"quote": "in the morning", "location": location}]})
}

fn claims(detail: &str, location: &str) -> Vec<(String, &'static str)> {
    let state = state(json!([finding("A title", detail, location)]));
    let result = run(&manuscript(PAPER), &state);
    let rows = result.reviewer_claims.rows;
    rows.into_iter()
        .map(|row| (row.what, row.status.as_str()))
        .collect()
}

fn said(pairs: &[(&str, &'static str)]) -> Vec<(String, &'static str)> {
    pairs.iter().map(|(a, b)| ((*a).to_owned(), *b)).collect()
}

#[test]
fn words_numbers_and_places_are_held_against_the_paper() {
    assert_eq!(
        claims(
            "The paper says \"every patient twice in the morning\", 12.4 mmHg, 57.3 and 12 mmHg. See Table 1.",
            "Section 2.1"
        ),
        said(&[
            ("every patient twice in the morning", "supported"),
            ("Table 1", "supported"),
            ("12.4 mmHg", "supported"),
            ("57.3", "supported"),
            ("12 mmHg", "supported"),
            ("Section 2.1", "supported"),
        ])
    );
    assert_eq!(
        claims(
            "The paper says “each patient was measured thrice” and reports 99.7 mmHg in Table 9.",
            "Section 7.4, line 900"
        ),
        said(&[
            ("each patient was measured thrice", "quote_not_found"),
            ("Table 9", "locator_not_found"),
            ("99.7 mmHg", "number_not_found"),
            ("Section 7.4", "locator_not_found"),
            ("line 900", "locator_not_found"),
        ])
    );
}

#[test]
fn what_a_reviewer_proposes_is_never_called_missing() {
    let rows = claims(
        "The sample should be at least 950. Write \"the pressure fell in most of them\" instead, in a Table 9. A \"scare\" quote.",
        "the discussion",
    );
    assert!(!rows.is_empty());
    assert!(
        rows.iter().all(|(_, status)| *status == "not_checkable"),
        "{rows:?}"
    );
}

#[test]
fn recommended_references_are_held_against_the_bibliography() {
    let mut one = finding(
        "Literature",
        "Please cite Doe (2019) and Roe et al. (2021).",
        "x",
    );
    one["suggestion"] =
        json!("Discuss doi:10.1000/pressure.1, https://doi.org/10.1000/new.2, and doi:10.1/x.");
    let result = run(&manuscript(PAPER), &state(json!([one])));
    let check = result.suggested_references;
    assert_eq!(check.outcome, AdvisoryOutcome::Failed);
    let mut rows: Vec<(&str, &str)> = check
        .rows
        .iter()
        .map(|row| (row.what.as_str(), row.status.as_str()))
        .collect();
    rows.sort_unstable();
    assert_eq!(
        rows,
        [
            ("10.1/x", "malformed_doi"),
            ("10.1000/new.2", "not_checked"),
            ("10.1000/pressure.1", "already_cited"),
            ("Doe (2019)", "already_cited"),
            ("Roe et al. (2021)", "not_checked"),
        ]
    );
    assert!(check.note.unwrap().en.contains("no network"));
}

#[test]
fn outcomes_follow_from_the_rows() {
    let empty = run(&manuscript(PAPER), &state(json!([])));
    assert_eq!(empty.reviewer_claims.outcome, AdvisoryOutcome::Skipped);
    assert_eq!(empty.suggested_references.outcome, AdvisoryOutcome::Skipped);
    assert_eq!(empty.acronyms.outcome, AdvisoryOutcome::Failed);
    assert_eq!(empty.acronyms.rows[0].what, "QRST");
    let old = crate::panel::disk::AdvisoryChecks::default();
    let states = empty.states(&old);
    assert_eq!(
        (states.acronyms.as_str(), states.reviewer_claims.as_str()),
        ("failed", "skipped")
    );
    let good = run(
        &manuscript("# A\n\nThe drug lowered pressure by 12.4 mmHg.\n"),
        &state(json!([finding("A", "It reports 12.4 mmHg.", "")])),
    );
    assert_eq!(good.acronyms.outcome, AdvisoryOutcome::Passed);
    assert_eq!(good.reviewer_claims.outcome, AdvisoryOutcome::Passed);
    assert_eq!(SeatId::Eic, good.reviewer_claims.rows[0].seat.unwrap());
}

#[test]
fn ten_thousand_findings_are_bounded() {
    let one = finding(
        "\"a title that nobody ever wrote\"",
        "It says \"words that nobody ever wrote here\" and 77.77 in Table 88.",
        "Section 9.9.9",
    );
    let all: Vec<Value> = std::iter::repeat_n(one, 10_000).collect();
    let result = run(&manuscript(PAPER), &state(Value::Array(all)));
    assert_eq!(result.reviewer_claims.rows.len(), ROWS);
    assert!(result.reviewer_claims.left_out > 1_000);
}

#[test]
fn hostile_text_does_no_harm() {
    for detail in [
        "\"".repeat(10_001),
        "“".repeat(5_000),
        "§".repeat(5_000),
        "第9".repeat(5_000),
        "Table 1.1.1.1.1.1".repeat(900),
        "doi:".repeat(5_000),
        "\u{1b}[31m \u{0} 10.1000/\u{202e}abc".repeat(500),
    ] {
        let state = state(json!([finding("t", &detail, &detail)]));
        let _ = run(&manuscript(PAPER), &state);
    }
}
