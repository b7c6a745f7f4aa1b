//! Simulated failures of the disk, at every operation in turn.

use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Mutex;

use lyceum_core::base::Failure;
use lyceum_core::store::{Area, Condition, Store};

use super::super::{FileOps, FileStore, RealOps, code, fault};
use super::{commit, names, stamp, with_file};

/// Counts operations that write, and fails those that are asked for.
#[derive(Default)]
struct Failing(Mutex<(usize, Vec<usize>, Option<ErrorKind>)>);

impl Failing {
    fn plan(&self, fail: &[usize], kind: ErrorKind) {
        *self.0.lock().unwrap() = (0, fail.to_vec(), Some(kind));
    }

    fn step(&self) -> io::Result<()> {
        let mut plan = self.0.lock().unwrap();
        plan.0 += 1;
        match plan.2 {
            Some(kind) if plan.1.contains(&plan.0) => Err(kind.into()),
            _ => Ok(()),
        }
    }
}

impl FileOps for Failing {
    fn make_dir(&self, path: &Path, private: bool) -> io::Result<()> {
        self.step()?;
        RealOps.make_dir(path, private)
    }
    fn write(&self, path: &Path, bytes: &[u8], private: bool) -> io::Result<()> {
        let half = &bytes[..bytes.len() / 2];
        self.step().inspect_err(|_| {
            let _ = RealOps.write(path, half, private);
        })?;
        RealOps.write(path, bytes, private)
    }
    fn append(&self, path: &Path, bytes: &[u8], private: bool) -> io::Result<()> {
        let half = &bytes[..bytes.len() / 2];
        self.step().inspect_err(|_| {
            let _ = RealOps.append(path, half, private);
        })?;
        RealOps.append(path, bytes, private)
    }
    fn truncate(&self, path: &Path, len: u64) -> io::Result<()> {
        self.step()?;
        RealOps.truncate(path, len)
    }
    fn sync_file(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        RealOps.sync_file(path)
    }
    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        RealOps.sync_dir(path)
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        RealOps.rename(from, to)
    }
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        RealOps.rename_new(from, to)
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        RealOps.remove(path)
    }
    fn read(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        RealOps.read(path)
    }
}

const KINDS: [(ErrorKind, &str); 4] = [
    (ErrorKind::StorageFull, "disk_full"),
    (ErrorKind::ReadOnlyFilesystem, "read_only"),
    (ErrorKind::PermissionDenied, "not_writable"),
    (ErrorKind::Other, "write_failed"),
];

#[test]
fn a_simulated_failure_of_any_operation_is_a_named_fault_or_no_loss() {
    for fresh in [true, false] {
        let mut failed = 0;
        for at in 1..40 {
            let (kind, expected) = KINDS[at % KINDS.len()];
            let dir = tempfile::tempdir().unwrap();
            let store = FileStore::with(Failing::default(), dir.path());
            let key = Area::JOBS.key("j1").unwrap();
            if !fresh {
                store
                    .transact(&key, &stamp(), &mut |_| Ok(commit("{}")))
                    .unwrap();
            }
            let before = store.read(&key).unwrap();
            store.ops().plan(&[at], kind);
            let wanted = || Ok(with_file("[1]", "d/a.md", "text"));
            let done = store.transact(&key, &stamp(), &mut |_| wanted());
            store.ops().plan(&[], kind);
            let now = store.read(&key).unwrap();
            match done {
                Ok(_) => {
                    assert_eq!(now.unwrap().bytes, b"[1]");
                    assert_eq!(store.artifact(&key, "d/a.md", 9).unwrap().unwrap(), b"text");
                }
                Err(failure) => {
                    failed += 1;
                    assert_eq!(code(&failure), expected, "operation {at}");
                    assert_eq!(now, before);
                    assert_eq!(store.artifact(&key, "d/a.md", 9).unwrap(), None);
                    if fresh {
                        assert!(names(dir.path()).is_empty(), "operation {at}");
                    } else {
                        let left = names(&dir.path().join(key.folder()));
                        assert_eq!(left, ["job.journal.jsonl", "job.json", "job.lock"]);
                    }
                }
            }
            // Whoever comes next goes on.
            let again = store.transact(&key, &stamp(), &mut |_| wanted()).unwrap();
            assert_eq!(again.bytes, b"[1]");
            assert_eq!(
                store.read(&key).unwrap().unwrap().condition,
                Condition::Sound
            );
            assert_eq!(names(&dir.path().join(key.folder()).join("d")), ["a.md"]);
        }
        assert!(failed >= 8, "only {failed} operations failed");
    }
}

#[test]
fn a_simulated_disk_that_also_fails_while_undoing_leaves_the_answer_to_the_next_reading() {
    let mut doubts = 0;
    for at in 1..12 {
        let dir = tempfile::tempdir().unwrap();
        let store = FileStore::with(Failing::default(), dir.path());
        let key = Area::JOBS.key("j1").unwrap();
        store
            .transact(&key, &stamp(), &mut |_| Ok(commit("{}")))
            .unwrap();
        let all: Vec<usize> = (at..60).collect();
        store.ops().plan(&all, ErrorKind::Other);
        let done = store.transact(&key, &stamp(), &mut |_| Ok(commit("[1]")));
        store.ops().plan(&[], ErrorKind::Other);
        if done.is_err_and(|failure| code(&failure) == "commit_in_doubt") {
            doubts += 1;
        }
        let stored = store.read(&key).unwrap().unwrap();
        assert!([&b"{}"[..], b"[1]"].contains(&stored.bytes.as_slice()));
        let again = store
            .transact(&key, &stamp(), &mut |_| Ok(commit("[2]")))
            .unwrap();
        assert_eq!(again.bytes, b"[2]");
        assert_eq!(
            store.read(&key).unwrap().unwrap().condition,
            Condition::Sound
        );
    }
    assert_eq!(doubts, 2, "append and its sync");
}

#[test]
fn codes_that_only_other_file_systems_give() {
    let error = ErrorKind::Unsupported.into();
    assert_eq!(
        fault::locks_unavailable("x", &error).code,
        "locks_unavailable"
    );
    let refused = Area::REVIEWS.key("../x").unwrap_err();
    assert_eq!(code(&Failure::Refusal(refused)), "invalid_id");
}
