//! What is committed in these tests, and what must hold afterwards whatever happened between.

use std::fs;
use std::path::{Path, PathBuf};

use lyceum_core::base::{Failure, Timestamp};
use lyceum_core::store::{
    Area, Commit, Condition, Done, Event, Key, NewFile, Outbound, Stamp, Store as _,
};
use lyceum_io::store::{FileOps, FileStore};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::explore::Seen;
use crate::model::Tree;
use crate::traced::{Step, Traced, lay, tree};

pub(crate) const COMMITS: usize = 4;

/// Where the aggregate lies: a folder of its own, or one file of several in a folder.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Review,
    Request,
}

impl Kind {
    pub(crate) fn key(self) -> Key {
        match self {
            Self::Review => Area::REVIEWS.key("rev-1").unwrap(),
            Self::Request => Area::REQUESTS.key("req-1").unwrap(),
        }
    }
}

/// A new folder, in memory where the system has that: nothing here depends on what a real disk does.
pub(crate) fn scratch() -> TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() {
        TempDir::new_in(memory).unwrap()
    } else {
        TempDir::new().unwrap()
    }
}

pub(crate) fn open<Ops: FileOps>(root: &Path, ops: Ops) -> FileStore<Ops> {
    FileStore::with(ops, root)
}

pub(crate) fn stamp(n: usize) -> Stamp {
    Stamp {
        at: Timestamp::from_unix(1_796_040_000 + i64::try_from(n).unwrap()),
        actor: json!({"kind": "agent", "name": "test"}),
        cause: format!("commit {n}"),
    }
}

/// The state after commit `n`; the third commit changes nothing but what happened.
pub(crate) fn state(n: usize) -> Vec<u8> {
    let n = if n == 3 { 2 } else { n };
    let padding = "x".repeat([0, 3, 90, 0, 11][n % 5]);
    let value = json!({"schema_version": "1", "n": n, "padding": padding});
    format!("{}\n", serde_json::to_string_pretty(&value).unwrap()).into_bytes()
}

pub(crate) fn files(n: usize) -> Vec<NewFile> {
    let file = |path: &str, text: String| NewFile {
        path: path.to_owned(),
        bytes: text.into_bytes(),
    };
    match n {
        2 => vec![
            file("reports/eic.json", format!("{{\"n\": {n}}}\n")),
            file("letter.1.md", "A letter.\n".repeat(3)),
        ],
        4 => vec![file("reports/final.md", "The end.\n".to_owned())],
        _ => Vec::new(),
    }
}

pub(crate) fn commit(n: usize) -> Commit {
    let event = |kind: &str| Event::new(format!("{kind}_{n}"), json!({"n": n}));
    let outbox = Outbound {
        area: "request".to_owned(),
        id: "req-9".to_owned(),
        event: event("told"),
    };
    Commit {
        state: state(n),
        events: vec![event("happened"), event("followed")],
        files: files(n),
        outbox: if n == 4 { vec![outbox] } else { Vec::new() },
    }
}

/// Commits number `n` on whatever is there; the bytes that the decision saw come back with the answer.
pub(crate) fn put<Ops: FileOps>(
    store: &FileStore<Ops>,
    key: &Key,
    n: usize,
) -> (Result<Done, Failure>, Option<Option<Vec<u8>>>) {
    let mut saw = None;
    let done = store.transact(key, &stamp(n), &mut |present| {
        assert!(saw.is_none(), "a decision is asked for once");
        saw = Some(present.map(<[u8]>::to_vec));
        Ok(commit(n))
    });
    (done, saw)
}

/// How a run ended.
#[derive(Debug)]
pub(crate) enum Ended {
    Whole,
    /// This commit failed.
    Failed(usize, Failure),
    /// The process died during this commit.
    Died(usize),
}

/// All commits, with begin and acknowledgement noted; ends at the first failure.
pub(crate) fn run(store: &FileStore<Traced>, traced: &Traced, key: &Key) -> Ended {
    for n in 1..=COMMITS {
        traced.note(Step::Begun(n));
        let done = put(store, key, n).0;
        if traced.dead() {
            return Ended::Died(n);
        }
        if let Err(failure) = done {
            return Ended::Failed(n, failure);
        }
        traced.note(Step::Acked(n));
    }
    Ended::Whole
}

