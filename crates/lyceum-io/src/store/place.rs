//! Where an aggregate lies below the root, and that no link leads it out.

use std::io;
use std::path::{Path, PathBuf};

use lyceum_core::base::Failure;
use lyceum_core::store::Key;

use super::ops::{Entry, FileOps};
use super::{FileStore, fault};

impl<Ops: FileOps> FileStore<Ops> {
    /// The path of a name relative to the root.
    pub(super) fn at(&self, relative: &str) -> PathBuf {
        let mut path = self.root.clone();
        path.extend(relative.split('/'));
        path
    }

    /// Refuses when a folder on the way to an aggregate, or one of its own files, leads out of the root.
    pub(super) fn confine(&self, key: &Key) -> Result<(), Failure> {
        self.confine_path(key.folder())?;
        for own in [
            key.state(),
            key.next(),
            key.journal(),
            key.journal_next(),
            key.lock(),
        ] {
            match self.entry(&own)? {
                None | Some(Entry::File(_)) => {}
                Some(Entry::Link) => self.inside(&own)?,
                Some(Entry::Folder | Entry::Special) => {
                    return Err(fault::not_regular(&own).into());
                }
            }
        }
        Ok(())
    }

    /// Refuses when a part of a path is a link that leads out of the root.
    pub(super) fn confine_path(&self, relative: &str) -> Result<(), Failure> {
        for (end, _) in relative.match_indices('/').chain([(relative.len(), "")]) {
            let part = relative.get(..end).unwrap_or(relative);
            match self.entry(part)? {
                None => return Ok(()),
                Some(Entry::Link) => self.inside(part)?,
                Some(_) => {}
            }
        }
        Ok(())
    }

    fn entry(&self, relative: &str) -> Result<Option<Entry>, Failure> {
        match self.ops.entry(&self.at(relative)) {
            Ok(entry) => Ok(entry),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(None),
            Err(error) => Err(fault::reading(relative, &error).into()),
        }
    }

    fn inside(&self, relative: &str) -> Result<(), Failure> {
        match std::fs::canonicalize(self.at(relative)) {
            Ok(real) if real.starts_with(&self.root) => Ok(()),
            _ => Err(fault::outside(relative).into()),
        }
    }

    /// Makes the folders that lead to an aggregate; gives those that were not there.
    pub(super) fn make_folders(&self, key: &Key) -> Result<Vec<PathBuf>, Failure> {
        let depth = key.area().folder.split('/').count();
        let mut made = Vec::new();
        let mut path = self.root.clone();
        for (index, part) in key.folder().split('/').enumerate() {
            path.push(part);
            // A folder that other areas share is as the user has it; what is inside of the area is not.
            let private = key.area().private && index + 1 >= depth;
            self.make_folder(&path, private, &mut made)
                .map_err(|error| {
                    self.unmake(&made);
                    fault::writing(key.folder(), &error)
                })?;
        }
        Ok(made)
    }

    /// Makes one folder when it is not there.
    pub(super) fn make_folder(
        &self,
        path: &Path,
        private: bool,
        made: &mut Vec<PathBuf>,
    ) -> io::Result<()> {
        if matches!(self.ops.entry(path)?, Some(Entry::Folder | Entry::Link)) {
            return Ok(());
        }
        match self.ops.make_dir(path, private) {
            Ok(()) => made.push(path.to_owned()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                if !path.is_dir() {
                    return Err(io::ErrorKind::NotADirectory.into());
                }
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Removes folders that were made for nothing, the innermost first; one that holds something stays.
    pub(super) fn unmake(&self, made: &[PathBuf]) {
        for path in made.iter().rev() {
            // Whoever put something there meanwhile keeps it.
            let _ = self.ops.remove_dir(path);
        }
    }
}
