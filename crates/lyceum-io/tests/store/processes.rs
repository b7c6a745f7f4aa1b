//! Processes that race for one aggregate, and processes that are killed.

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{env, fs, thread};

use lyceum_core::store::{Commit, Condition, Event, Store as _};
use lyceum_io::store::RealOps;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::child::{endless, note, spawn, told};
use crate::model::Dice;
use crate::scenario::{Kind, chain, open, stamp};

#[test]
fn eight_processes_on_one_aggregate_lose_nothing() {
    const TIMES: usize = 25;
    let dir = TempDir::new().unwrap();
    let task = |name: usize| json!({"do": "add", "root": dir.path(), "times": TIMES, "name": format!("p{name}")});
    let mut children: Vec<_> = (0..8).map(|name| spawn(&task(name))).collect();
    let mut waited = 0;
    for child in &mut children {
        waited += told(child, "waited")
            .map(|n| n.parse::<usize>().unwrap())
            .sum::<usize>();
        assert!(child.wait().unwrap().success());
    }
    let store = open(dir.path(), RealOps);
    let stored = store.read(&Kind::Review.key()).unwrap().unwrap();
    assert_eq!(stored.condition, Condition::Sound);
    let state: Value = serde_json::from_slice(&stored.bytes).unwrap();
    assert_eq!(state["count"], json!(8 * TIMES));
    let lines = chain(&store.journal(&Kind::Review.key()).unwrap()).unwrap();
    assert_eq!(lines.len(), 8 * TIMES);
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for line in &lines {
        let event = &line["events"][0];
        let next = times
            .entry(event["name"].as_str().unwrap().to_owned())
            .or_default();
        assert_eq!(
            event["time"],
            json!(*next),
            "each process's commits in its order"
        );
        *next += 1;
    }
    assert!(
        times.len() == 8 && times.values().all(|n| *n == TIMES),
        "{times:?}"
    );
    println!(
        "8 processes, {} commits, told to wait {waited} times",
        lines.len()
    );
}

#[test]
fn readers_without_a_lock_see_whole_commits_while_one_writes() {
    const TIMES: u64 = 150;
    let dir = TempDir::new().unwrap();
    let key = Kind::Review.key();
    let over = AtomicBool::new(false);
    let read = || {
        let store = open(dir.path(), RealOps);
        let (mut last, mut reads, mut steps) = (0, 0_usize, 0_usize);
        while !over.load(Ordering::Acquire) {
            let Some(stored) = store.read(&key).unwrap() else {
                continue;
            };
            let held = stored.head.unwrap().seq;
            assert!(
                matches!(
                    stored.condition,
                    Condition::Sound | Condition::Unfinished | Condition::TornTail
                ),
                "commit {held} is read as {:?}",
                stored.condition
            );
            assert_eq!(stored.bytes, endless(held), "commit {held}");
            assert!(held >= last, "{held} after {last}");
            if let Some(file) = note(held) {
                let found = store.artifact(&key, &file.path, 1 << 20).unwrap();
                assert_eq!(found, Some(file.bytes), "the file of commit {held}");
            }
            reads += 1;
            steps += usize::from(held > last);
            last = held;
        }
        (reads, steps)
    };
    let counts: Vec<(usize, usize)> = thread::scope(|scope| {
        let readers: Vec<_> = (0..3).map(|_| scope.spawn(read)).collect();
        let store = open(dir.path(), RealOps);
        let outcome = (1..=TIMES).try_for_each(|n| {
            let commit = Commit {
                state: endless(n),
                events: vec![Event::new("counted", json!({"n": n}))],
                files: note(n).into_iter().collect(),
                ..Commit::default()
            };
            store
                .transact(&key, &stamp(0), &mut |_| Ok(commit.clone()))
                .map(|_| ())
        });
        over.store(true, Ordering::Release);
        outcome.unwrap();
        readers
            .into_iter()
            .map(|reader| reader.join().unwrap())
            .collect()
    });
    println!("{TIMES} commits; reads, and commits seen, of each reader: {counts:?}");
    assert!(counts.iter().all(|(_, steps)| *steps > 5), "{counts:?}");
}

