//! A file system that forgets. It replays recorded operations and enumerates what a loss of power may leave: bytes that
//! were not synced are lost, torn, holed or whole; names that were not synced are each lost or kept, in any order. It
//! must not know what a store is.
//!
//! What it assumes of a disk: a rename is one step; what a sync acknowledged stays; a lost folder hides all below it.
//! `sync_file` makes bytes durable and no name, `sync_dir` the names in that one folder and no bytes.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// One operation on paths relative to the root, as it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    MakeDir(String),
    Write(String, Vec<u8>),
    Append(String, Vec<u8>),
    Truncate(String, u64),
    SyncFile(String),
    /// A sync that failed. The system takes those bytes as clean from then on: a later sync that succeeds says nothing
    /// about them, only about bytes written after it.
    SyncFileFailed(String),
    SyncDir(String),
    Rename(String, String),
    /// A second name for a file; the other half of `rename_new` is a [`Op::Remove`].
    Link(String, String),
    Remove(String),
}

impl Op {
    pub(crate) fn is_sync(&self) -> bool {
        matches!(self, Self::SyncFile(_) | Self::SyncDir(_))
    }
}

/// What is there: a path with bytes, or with `None` for a folder.
pub(crate) type Tree = BTreeMap<String, Option<Vec<u8>>>;

pub(crate) fn fingerprint(tree: &Tree, beside: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    tree.hash(&mut hasher);
    beside.hash(&mut hasher);
    hasher.finish()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    Dir(usize),
    File(usize),
}

type Names = BTreeMap<String, Node>;

#[derive(Clone, Debug)]
enum NameChange {
    Set {
        dir: usize,
        name: String,
        node: Node,
    },
    Unset {
        dir: usize,
        name: String,
        node: Node,
    },
    Move {
        from: (usize, String),
        to: (usize, String),
        node: Node,
    },
}

impl NameChange {
    /// The folder whose sync makes it durable.
    fn folder(&self) -> usize {
        match self {
            Self::Set { dir, .. } | Self::Unset { dir, .. } => *dir,
            Self::Move { to, .. } => to.0,
        }
    }

    fn apply(&self, dirs: &mut [Names]) {
        let unset = |dirs: &mut [Names], dir: usize, name: &str, node: Node| {
            if dirs[dir].get(name) == Some(&node) {
                dirs[dir].remove(name);
            }
        };
        match self {
            Self::Set { dir, name, node } => {
                dirs[*dir].insert(name.clone(), *node);
            }
            Self::Unset { dir, name, node } => unset(dirs, *dir, name, *node),
            Self::Move { from, to, node } => {
                unset(dirs, from.0, &from.1, *node);
                dirs[to.0].insert(to.1.clone(), *node);
            }
        }
    }
}

#[derive(Clone, Debug)]
enum ByteChange {
    Replace(Vec<u8>),
    Append(Vec<u8>),
    Cut(usize),
}

#[derive(Clone, Debug, Default)]
struct File {
    synced: Vec<u8>,
    pending: Vec<ByteChange>,
    /// How many of the pending changes no sync will make durable any more.
    doomed: usize,
}

impl File {
    fn now(&self) -> Vec<u8> {
        self.pending
            .iter()
            .fold(self.synced.clone(), |bytes, change| whole(&bytes, change))
    }

    fn sync(&mut self) {
        let kept = self.synced.len();
        let afresh = self.pending.iter().rposition(|change| match change {
            ByteChange::Replace(_) => true,
            ByteChange::Cut(len) => *len <= kept,
            ByteChange::Append(_) => false,
        });
        if self.doomed == 0 || afresh.is_some_and(|at| at >= self.doomed) {
            self.synced = self.now();
            self.pending.clear();
            self.doomed = 0;
        }
    }

    /// All that a crash may leave of it; the last one is what a program sees now.
    fn survivors(&self) -> Vec<Vec<u8>> {
        let mut all = vec![self.synced.clone()];
        let mut bytes = self.synced.clone();
        for change in &self.pending {
            all.extend(torn(&bytes, change));
            bytes = whole(&bytes, change);
            all.push(bytes.clone());
        }
        if self.pending.len() > 1 {
            // Later bytes reached the disk and earlier ones did not.
            let start = self.synced.len().min(bytes.len());
            let middle = start + (bytes.len() - start) / 2;
            let mut holed = bytes.clone();
            holed[start..middle].fill(0);
            all.push(holed);
        }
        let mut seen = HashSet::new();
        all.retain(|one| seen.insert(one.clone()));
        all
    }
}

