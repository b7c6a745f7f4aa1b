//! File operations that do what they are told on a real folder, write down what they did, and fail or die on demand.
//! A sync is only written down: what it means is the model's matter.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use lyceum_io::store::{Entry, FileOps, RealOps};

use crate::model::{Op, Tree};

/// What happened, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Did(Op),
    /// Commit `n` (from 1) was asked for.
    Begun(usize),
    /// Commit `n` was acknowledged.
    Acked(usize),
    /// The planned trouble came.
    Struck,
}

/// What goes wrong at the `n`th operation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Trouble {
    /// It fails with this error number and does nothing.
    Fails(i32),
    /// It fails with this error number and has done half of its work.
    FailsHalfway(i32),
    /// The process ends before it.
    Dies,
    /// The process ends when half of it is done.
    DiesHalfway,
}

#[derive(Debug, Default)]
struct Record {
    steps: Vec<Step>,
    /// Operations so far, reads included.
    count: usize,
    trouble: Option<(usize, Trouble)>,
    dead: bool,
}

/// The operations on one folder.
#[derive(Clone, Debug)]
pub(crate) struct Traced {
    root: PathBuf,
    record: Arc<Mutex<Record>>,
    /// Taken as a system where `rename_new` is a link, a sync and a removal, as [`RealOps`] does it where no call does it
    /// in one step.
    in_steps: bool,
}

/// What a dead process's operations answer; nothing of it reaches the disk.
const DEAD: &str = "the process is dead";

impl Traced {
    pub(crate) fn new(root: &Path) -> Self {
        Self {
            root: fs::canonicalize(root).unwrap(),
            record: Arc::default(),
            in_steps: false,
        }
    }

    pub(crate) fn with_trouble(root: &Path, at: usize, trouble: Trouble) -> Self {
        let traced = Self::new(root);
        traced.record().trouble = Some((at, trouble));
        traced
    }

    pub(crate) fn in_steps(mut self) -> Self {
        self.in_steps = true;
        self
    }

    /// True when the process of these operations is dead, and whatever it answers is heard by nobody.
    pub(crate) fn dead(&self) -> bool {
        self.record().dead
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap()
    }

    pub(crate) fn steps(&self) -> Vec<Step> {
        self.record().steps.clone()
    }

    pub(crate) fn note(&self, step: Step) {
        self.record().steps.push(step);
    }

    /// True when the planned trouble has come.
    pub(crate) fn struck(&self) -> bool {
        let record = self.record();
        record.trouble.is_some_and(|(at, _)| record.count > at)
    }

    fn name(&self, path: &Path) -> String {
        let inside = path.strip_prefix(&self.root);
        let inside = inside.unwrap_or_else(|_| panic!("{} is outside", path.display()));
        inside.to_str().unwrap().replace('\\', "/")
    }

    /// Runs `all`, or `half` of it, or nothing, as planned; what was done is written down.
    fn run<T>(
        &self,
        all: impl FnOnce() -> io::Result<(T, Vec<Op>)>,
        half: impl FnOnce() -> Vec<Op>,
    ) -> io::Result<T> {
        let mut record = self.record();
        if record.dead {
            return Err(io::Error::other(DEAD));
        }
        let at = record.count;
        record.count += 1;
        let trouble = record.trouble.filter(|(when, _)| *when == at);
        if trouble.is_some() {
            record.steps.push(Step::Struck);
        }
        let answer = match trouble.map(|(_, trouble)| trouble) {
            None => {
                let (answer, ops) = all()?;
                record.steps.extend(ops.into_iter().map(Step::Did));
                return Ok(answer);
            }
            Some(Trouble::Fails(number)) => io::Error::from_raw_os_error(number),
            Some(Trouble::FailsHalfway(number)) => {
                record.steps.extend(half().into_iter().map(Step::Did));
                io::Error::from_raw_os_error(number)
            }
            Some(Trouble::Dies) => {
                record.dead = true;
                io::Error::other(DEAD)
            }
            Some(Trouble::DiesHalfway) => {
                let done = half().into_iter();
                // A sync that nobody waits for goes wrong for nobody.
                let done = done.filter(|op| !matches!(op, Op::SyncFileFailed(_)));
                record.steps.extend(done.map(Step::Did));
                record.dead = true;
                io::Error::other(DEAD)
            }
        };
        Err(answer)
    }
}

fn none() -> Vec<Op> {
    Vec::new()
}

impl FileOps for Traced {
    fn make_dir(&self, path: &Path, private: bool) -> io::Result<()> {
        let done = || {
            RealOps.make_dir(path, private)?;
            Ok(((), vec![Op::MakeDir(self.name(path))]))
        };
        self.run(done, none)
    }