/// What is there after a process died: everything that was there or that it acknowledged up to `sure`, and at most one
/// commit more. Other programs find at least what was `acked`, by whichever process, in the state file.
fn survey(root: &Path, acked: u64, sure: u64, first: u64) -> u64 {
    let store = open(root, RealOps);
    let key = Kind::Review.key();
    let stored = store.read(&key).unwrap();
    let held = stored
        .as_ref()
        .and_then(|s| s.head.as_ref())
        .map_or(0, |head| head.seq);
    assert!(
        (sure..=sure + 1).contains(&held),
        "commit {sure} was the last, {held} holds"
    );
    if let Some(stored) = stored {
        assert!(
            matches!(
                stored.condition,
                Condition::Sound | Condition::Unfinished | Condition::TornTail
            ),
            "{:?}",
            stored.condition
        );
        assert_eq!(stored.bytes, endless(held));
    }
    if acked > 0 {
        let raw = fs::read(root.join(key.state())).unwrap();
        assert!(
            (acked..=held).any(|n| raw == endless(n)),
            "the state file is that of none of the commits {acked} to {held}"
        );
    }
    for n in first..=held + 1 {
        let Some(file) = note(n) else { continue };
        let found = store.artifact(&key, &file.path, 1 << 20).unwrap();
        assert_eq!(
            found,
            (n <= held).then_some(file.bytes),
            "{} while {held} holds",
            file.path
        );
    }
    held
}

#[test]
fn a_process_killed_at_a_random_point_loses_nothing_acknowledged() {
    let rounds: usize = env::var("LYCEUM_KILLS").map_or(50, |n| n.parse().unwrap());
    let dir = TempDir::new().unwrap();
    let mut dice = Dice::new(2026);
    let (mut held, mut acked) = (0, 0);
    let (mut all, mut between, mut inside, mut unfinished) = (0, 0, 0, 0);
    for _ in 0..rounds {
        // Half of them end themselves in the middle of an operation, half are killed from outside when they have told
        // a few numbers, wherever they are then.
        let itself = dice.below(2) == 0;
        let die_at = if itself {
            dice.below(150)
        } else {
            usize::MAX >> 12
        };
        let after = if itself { usize::MAX } else { dice.below(8) };
        let mut child = spawn(&json!({"do": "commit", "root": dir.path(), "die_at": die_at}));
        let mut acks = told(&mut child, "ack");
        let mut last = None;
        let mut read = |acks: &mut dyn Iterator<Item = String>| {
            let Some(n) = acks.next() else { return false };
            last = Some(n.parse::<u64>().unwrap());
            all += 1;
            true
        };
        let mut told = 0;
        while told <= after && read(&mut acks) {
            told += 1;
        }
        child.kill().unwrap();
        // What was told before the end counts.
        while read(&mut acks) {}
        let signal = child.wait().unwrap().signal();
        match signal {
            Some(6) => inside += 1,
            Some(9) => between += 1,
            other => panic!("ended by {other:?}"),
        }
        acked = last.unwrap_or(acked);
        let sure = held.max(acked);
        let now = survey(dir.path(), acked, sure, held + 1);
        unfinished += usize::from(now > sure);
        held = now;
    }
    let store = open(dir.path(), RealOps);
    let lines = chain(&store.journal(&Kind::Review.key()).unwrap());
    // The last process may have left half a line.
    let lines = lines.map_or(held, |lines| lines.len() as u64);
    assert_eq!(lines, held);
    assert!(
        inside > 0 && between > 0,
        "{inside} died in an operation, {between} were killed"
    );
    println!(
        "{rounds} processes ended ({inside} inside an operation, {between} killed from outside), {all} commits \
         acknowledged, {held} hold, {unfinished} held without having been told, 0 lost"
    );
}
