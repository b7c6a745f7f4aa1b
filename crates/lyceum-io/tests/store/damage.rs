//! Files that somebody or something else has changed: each is noticed, and nothing is overwritten unseen.

use std::collections::BTreeMap;
use std::fs;

use lyceum_core::base::{Failure, Refusal, Timestamp};
use lyceum_core::store::{Commit, Condition, Event, Stamp, Store as _, Stored, journal};
use serde_json::json;
use tempfile::TempDir;

use crate::model::Tree;
use crate::scenario::{COMMITS, Ended, Judge, Kind, chain, open, put, run, scratch, stamp, state};
use crate::traced::{Traced, lay, tree};

/// An aggregate after all commits, and what lies on disk then.
struct Place {
    _dir: TempDir,
    judge: Judge,
    good: Tree,
}

impl Place {
    fn new() -> Self {
        let dir = scratch();
        let judge = Judge {
            root: dir.path().join("root"),
            key: Kind::Review.key(),
        };
        lay(&judge.root, &Tree::new());
        let traced = Traced::new(&judge.root);
        let ended = run(&open(&judge.root, traced.clone()), &traced, &judge.key);
        assert!(matches!(ended, Ended::Whole));
        let good = tree(&judge.root);
        Self {
            _dir: dir,
            judge,
            good,
        }
    }

    fn bytes(&self, path: &str) -> Vec<u8> {
        self.good[path].clone().unwrap()
    }

    /// The good files with one changed, or gone.
    fn with(&self, path: &str, bytes: Option<Vec<u8>>) -> Tree {
        let mut changed = self.good.clone();
        match bytes {
            None => changed.remove(path),
            Some(bytes) => changed.insert(path.to_owned(), Some(bytes)),
        };
        changed
    }

    fn read(&self) -> Stored {
        let store = open(&self.judge.root, Traced::new(&self.judge.root));
        store.read(&self.judge.key).unwrap().unwrap()
    }

    fn commit(&self) -> Result<(), Refusal> {
        let store = open(&self.judge.root, Traced::new(&self.judge.root));
        match put(&store, &self.judge.key, COMMITS + 1).0 {
            Ok(_) => Ok(()),
            Err(Failure::Refusal(refusal)) => Err(refusal),
            Err(Failure::Fault(fault)) => panic!("{fault:?}"),
        }
    }

    /// True when these bytes are in some file.
    fn keeps(&self, bytes: &[u8]) -> bool {
        let holds = |file: &Vec<u8>| file.windows(bytes.len().max(1)).any(|part| part == bytes);
        bytes.is_empty() || tree(&self.judge.root).values().flatten().any(holds)
    }

    /// Lays the tree out, commits on it, and sees that `precious` is still somewhere whatever came of that; a refusal
    /// changes nothing, a commit leaves a journal that verifies.
    fn survives(&self, laid: &Tree, precious: &[u8]) -> &'static str {
        lay(&self.judge.root, laid);
        let outcome = self.commit();
        assert!(self.keeps(precious), "lost after {outcome:?}");
        match outcome {
            Ok(()) => {
                let stored = self.read();
                assert_eq!(stored.condition, Condition::Sound);
                assert_eq!(stored.bytes, state(COMMITS + 1));
                chain(&fs::read(self.judge.root.join(self.judge.key.journal())).unwrap()).unwrap();
                "committed"
            }
            Err(refusal) => {
                assert!(!refusal.message.is_empty() && !refusal.hint.is_empty());
                for (path, bytes) in laid {
                    assert_eq!(
                        tree(&self.judge.root).get(path),
                        Some(bytes),
                        "{path} changed"
                    );
                }
                refusal.code
            }
        }
    }
}

fn name(condition: &Condition) -> String {
    let text = format!("{condition:?}");
    text.split('(').next().unwrap_or_default().to_owned()
}