fn whole(before: &[u8], change: &ByteChange) -> Vec<u8> {
    match change {
        ByteChange::Replace(bytes) => bytes.clone(),
        ByteChange::Append(bytes) => [before, bytes].concat(),
        ByteChange::Cut(len) => before[..(*len).min(before.len())].to_vec(),
    }
}

fn torn(before: &[u8], change: &ByteChange) -> Vec<Vec<u8>> {
    let (kept, bytes): (&[u8], &[u8]) = match change {
        ByteChange::Replace(bytes) => (&[], bytes),
        ByteChange::Append(bytes) => (before, bytes),
        ByteChange::Cut(_) => return Vec::new(),
    };
    let (len, half) = (bytes.len(), bytes.len() / 2);
    let mut all = vec![kept.to_vec()];
    for end in [1, half, len.saturating_sub(1)] {
        all.push([kept, &bytes[..end.min(len)]].concat());
    }
    // The length reached the disk before the bytes, for all, the second half and the first half of them.
    let zeros = vec![0; len];
    all.push([kept, &zeros].concat());
    all.push([kept, &bytes[..half], &zeros[half..]].concat());
    all.push([kept, &zeros[..half], &bytes[half..]].concat());
    all
}

/// The disk: what is durable, and what has been done since.
#[derive(Clone, Debug)]
pub(crate) struct Disk {
    files: Vec<File>,
    durable: Vec<Names>,
    present: Vec<Names>,
    pending: Vec<NameChange>,
}

impl Disk {
    /// A disk on which all of this is durable.
    pub(crate) fn new(tree: &Tree) -> Self {
        let mut disk = Self {
            files: Vec::new(),
            durable: vec![Names::new()],
            present: vec![Names::new()],
            pending: Vec::new(),
        };
        for (path, bytes) in tree {
            let (dir, name) = disk.place(path);
            let node = match bytes {
                None => disk.new_dir(),
                Some(bytes) => {
                    disk.files.push(File {
                        synced: bytes.clone(),
                        ..File::default()
                    });
                    Node::File(disk.files.len() - 1)
                }
            };
            disk.present[dir].insert(name.clone(), node);
            disk.durable[dir].insert(name, node);
        }
        disk
    }

    fn new_dir(&mut self) -> Node {
        self.durable.push(Names::new());
        self.present.push(Names::new());
        Node::Dir(self.present.len() - 1)
    }

    fn dir(&self, path: &str) -> usize {
        path.split('/')
            .filter(|part| !part.is_empty())
            .fold(0, |dir, part| match self.present[dir].get(part) {
                Some(Node::Dir(next)) => *next,
                other => panic!("{path}: {part} is {other:?}, not a folder"),
            })
    }

    fn place(&self, path: &str) -> (usize, String) {
        let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
        (self.dir(parent), name.to_owned())
    }

    fn node(&self, path: &str) -> (usize, String, Node) {
        let (dir, name) = self.place(path);
        let node = self.present[dir].get(&name).copied();
        (
            dir,
            name,
            node.unwrap_or_else(|| panic!("{path} is absent")),
        )
    }

    fn file(&mut self, path: &str) -> &mut File {
        match self.node(path).2 {
            Node::File(file) => &mut self.files[file],
            Node::Dir(_) => panic!("{path} is a folder"),
        }
    }

    fn change(&mut self, change: NameChange) {
        change.apply(&mut self.present);
        self.pending.push(change);
    }

    fn file_or_new(&mut self, path: &str) -> &mut File {
        let (dir, name) = self.place(path);
        if !self.present[dir].contains_key(&name) {
            self.files.push(File::default());
            let node = Node::File(self.files.len() - 1);
            self.change(NameChange::Set { dir, name, node });
        }
        self.file(path)
    }

