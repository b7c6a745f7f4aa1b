//! Loss of power at every point of a run, of a recovery, and of a run after a dead process; and the proof that this
//! would notice a missing sync.

use std::collections::{HashMap, HashSet};

use tempfile::TempDir;

use crate::explore::{Bounds, Found, Seen, explore};
use crate::model::{Disk, Op, Tree, fingerprint};
use crate::scenario::{COMMITS, Ended, Judge, Kind, chain, open, put, run, scratch, state};
use crate::traced::{Step, Traced, Trouble, lay, tree};

pub(crate) const NOTHING: Seen = Seen {
    acked: 0,
    held: 0,
    begun: 0,
};

/// States of one point that are all looked at.
pub(crate) const LIMIT: usize = 4_096;
/// The same while a recovery runs, and where a sync is missing.
const LIMIT_AGAIN: usize = 128;

pub(crate) struct Place {
    _dir: TempDir,
    pub(crate) judge: Judge,
}

impl Place {
    pub(crate) fn new(kind: Kind) -> Self {
        let dir = scratch();
        let judge = Judge {
            root: dir.path().join("root"),
            key: kind.key(),
        };
        lay(&judge.root, &Tree::new());
        Self { _dir: dir, judge }
    }

    /// The steps of a run without trouble, which tell everything that happened on the disk.
    pub(crate) fn record(&self) -> Vec<Step> {
        self.record_with(Traced::new(&self.judge.root))
    }

    fn record_with(&self, traced: Traced) -> Vec<Step> {
        lay(&self.judge.root, &Tree::new());
        let store = open(&self.judge.root, traced.clone());
        assert!(matches!(
            run(&store, &traced, &self.judge.key),
            Ended::Whole
        ));
        self.judge.settled(&store, COMMITS).unwrap();
        let steps = traced.steps();
        let mut disk = Disk::new(&Tree::new());
        for step in &steps {
            if let Step::Did(op) = step {
                disk.run(op);
            }
        }
        assert_eq!(
            disk.now(),
            tree(&self.judge.root),
            "an operation goes past the port"
        );
        steps
    }
}

fn shape(op: &Op) -> String {
    match op {
        Op::MakeDir(path) => format!("make_dir {path}"),
        Op::Write(path, _) => format!("write {path}"),
        Op::Append(path, _) => format!("append {path}"),
        Op::Truncate(path, _) => format!("truncate {path}"),
        Op::SyncFile(path) => format!("sync_file {path}"),
        Op::SyncFileFailed(path) => format!("failed sync_file {path}"),
        Op::SyncDir(path) => format!("sync_dir {path:?}"),
        Op::Rename(from, to) => format!("rename {from} {to}"),
        Op::Link(from, to) => format!("link {from} {to}"),
        Op::Remove(path) => format!("remove {path}"),
    }
}

pub(crate) fn shapes(steps: &[Step]) -> Vec<String> {
    steps
        .iter()
        .filter_map(|step| match step {
            Step::Did(op) => Some(shape(op)),
            Step::Begun(_) | Step::Acked(_) | Step::Struck => None,
        })
        .collect()
}

pub(crate) fn tell(what: &str, found: &Found) {
    println!(
        "{what}: {} crash states, {} of them distinct and judged, {} points sampled, {} violations",
        found.states,
        found.distinct,
        found.sampled,
        found.violations.len()
    );
    for violation in found.violations.iter().take(3) {
        println!("{violation}");
    }
    assert!(
        found.violations.is_empty(),
        "{} violations",
        found.violations.len()
    );
}

/// What was left, what must be there of it, and the steps of going on.
type Recovery = (Tree, Seen, Vec<Step>);

fn power_loss(kind: Kind) {
    let place = Place::new(kind);
    let steps = place.record();
    println!("{kind:?}, {COMMITS} commits: {:#?}", shapes(&steps));
    power_loss_in(&place, &steps, &format!("{kind:?}"));
    let steps = place.record_with(Traced::new(&place.judge.root).in_steps());
    power_loss_in(
        &place,
        &steps,
        &format!("{kind:?}, without a rename that replaces nothing"),
    );
}