/// The lines of a journal, each chained to the one before; checked here without the code under test.
pub(crate) fn chain(journal: &[u8]) -> Result<Vec<Value>, String> {
    let text = std::str::from_utf8(journal).map_err(|e| format!("the journal is no text: {e}"))?;
    if !text.is_empty() && !text.ends_with('\n') {
        return Err("the journal ends in half a line".to_owned());
    }
    let mut lines: Vec<Value> = Vec::new();
    for line in text.lines() {
        let value: Value =
            serde_json::from_str(line).map_err(|e| format!("a line is no JSON: {e}: {line}"))?;
        let (body, _) = line
            .rsplit_once(",\"hash\":")
            .ok_or("hash is not the last field")?;
        let hash = lyceum_core::base::Sha256::of(body.as_bytes()).to_string();
        if value["hash"] != json!(hash) {
            return Err(format!("line {} has the wrong hash", value["seq"]));
        }
        if value["seq"] != json!(lines.len() + 1) {
            return Err(format!(
                "line {} stands in place {}",
                value["seq"],
                lines.len() + 1
            ));
        }
        if let Some(last) = lines.last() {
            if value["prev"] != last["hash"] {
                return Err(format!("line {} does not follow", value["seq"]));
            }
            if value["before"] != last["after"] {
                return Err(format!("line {} begins elsewhere", value["seq"]));
            }
        }
        lines.push(value);
    }
    Ok(lines)
}

/// Judges what is left of an aggregate, in a folder of its own.
pub(crate) struct Judge {
    pub root: PathBuf,
    pub key: Key,
}

impl Judge {
    /// Lays the tree out and asks whether everything acknowledged is there, whole, and nothing is half there; then goes
    /// on working and asks again. Gives the number of the commit that was found and the steps of going on.
    pub(crate) fn left(&self, left: &Tree, seen: Seen) -> Result<(usize, Vec<Step>), String> {
        lay(&self.root, left);
        let traced = Traced::new(&self.root);
        let store = open(&self.root, traced.clone());
        let held = self.found(&store, seen)?;
        self.raw(left, held, seen)?;
        let again = self.found(&store, seen)?;
        if again != held {
            return Err(format!("read twice: {held}, then {again}"));
        }
        self.go_on(&store, &traced, held)?;
        Ok((held, traced.steps()))
    }

    /// The commit that reading shows.
    pub(crate) fn found<Ops: FileOps>(
        &self,
        store: &FileStore<Ops>,
        seen: Seen,
    ) -> Result<usize, String> {
        let stored = store
            .read(&self.key)
            .map_err(|failure| format!("cannot be read: {failure}"))?;
        let held = match stored {
            None => 0,
            Some(stored) => {
                if !matches!(
                    stored.condition,
                    Condition::Sound | Condition::Unfinished | Condition::TornTail
                ) {
                    return Err(format!("read as {:?}", stored.condition));
                }
                let seq = stored.head.ok_or("a state without a journal line")?.seq;
                let held = usize::try_from(seq).unwrap();
                if stored.bytes != state(held) {
                    return Err(format!("line {held} holds, its state does not"));
                }
                held
            }
        };
        if held < seen.held {
            return Err(format!("commit {} is lost, {held} holds", seen.held));
        }
        if held > seen.begun {
            return Err(format!("commit {held} was never asked for"));
        }
        for n in 1..=seen.begun {
            for file in files(n) {
                let bytes = store
                    .artifact(&self.key, &file.path, 1 << 20)
                    .map_err(|failure| format!("{}: {failure}", file.path))?;
                let expected = (n <= held).then_some(file.bytes);
                if bytes != expected {
                    return Err(format!(
                        "{} of commit {n} is {}, while commit {held} holds",
                        file.path,
                        if bytes.is_none() { "absent" } else { "there" }
                    ));
                }
            }
        }
        Ok(held)
    }