    pub(crate) fn run(&mut self, op: &Op) {
        match op {
            Op::MakeDir(path) => {
                let (dir, name) = self.place(path);
                let node = self.new_dir();
                self.change(NameChange::Set { dir, name, node });
            }
            Op::Write(path, bytes) => self
                .file_or_new(path)
                .pending
                .push(ByteChange::Replace(bytes.clone())),
            Op::Append(path, bytes) => self
                .file_or_new(path)
                .pending
                .push(ByteChange::Append(bytes.clone())),
            Op::Truncate(path, len) => self
                .file(path)
                .pending
                .push(ByteChange::Cut(usize::try_from(*len).unwrap())),
            Op::SyncFile(path) => self.file(path).sync(),
            Op::SyncFileFailed(path) => {
                let file = self.file(path);
                file.doomed = file.pending.len();
            }
            Op::SyncDir(path) => {
                let dir = self.dir(path);
                let (now, later): (Vec<_>, Vec<_>) = self
                    .pending
                    .drain(..)
                    .partition(|change| change.folder() == dir);
                now.iter()
                    .for_each(|change| change.apply(&mut self.durable));
                self.pending = later;
            }
            Op::Rename(from, to) => {
                let (dir, name, node) = self.node(from);
                let to = self.place(to);
                self.change(NameChange::Move {
                    from: (dir, name),
                    to,
                    node,
                });
            }
            Op::Link(from, to) => {
                let node = self.node(from).2;
                let (dir, name) = self.place(to);
                self.change(NameChange::Set { dir, name, node });
            }
            Op::Remove(path) => {
                let (dir, name, node) = self.node(path);
                self.change(NameChange::Unset { dir, name, node });
            }
        }
    }

    fn show(&self, dirs: &[Names], bytes: &dyn Fn(usize) -> Vec<u8>) -> Tree {
        let mut tree = Tree::new();
        let mut open = vec![(String::new(), 0)];
        while let Some((prefix, dir)) = open.pop() {
            for (name, node) in &dirs[dir] {
                let path = format!("{prefix}{name}");
                match node {
                    Node::Dir(inner) => {
                        open.push((format!("{path}/"), *inner));
                        tree.insert(path, None);
                    }
                    Node::File(file) => {
                        tree.insert(path, Some(bytes(*file)));
                    }
                }
            }
        }
        tree
    }

    /// What a program sees now, before any crash.
    pub(crate) fn now(&self) -> Tree {
        self.show(&self.present, &|file| self.files[file].now())
    }

    /// Calls `each` with what a crash may leave: everything when that is at most `limit` choices, else the corners and
    /// `limit` choices picked by `dice`. True when it was everything.
    pub(crate) fn crash(&self, limit: usize, dice: &mut Dice, each: &mut dyn FnMut(Tree)) -> bool {
        let unsynced: Vec<(usize, Vec<Vec<u8>>)> = self
            .files
            .iter()
            .enumerate()
            .filter(|(_, file)| !file.pending.is_empty())
            .map(|(at, file)| (at, file.survivors()))
            .collect();
        let mut choices = vec![2; self.pending.len()];
        choices.extend(unsynced.iter().map(|(_, survivors)| survivors.len()));
        let mut give = |picks: &[usize]| each(self.left(&unsynced, picks));
        let total = choices
            .iter()
            .try_fold(1_usize, |total, n| total.checked_mul(*n))
            .filter(|total| *total <= limit);
        if let Some(total) = total {
            for mut number in 0..total {
                let picks: Vec<usize> = choices
                    .iter()
                    .map(|n| {
                        let pick = number % n;
                        number /= n;
                        pick
                    })
                    .collect();
                give(&picks);
            }
            return true;
        }
        // Corners: nothing kept, all kept, and each choice alone against both.
        let none = vec![0; choices.len()];
        let all: Vec<usize> = choices.iter().map(|n| n - 1).collect();
        give(&none);
        give(&all);
        for at in 0..choices.len() {
            for pick in 0..choices[at] {
                for base in [&none, &all] {
                    let mut picks = base.clone();
                    picks[at] = pick;
                    give(&picks);
                }
            }
        }
        for _ in 0..limit {
            let picks: Vec<usize> = choices.iter().map(|n| dice.below(*n)).collect();
            give(&picks);
        }
        false
    }

    fn left(&self, unsynced: &[(usize, Vec<Vec<u8>>)], picks: &[usize]) -> Tree {
        let (names, bytes) = picks.split_at(self.pending.len());
        let mut dirs = self.durable.clone();
        for (change, _) in self
            .pending
            .iter()
            .zip(names)
            .filter(|(_, kept)| **kept == 1)
        {
            change.apply(&mut dirs);
        }
        self.show(&dirs, &|file| {
            let lost = unsynced.iter().zip(bytes).find(|((at, _), _)| *at == file);
            match lost {
                Some(((_, survivors), pick)) => survivors[*pick].clone(),
                None => self.files[file].synced.clone(),
            }
        })
    }
}