#[test]
fn every_flipped_byte_of_a_journal_is_detected_and_its_line_named() {
    let place = Place::new();
    let path = place.judge.key.journal();
    let good = place.bytes(&path);
    assert!(journal::verify(&good).trouble.is_none());
    let (mut flips, mut unnamed) = (0, BTreeMap::new());
    let mut line = 1;
    for at in 0..good.len() {
        for mask in [
            1,
            2,
            4,
            8,
            16,
            32,
            64,
            128,
            255,
            good[at],
            good[at] ^ b'\n',
            good[at] ^ b'"',
        ] {
            if mask == 0 {
                continue;
            }
            let mut bad = good.clone();
            bad[at] ^= mask;
            flips += 1;
            let found = journal::verify(&bad);
            match &found.trouble {
                Some(journal::Trouble::Damaged { line: told, .. }) => {
                    // A lost line feed makes one line of two.
                    assert_eq!(*told, line, "byte {at} with mask {mask}: {found:?}");
                }
                Some(other) => panic!("byte {at} with mask {mask}: {other:?}"),
                None => {
                    assert!(
                        found.torn.is_some(),
                        "byte {at} with mask {mask} is not noticed"
                    );
                    assert_eq!(line, COMMITS, "half a line can only be the last: {at}");
                    *unnamed.entry("torn").or_insert(0) += 1;
                }
            }
        }
        line += usize::from(good[at] == b'\n');
    }
    println!(
        "{} bytes, {flips} flips, all detected; as half a last line: {unnamed:?}",
        good.len()
    );
}

#[test]
fn readers_and_writers_see_a_flipped_byte_anywhere_in_a_short_journal() {
    let place = Place::new();
    let path = place.judge.key.journal();
    let good = place.bytes(&path);
    let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
    for at in (0..good.len()).step_by(3).chain([good.len() - 1]) {
        for mask in [1, 0x20, 0x80] {
            let mut bad = good.clone();
            bad[at] ^= mask;
            let laid = place.with(&path, Some(bad.clone()));
            lay(&place.judge.root, &laid);
            let stored = place.read();
            assert_ne!(stored.condition, Condition::Sound, "byte {at}, mask {mask}");
            // An acknowledged line is never set aside as half a line: the state is the one that it made.
            let outcome = place.survives(&laid, &state(COMMITS));
            assert_eq!(
                outcome, "journal_damaged",
                "byte {at}, mask {mask}: {:?}",
                stored.condition
            );
            *outcomes.entry(name(&stored.condition)).or_default() += 1;
        }
    }
    println!("{outcomes:?}");
}

#[test]
fn a_journal_cut_at_any_length_is_noticed_and_loses_no_state() {
    let place = Place::new();
    let path = place.judge.key.journal();
    let good = place.bytes(&path);
    let mut outcomes: BTreeMap<(String, &str), usize> = BTreeMap::new();
    for len in 0..good.len() {
        let laid = place.with(&path, Some(good[..len].to_vec()));
        lay(&place.judge.root, &laid);
        let stored = place.read();
        assert_ne!(stored.condition, Condition::Sound, "cut to {len} bytes");
        assert_eq!(stored.bytes, state(COMMITS), "cut to {len} bytes");
        let outcome = place.survives(&laid, &good[..len]);
        *outcomes
            .entry((name(&stored.condition), outcome))
            .or_default() += 1;
    }
    println!("{} lengths: {outcomes:?}", good.len());
}

#[test]
fn a_state_cut_at_any_length_or_with_conflict_marks_is_noticed_and_kept() {
    let place = Place::new();
    let path = place.judge.key.state();
    let good = place.bytes(&path);
    let mut outcomes: BTreeMap<(String, &str), usize> = BTreeMap::new();
    let conflict = [
        b"<<<<<<< ours\n".as_slice(),
        &good,
        b"=======\n",
        &state(2),
        b">>>>>>> theirs\n",
    ]
    .concat();
    let mut bad: Vec<Vec<u8>> = (0..good.len()).map(|len| good[..len].to_vec()).collect();
    bad.push(conflict);
    bad.push(b"{\n  \"schema_version\": \"99\",\n  \"n\": 4\n}\n".to_vec());
    for bytes in bad {
        let laid = place.with(&path, Some(bytes.clone()));
        lay(&place.judge.root, &laid);
        let stored = place.read();
        assert_eq!(
            stored.condition,
            Condition::EditedOutside,
            "{} bytes",
            bytes.len()
        );
        let outcome = place.survives(&laid, &bytes);
        *outcomes
            .entry((name(&stored.condition), outcome))
            .or_default() += 1;
    }
    println!("{outcomes:?}");
}

