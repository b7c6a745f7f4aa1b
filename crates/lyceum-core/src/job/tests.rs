//! Decisions on jobs: who may have one, what is paid, how it ends.

use serde_json::{Value, json};

use super::*;
use crate::base::Timestamp;

const T0: i64 = 1_796_040_000;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_unix(T0 + seconds)
}

fn money(text: &str) -> Amount {
    text.parse().unwrap()
}

fn queued(cap: Option<&str>) -> State {
    let plan = json!({"of": 3});
    let start = Start {
        operation: "fake",
        plan: &plan,
        cap: cap.map(money),
    };
    super::start(None, "fake-1", &start, at(0)).state
}

fn claimant(worker: &str, pid: u32) -> Claimant {
    Claimant {
        worker: worker.to_owned(),
        process: Process {
            pid,
            started: Some("77".to_owned()),
            place: "here".to_owned(),
        },
    }
}

fn running(cap: Option<&str>) -> State {
    claim(&queued(cap), &claimant("a", 1), |_| Life::Gone, at(0))
        .unwrap()
        .state
}

fn kind(change: &Change) -> &str {
    change
        .events
        .first()
        .map_or("", |event| event.kind.as_str())
}

#[test]
fn the_same_content_is_the_same_job() {
    let id = |plan: Value| super::id("fake", &plan, 1);
    assert_eq!(
        id(json!({"a": 1, "b": {"c": 2, "d": 3}})),
        id(json!({"b": {"d": 3, "c": 2}, "a": 1}))
    );
    assert_ne!(id(json!({"a": 1})), id(json!({"a": 2})));
    assert_ne!(id(json!({})), super::id("other", &json!({}), 1));
    assert_eq!(
        super::id("fake", &json!({}), 2),
        format!("{}-2", id(json!({})))
    );
    assert!(super::key(&id(json!({}))).is_ok());
}

#[test]
fn starting_what_is_started_changes_nothing() {
    let state = queued(None);
    let plan = state.plan.clone();
    let start = Start {
        operation: "fake",
        plan: &plan,
        cap: None,
    };
    for present in [&state, &running(None)] {
        let again = super::start(Some(present), "fake-1", &start, at(9));
        assert_eq!((&again.state, again.events.len()), (present, 0));
    }
}

#[test]
fn what_failed_goes_on_where_it_stood_with_the_new_cap() {
    let mut state = running(Some("1"));
    state = done(
        &state,
        "a",
        ("one", &json!(1)),
        money("0.6"),
        json!(1),
        at(1),
    )
    .unwrap()
    .state;
    let refusal = begin(&state, "a", 1, money("0.6"), at(2)).unwrap_err();
    assert_eq!(refusal.code, "spend_cap");
    let trouble = Trouble {
        code: "spend_cap".into(),
        message: refusal.message,
        hint: refusal.hint,
    };
    state = fail(&state, "a", trouble, at(3)).unwrap().state;
    assert_eq!((state.status, state.lease.clone()), (Status::Failed, None));
    let plan = state.plan.clone();
    let start = Start {
        operation: "fake",
        plan: &plan,
        cap: Some(money("2")),
    };
    let change = super::start(Some(&state), "fake-1", &start, at(4));
    assert_eq!(kind(&change), "job_queued_again");
    let state = claim(&change.state, &claimant("b", 2), |_| Life::Gone, at(5))
        .unwrap()
        .state;
    assert_eq!((state.steps.done, state.error.clone()), (1, None));
    assert!(begin(&state, "b", 1, money("0.6"), at(6)).is_ok());
}

