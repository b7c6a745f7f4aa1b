//! The store in memory, effects on a second aggregate, and joins.

use lyceum_core::base::{Refusal, Timestamp};
use lyceum_core::store::journal::{Trouble, verify};
use lyceum_core::store::merge::{Fork, Replayed, join, merge_journals};
use lyceum_core::store::outbox::{deliver, deliver_all, letters};
use lyceum_core::store::{Condition, NewFile, Outbound};
use serde_json::{Value, json};

use super::*;

fn stamp() -> Stamp {
    Stamp {
        at: Timestamp::from_unix(0),
        actor: json!({"kind": "tool"}),
        cause: "test".to_owned(),
    }
}

fn code(failure: &Failure) -> &'static str {
    match failure {
        Failure::Refusal(refusal) => refusal.code,
        Failure::Fault(fault) => fault.code,
    }
}

#[test]
fn commits_are_chained_and_files_are_never_replaced() {
    let store = MemoryStore::new();
    let key = Area::REVIEWS.key("rev-1").unwrap();
    let write = |text: &str| {
        store.transact(&key, &stamp(), &mut |_| {
            let mut commit = commit_of(text.as_bytes(), "written");
            commit.files.push(NewFile {
                path: "a/b.md".into(),
                bytes: b"x".to_vec(),
            });
            Ok(commit)
        })
    };
    assert!(write("{}").unwrap().wrote);
    assert_eq!(write("{ }").unwrap().head.unwrap().seq, 2);
    store.put(".academic-review/rev-1/a/b.md", b"other");
    assert_eq!(code(&write("[]").unwrap_err()), "path_taken");
    assert_eq!(
        store.read(&key).unwrap().unwrap().condition,
        Condition::Sound
    );
    assert_eq!(store.ids(&Area::REVIEWS).unwrap(), ["rev-1"]);
    let same = store.transact(&key, &stamp(), &mut |now| {
        Ok(Commit {
            state: now.unwrap().to_vec(),
            ..Commit::default()
        })
    });
    assert!(!same.unwrap().wrote);
    leave(&store, &key, b"{\"edited\": 1}");
    assert_eq!(
        store.read(&key).unwrap().unwrap().condition,
        Condition::EditedOutside
    );
    assert_eq!(code(&write("{}").unwrap_err()), "path_taken");
    assert_eq!(store.get(&key.external(1)).unwrap(), b"{\"edited\": 1}");
    assert_eq!(
        store.read(&key).unwrap().unwrap().condition,
        Condition::Sound
    );
    store.purge(&key, &mut |_| Ok(())).unwrap();
    assert!(store.paths().is_empty());
}

/// A review that tells a tally a number.
fn tell(store: &MemoryStore, from: &Key, number: u64) {
    let done = store.transact(from, &stamp(), &mut |now| {
        let mut commit = commit_of(now.unwrap_or(b"{}"), "told");
        commit.outbox.push(Outbound {
            area: TALLY.name.to_owned(),
            id: "sum".to_owned(),
            event: Event::new("add", json!({"number": number})),
        });
        Ok(commit)
    });
    assert!(done.unwrap().wrote);
}

fn add(_: &Key, event: &Event, now: Option<&[u8]>) -> Result<Commit, Refusal> {
    let sum: u64 = now.map_or(0, |now| serde_json::from_slice(now).unwrap());
    let number = event.data["number"].as_u64().unwrap();
    if number == 13 {
        return Err(Refusal::new("unlucky", "no", "no"));
    }
    Ok(commit_of((sum + number).to_string().as_bytes(), "added"))
}

