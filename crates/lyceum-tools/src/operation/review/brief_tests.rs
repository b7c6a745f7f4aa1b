//! A brief through dispatch: given out, paged, replaced, refused.

use lyceum_core::base::Sha256;
use lyceum_core::panel::{SeatId, SeatStatus};
use serde_json::{Value, json};

use super::tests::{AGENT, Lab, PAPER};
use crate::Call;
use crate::dispatch::{RESULT_BYTES, dispatch};
use crate::registry::Registry;

fn ask(id: &str, seat: &str) -> Value {
    json!({"review_id": id, "seat_id": seat})
}

/// Every page of a brief, put together, and the first answer.
fn whole(lab: &Lab, id: &str, seat: &str) -> (String, Value) {
    let first = lab.good("brief", ask(id, seat));
    let mut text = first["brief"].as_str().unwrap().to_owned();
    let mut last = first.clone();
    while let Some(more) = last.get("more") {
        let before = more["remaining"].as_u64().unwrap();
        let mut args = ask(id, seat);
        args["cursor"] = more["cursor"].clone();
        last = lab.good("brief", args);
        for name in ["token", "sha256", "path", "role_marker"] {
            assert_eq!(last[name], first[name], "{name}");
        }
        let page = last["brief"].as_str().unwrap();
        let after = last.pointer("/more/remaining").and_then(Value::as_u64);
        assert_eq!(before, page.len() as u64 + after.unwrap_or(0));
        assert!(last.to_string().len() <= RESULT_BYTES);
        text.push_str(page);
    }
    (text, first)
}

#[test]
fn a_brief_is_given_out_in_pages_and_kept_in_a_file() {
    let lab = Lab::new();
    let id = lab.confirmed("full");
    for seat in SeatId::ALL {
        let (text, first) = whole(&lab, &id, seat.as_str());
        assert_eq!(first["role_marker"], seat.marker());
        assert_eq!(first["sha256"], Sha256::of(text.as_bytes()).as_str());
        assert!(text.contains(PAPER) && text.contains(&id));
        let path = first["path"].as_str().unwrap();
        assert_eq!(lab.store.get(path).unwrap(), text.as_bytes());
        let token = first["token"].as_str().unwrap();
        assert!(token.starts_with("seat-") && !text.contains(token));
        let state = lab.state(&id);
        assert_eq!(state.seat(*seat).unwrap().status, SeatStatus::Dispatched);
        assert!(state.seat(*seat).unwrap().dispatched_at.is_some());
        let added = &state.lyceum.seats[seat];
        assert_eq!(added.token_sha256, Some(Sha256::of(token.as_bytes())));
        let all = lab.store.paths();
        for name in all {
            let bytes = lab.store.get(&name).unwrap_or_default();
            let held = String::from_utf8_lossy(&bytes).contains(token);
            assert!(!held, "{name} holds the token");
        }
    }
}

#[test]
fn a_new_brief_replaces_the_token_of_a_seat_that_has_not_submitted() {
    let lab = Lab::new();
    let id = lab.confirmed("quick");
    let (_, first) = whole(&lab, &id, "eic");
    let (_, second) = whole(&lab, &id, "eic");
    assert_ne!(first["token"], second["token"]);
    assert_ne!(first["sha256"], second["sha256"]);
    let mut args = ask(&id, "eic");
    args["cursor"] = first["more"]["cursor"].clone();
    assert_eq!(lab.code("brief", args), "invalid_cursor");
    for wrong in ["", "x", "0.0.0", "99999999.", "1e9.a.b"] {
        let args = json!({"review_id": id, "seat_id": "eic", "cursor": wrong});
        assert_eq!(lab.code("brief", args), "invalid_cursor");
    }
    let cursor = second["more"]["cursor"].as_str().unwrap();
    let (_, rest) = cursor.split_once('.').unwrap();
    let args = json!({"review_id": id, "seat_id": "eic", "cursor": format!("999999999.{rest}")});
    assert_eq!(lab.code("brief", args), "invalid_cursor");
}