fn power_loss_in(place: &Place, steps: &[Step], what: &str) {
    let mut recoveries: HashMap<Vec<String>, Vec<Recovery>> = HashMap::new();
    let bounds = Bounds {
        limit: LIMIT,
        first_only: false,
        from: 0,
    };
    let found = explore(&Tree::new(), steps, NOTHING, bounds, &mut |left, seen| {
        let (held, again) = place.judge.left(left, seen)?;
        let alike = recoveries.entry(shapes(&again)).or_default();
        if alike.len() < 2 {
            let seen = Seen {
                acked: seen.acked,
                held,
                begun: held,
            };
            alike.push((left.clone(), seen, again));
        }
        Ok(())
    });
    tell(what, &found);
    assert!(found.distinct > 100, "only {} states", found.distinct);

    let kinds = recoveries.len();
    let mut again = Found::default();
    let bounds = Bounds {
        limit: LIMIT_AGAIN,
        ..bounds
    };
    for (left, seen, steps) in recoveries.into_values().flatten() {
        again.add(explore(&left, &steps, seen, bounds, &mut |left, seen| {
            place.judge.left(left, seen).map(|_| ())
        }));
    }
    tell(&format!("{what}, during {kinds} kinds of recovery"), &again);
}

#[test]
fn a_loss_of_power_at_any_point_loses_nothing_acknowledged_and_halves_nothing() {
    power_loss(Kind::Review);
}

#[test]
fn the_same_for_an_aggregate_that_shares_its_folder() {
    power_loss(Kind::Request);
}

/// True where nothing has been changed since a commit was asked for: what is synced here is what a dead process left.
fn recovers(before: &[Step]) -> bool {
    let changes = |step: &&Step| match step {
        Step::Did(op) => !op.is_sync(),
        _ => true,
    };
    matches!(before.iter().rev().find(changes), Some(Step::Begun(_)))
}

#[test]
fn a_commit_path_without_any_one_of_its_syncs_is_caught() {
    for kind in [Kind::Review, Kind::Request] {
        let place = Place::new(kind);
        let steps = place.record();
        let bounds = Bounds {
            limit: LIMIT_AGAIN,
            first_only: true,
            from: 0,
        };
        let (mut removed, mut needless) = (0, Vec::new());
        for at in 0..steps.len() {
            let Step::Did(op) = &steps[at] else { continue };
            if !op.is_sync() || recovers(&steps[..at]) {
                continue;
            }
            removed += 1;
            let mut without = steps.clone();
            without.remove(at);
            let found = explore(
                &Tree::new(),
                &without,
                NOTHING,
                bounds,
                &mut |left, seen| place.judge.left(left, seen).map(|_| ()),
            );
            if found.violations.is_empty() {
                needless.push(format!("step {at}: {}", shape(op)));
            }
        }
        println!(
            "{kind:?}: {removed} syncs removed in turn, {} not missed",
            needless.len()
        );
        assert!(removed > 5, "only {removed} syncs");
        assert!(needless.is_empty(), "nothing needs these: {needless:#?}");
    }
}

/// What the process after a dead one does.
#[derive(Clone, Copy, PartialEq)]
enum Then {
    /// The next commit.
    Commits,
    /// Nothing, since what it wants is so already; this acknowledges what it found.
    Agrees,
}

/// A run whose process died at the `at`th operation, and a second process that went on; `None` when the run was over
/// before. Gives the steps of both, and where the second began.
fn after_death(
    place: &Place,
    at: usize,
    trouble: Trouble,
    then: Then,
) -> Option<(Vec<Step>, usize)> {
    let judge = &place.judge;
    lay(&judge.root, &Tree::new());
    let first = Traced::with_trouble(&judge.root, at, trouble);
    let ended = run(&open(&judge.root, first.clone()), &first, &judge.key);
    let begun = match ended {
        Ended::Died(n) => n,
        Ended::Whole if !first.struck() => return None,
        other => panic!("{other:?}"),
    };
    let second = Traced::new(&judge.root);
    let store = open(&judge.root, second.clone());
    let held = judge.found(&store, Seen::in_doubt(begun)).unwrap();
    if then == Then::Commits {
        judge.go_on(&store, &second, held).unwrap();
    } else if held > 0 {
        judge.agree(&store, &second, held).unwrap();
    }
    let mut steps = first.steps();
    let from = steps.len();
    steps.extend(second.steps());
    Some((steps, from))
}

fn deaths(place: &Place) -> Vec<(Vec<Step>, usize)> {
    let mut all = Vec::new();
    for trouble in [Trouble::Dies, Trouble::DiesHalfway] {
        for then in [Then::Commits, Then::Agrees] {
            all.extend((0..).map_while(|at| after_death(place, at, trouble, then)));
        }
    }
    all
}