#[test]
fn an_effect_on_another_aggregate_comes_once_however_often_it_is_delivered() {
    let store = MemoryStore::new();
    let from = Area::REVIEWS.key("rev-1").unwrap();
    let areas = [Area::REVIEWS, TALLY];
    let sum = || {
        store
            .get(".lyceum/tally/sum.json")
            .map(|b| String::from_utf8(b).unwrap())
    };
    for number in [2, 13, 5] {
        tell(&store, &from, number);
    }
    assert_eq!(letters(&store.journal(&from).unwrap()).len(), 3);
    let post = deliver(&store, &from, &areas, &stamp(), &mut add).unwrap();
    assert_eq!((post.delivered, post.kept.len()), (2, 1));
    assert_eq!(code(&post.kept[0].1), "unlucky");
    assert_eq!(sum().as_deref(), Some("7"));
    for _ in 0..3 {
        let post = deliver(&store, &from, &areas, &stamp(), &mut add).unwrap();
        assert_eq!((post.delivered, post.kept.len()), (0, 1));
    }
    // As after a death between the commit and its delivery.
    tell(&store, &from, 4);
    let other = Area::REVIEWS.key("rev-2").unwrap();
    tell(&store, &other, 4);
    let post = deliver_all(&store, &Area::REVIEWS, &areas, &stamp(), &mut add).unwrap();
    assert_eq!(post.delivered, 2);
    assert_eq!(sum().as_deref(), Some("15"));
    // To a kind that this program does not know.
    let post = deliver_all(&store, &Area::REVIEWS, &[], &stamp(), &mut add).unwrap();
    assert_eq!((post.delivered, post.kept.len()), (0, 5));
}

/// State `[..]` of numbers, one added a commit.
fn push(store: &MemoryStore, key: &Key, number: u64) {
    let done = store.transact(key, &stamp(), &mut |now| {
        let mut list: Vec<u64> = now.map_or(Vec::new(), |now| serde_json::from_slice(now).unwrap());
        list.push(number);
        Ok(Commit {
            state: serde_json::to_vec(&list).unwrap(),
            events: vec![Event::new("pushed", json!({"number": number}))],
            ..Commit::default()
        })
    });
    assert!(done.unwrap().wrote);
}

fn replay(state: &[u8], line: &lyceum_core::store::journal::Line) -> Result<Replayed, Refusal> {
    let mut list: Vec<u64> = serde_json::from_slice(state).unwrap();
    let (mut events, mut renamed) = (Vec::new(), Vec::new());
    for event in line.events_of("pushed") {
        let mut number = event.data["number"].as_u64().unwrap();
        if number == 13 {
            return Err(Refusal::new("unlucky", "thirteen", "no"));
        }
        if list.contains(&number) {
            renamed.push((number.to_string(), (number + 100).to_string()));
            number += 100;
        }
        list.push(number);
        events.push(Event::new("pushed", json!({"number": number})));
    }
    Ok(Replayed {
        commit: Commit {
            state: serde_json::to_vec(&list).unwrap(),
            events,
            ..Commit::default()
        },
        renamed,
    })
}

