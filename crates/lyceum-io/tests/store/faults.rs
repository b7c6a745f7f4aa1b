//! A fault in every file operation in turn.

use std::collections::BTreeMap;

use lyceum_core::base::Failure;

use crate::explore::Seen;
use crate::model::{Op, Tree};
use crate::scenario::{COMMITS, Ended, Judge, Kind, open, put, run, scratch};
use crate::traced::{Step, Traced, Trouble, lay};

const EIO: i32 = 5;
const EACCES: i32 = 13;
const ENOSPC: i32 = 28;
const EROFS: i32 = 30;

/// One run with one fault: a fault by name, nothing half written, and the next commits lose nothing.
fn one(judge: &Judge, at: usize, trouble: Trouble) -> Option<&'static str> {
    lay(&judge.root, &Tree::new());
    let traced = Traced::with_trouble(&judge.root, at, trouble);
    let store = open(&judge.root, traced.clone());
    let ended = run(&store, &traced, &judge.key);
    if !traced.struck() {
        return None;
    }
    let (code, next) = match ended {
        Ended::Whole => {
            after_the_line(&traced.steps(), judge);
            ("none", COMMITS + 1)
        }
        Ended::Failed(n, Failure::Fault(fault)) => {
            let seen = Seen::in_doubt(n);
            assert!(
                !fault.place.is_empty() && !fault.source_text.is_empty(),
                "{fault:?}"
            );
            let held = judge.found(&store, seen);
            let held = held.unwrap_or_else(|wrong| panic!("{trouble:?} at {at}: {wrong}"));
            (fault.code, held + 1)
        }
        other => panic!("{trouble:?} at {at}: {other:?}"),
    };
    // Another process sees the same, and all the rest can be done.
    let other = open(&judge.root, Traced::new(&judge.root));
    for n in next..=COMMITS + 1 {
        let done = put(&other, &judge.key, n).0;
        assert!(
            done.is_ok(),
            "{trouble:?} at {at}, then commit {n}: {done:?}"
        );
        let settled = judge.settled(&other, n);
        assert_eq!(settled, Ok(()), "{trouble:?} at {at}, then commit {n}");
    }
    Some(code)
}

/// A fault that nobody is told of came when the line was durable: the commit holds, and the next writer ends it.
fn after_the_line(steps: &[Step], judge: &Judge) {
    let struck = steps.iter().position(|step| *step == Step::Struck).unwrap();
    let line = Step::Did(Op::SyncFile(judge.key.journal()));
    let begun = steps[..struck]
        .iter()
        .rposition(|step| matches!(step, Step::Begun(_)));
    let since = &steps[begun.unwrap()..struck];
    assert!(
        since.contains(&line),
        "swallowed before the commit point: {since:?}"
    );
}

#[test]
fn a_fault_in_any_file_operation_is_named_and_loses_nothing() {
    let dir = scratch();
    let judge = Judge {
        root: dir.path().join("root"),
        key: Kind::Review.key(),
    };
    let mut codes: BTreeMap<(i32, &str), usize> = BTreeMap::new();
    for number in [EIO, ENOSPC, EACCES, EROFS] {
        for trouble in [Trouble::Fails(number), Trouble::FailsHalfway(number)] {
            for at in 0.. {
                let Some(code) = one(&judge, at, trouble) else {
                    break;
                };
                *codes.entry((number, code)).or_default() += 1;
            }
        }
    }
    println!("faults by error number and code: {codes:?}");
    for (number, code) in [(ENOSPC, "disk_full"), (EROFS, "read_only")] {
        let named = codes.get(&(number, code)).copied().unwrap_or_default();
        assert!(named > 40, "{code} only {named} times: {codes:?}");
    }
}
