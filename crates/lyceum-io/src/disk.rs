//! One folder of the file system, confined to itself.
//!
//! A path that leads out, by `..` or through a link, is refused; a special file is never opened, so nothing blocks.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::time::UNIX_EPOCH;

use ignore::WalkBuilder;
use lyceum_core::port::{Files, Folder, Listing, ReadError};

/// Folders within folders that a walk follows.
const DEPTH: usize = 16;
/// Entries of all kinds that a walk looks at.
const ENTRIES: usize = 100_000;

/// A folder with everything below it.
#[derive(Clone, Debug)]
pub struct Disk {
    /// Canonical, so that a canonical path below it starts with it.
    root: PathBuf,
}

impl Disk {
    /// Opens a folder.
    ///
    /// # Errors
    /// [`ReadError`] when it cannot be reached or is no folder.
    pub fn open(root: &Path) -> Result<Self, ReadError> {
        let root = fs::canonicalize(root).map_err(|error| explain(&error))?;
        if !root.is_dir() {
            return Err(ReadError::NotAFile);
        }
        Ok(Self { root })
    }

    /// The canonical path of the folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The canonical path behind a name.
    fn resolve(&self, path: &str) -> Result<PathBuf, ReadError> {
        let joined = inside(&self.root, Path::new(path)).ok_or(ReadError::Outside)?;
        let real = fs::canonicalize(joined).map_err(|error| explain(&error))?;
        if real.starts_with(&self.root) {
            Ok(real)
        } else {
            Err(ReadError::Outside)
        }
    }

    /// The canonical path behind a name when a regular file is there.
    fn regular(&self, path: &str) -> Result<(PathBuf, fs::Metadata), ReadError> {
        let real = self.resolve(path)?;
        let metadata = fs::metadata(&real).map_err(|error| explain(&error))?;
        if metadata.is_file() {
            Ok((real, metadata))
        } else {
            Err(ReadError::NotAFile)
        }
    }
}

impl Files for Disk {
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        let (real, metadata) = self.regular(path)?;
        if metadata.len() > limit {
            return Err(ReadError::TooLarge { limit });
        }
        let file = File::open(real).map_err(|error| explain(&error))?;
        let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
        // A file may grow while it is read.
        file.take(limit.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| explain(&error))?;
        if bytes.len() as u64 > limit {
            return Err(ReadError::TooLarge { limit });
        }
        Ok(bytes)
    }

    fn exists(&self, path: &str) -> bool {
        self.regular(path).is_ok()
    }

    fn modified(&self, path: &str) -> Option<i64> {
        let (_, metadata) = self.regular(path).ok()?;
        let time = metadata.modified().ok()?;
        match time.duration_since(UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_secs()).ok(),
            Err(before) => i64::try_from(before.duration().as_secs()).ok().map(|s| -s),
        }
    }
}

impl Folder for Disk {
    fn list(&self, under: &str, limit: usize) -> Listing {
        let Ok(start) = self.resolve(under) else {
            return Listing::default();
        };
        let mut listing = Listing::default();
        // Only ignore files inside the folder count: the answer must not depend on the user's own git settings.
        let walk = WalkBuilder::new(&start)
            .max_depth(Some(DEPTH))
            .follow_links(false)
            .parents(false)
            .git_global(false)
            .git_exclude(false)
            .require_git(false)
            .sort_by_file_name(std::cmp::Ord::cmp)
            .build();
        for (seen, entry) in walk.enumerate() {
            if seen >= ENTRIES || listing.files.len() >= limit {
                listing.cut = true;
                break;
            }
            let Ok(entry) = entry else { continue };
            if entry.file_type().is_none_or(|kind| kind.is_dir()) {
                continue;
            }
            if let Some(name) = self.name(entry.path())
                && self.exists(&name)
            {
                listing.files.push(name);
            }
        }
        listing.files.sort_unstable();
        listing
    }

    fn location(&self) -> Option<String> {
        self.root.to_str().map(str::to_owned)
    }
}

impl Disk {
    /// The name of a path below the root; `None` for one outside it or with a name that is no Unicode.
    #[must_use]
    pub fn name(&self, path: &Path) -> Option<String> {
        let below = path.strip_prefix(&self.root).ok()?;
        let parts: Option<Vec<&str>> = below
            .components()
            .map(|part| part.as_os_str().to_str())
            .collect();
        Some(parts?.join("/"))
    }
}

/// Joins a relative path to a folder without leaving it; `None` when it would, or is absolute.
fn inside(root: &Path, path: &Path) -> Option<PathBuf> {
    let mut at = root.to_path_buf();
    let mut depth = 0usize;
    for part in path.components() {
        match part {
            Component::Normal(name) => {
                at.push(name);
                depth += 1;
            }
            Component::CurDir => {}
            Component::ParentDir => {
                depth = depth.checked_sub(1)?;
                at.pop();
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(at)
}

/// What the system said, in the words of the port.
pub(crate) fn explain(error: &io::Error) -> ReadError {
    match error.kind() {
        // A file where a folder should be, as in `paper.tex/x`: nothing is there.
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ReadError::Missing,
        io::ErrorKind::PermissionDenied => ReadError::Io("permission denied".to_owned()),
        io::ErrorKind::InvalidInput => ReadError::Io("not a valid path".to_owned()),
        _ => ReadError::Io(error.to_string()),
    }
}

#[cfg(test)]
mod tests;