#[test]
fn a_state_or_a_journal_that_is_gone_is_noticed() {
    let place = Place::new();
    let key = &place.judge.key;
    let laid = place.with(&key.state(), None);
    lay(&place.judge.root, &laid);
    let stored = place.read();
    assert!(
        matches!(stored.condition, Condition::Damaged(_)),
        "{:?}",
        stored.condition
    );
    assert_eq!(
        place.survives(&laid, &place.bytes(&key.journal())),
        "journal_damaged"
    );

    let laid = place.with(&key.journal(), None);
    lay(&place.judge.root, &laid);
    let stored = place.read();
    assert_eq!(stored.condition, Condition::Unjournaled);
    assert_eq!(stored.bytes, state(COMMITS));
    assert_eq!(place.survives(&laid, b""), "committed");
    let line = &chain(&fs::read(place.judge.root.join(key.journal())).unwrap()).unwrap()[0];
    let before = lyceum_core::base::Sha256::of(&state(COMMITS)).to_string();
    assert_eq!(
        line["before"],
        json!(before),
        "the new journal tells what it began from"
    );
}

#[test]
fn a_forked_journal_is_read_and_not_written() {
    let place = Place::new();
    let key = &place.judge.key;
    let good = place.bytes(&key.journal());
    let lines = chain(&good).unwrap();
    let heads: Vec<_> = journal::lines(&good)
        .map(|line| line.unwrap().head())
        .collect();
    for parent in 1..lines.len() {
        let other = journal::next_line(
            Some(&heads[parent - 1]),
            &stamp(9),
            &[Event::new("elsewhere", json!({}))],
            Some(&lyceum_core::base::Sha256::of(&state(parent))),
            &lyceum_core::base::Sha256::of(b"{}\n"),
        );
        let forked = [&good, other.text.as_bytes()].concat();
        let laid = place.with(&key.journal(), Some(forked));
        lay(&place.judge.root, &laid);
        assert_eq!(
            place.read().condition,
            Condition::Forked,
            "after line {parent}"
        );
        assert_eq!(
            place.survives(&laid, other.text.as_bytes()),
            "journal_forked"
        );
    }
}

#[test]
fn a_clock_that_goes_backwards_never_turns_the_journal_back() {
    let place = Place::new();
    let store = open(&place.judge.root, Traced::new(&place.judge.root));
    let mut state = state(COMMITS);
    for seconds in [
        1_900_000_000,
        5,
        -70_000_000_000,
        1_899_999_999,
        1_900_000_001,
    ] {
        let early = Stamp {
            at: Timestamp::from_unix(seconds),
            ..stamp(1)
        };
        state.insert(0, b' ');
        let done = store.transact(&place.judge.key, &early, &mut |_| {
            Ok(Commit {
                state: state.clone(),
                events: vec![Event::new("happened", json!({}))],
                ..Commit::default()
            })
        });
        assert!(done.unwrap().wrote);
    }
    assert_eq!(place.read().condition, Condition::Sound);
    let bytes = store.journal(&place.judge.key).unwrap();
    let times: Vec<Timestamp> = journal::lines(&bytes)
        .map(|line| line.unwrap().at)
        .collect();
    assert!(times.is_sorted(), "{times:?}");
    assert_eq!(times.last().map(|at| at.unix()), Some(1_900_000_001));
}

#[test]
fn an_outside_edit_at_any_point_of_a_commit_on_its_way_is_kept() {
    // A writer died after its journal line; somebody then wrote the state file.
    let place = Place::new();
    let key = &place.judge.key;
    let before = state(3);
    let edit = b"{\n  \"n\": 3,\n  \"mine\": true\n}\n".to_vec();
    let mut laid = place.with(&key.state(), Some(edit.clone()));
    laid.insert(key.next(), Some(state(COMMITS)));
    lay(&place.judge.root, &laid);
    let stored = place.read();
    assert_eq!(
        stored.bytes,
        state(COMMITS),
        "the commit was acknowledged by its line"
    );
    assert_eq!(place.survives(&laid, &edit), "committed");
    let mut laid = place.with(&key.state(), Some(before));
    laid.insert(key.next(), Some(state(COMMITS)));
    lay(&place.judge.root, &laid);
    assert_eq!(place.read().condition, Condition::Unfinished);
    assert_eq!(place.survives(&laid, b""), "committed");
}
