//! This executable run again as another process: it does one task and ends, and its parent reads what it prints.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, io};

use lyceum_core::base::Failure;
use lyceum_core::store::{Commit, Event, NewFile, Store as _};
use lyceum_io::store::{Entry, FileOps, RealOps};
use serde_json::{Value, json};

use crate::scenario::{Kind, open, stamp};

const TASK: &str = "LYCEUM_STORE_TASK";

/// A command that runs this executable, or a copy of it, for one task.
pub(crate) fn command(program: &Path, task: &Value) -> Command {
    let mut command = Command::new(program);
    command
        .args(["child::entry", "--exact", "--nocapture", "--test-threads=1"])
        .env(TASK, task.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit());
    command
}

pub(crate) fn spawn(task: &Value) -> Child {
    command(&env::current_exe().unwrap(), task).spawn().unwrap()
}

/// What a child tells after `word`, line by line, until it ends.
pub(crate) fn told(child: &mut Child, word: &'static str) -> impl Iterator<Item = String> + use<> {
    let out = BufReader::new(child.stdout.take().unwrap());
    out.lines().map_while(Result::ok).filter_map(move |line| {
        // The harness may have begun the line.
        let (_, rest) = line.split_once(&format!("{word} "))?;
        Some(rest.to_owned())
    })
}

fn tell(word: &str, what: &str) {
    // Past the harness: one write, so that a line is there whole or not at all.
    let mut out = io::stdout().lock();
    out.write_all(format!("{word} {what}\n").as_bytes())
        .unwrap();
    out.flush().unwrap();
}

/// The body of the children; a run without a task is the harness listing it.
#[test]
fn entry() {
    let Ok(task) = env::var(TASK) else { return };
    let task: Value = serde_json::from_str(&task).unwrap();
    let root = PathBuf::from(task["root"].as_str().unwrap());
    let number = |name: &str| usize::try_from(task[name].as_u64().unwrap()).unwrap();
    match task["do"].as_str().unwrap() {
        "add" => add(&root, number("times"), task["name"].as_str().unwrap()),
        "commit" => commit(&root, number("die_at")),
        "try" => attempt(&root),
        other => panic!("no task {other}"),
    }
}

/// Adds one to a number, again and again, beside others that do the same.
fn add(root: &Path, times: usize, name: &str) {
    let store = open(root, RealOps);
    let key = Kind::Review.key();
    let mut waited = 0;
    for time in 0..times {
        loop {
            let done = store.transact(&key, &stamp(time), &mut |present| {
                let count = present.map_or(0, |bytes| {
                    let value: Value = serde_json::from_slice(bytes).unwrap();
                    value["count"].as_u64().unwrap()
                });
                Ok(Commit {
                    state: format!("{{\n  \"count\": {}\n}}\n", count + 1).into_bytes(),
                    events: vec![Event::new("added", json!({"name": name, "time": time}))],
                    ..Commit::default()
                })
            });
            match done {
                Ok(_) => break,
                Err(Failure::Fault(fault)) if fault.code == "locked" && fault.retryable => {
                    waited += 1;
                }
                Err(other) => panic!("{name}: {other:?}"),
            }
        }
    }
    tell("waited", &waited.to_string());
}

/// The state after commit `n` of the endless run.
pub(crate) fn endless(n: u64) -> Vec<u8> {
    let padding = "y".repeat(usize::try_from(n % 7).unwrap() * 100);
    format!("{{\n  \"n\": {n},\n  \"padding\": \"{padding}\"\n}}\n").into_bytes()
}

pub(crate) fn note(n: u64) -> Option<NewFile> {
    n.is_multiple_of(3).then(|| NewFile {
        path: format!("notes/{n}.txt"),
        bytes: format!("note {n}\n").repeat(40).into_bytes(),
    })
}

/// Commits until somebody ends it, telling each acknowledged number.
fn commit(root: &Path, die_at: usize) {
    let ops = Dying {
        at: die_at,
        count: AtomicUsize::new(0),
    };
    let store = open(root, ops);
    let key = Kind::Review.key();
    loop {
        let mut next = 0;
        let done = store.transact(&key, &stamp(0), &mut |present| {
            next = 1 + present.map_or(0, |bytes| {
                let value: Value = serde_json::from_slice(bytes).unwrap();
                value["n"].as_u64().unwrap()
            });
            Ok(Commit {
                state: endless(next),
                events: vec![Event::new("counted", json!({"n": next}))],
                files: note(next).into_iter().collect(),
                ..Commit::default()
            })
        });
        assert!(done.unwrap().wrote);
        tell("ack", &next.to_string());
    }
}

/// Reads and commits once and tells what came of both.
fn attempt(root: &Path) {
    let store = open(root, RealOps);
    let key = Kind::Review.key();
    let read = match store.read(&key) {
        Ok(None) => "absent".to_owned(),
        Ok(Some(stored)) => format!("{:?}", stored.condition),
        Err(Failure::Fault(fault)) => fault.code.to_owned(),
        Err(Failure::Refusal(refusal)) => refusal.code.to_owned(),
    };
    let wrote = match crate::scenario::put(&store, &key, 2).0 {
        Ok(_) => "done".to_owned(),
        Err(Failure::Fault(fault)) => fault.code.to_owned(),
        Err(Failure::Refusal(refusal)) => refusal.code.to_owned(),
    };
    tell("came", &format!("{read} {wrote}"));
}

/// The real operations, until the process ends in the middle of one.
struct Dying {
    at: usize,
    count: AtomicUsize,
}

impl Dying {
    /// Does `half` and ends the process when its time has come.
    fn live(&self, half: impl FnOnce()) {
        if self.count.fetch_add(1, Ordering::Relaxed) == self.at {
            half();
            std::process::abort();
        }
    }
}

impl FileOps for Dying {
    fn make_dir(&self, path: &Path, private: bool) -> io::Result<()> {
        self.live(|| ());
        RealOps.make_dir(path, private)
    }

    fn write(&self, path: &Path, bytes: &[u8], private: bool) -> io::Result<()> {
        self.live(|| {
            RealOps
                .write(path, &bytes[..bytes.len() / 2], private)
                .unwrap()
        });
        RealOps.write(path, bytes, private)
    }

    fn append(&self, path: &Path, bytes: &[u8], private: bool) -> io::Result<()> {
        self.live(|| {
            RealOps
                .append(path, &bytes[..bytes.len() / 2], private)
                .unwrap()
        });
        RealOps.append(path, bytes, private)
    }

    fn truncate(&self, path: &Path, len: u64) -> io::Result<()> {
        self.live(|| ());
        RealOps.truncate(path, len)
    }

    fn sync_file(&self, path: &Path) -> io::Result<()> {
        self.live(|| ());
        RealOps.sync_file(path)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        self.live(|| ());
        RealOps.sync_dir(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.live(|| ());
        RealOps.rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.live(|| fs::hard_link(from, to).unwrap());
        RealOps.rename_new(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.live(|| ());
        RealOps.remove(path)
    }

    fn read(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        self.live(|| ());
        RealOps.read(path)
    }

    fn read_tail(&self, path: &Path, max: u64) -> io::Result<Option<(Vec<u8>, u64)>> {
        self.live(|| ());
        RealOps.read_tail(path, max)
    }

    fn entry(&self, path: &Path) -> io::Result<Option<Entry>> {
        self.live(|| ());
        RealOps.entry(path)
    }

    fn list(&self, path: &Path) -> io::Result<Option<Vec<String>>> {
        self.live(|| ());
        RealOps.list(path)
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        self.live(|| ());
        RealOps.remove_dir(path)
    }
}