    fn write(&self, path: &Path, bytes: &[u8], private: bool) -> io::Result<()> {
        let put = |bytes: &[u8]| {
            RealOps.write(path, bytes, private)?;
            Ok(((), vec![Op::Write(self.name(path), bytes.to_vec())]))
        };
        self.run(
            || put(bytes),
            || put(&bytes[..bytes.len() / 2]).map_or_else(|_: io::Error| none(), |(_, ops)| ops),
        )
    }

    fn append(&self, path: &Path, bytes: &[u8], private: bool) -> io::Result<()> {
        let put = |bytes: &[u8]| {
            RealOps.append(path, bytes, private)?;
            Ok(((), vec![Op::Append(self.name(path), bytes.to_vec())]))
        };
        self.run(
            || put(bytes),
            || put(&bytes[..bytes.len() / 2]).map_or_else(|_: io::Error| none(), |(_, ops)| ops),
        )
    }

    fn truncate(&self, path: &Path, len: u64) -> io::Result<()> {
        let done = || {
            RealOps.truncate(path, len)?;
            Ok(((), vec![Op::Truncate(self.name(path), len)]))
        };
        self.run(done, none)
    }

    fn sync_file(&self, path: &Path) -> io::Result<()> {
        let done = || {
            fs::File::open(path)?;
            Ok(((), vec![Op::SyncFile(self.name(path))]))
        };
        self.run(done, || vec![Op::SyncFileFailed(self.name(path))])
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        let done = || {
            fs::File::open(path)?;
            Ok(((), vec![Op::SyncDir(self.name(path))]))
        };
        self.run(done, none)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let done = || {
            RealOps.rename(from, to)?;
            Ok(((), vec![Op::Rename(self.name(from), self.name(to))]))
        };
        self.run(done, none)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        let (old, new) = (self.name(from), self.name(to));
        let folder = self.name(to.parent().unwrap());
        let link = Op::Link(old.clone(), new.clone());
        let done = || {
            RealOps.rename_new(from, to)?;
            let ops = if self.in_steps {
                vec![link.clone(), Op::SyncDir(folder), Op::Remove(old)]
            } else {
                vec![Op::Rename(old, new)]
            };
            Ok(((), ops))
        };
        self.run(done, || match fs::hard_link(from, to) {
            Ok(()) if self.in_steps => vec![link.clone()],
            Ok(()) => {
                fs::remove_file(to).unwrap();
                none()
            }
            Err(_) => none(),
        })
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let done = || {
            RealOps.remove(path)?;
            // No operation here makes a lock file, and what a crash leaves of it means nothing.
            let lock = path.extension().is_some_and(|ending| ending == "lock");
            Ok((
                (),
                if lock {
                    none()
                } else {
                    vec![Op::Remove(self.name(path))]
                },
            ))
        };
        self.run(done, none)
    }

    fn read(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        self.run(|| Ok((RealOps.read(path)?, none())), none)
    }

    fn read_tail(&self, path: &Path, max: u64) -> io::Result<Option<(Vec<u8>, u64)>> {
        self.run(|| Ok((RealOps.read_tail(path, max)?, none())), none)
    }

    fn entry(&self, path: &Path) -> io::Result<Option<Entry>> {
        self.run(|| Ok((RealOps.entry(path)?, none())), none)
    }

    fn list(&self, path: &Path) -> io::Result<Option<Vec<String>>> {
        self.run(|| Ok((RealOps.list(path)?, none())), none)
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        let done = || {
            RealOps.remove_dir(path)?;
            Ok(((), vec![Op::Remove(self.name(path))]))
        };
        self.run(done, none)
    }
}

/// Everything below a folder, lock files left out: they hold nothing and no operation of ours makes them.
pub(crate) fn tree(root: &Path) -> Tree {
    let mut tree = Tree::new();
    let mut open = vec![(String::new(), root.to_owned())];
    while let Some((prefix, folder)) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let entry = entry.unwrap();
            let path = format!("{prefix}{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() {
                open.push((format!("{path}/"), entry.path()));
                tree.insert(path, None);
            } else if !path.ends_with(".lock") {
                tree.insert(path, Some(fs::read(entry.path()).unwrap()));
            }
        }
    }
    tree
}

/// Makes a folder hold exactly this.
pub(crate) fn lay(root: &Path, tree: &Tree) {
    if root.exists() {
        fs::remove_dir_all(root).unwrap();
    }
    fs::create_dir_all(root).unwrap();
    // A folder's path sorts before the paths below it.
    for (path, bytes) in tree {
        let path = root.join(path);
        match bytes {
            None => fs::create_dir(path).unwrap(),
            Some(bytes) => fs::write(path, bytes).unwrap(),
        }
    }
}