    /// What other programs see, who read the files themselves.
    fn raw(&self, left: &Tree, held: usize, seen: Seen) -> Result<(), String> {
        let bytes = left.get(&self.key.state()).cloned().flatten();
        let fits = match &bytes {
            None => seen.acked == 0,
            Some(bytes) => (seen.acked.max(1)..=held).any(|n| *bytes == state(n)),
        };
        if !fits {
            return Err("the state file is not that of the last acknowledged commit".to_owned());
        }
        for file in (1..=seen.acked).flat_map(files) {
            let path = format!("{}/{}", self.key.folder(), file.path);
            if left.get(&path) != Some(&Some(file.bytes)) {
                return Err(format!("{path} was acknowledged and is not whole"));
            }
        }
        Ok(())
    }

    /// Commits the next one and looks at everything.
    pub(crate) fn go_on(
        &self,
        store: &FileStore<Traced>,
        traced: &Traced,
        held: usize,
    ) -> Result<(), String> {
        let next = held + 1;
        traced.note(Step::Begun(next));
        let (done, saw) = put(store, &self.key, next);
        let done =
            done.map_err(|failure| format!("commit {next} fails afterwards: {failure:?}"))?;
        traced.note(Step::Acked(next));
        if saw.flatten() != (held > 0).then(|| state(held)) {
            return Err(format!("the decision after {held} saw another state"));
        }
        if done.bytes != state(next) || done.head.as_ref().map(|head| head.seq) != Some(next as u64)
        {
            return Err(format!("commit {next} is acknowledged as {:?}", done.head));
        }
        self.settled(store, next)
    }

    /// Wants what is there already, and is told that it is so.
    pub(crate) fn agree(
        &self,
        store: &FileStore<Traced>,
        traced: &Traced,
        held: usize,
    ) -> Result<(), String> {
        let done = store.transact(&self.key, &stamp(held), &mut |present| {
            Ok(Commit {
                state: present.unwrap_or_default().to_vec(),
                ..Commit::default()
            })
        });
        match done {
            Ok(done) if !done.wrote => traced.note(Step::Acked(held)),
            other => return Err(format!("wanting what is so gives {other:?}")),
        }
        self.found(store, Seen::all(held)).map(|_| ())
    }

    /// Everything is whole, finished and nothing lies about.
    pub(crate) fn settled<Ops: FileOps>(
        &self,
        store: &FileStore<Ops>,
        held: usize,
    ) -> Result<(), String> {
        let seen = Seen::all(held);
        self.found(store, seen)?;
        let stored = store.read(&self.key).map_err(|f| f.to_string())?;
        let condition = stored.map(|stored| stored.condition);
        if condition != Some(Condition::Sound) {
            return Err(format!("after commit {held} it is {condition:?}"));
        }
        let raw = fs::read(self.root.join(self.key.state())).map_err(|e| e.to_string())?;
        if raw != state(held) {
            return Err(format!("the state file is not that of commit {held}"));
        }
        let lines = chain(&store.journal(&self.key).map_err(|f| f.to_string())?)?;
        if lines.len() != held {
            return Err(format!("{} lines after {held} commits", lines.len()));
        }
        for (at, line) in lines.iter().enumerate() {
            let kinds: Vec<String> = commit(at + 1).events.into_iter().map(|e| e.kind).collect();
            let found: Vec<&str> = line["events"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|event| event["kind"].as_str())
                .filter(|kind| kind.starts_with("happened") || kind.starts_with("followed"))
                .collect();
            if found != kinds {
                return Err(format!("line {} tells {found:?}", at + 1));
            }
        }
        self.tidy(held)
    }

    fn tidy(&self, held: usize) -> Result<(), String> {
        let mut expected: Vec<String> = (1..=held)
            .flat_map(files)
            .map(|file| format!("{}/{}", self.key.folder(), file.path))
            .collect();
        expected.extend([self.key.state(), self.key.journal()]);
        // A dead process may have left these of a commit that does not hold. The next one that writes there takes them.
        let drafts = (held + 1..=COMMITS).flat_map(files);
        expected.extend(drafts.map(|file| format!("{}/{}.next", self.key.folder(), file.path)));
        if held > 1 && state(held) == state(held - 1) {
            expected.push(self.key.next());
        }
        let left = tree(&self.root);
        let extra = left
            .iter()
            .filter(|(path, bytes)| bytes.is_some() && !expected.contains(path))
            // Half a line is kept aside, for people.
            .find(|(path, _)| !path.contains("torn"));
        match extra {
            Some((path, _)) => Err(format!("{path} is left over")),
            None => Ok(()),
        }
    }
}