#[test]
fn a_process_that_dies_at_any_operation_and_then_the_power_lose_nothing_acknowledged() {
    let place = Place::new(Kind::Review);
    let deaths = deaths(&place);
    let (mut found, mut judged) = (Found::default(), HashSet::new());
    for (steps, from) in &deaths {
        let bounds = Bounds {
            limit: LIMIT_AGAIN,
            first_only: false,
            from: *from,
        };
        let found_here = explore(&Tree::new(), steps, NOTHING, bounds, &mut |left, seen| {
            // Most deaths leave what others leave too.
            if judged.insert(fingerprint(left, &seen)) {
                place.judge.left(left, seen)?;
            }
            Ok(())
        });
        found.add(found_here);
    }
    found.distinct = judged.len();
    tell(
        &format!("after {} deaths of a process", deaths.len()),
        &found,
    );
}

#[test]
fn a_recovery_without_any_one_of_its_syncs_is_caught() {
    let place = Place::new(Kind::Review);
    let judge = &place.judge;
    let deaths = deaths(&place);
    let mut mendings = Vec::new();
    for accident in accidents(&place) {
        mendings.push((after(judge, &accident), accident));
    }
    let second = deaths.iter().map(|(steps, from)| &steps[*from..]);
    let mending = mendings.iter().map(|(steps, _)| &steps[..]);
    let mut syncs: Vec<String> = Vec::new();
    for step in second.chain(mending).flatten() {
        match step {
            Step::Did(op) if op.is_sync() && !syncs.contains(&shape(op)) => syncs.push(shape(op)),
            _ => {}
        }
    }
    // The steps without the first sync of this shape from some place on.
    let without = |steps: &[Step], from: usize, sync: &str| {
        let is_it = |step: &Step| matches!(step, Step::Did(op) if shape(op) == sync);
        let at = from + steps[from..].iter().position(is_it)?;
        let mut without = steps.to_vec();
        without.remove(at);
        Some(without)
    };
    let bounds = |from| Bounds {
        limit: LIMIT_AGAIN,
        first_only: true,
        from,
    };
    let mut missed = syncs.clone();
    missed.retain(|sync| {
        let after_death = deaths.iter().any(|(steps, from)| {
            let Some(steps) = without(steps, *from, sync) else {
                return false;
            };
            let found = explore(
                &Tree::new(),
                &steps,
                NOTHING,
                bounds(*from),
                &mut |left, seen| judge.left(left, seen).map(|_| ()),
            );
            !found.violations.is_empty()
        });
        let after_accident = || {
            mendings.iter().any(|(steps, accident)| {
                without(steps, 0, sync).is_some_and(|steps| {
                    let found = mended(judge, accident, &steps, bounds(0));
                    !found.violations.is_empty()
                })
            })
        };
        !after_death && !after_accident()
    });
    println!(
        "{} syncs of recoveries removed in turn, {} not missed",
        syncs.len(),
        missed.len()
    );
    assert!(syncs.len() > 7, "only {syncs:?}");
    assert!(missed.is_empty(), "nothing needs these: {missed:#?}");
}

#[test]
fn a_sync_that_failed_is_not_believed_when_the_next_one_succeeds() {
    let place = Place::new(Kind::Review);
    let judge = &place.judge;
    let (mut found, mut failed) = (Found::default(), 0);
    for at in 0.. {
        lay(&judge.root, &Tree::new());
        let traced = Traced::with_trouble(&judge.root, at, Trouble::FailsHalfway(5));
        let store = open(&judge.root, traced.clone());
        let ended = run(&store, &traced, &judge.key);
        if !traced.struck() {
            break;
        }
        let of_sync = |step: &Step| matches!(step, Step::Did(Op::SyncFileFailed(_)));
        let (Some(from), Ended::Failed(begun, _)) =
            (traced.steps().iter().position(of_sync), ended)
        else {
            continue;
        };
        failed += 1;
        let seen = Seen::in_doubt(begun);
        let held = judge.found(&store, seen).unwrap();
        judge.go_on(&store, &traced, held).unwrap();
        let bounds = Bounds {
            limit: LIMIT_AGAIN,
            first_only: false,
            from,
        };
        found.add(explore(
            &Tree::new(),
            &traced.steps(),
            NOTHING,
            bounds,
            &mut |left, seen| place.judge.left(left, seen).map(|_| ()),
        ));
    }
    assert!(failed > 5, "only {failed} syncs failed");
    tell(
        &format!("after each of {failed} failed syncs of a file"),
        &found,
    );
}

