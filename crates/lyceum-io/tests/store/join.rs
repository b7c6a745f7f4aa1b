//! Loss of power while the branches of a forked journal are joined, and while an aggregate is purged.

use lyceum_core::base::Sha256;
use lyceum_core::store::merge::{self, Replayed};
use lyceum_core::store::{Commit, Condition, Event, Store as _, journal};
use serde_json::json;

use crate::crash::{LIMIT, NOTHING, Place, shapes, tell};
use crate::explore::{Bounds, explore};
use crate::model::{Disk, Op, Tree};
use crate::scenario::{COMMITS, Judge, Kind, files, open, put, stamp, state};
use crate::traced::{Step, Traced, lay, tree};

const EVERYTHING: Bounds = Bounds {
    limit: LIMIT,
    first_only: false,
    from: 0,
};

/// The files after all commits, and a journal to which git brought a line of another branch.
fn forked(place: &Place) -> (Tree, Vec<u8>) {
    place.record();
    let good = tree(&place.judge.root);
    let mut bytes = good[&place.judge.key.journal()].clone().unwrap();
    let heads: Vec<_> = journal::lines(&bytes)
        .map(|line| line.unwrap().head())
        .collect();
    let other = journal::next_line(
        Some(&heads[COMMITS - 2]),
        &stamp(9),
        &[Event::new("elsewhere", json!({}))],
        Some(&Sha256::of(&state(COMMITS - 1))),
        &Sha256::of(b"{}\n"),
    );
    bytes.extend_from_slice(other.text.as_bytes());
    (good, bytes)
}

fn join(judge: &Judge) -> Result<Vec<Step>, String> {
    let traced = Traced::new(&judge.root);
    let store = open(&judge.root, traced.clone());
    let done = store.join(&judge.key, &stamp(10), &mut |present, fork| {
        Ok(merge::join(present, fork, &mut |_, _| {
            Ok(Replayed {
                commit: Commit {
                    state: state(COMMITS + 1),
                    ..Commit::default()
                },
                renamed: Vec::new(),
            })
        }))
    });
    let done = done.map_err(|failure| format!("{failure:?}"))?;
    traced.note(Step::Acked(1));
    if done.bytes != state(COMMITS + 1) {
        return Err("joined to something else".to_owned());
    }
    Ok(traced.steps())
}

#[test]
fn a_loss_of_power_while_branches_are_joined_loses_neither_of_them() {
    let place = Place::new(Kind::Review);
    let judge = &place.judge;
    let (good, bytes) = forked(&place);
    // What git wrote is not synced when we come.
    let git = Op::Write(judge.key.journal(), bytes.clone());
    let mut disk = Disk::new(&good);
    disk.run(&git);
    lay(&judge.root, &disk.now());
    let mut steps = vec![Step::Did(git)];
    steps.extend(join(judge).unwrap());
    println!("{:#?}", shapes(&steps));
    let found = explore(&good, &steps, NOTHING, EVERYTHING, &mut |left, seen| {
        let there = left.get(&judge.key.journal()).cloned().flatten();
        let there = there.ok_or("the journal is lost")?;
        if !there.starts_with(&bytes) {
            // Lost by git, before any line of ours followed.
            let lost = seen.acked == 0 && !there.windows(8).any(|part| part == b"\"joined\"");
            return lost.then_some(()).ok_or("a branch is lost".to_owned());
        }
        lay(&judge.root, left);
        join(judge)?;
        let store = open(&judge.root, Traced::new(&judge.root));
        put(&store, &judge.key, COMMITS + 2)
            .0
            .map_err(|failure| format!("{failure:?}"))?;
        let stored = store.read(&judge.key).map_err(|f| f.to_string())?.unwrap();
        let after = store.journal(&judge.key).map_err(|f| f.to_string())?;
        let verified = journal::verify(&after);
        if stored.condition != Condition::Sound || verified.trouble.is_some() {
            return Err(format!("{:?}, {:?}", stored.condition, verified.trouble));
        }
        if verified.lines != COMMITS + 3 || !after.starts_with(&bytes) {
            return Err(format!("{} lines are left", verified.lines));
        }
        Ok(())
    });
    tell("a join", &found);
}

fn purge(judge: &Judge) -> Result<Vec<Step>, String> {
    let traced = Traced::new(&judge.root);
    let store = open(&judge.root, traced.clone());
    let done = store.purge(&judge.key, &mut |_| Ok(()));
    done.map_err(|failure| format!("{failure:?}"))?;
    traced.note(Step::Acked(1));
    Ok(traced.steps())
}

#[test]
fn a_loss_of_power_while_an_aggregate_is_purged_leaves_it_whole_or_to_be_purged_again() {
    for kind in [Kind::Review, Kind::Request] {
        let place = Place::new(kind);
        let judge = &place.judge;
        place.record();
        let good = tree(&judge.root);
        let steps = purge(judge).unwrap();
        println!("{kind:?}: {:#?}", shapes(&steps));
        let holds = |left: &Tree| left.iter().filter(|(_, bytes)| bytes.is_some()).count();
        let found = explore(&good, &steps, NOTHING, EVERYTHING, &mut |left, seen| {
            if seen.acked == 1 && holds(left) > 0 {
                return Err("purged, and something is there".to_owned());
            }
            lay(&judge.root, left);
            let store = open(&judge.root, Traced::new(&judge.root));
            let stored = store.read(&judge.key).map_err(|f| f.to_string())?;
            // No one step takes the files of a shared folder out of sight; requests have none.
            let whole = matches!(kind, Kind::Review)
                && stored.is_some_and(|stored| stored.condition == Condition::Sound);
            if whole {
                for file in (1..=COMMITS).flat_map(files) {
                    let bytes = store.artifact(&judge.key, &file.path, 1 << 20);
                    if bytes.ok().flatten() != Some(file.bytes) {
                        return Err(format!("sound without {}", file.path));
                    }
                }
            }
            purge(judge)?;
            let left = tree(&judge.root);
            if holds(&left) > 0 {
                return Err(format!("purged again, and {:?} are there", left.keys()));
            }
            Ok(())
        });
        tell(&format!("a purge of a {kind:?}"), &found);
    }
}
