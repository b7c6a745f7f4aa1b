//! The host's question to its user, in both eras: accepted, declined, cancelled, and everything that is no answer.

use serde_json::{Value, json};

use crate::approve::{confirm, state, waiting};
use crate::program::{Place, Server};

fn place(require: &str) -> (Place, String) {
    let place = Place::with_paper();
    place.configure_user(&format!("checkpoints.require = \"{require}\"\n"));
    let id = waiting(&place);
    (place, id)
}

fn legacy(place: &Place, capabilities: &Value) -> Server {
    Server::initialized_with(place, &[], "2025-06-18", "test", capabilities)
}

fn status(place: &Place, id: &str) -> String {
    state(place, id)["status"].as_str().unwrap().to_owned()
}

fn code(answer: &Value) -> &str {
    let error = &answer["result"]["structuredContent"]["error"];
    error["code"].as_str().unwrap_or_else(|| panic!("{answer}"))
}

const CALL: &str = "tools/call";

fn params(arguments: &Value) -> Value {
    json!({"name": "academic_review_confirm", "arguments": arguments})
}

#[test]
fn an_older_client_is_asked_while_the_call_waits() {
    for (result, outcome, then) in [
        (
            json!({"action": "accept", "content": {"approve": true, "words": "fine"}}),
            None,
            "in_review",
        ),
        (
            json!({"action": "accept", "content": {"approve": false}}),
            Some("approval_declined"),
            "awaiting_panel_confirmation",
        ),
        (
            json!({"action": "accept", "content": {}}),
            Some("approval_required"),
            "awaiting_panel_confirmation",
        ),
        (
            json!({"action": "decline"}),
            Some("approval_declined"),
            "awaiting_panel_confirmation",
        ),
        (
            json!({"action": "cancel"}),
            Some("approval_required"),
            "awaiting_panel_confirmation",
        ),
    ] {
        let (place, id) = place("host_relayed");
        let mut server = legacy(&place, &json!({"elicitation": {}}));
        let call = server.request(CALL, params(&confirm(&id)));
        let question = server.asked();
        assert_eq!(question["method"], "elicitation/create");
        let message = question["params"]["message"].as_str().unwrap();
        assert!(
            message.contains(&id) && message.contains("SHA-256"),
            "{message}"
        );
        server.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": result}));
        let answer = server.answer(call);
        match outcome {
            Some(expected) => assert_eq!(code(&answer), expected),
            None => assert_eq!(answer["result"]["isError"], false, "{answer}"),
        }
        assert_eq!(status(&place, &id), then);
        if outcome.is_none() {
            let made = &state(&place, &id)["lyceum"]["attestations"][0];
            assert_eq!(made["strength"], "host_relayed");
            assert_eq!(made["channel"], "elicitation");
            assert_eq!(
                (&made["who"], &made["words"]),
                (&json!("test"), &json!("fine"))
            );
        }
    }
}

#[test]
fn nobody_is_asked_where_the_answer_would_not_count_or_the_client_cannot() {
    let able = json!({"elicitation": {}});
    for (require, capabilities) in [
        ("local", &able),
        ("signed", &able),
        ("host_relayed", &json!({})),
        ("host_relayed", &json!({"elicitation": {"url": {}}})),
    ] {
        let (place, id) = place(require);
        let mut server = legacy(&place, capabilities);
        let answer = server.ask(CALL, params(&confirm(&id)));
        assert_eq!(code(&answer), "approval_required");
        assert_eq!(server.notes, Vec::<Value>::new());
        let mut server = Server::stateless(&place, &[], "test");
        if require != "host_relayed" {
            server = server.can_elicit();
        }
        let answer = server.ask(CALL, params(&confirm(&id)));
        assert_eq!(code(&answer), "approval_required");
        assert_eq!(status(&place, &id), "awaiting_panel_confirmation");
    }
}

/// Calls and is asked: the handle.
fn handle(server: &mut Server, id: &str) -> String {
    let answer = server.ask(CALL, params(&confirm(id)));
    let result = &answer["result"];
    assert_eq!(result["resultType"], "input_required", "{answer}");
    let question = &result["inputRequests"]["approval"];
    assert_eq!(question["method"], "elicitation/create");
    assert!(question["params"]["message"].as_str().unwrap().contains(id));
    result["requestState"].as_str().unwrap().to_owned()
}