#[test]
fn a_lease_holds_as_long_as_its_process_and_its_heartbeat() {
    let lease = running(None).lease.unwrap();
    let table = [
        (Life::Running, 0, false),
        (Life::Running, EXPIRY_SECONDS, false),
        (Life::Running, EXPIRY_SECONDS + 1, true),
        // The clock went backwards.
        (Life::Running, -100_000, false),
        (Life::Gone, 0, true),
        (Life::Gone, -100_000, true),
        (Life::Unknown, EXPIRY_SECONDS, false),
        (Life::Unknown, EXPIRY_SECONDS + 1, true),
        (Life::Unknown, -EXPIRY_SECONDS - 1, true),
    ];
    for (life, seconds, expired) in table {
        assert_eq!(
            lease.expired(life, at(seconds)),
            expired,
            "{life:?} {seconds}"
        );
    }
}

#[test]
fn only_one_worker_has_a_job() {
    let state = running(None);
    let second = claim(&state, &claimant("b", 2), |_| Life::Running, at(5));
    assert_eq!(second.unwrap_err().code, "job_taken");
    let adopted = claim(&state, &claimant("b", 2), |_| Life::Gone, at(5)).unwrap();
    assert_eq!(kind(&adopted), "job_adopted");
    assert_eq!(adopted.events[0].data["from"], "a");
    let state = adopted.state;
    for lost in [
        beat(&state, "a", at(6)),
        super::plan(&state, "a", &[], at(6)),
        begin(&state, "a", 0, Amount::ZERO, at(6)),
        done(&state, "a", ("x", &json!(1)), Amount::ZERO, json!(1), at(6)),
        finish(&state, "a", json!({}), at(6)),
        stop(&state, "a", at(6)),
    ] {
        assert_eq!(lost.unwrap_err().code, "lease_lost");
    }
    assert!(beat(&state, "b", at(6)).is_ok());
}

#[test]
fn a_step_that_may_have_paid_keeps_its_key_and_pays_whatever_the_cap_says() {
    let mut state = running(Some("1"));
    state = begin(&state, "a", 0, money("1"), at(1)).unwrap().state;
    let key = state.steps.open.clone().unwrap().key;
    state = claim(&state, &claimant("b", 2), |_| Life::Gone, at(2))
        .unwrap()
        .state;
    state.spend.cap = Some(money("0.5"));
    let again = begin(&state, "b", 0, money("1"), at(3)).unwrap();
    assert!(again.events.is_empty());
    assert_eq!(again.state.steps.open.unwrap().key, key);
    let state = done(
        &state,
        "b",
        ("one", &json!(1)),
        money("0.9"),
        json!(1),
        at(4),
    )
    .unwrap()
    .state;
    assert_eq!(state.spend.spent, money("0.9"));
    assert_eq!((state.steps.done, state.steps.open), (1, None));
}

#[test]
fn work_without_a_cap_does_not_pay() {
    let refusal = begin(&running(None), "a", 0, money("0.01"), at(1)).unwrap_err();
    assert_eq!(refusal.code, "spend_cap");
    assert!(begin(&running(None), "a", 0, Amount::ZERO, at(1)).is_ok());
}

#[test]
fn workers_that_keep_dying_end_the_job() {
    let mut state = queued(None);
    for n in 0..TRIES {
        let who = claimant(&format!("w{n}"), n);
        state = claim(&state, &who, |_| Life::Gone, at(i64::from(n)))
            .unwrap()
            .state;
        assert_eq!(state.status, Status::Running);
    }
    let last = claim(&state, &claimant("z", 9), |_| Life::Gone, at(99)).unwrap();
    assert_eq!(last.state.status, Status::Failed);
    assert_eq!(last.state.error.unwrap().code, "worker_lost");
    let going = done(
        &state,
        "w4",
        ("x", &json!(1)),
        Amount::ZERO,
        json!(1),
        at(9),
    )
    .unwrap();
    assert_eq!(going.state.tries, 0);
}