#[test]
fn two_branches_are_joined_with_renamed_ids() {
    let key = Area::REVIEWS.key("rev-1").unwrap();
    let (ours, theirs) = (MemoryStore::new(), MemoryStore::new());
    push(&ours, &key, 1);
    for path in ours.paths() {
        theirs.put(&path, &ours.get(&path).unwrap());
    }
    let base = ours.journal(&key).unwrap();
    push(&ours, &key, 2);
    for number in [3, 13, 2] {
        push(&theirs, &key, number);
    }
    let (a, b) = (ours.journal(&key).unwrap(), theirs.journal(&key).unwrap());
    // A side that only went on is no fork.
    assert_eq!(merge_journals(&base, &a).unwrap(), a);
    assert_eq!(merge_journals(&a, &base).unwrap(), a);
    let merged = merge_journals(&a, &b).unwrap();
    assert!(matches!(
        verify(&merged).trouble,
        Some(Trouble::Forked { after: 1, .. })
    ));
    ours.put(&key.journal(), &merged);
    assert_eq!(
        ours.read(&key).unwrap().unwrap().condition,
        Condition::Forked
    );
    let refused = ours.transact(&key, &stamp(), &mut |_| Ok(commit_of(b"[]", "x")));
    assert_eq!(code(&refused.unwrap_err()), "journal_forked");
    let mut shape = (0, 0);
    let done = ours.join(&key, &stamp(), &mut |state: &[u8], fork: &Fork| {
        shape = (fork.ours.len(), fork.theirs.len());
        Ok(join(state, fork, &mut replay))
    });
    assert_eq!(done.unwrap().bytes, b"[1,2,3,102]");
    assert_eq!(shape, (1, 3));
    let last = verify(&ours.journal(&key).unwrap());
    assert_eq!((last.trouble, last.lines), (None, 6));
    let joined = &last.last.unwrap().events[0];
    assert_eq!(joined.kind, "joined");
    assert_eq!(joined.data["renamed"], json!({"2": "102"}));
    assert_eq!(joined.data["replayed"].as_array().map(Vec::len), Some(2));
    assert_eq!(joined.data["left_out"][0]["code"], Value::from("unlucky"));
    assert_eq!(
        ours.read(&key).unwrap().unwrap().condition,
        Condition::Sound
    );
    push(&ours, &key, 9);
    let again = ours.join(&key, &stamp(), &mut |_, _| Ok(Commit::default()));
    assert!(!again.unwrap().wrote);
    // The other side joins what we joined: it only goes on.
    assert_eq!(
        merge_journals(&b, &ours.journal(&key).unwrap()).unwrap(),
        ours.journal(&key).unwrap()
    );
}

#[test]
fn a_damaged_side_is_no_merge_and_a_state_of_neither_branch_no_join() {
    let key = Area::REVIEWS.key("rev-1").unwrap();
    let (ours, theirs) = (MemoryStore::new(), MemoryStore::new());
    push(&ours, &key, 1);
    push(&theirs, &key, 2);
    let (a, b) = (ours.journal(&key).unwrap(), theirs.journal(&key).unwrap());
    assert!(merge_journals(&a, &b[..b.len() - 1]).is_err());
    assert!(merge_journals(&a, b"<<<<<<< ours\n").is_err());
    let merged = merge_journals(&a, &b).unwrap();
    assert!(matches!(
        verify(&merged).trouble,
        Some(Trouble::Forked { after: 0, .. })
    ));
    ours.put(&key.journal(), &merged);
    ours.put(&key.state(), b"<<<<<<< ours");
    let refused = ours.join(&key, &stamp(), &mut |_, _| Ok(Commit::default()));
    assert_eq!(code(&refused.unwrap_err()), "journal_damaged");
    ours.put(&key.state(), b"[2]");
    let done = ours.join(&key, &stamp(), &mut |state: &[u8], fork: &Fork| {
        assert_eq!(fork.common, None);
        Ok(join(state, fork, &mut replay))
    });
    assert_eq!(done.unwrap().bytes, b"[2,1]");
}