fn answers(server: &mut Server, arguments: &Value, handle: &str, result: &Value) -> Value {
    let mut params = params(arguments);
    params["requestState"] = json!(handle);
    params["inputResponses"] = json!({ "approval": result });
    server.ask(CALL, params)
}

fn yes() -> Value {
    json!({"action": "accept", "content": {"approve": true}})
}

#[test]
fn a_stateless_client_answers_by_calling_again() {
    for (result, outcome) in [
        (yes(), None),
        (json!({"action": "decline"}), Some("approval_declined")),
        (json!({"action": "cancel"}), Some("approval_required")),
        (Value::Null, Some("approval_required")),
    ] {
        let (place, id) = place("host_relayed");
        let mut server = Server::stateless(&place, &[], "test").can_elicit();
        let handle = handle(&mut server, &id);
        // Another process may take the answer.
        let mut server = Server::stateless(&place, &[], "test").can_elicit();
        let answer = answers(&mut server, &confirm(&id), &handle, &result);
        match outcome {
            Some(expected) => assert_eq!(code(&answer), expected, "{answer}"),
            None => assert_eq!(answer["result"]["isError"], false, "{answer}"),
        }
        let expected = if outcome.is_none() {
            "in_review"
        } else {
            "awaiting_panel_confirmation"
        };
        assert_eq!(status(&place, &id), expected);
    }
}

#[test]
fn a_handle_is_good_once_for_one_question_and_unaltered() {
    let (place, id) = place("host_relayed");
    let mut server = Server::stateless(&place, &[], "test").can_elicit();
    let good = handle(&mut server, &id);
    let mut edited = confirm(&id);
    edited["configuration_cards"] = json!([{
        "seat": "eic", "identity": "Another", "expertise": "Fit", "focus": "Scope",
    }]);
    let flipped = |at: usize| {
        let mut bytes = good.clone().into_bytes();
        bytes[at] = if bytes[at] == b'0' { b'1' } else { b'0' };
        String::from_utf8(bytes).unwrap()
    };
    for bad in [
        flipped(30),
        flipped(good.len() - 1),
        "lyh1.00.00".to_owned(),
    ] {
        let answer = answers(&mut server, &confirm(&id), &bad, &yes());
        assert_eq!(code(&answer), "handle_invalid");
    }
    let answer = answers(&mut server, &edited, &good, &yes());
    assert_eq!(code(&answer), "handle_invalid", "changed arguments");
    let mut without = params(&confirm(&id));
    without["inputResponses"] = json!({ "approval": yes() });
    assert_eq!(code(&server.ask(CALL, without)), "handle_invalid");
    // A cancelled question is over: its handle cannot be answered again.
    let answer = answers(
        &mut server,
        &confirm(&id),
        &good,
        &json!({"action": "cancel"}),
    );
    assert_eq!(code(&answer), "approval_required");
    let answer = answers(&mut server, &confirm(&id), &good, &yes());
    assert_eq!(code(&answer), "handle_invalid", "replayed");
    assert_eq!(status(&place, &id), "awaiting_panel_confirmation");

    // What was shown is not what would be shown now: nothing is taken for granted.
    let next = handle(&mut server, &id);
    place.write("paper.tex", "Another text altogether.\n");
    let answer = answers(&mut server, &confirm(&id), &next, &yes());
    assert_eq!(code(&answer), "paper_changed");
    assert_eq!(status(&place, &id), "awaiting_panel_confirmation");

    // An older client has no handles.
    let mut server = legacy(&place, &json!({"elicitation": {}}));
    let answer = answers(&mut server, &confirm(&id), &next, &yes());
    assert_eq!(code(&answer), "handle_invalid");
}

#[test]
fn the_key_of_handles_is_the_users_alone() {
    use std::os::unix::fs::PermissionsExt;
    let (place, id) = place("host_relayed");
    let key = place.home().join(".local/state/lyceum/handle.key");
    let mut server = Server::stateless(&place, &[], "test").can_elicit();
    assert!(!key.exists());
    handle(&mut server, &id);
    let mode = std::fs::metadata(&key).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    // With another key, no handle of before is good.
    let old = handle(&mut server, &id);
    std::fs::write(&key, [7; 32]).unwrap();
    let answer = answers(&mut server, &confirm(&id), &old, &yes());
    assert_eq!(code(&answer), "handle_invalid");
}
