//! Removing an aggregate with everything it wrote, its lock held.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use lyceum_core::base::Failure;
use lyceum_core::store::{Key, Layout, MayPurge, commit, journal};

use super::ops::{Entry, FileOps};
use super::{FileStore, fault};

/// Begins the name of a folder that is on its way out. No id begins so.
pub(super) const GONE: &str = ".purged-";

impl<Ops: FileOps> FileStore<Ops> {
    pub(super) fn purge_locked(&self, key: &Key, decide: &mut MayPurge<'_>) -> Result<(), Failure> {
        let seen = self.see(key)?;
        decide(seen.finding().bytes(&seen.present()))?;
        let folder = self.at(key.folder());
        let removed = match key.area().layout {
            Layout::Folder(_) => self.remove_folder(&folder, key.id()),
            Layout::Flat | Layout::Single(_) => self.remove_files(key),
        };
        removed.map_err(|error| fault::writing(key.folder(), &error).into())
    }

    /// Out of sight in one step, then away piece by piece; what a death in between leaves, the next purge takes.
    fn remove_folder(&self, folder: &Path, id: &str) -> io::Result<()> {
        let Some(area) = folder.parent() else {
            return Ok(());
        };
        let gone = area.join(format!("{GONE}{id}"));
        self.remove_tree(&gone)?;
        // Where a folder with an open file in it cannot be renamed, it is taken apart in its place.
        let _ = self.ops.rename(folder, &gone);
        self.ops.sync_dir(area)?;
        self.remove_gone(area)?;
        self.remove_tree(folder)?;
        self.ops.sync_dir(area)
    }

    fn remove_gone(&self, area: &Path) -> io::Result<bool> {
        let names = self.ops.list(area)?.unwrap_or_default();
        let gone = names.iter().filter(|name| name.starts_with(GONE));
        let mut any = false;
        for name in gone {
            any = true;
            self.remove_tree(&area.join(name))?;
        }
        Ok(any)
    }

    /// Takes away what a purge that died left of an aggregate that nobody sees any more.
    pub(super) fn sweep(&self, key: &Key) -> Result<(), Failure> {
        let area = self.at(key.area().folder);
        let swept = match key.area().layout {
            Layout::Folder(_) => self.remove_gone(&area),
            Layout::Flat | Layout::Single(_) => Ok(false),
        };
        swept
            .and_then(|any| {
                if any {
                    self.ops.sync_dir(&area)
                } else {
                    Ok(())
                }
            })
            .map_err(|error| fault::writing(key.area().folder, &error).into())
    }

    /// Removes a folder and what is in it. Links are removed, not followed.
    fn remove_tree(&self, path: &Path) -> io::Result<()> {
        let mut folders = vec![path.to_owned()];
        let mut at = 0;
        while let Some(folder) = folders.get(at).cloned() {
            at += 1;
            for name in self.ops.list(&folder)?.unwrap_or_default() {
                let inner = folder.join(name);
                match self.ops.entry(&inner)? {
                    Some(Entry::Folder) => folders.push(inner),
                    Some(_) => self.ops.remove(&inner)?,
                    None => {}
                }
            }
        }
        for folder in folders.iter().rev() {
            match self.ops.remove_dir(folder) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// The files of an aggregate that shares its folder: the journal first, so that what is left of a purge that died
    /// still looks like something to purge.
    fn remove_files(&self, key: &Key) -> io::Result<()> {
        let folder = self.at(key.folder());
        let bytes = self.ops.read(&self.at(&key.journal()))?.unwrap_or_default();
        let files: Vec<PathBuf> = journal::lines(&bytes)
            .filter_map(Result::ok)
            .flat_map(|line| line.files())
            .filter(|(path, _)| commit::own_path(key, path).is_ok())
            .map(|(path, _)| self.at(&format!("{}/{path}", key.folder())))
            .collect();
        // The journal alone knows these: they go before it, durably.
        for path in &files {
            self.remove_if_there(path)?;
        }
        let folders: BTreeSet<&Path> = files.iter().filter_map(|path| path.parent()).collect();
        for inner in folders {
            if self.ops.entry(inner)?.is_some() {
                self.ops.sync_dir(inner)?;
            }
        }
        let mut doomed = vec![self.at(&key.journal())];
        for name in self.ops.list(&folder)?.unwrap_or_default() {
            if key.is_kept(&format!("{}/{name}", key.folder())) {
                doomed.push(folder.join(name));
            }
        }
        doomed.extend(
            [key.next(), key.journal_next(), key.state(), key.lock()].map(|own| self.at(&own)),
        );
        for path in doomed {
            self.remove_if_there(&path)?;
        }
        self.ops.sync_dir(&folder)
    }

    fn remove_if_there(&self, path: &Path) -> io::Result<()> {
        match self.ops.entry(path)? {
            Some(_) => self.ops.remove(path),
            None => Ok(()),
        }
    }
}
