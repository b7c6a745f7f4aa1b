//! Paths as callers write them: opens the folder a check happens in.

use std::fs;
use std::path::{Component, Path, PathBuf};

use lyceum_core::port::{Folder, Opened, Reach, ReadError, Target, Workspace};

use crate::disk::{Disk, explain};
use crate::root::find_root;

/// The file system as seen from one folder, inside one root.
#[derive(Clone, Debug)]
pub struct LocalWorkspace {
    base: PathBuf,
    root: PathBuf,
}

impl LocalWorkspace {
    /// A workspace whose relative paths start at `base` and whose agents stay below `root`.
    ///
    /// # Errors
    /// [`ReadError`] when one of them cannot be reached or is no folder.
    pub fn new(base: &Path, root: &Path) -> Result<Self, ReadError> {
        Ok(Self {
            base: Disk::open(base)?.root().to_path_buf(),
            root: Disk::open(root)?.root().to_path_buf(),
        })
    }

    /// The canonical root.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Folder and, for a file, its name, both canonical.
    fn place(&self, path: &str, reach: Reach) -> Result<Place, ReadError> {
        let asked = self.base.join(path);
        let real = match fs::canonicalize(&asked) {
            Ok(real) => real,
            // An agent is not told what exists outside.
            Err(_) if reach == Reach::InsideRoot && !flat(&asked).starts_with(&self.root) => {
                return Err(ReadError::Outside);
            }
            Err(error) => return Err(explain(&error)),
        };
        if reach == Reach::InsideRoot && !real.starts_with(&self.root) {
            return Err(ReadError::Outside);
        }
        let metadata = fs::metadata(&real).map_err(|error| explain(&error))?;
        if metadata.is_dir() {
            return Ok(Place::Folder(real));
        }
        if !metadata.is_file() {
            return Err(ReadError::NotAFile);
        }
        Ok(Place::File(named(&asked, &real).unwrap_or(real)))
    }
}

enum Place {
    Folder(PathBuf),
    File(PathBuf),
}

/// The path of a file below the canonical folder it was named in, when the link it may be stays in that folder:
/// what a text includes is meant from where its name stands.
fn named(asked: &Path, real: &Path) -> Option<PathBuf> {
    let folder = fs::canonicalize(asked.parent()?).ok()?;
    real.starts_with(&folder)
        .then(|| Some(folder.join(asked.file_name()?)))?
}

/// The path without `.` and `..`, links not followed.
fn flat(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}

fn common(a: &Path, b: &Path) -> PathBuf {
    a.components()
        .zip(b.components())
        .take_while(|(a, b)| a == b)
        .map(|(part, _)| part)
        .collect()
}

impl Workspace for LocalWorkspace {
    fn open(&self, paths: &[String], reach: Reach) -> Result<Opened, (String, ReadError)> {
        let here = [".".to_owned()];
        let paths = if paths.is_empty() { &here[..] } else { paths };
        let mut places = Vec::new();
        let mut top: Option<PathBuf> = None;
        for path in paths {
            let place = self
                .place(path, reach)
                .map_err(|error| (path.clone(), error))?;
            let folder = match &place {
                Place::Folder(folder) => folder.as_path(),
                Place::File(file) => file.parent().unwrap_or(file),
            };
            top = Some(top.map_or_else(|| folder.to_path_buf(), |top| common(&top, folder)));
            places.push((path, place));
        }
        let top = top.unwrap_or_else(|| self.base.clone());
        let mut opened = seen_from(&top, &places)?;
        if let Some(above) = self.above(&top, reach) {
            opened.above = seen_from(&above, &places).ok().map(Box::new);
        }
        Ok(opened)
    }

    fn project(&self) -> Result<Box<dyn Folder>, ReadError> {
        Ok(Box::new(Disk::open(&self.root)?))
    }
}

impl LocalWorkspace {
    /// The root of the project that a folder lies in, when it is not the folder itself.
    fn above(&self, folder: &Path, reach: Reach) -> Option<PathBuf> {
        let above = if reach == Reach::InsideRoot || folder.starts_with(&self.root) {
            self.root.clone()
        } else {
            find_root(folder)
        };
        (folder.starts_with(&above) && folder != above).then_some(above)
    }
}

fn seen_from(top: &Path, places: &[(&String, Place)]) -> Result<Opened, (String, ReadError)> {
    let first = || places.first().map_or("", |(path, _)| path.as_str());
    let disk = Disk::open(top).map_err(|error| (first().to_owned(), error))?;
    let mut targets = Vec::new();
    for (path, place) in places {
        let (Place::Folder(real) | Place::File(real)) = place;
        let name = disk.name(real).ok_or_else(|| {
            let error = ReadError::Io("the name is not Unicode".to_owned());
            ((*path).clone(), error)
        })?;
        targets.push(match place {
            Place::Folder(_) => Target::Folder(name),
            Place::File(_) => Target::File(name),
        });
    }
    Ok(Opened {
        folder: Box::new(disk),
        targets,
        above: None,
    })
}
