//! The lock of an aggregate: an advisory lock on a file that stays while the aggregate lives.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// Why there is no lock.
#[derive(Debug)]
pub(super) enum NotTaken {
    /// Somebody holds it until after the deadline.
    Busy,
    /// The folder is gone: somebody removed the aggregate meanwhile.
    Gone,
    /// The lock file cannot be opened.
    Closed(io::Error),
    /// The file system has no locks.
    Unavailable(io::Error),
}

/// Held until it is dropped.
#[derive(Debug)]
pub(super) struct Held {
    _file: File,
}

/// Longest pause between two tries.
const PAUSE: Duration = Duration::from_millis(20);

/// Takes the lock, waiting until the deadline.
pub(super) fn take(path: &Path, private: bool, deadline: Instant) -> Result<Held, NotTaken> {
    let mut pause = Duration::from_micros(200);
    loop {
        let file = open(path, private)?;
        match file.try_lock() {
            // Whoever removed the aggregate removed this file too: the lock would be one that nobody else sees.
            Ok(()) if same(&file, path) => return Ok(Held { _file: file }),
            Ok(()) => continue,
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) => return Err(NotTaken::Unavailable(error)),
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(NotTaken::Busy);
        }
        std::thread::park_timeout(pause.min(left));
        pause = (pause * 2).min(PAUSE);
    }
}

fn open(path: &Path, private: bool) -> Result<File, NotTaken> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(if private { 0o600 } else { 0o666 });
    }
    #[cfg(not(unix))]
    let _ = private;
    options.open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => NotTaken::Gone,
        _ => NotTaken::Closed(error),
    })
}

#[cfg(unix)]
fn same(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let (Ok(held), Ok(named)) = (file.metadata(), std::fs::symlink_metadata(path)) else {
        return false;
    };
    (held.dev(), held.ino()) == (named.dev(), named.ino())
}

#[cfg(not(unix))]
fn same(_: &File, path: &Path) -> bool {
    // An open file cannot be removed there.
    path.exists()
}