#[test]
fn an_audit_names_what_is_not_as_it_was_written() {
    use lyceum_core::store::anchor::Anchor;
    use lyceum_core::store::audit::audit;
    let store = MemoryStore::new();
    let key = |id: &str| Area::REVIEWS.key(id).unwrap();
    let codes = |anchors: &[Anchor]| -> Vec<&'static str> {
        let found = audit(&store, &Area::ALL, anchors).unwrap();
        found.problems.iter().map(|problem| problem.code).collect()
    };
    for id in ["a", "b", "c"] {
        let done = store.transact(&key(id), &stamp(), &mut |_| {
            let mut commit = commit_of(format!("[\"{id}\"]").as_bytes(), "made");
            let (path, bytes) = ("note.md".to_owned(), b"note".to_vec());
            commit.files.push(NewFile { path, bytes });
            Ok(commit)
        });
        assert!(done.unwrap().wrote);
    }
    let sound = audit(&store, &Area::ALL, &[]).unwrap();
    assert_eq!(
        (sound.journals, sound.lines, sound.problems.len()),
        (3, 3, 0)
    );
    let mut anchors = sound.heads;
    assert!(codes(&anchors).is_empty());
    store.put(&key("a").state(), b"[]");
    store.put(".academic-review/b/note.md", b"changed");
    store.remove(".academic-review/c/note.md");
    assert_eq!(codes(&[]), ["state_edited", "file_changed", "file_gone"]);
    push(&store, &key("a"), 1);
    assert_eq!(codes(&[])[0], "edit_undecided");
    store.remove(&key("a").external(1));
    assert_eq!(codes(&[]), ["file_changed", "file_gone"]);
    let mut bytes = store.journal(&key("b")).unwrap();
    bytes[20] ^= 1;
    store.put(&key("b").journal(), &bytes);
    let found = audit(&store, &Area::ALL, &[]).unwrap().problems;
    assert_eq!((found[0].code, found[0].line), ("journal_damaged", Some(1)));
    store.purge(&key("b"), &mut |_| Ok(())).unwrap();
    store.purge(&key("c"), &mut |_| Ok(())).unwrap();
    push(&store, &key("c"), 1);
    anchors[0].seq = 9;
    anchors[0].hash = Sha256::of(b"later");
    assert_eq!(
        codes(&anchors),
        ["anchor_behind", "anchor_missing", "anchor_rewritten"]
    );
}

#[test]
fn a_journal_that_was_taken_away_is_told() {
    use lyceum_core::store::audit::audit;
    let codes = |store: &MemoryStore| -> (Vec<&str>, Vec<&str>) {
        let found = audit(store, &Area::ALL, &[]).unwrap();
        let all = |list: &[lyceum_core::store::audit::StateProblem]| {
            list.iter().map(|one| one.code).collect()
        };
        (all(&found.problems), all(&found.notes))
    };
    let key = Area::REVIEWS.key("rev-20261201-00000001").unwrap();
    let put = |state: &str| {
        let store = MemoryStore::new();
        store.put(&key.state(), state.as_bytes());
        store
    };
    // In the shape of another program nothing is wrong.
    let theirs = put("{\"schema_version\": \"1\"}");
    assert_eq!(codes(&theirs), (vec![], vec!["unjournaled"]));
    for ours in [
        "{\"lyceum\": {}}",
        "{\"lyceum\": {\"attestations\": [{\"journal_head\": \"x\"}]}}",
    ] {
        assert_eq!(
            codes(&put(ours)),
            (vec!["journal_missing"], vec![]),
            "{ours}"
        );
    }
    let kept = put("{}");
    kept.put(&key.external(1), b"{}");
    assert_eq!(codes(&kept), (vec!["journal_missing"], vec![]));
    let back = put("{}");
    let receipt = lyceum_core::store::Receipt {
        kind: "review".to_owned(),
        id: key.id().to_owned(),
        purged_at: Timestamp::from_unix(0),
        state_sha256: Sha256::of(b"{}"),
        journal_head: Some(Sha256::of(b"head")),
        about: Vec::new(),
        rest: serde_json::Map::new(),
    };
    let receipts = Area::RECEIPTS.key(lyceum_core::store::RECEIPTS).unwrap();
    back.transact(&receipts, &stamp(), &mut |present| {
        lyceum_core::store::receipt(present, &receipt)
    })
    .unwrap();
    assert_eq!(codes(&back), (vec!["journal_missing"], vec![]));
    // Nobody else writes jobs, requests and receipts.
    for other in [
        Area::JOBS.key("journal_verify-0-1").unwrap(),
        Area::REQUESTS.key("req-1").unwrap(),
        receipts,
    ] {
        let store = MemoryStore::new();
        store.put(&other.state(), b"{}");
        assert_eq!(codes(&store), (vec!["journal_missing"], vec![]));
    }
}