/// Numbers that look random and are the same in every run.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        usize::try_from(high).unwrap() % n
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states(ops: &[Op]) -> HashSet<Tree> {
        let mut disk = Disk::new(&Tree::new());
        ops.iter().for_each(|op| disk.run(op));
        let mut all = HashSet::new();
        assert!(disk.crash(100_000, &mut Dice::new(1), &mut |tree| {
            all.insert(tree);
        }));
        all
    }

    fn bytes(text: &str) -> Vec<u8> {
        text.as_bytes().to_vec()
    }

    #[test]
    fn a_name_without_bytes_and_bytes_without_a_name() {
        let write = Op::Write("a".into(), bytes("12345678"));
        let all = states(std::slice::from_ref(&write));
        assert!(all.contains(&Tree::new()), "the name may be lost");
        assert!(all.contains(&Tree::from([("a".into(), Some(Vec::new()))])));
        assert!(all.contains(&Tree::from([("a".into(), Some(bytes("1234")))])));
        assert!(all.contains(&Tree::from([("a".into(), Some(vec![0; 8]))])));
        let synced = states(&[write.clone(), Op::SyncFile("a".into())]);
        assert_eq!(synced.len(), 2, "whole or absent: {synced:?}");
        let named = states(&[write, Op::SyncFile("a".into()), Op::SyncDir(String::new())]);
        assert_eq!(
            named,
            HashSet::from([Tree::from([("a".into(), Some(bytes("12345678")))])])
        );
    }

    #[test]
    fn a_rename_without_a_sync_of_bytes_may_show_an_empty_file() {
        let all = states(&[
            Op::Write("a".into(), bytes("new")),
            Op::Rename("a".into(), "b".into()),
            Op::SyncDir(String::new()),
        ]);
        assert!(all.contains(&Tree::from([("b".into(), Some(Vec::new()))])));
        assert!(all.iter().all(|tree| tree.contains_key("b")));
    }

    #[test]
    fn names_are_lost_in_any_order_and_a_lost_folder_hides_its_files() {
        let all = states(&[
            Op::MakeDir("d".into()),
            Op::Write("d/x".into(), bytes("x")),
            Op::SyncFile("d/x".into()),
            Op::SyncDir("d".into()),
            Op::Write("y".into(), bytes("y")),
            Op::SyncFile("y".into()),
        ]);
        let (d, x, y) = (
            ("d".to_owned(), None),
            ("d/x".to_owned(), Some(bytes("x"))),
            ("y".to_owned(), Some(bytes("y"))),
        );
        let expected = [
            Tree::new(),
            Tree::from([y.clone()]),
            Tree::from([d.clone(), x.clone()]),
            Tree::from([d, x, y]),
        ];
        assert_eq!(all, HashSet::from(expected));
    }

    #[test]
    fn a_failed_sync_is_not_mended_by_another_one() {
        let (write, failed, sync) = (
            Op::Write("a".into(), bytes("x")),
            Op::SyncFileFailed("a".into()),
            Op::SyncFile("a".into()),
        );
        let dir = Op::SyncDir(String::new());
        let lost = states(&[write.clone(), failed.clone(), sync.clone(), dir.clone()]);
        assert!(lost.contains(&Tree::from([("a".into(), Some(Vec::new()))])));
        let again = states(&[
            write.clone(),
            failed.clone(),
            write,
            sync.clone(),
            dir.clone(),
        ]);
        assert_eq!(again.len(), 1, "{again:?}");
        let append = Op::Append("a".into(), bytes("y"));
        let cut = Op::Truncate("a".into(), 0);
        let cut = states(&[append.clone(), failed, cut, append, sync, dir]);
        assert_eq!(cut.len(), 1, "{cut:?}");
    }

    #[test]
    fn a_link_and_its_removal_are_two_steps() {
        let all = states(&[
            Op::Write("a".into(), bytes("x")),
            Op::SyncFile("a".into()),
            Op::SyncDir(String::new()),
            Op::Link("a".into(), "b".into()),
            Op::Remove("a".into()),
        ]);
        assert_eq!(all.len(), 4, "both, either or none of the names: {all:?}");
    }
}