#[test]
fn what_a_brief_is_refused_for() {
    let lab = Lab::new();
    let id = lab.create("quick");
    assert_eq!(lab.code("brief", ask(&id, "eic")), "panel_not_confirmed");
    let id = lab.confirmed("quick");
    assert_eq!(lab.code("brief", ask(&id, "domain")), "unknown_seat");
    assert_eq!(lab.code("brief", ask(&id, "nobody")), "unknown_seat");
    assert_eq!(
        lab.code("brief", ask("rev-20260101-00000000", "eic")),
        "review_not_found"
    );
    let before = lab.store.paths().len();
    lab.write("paper.md", "# Another\n");
    assert_eq!(lab.code("brief", ask(&id, "eic")), "paper_changed");
    assert_eq!(lab.store.paths().len(), before, "nothing was written");
    lab.write("paper.md", PAPER);
    let report = json!({
        "findings": [], "verdict": "accept", "summary": "Nothing to object; methods and results were read.",
    });
    let brief = lab.good("brief", ask(&id, "eic"));
    lab.good(
        "submit",
        json!({"review_id": id, "seat_id": "eic", "report": report, "token": brief["token"]}),
    );
    assert!(lab.state(&id).lyceum.seats[&SeatId::Eic].token_used);
    assert_eq!(lab.code("brief", ask(&id, "eic")), "seat_already_submitted");
}

#[test]
fn nothing_a_peer_submitted_reaches_the_brief_of_the_next_seat() {
    let lab = Lab::new();
    let id = lab.confirmed("full");
    let mut canaries = Vec::new();
    for seat in SeatId::ALL {
        let (text, first) = whole(&lab, &id, seat.as_str());
        for canary in &canaries {
            assert!(!text.contains(canary), "{seat:?} sees {canary}");
        }
        let word = |name: &str| format!("canary-{}-{name}", seat.as_str());
        let mut findings = json!([{
            "severity": "critical", "title": word("title"), "detail": word("detail"),
            "evidence": [{"quote": "Recall improved by 12.5 percent", "location": word("location")}],
            "suggestion": word("suggestion"), "competence_basis": word("basis"), "confidence": 4,
        }]);
        let number = findings[0].as_object().unwrap().len();
        assert!(number > 5);
        findings[0]["id"] = json!(format!("{}-F1", seat.as_str()));
        let report = json!({
            "findings": findings, "verdict": "reject", "summary": word("summary"),
            "provenance": {"model": word("model"), "peer_output_visible": false, "context_fresh": true,
                           "human_operator": word("operator")},
        });
        lab.good(
            "submit",
            json!({"review_id": id, "seat_id": seat, "report": report, "token": first["token"]}),
        );
        canaries.push(format!("canary-{}", seat.as_str()));
    }
}

#[test]
fn a_large_paper_is_given_in_pieces_and_whole() {
    let mut lab = Lab::new();
    let mut text = String::from(PAPER);
    for part in 0..30 {
        text.push_str(&format!(
            "\n## Part {part}\n\n{}\n",
            "More words of it. ".repeat(30)
        ));
    }
    lab.write("paper.md", &text);
    lab.settings.review_bytes = 4_000;
    let id = lab.confirmed("quick");
    let (brief, _) = whole(&lab, &id, "eic");
    assert!(brief.contains("piece 2 of") && brief.contains("sections"));
    for part in 0..30 {
        assert!(brief.contains(&format!("\n## Part {part}\n")));
    }
}

#[test]
fn evidence_of_the_rules_is_in_the_brief_whatever_the_project_waives() {
    let lab = Lab::new();
    let text = format!(
        "{PAPER}\nWe saw t(20) = 1.00, p = 0.001 <!-- lyceum: allow stat-p-value because mine -->.\n"
    );
    lab.write("paper.md", &text);
    let id = lab.confirmed("full");
    let (brief, _) = whole(&lab, &id, "methodology");
    assert!(brief.contains("stat-p-value (error) at paper.md:"));
}

#[test]
fn a_confidential_paper_has_no_brief_for_a_foreign_host() {
    let mut lab = Lab::new();
    let id = lab.confirmed("quick");
    lab.settings.confidentiality = lyceum_core::base::Confidentiality::Referee;
    let error = dispatch(
        Registry::all(),
        &lab.world(),
        &Call::plain(&AGENT),
        "academic_review_brief",
        ask(&id, "eic"),
    )
    .unwrap_err();
    assert_eq!(error.code(), "confidential");
}
