//! Every crash state of a recorded run, at every point of it. It must not know what makes a state good: a judge says.

use std::collections::HashSet;

use crate::model::{Dice, Disk, Tree, fingerprint};
use crate::traced::Step;

/// How far a run had come when the power went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Seen {
    /// Commits that were acknowledged, so that other programs find them in the files.
    pub acked: usize,
    /// Commits that were acknowledged or read when nothing could be lost any more: these must be there.
    pub held: usize,
    /// Commits that were asked for: these may be there.
    pub begun: usize,
}

impl Seen {
    /// Everything up to a commit was acknowledged, and nothing else asked for.
    pub(crate) fn all(n: usize) -> Self {
        Self {
            acked: n,
            held: n,
            begun: n,
        }
    }

    /// The last commit that was asked for failed, or died.
    pub(crate) fn in_doubt(n: usize) -> Self {
        Self {
            begun: n,
            ..Self::all(n - 1)
        }
    }
}

/// What an exploration found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// States that were made.
    pub states: usize,
    /// Those that differ, each judged.
    pub distinct: usize,
    /// Points with too many states, of which a part was picked.
    pub sampled: usize,
    /// What was wrong, with the point where the power went.
    pub violations: Vec<String>,
}

impl Found {
    pub(crate) fn add(&mut self, other: Self) {
        self.states += other.states;
        self.distinct += other.distinct;
        self.sampled += other.sampled;
        self.violations.extend(other.violations);
    }
}

/// How much to look at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// States of one point that are all made; more are sampled.
    pub limit: usize,
    /// End at the first violation.
    pub first_only: bool,
    /// The first step whose crash states count; what is before it only prepares.
    pub from: usize,
}

/// Runs `steps` on a disk where `start` is durable and judges each crash state at each point once.
pub(crate) fn explore(
    start: &Tree,
    steps: &[Step],
    mut seen: Seen,
    bounds: Bounds,
    judge: &mut dyn FnMut(&Tree, Seen) -> Result<(), String>,
) -> Found {
    let mut disk = Disk::new(start);
    let mut found = Found::default();
    let mut judged = HashSet::new();
    let mut dice = Dice::new(steps.len() as u64);
    for (at, step) in steps.iter().enumerate() {
        match step {
            Step::Did(op) => disk.run(op),
            Step::Begun(n) => seen.begun = seen.begun.max(*n),
            Step::Acked(n) => {
                seen.acked = seen.acked.max(*n);
                seen.held = seen.held.max(*n);
            }
            Step::Struck => {}
        }
        if at < bounds.from {
            continue;
        }
        let mut states = Vec::new();
        let everything = disk.crash(bounds.limit, &mut dice, &mut |tree| {
            found.states += 1;
            if judged.insert(fingerprint(&tree, &seen)) {
                states.push(tree);
            }
        });
        found.sampled += usize::from(!everything);
        for tree in states {
            found.distinct += 1;
            if let Err(wrong) = judge(&tree, seen) {
                let shown: Vec<String> = tree.iter().map(show).collect();
                let step = format!("{step:?}");
                let step: String = step.chars().take(300).collect();
                found.violations.push(format!(
                    "{wrong}\n  {seen:?}, power lost after step {at}: {step}\n  left:\n    {}",
                    shown.join("\n    ")
                ));
                if bounds.first_only {
                    return found;
                }
            }
        }
    }
    found
}

fn show((path, bytes): (&String, &Option<Vec<u8>>)) -> String {
    match bytes {
        None => format!("{path}/"),
        Some(bytes) => {
            let text = String::from_utf8_lossy(bytes);
            let text: String = text.chars().take(700).collect();
            format!("{path} ({} bytes): {text:?}", bytes.len())
        }
    }
}