#[test]
fn a_worker_is_asked_for_once() {
    let state = queued(None);
    let asked = ask(&state, |_| Life::Gone, at(0));
    assert_eq!(kind(&asked), "worker_asked");
    assert!(ask(&asked.state, |_| Life::Gone, at(3)).events.is_empty());
    // It never came, or the clock was set back.
    assert!(!ask(&asked.state, |_| Life::Gone, at(30)).events.is_empty());
    assert!(!ask(&asked.state, |_| Life::Gone, at(-30)).events.is_empty());
    let claimed = claim(&asked.state, &claimant("a", 1), |_| Life::Gone, at(1)).unwrap();
    assert!(needs_worker(&claimed.state, |_| Life::Gone, at(1)));
    assert!(!needs_worker(&claimed.state, |_| Life::Running, at(1)));
}

#[test]
fn cancelling_ends_what_nobody_works_on_and_asks_who_does() {
    let change = cancel(&queued(None), |_| Life::Running, at(1));
    assert_eq!(change.state.status, Status::Cancelled);
    let change = cancel(&running(None), |_| Life::Running, at(1));
    assert_eq!(change.state.status, Status::Running);
    assert!(change.state.cancel_requested);
    assert!(
        cancel(&change.state, |_| Life::Running, at(2))
            .events
            .is_empty()
    );
    let ended = stop(&change.state, "a", at(3)).unwrap().state;
    assert_eq!(ended.status, Status::Cancelled);
    assert!(cancel(&ended, |_| Life::Running, at(4)).events.is_empty());
    let dead = cancel(&running(None), |_| Life::Gone, at(1));
    assert_eq!(dead.state.status, Status::Cancelled);
}

#[test]
fn a_clock_that_goes_back_never_tells_an_earlier_change() {
    let state = running(None);
    let later = beat(&state, "a", at(50)).unwrap().state;
    let back = beat(&later, "a", at(-3_600)).unwrap().state;
    assert_eq!(back.updated_at, at(50));
    assert_eq!(back.lease.unwrap().heartbeat, at(-3_600));
}

#[test]
fn the_file_keeps_what_it_does_not_know() {
    let mut value: Value = serde_json::from_slice(&running(Some("1.50")).bytes()).unwrap();
    for at in ["", "/spend", "/steps", "/lease"] {
        value.pointer_mut(at).unwrap()["x_new"] = json!({"deep": [1]});
    }
    let bytes = serde_json::to_vec(&value).unwrap();
    let state = State::parse(&bytes, "job.json").unwrap();
    let back: Value = serde_json::from_slice(&state.bytes()).unwrap();
    assert_eq!(back, value);
    let text = String::from_utf8(state.bytes()).unwrap();
    assert!(text.starts_with("{\n  \"schema_version\": \"1\",\n") && text.ends_with("}\n"));
}

#[test]
fn newer_or_broken_files_are_named() {
    let code = |bytes: &[u8]| State::parse(bytes, "job.json").unwrap_err().code;
    assert_eq!(code(b"{\"schema_version\": \"2\"}"), "state_newer");
    for broken in [&b""[..], b"{", b"[]", b"{}", b"{\"schema_version\": \"1\"}"] {
        assert_eq!(code(broken), "state_unreadable");
    }
}

#[test]
fn pages_lead_on_and_end() {
    let items: Vec<Value> = (0..300)
        .map(|n| json!({"n": n, "pad": "x".repeat(90)}))
        .collect();
    let (mut seen, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let page = page(json!({}), "items", items.clone(), cursor.as_deref()).unwrap();
        assert!(page.to_string().len() < 8_000);
        seen.extend(page["items"].as_array().unwrap().clone());
        match page.get("more") {
            None => break,
            Some(more) => {
                assert_eq!(more["remaining"], 300 - seen.len());
                cursor = Some(more["cursor"].as_str().unwrap().to_owned());
            }
        }
    }
    assert_eq!(seen, items);
    for wrong in ["", "-", "5", "5-xx", "变-量", "999999-0"] {
        let error = page(json!({}), "items", items.clone(), Some(wrong)).unwrap_err();
        assert_eq!(error.code, "invalid_cursor");
    }
}
