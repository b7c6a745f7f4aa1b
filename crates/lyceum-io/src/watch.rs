//! Waits for a change of files: looks at when they were written, finely enough to notice a save.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

/// How many steps between two looks at the files, and how long a step is; an end is noticed at each.
const STEPS: u32 = 8;
const STEP: Duration = Duration::from_millis(50);

/// Files by the folder they are in.
pub type Watched = [(PathBuf, Vec<String>)];

/// Time of the last change and length; `None` for a file that is not there.
type Stamp = Option<(SystemTime, u64)>;

/// The stamp of each name below a folder.
fn stamps(folder: &Path, names: &[String]) -> Vec<Stamp> {
    names
        .iter()
        .map(|name| {
            let metadata = std::fs::metadata(folder.join(name)).ok()?;
            Some((metadata.modified().ok()?, metadata.len()))
        })
        .collect()
}

/// What the files look like now, to be handed to [`wait_for_change`].
#[must_use]
pub fn look(watched: &Watched) -> Seen {
    Seen(
        watched
            .iter()
            .flat_map(|(folder, files)| stamps(folder, files))
            .collect(),
    )
}

/// How files looked at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen(Vec<Stamp>);

impl Seen {
    /// True when a file was written after a moment: whoever began to read then may have read an older version.
    #[must_use]
    pub fn is_newer_than(&self, moment: SystemTime) -> bool {
        self.0
            .iter()
            .flatten()
            .any(|(written, _)| *written > moment)
    }
}

/// Waits until a file differs from how it was seen; `false` when `ended` turns true before.
#[must_use]
pub fn wait_for_change(watched: &Watched, before: &Seen, ended: &AtomicBool) -> bool {
    loop {
        for _ in 0..STEPS {
            if ended.load(Ordering::Relaxed) {
                return false;
            }
            std::thread::sleep(STEP);
        }
        if look(watched) != *before {
            return true;
        }
    }
}