/// What is laid, and bytes that must never be gone whatever happens then.
struct Accident {
    name: &'static str,
    left: Tree,
    precious: Vec<u8>,
    /// Written by the other program and not synced when we come.
    unsynced: Option<Op>,
}

fn accidents(place: &Place) -> Vec<Accident> {
    let key = &place.judge.key;
    place.record();
    let good = tree(&place.judge.root);
    let edit = b"{\n  \"n\": 3,\n  \"mine\": true\n}\n".to_vec();
    let with = |changes: Vec<(String, Vec<u8>)>| {
        let mut left = good.clone();
        left.extend(changes.into_iter().map(|(path, bytes)| (path, Some(bytes))));
        left
    };
    let half = b"{\"seq\":5,\"at\":\"2026".to_vec();
    let journal = good[&key.journal()].clone().unwrap();
    vec![
        Accident {
            name: "an outside edit",
            left: with(vec![(key.state(), edit.clone())]),
            precious: edit.clone(),
            unsynced: None,
        },
        Accident {
            name: "an outside edit that is not synced",
            left: good.clone(),
            precious: edit.clone(),
            unsynced: Some(Op::Write(key.state(), edit.clone())),
        },
        Accident {
            name: "an outside edit in the middle of a commit",
            left: with(vec![
                (key.state(), edit.clone()),
                (key.next(), state(COMMITS)),
            ]),
            precious: edit,
            unsynced: None,
        },
        Accident {
            name: "half a line",
            left: with(vec![(key.journal(), [&journal[..], &half].concat())]),
            precious: half,
            unsynced: None,
        },
    ]
}

/// The accident happens, and somebody goes on: the steps.
fn after(judge: &Judge, accident: &Accident) -> Vec<Step> {
    let mut disk = Disk::new(&accident.left);
    accident.unsynced.iter().for_each(|op| disk.run(op));
    lay(&judge.root, &disk.now());
    let mut steps: Vec<Step> = accident.unsynced.iter().cloned().map(Step::Did).collect();
    steps.extend(mend(judge).unwrap());
    steps
}

/// The steps of going on.
fn mend(judge: &Judge) -> Result<Vec<Step>, String> {
    let traced = Traced::new(&judge.root);
    let store = open(&judge.root, traced.clone());
    let done = put(&store, &judge.key, COMMITS + 1).0;
    traced.note(Step::Acked(1));
    done.map(|_| traced.steps())
        .map_err(|failure| format!("{failure:?}"))
}

/// Loses power at each of these steps after an accident; neither the commits nor the precious bytes may be lost.
fn mended(judge: &Judge, accident: &Accident, steps: &[Step], bounds: Bounds) -> Found {
    let holds = |tree: &Tree| {
        let precious = &accident.precious[..];
        let holds = |bytes: &Vec<u8>| bytes.windows(precious.len()).any(|part| part == precious);
        tree.values().flatten().any(holds)
    };
    explore(&accident.left, steps, NOTHING, bounds, &mut |left, seen| {
        let journal = left.get(&judge.key.journal()).cloned().flatten();
        let journal = journal.ok_or("the journal is lost")?;
        let lines = lyceum_core::store::journal::verify(&journal).lines;
        if accident.unsynced.is_some() && lines == COMMITS {
            // Lost by the other program, before any line of ours spoke of it.
            return Ok(());
        }
        if !holds(left) {
            return Err("the bytes are lost".to_owned());
        }
        lay(&judge.root, left);
        if lines < COMMITS || (seen.acked == 1 && lines <= COMMITS) {
            return Err(format!("{lines} lines are left"));
        }
        mend(judge)?;
        let after = tree(&judge.root);
        if !holds(&after) {
            return Err("the bytes are lost by going on".to_owned());
        }
        chain(after[&judge.key.journal()].as_deref().unwrap_or_default())?;
        let raw = after.get(&judge.key.state()).cloned().flatten();
        if raw != Some(state(COMMITS + 1)) {
            return Err("the next commit does not hold".to_owned());
        }
        Ok(())
    })
}

#[test]
fn a_loss_of_power_while_an_accident_is_mended_loses_neither_the_commit_nor_the_bytes() {
    let place = Place::new(Kind::Review);
    for accident in accidents(&place) {
        let steps = after(&place.judge, &accident);
        println!("{}: {:#?}", accident.name, shapes(&steps));
        let bounds = Bounds {
            limit: LIMIT,
            first_only: false,
            from: 0,
        };
        tell(
            accident.name,
            &mended(&place.judge, &accident, &steps, bounds),
        );
    }
}
