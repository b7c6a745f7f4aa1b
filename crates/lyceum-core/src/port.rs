//! What core asks of the world. Each trait has a real implementation in `lyceum-io` and one in memory in
//! `lyceum-testkit`.

use crate::base::{Date, Fault, Timestamp};

/// Why a file could not be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// There is no such file.
    #[error("no such file")]
    Missing,
    /// The path leads out of the folder of the check, by itself or through a link.
    #[error("the path leads out of the folder")]
    Outside,
    /// The path names a folder or a special file.
    #[error("not a regular file")]
    NotAFile,
    /// The file is larger than the caller's limit, in bytes.
    #[error("larger than {limit} bytes")]
    TooLarge {
        /// The limit that was passed, in bytes.
        limit: u64,
    },
    /// The system refused or failed to read it, in its own words.
    #[error("{0}")]
    Io(String),
}

/// Read access to one folder tree. Paths are relative to its root and `/`-separated.
pub trait Files {
    /// Reads a whole file of at most `limit` bytes.
    ///
    /// # Errors
    /// See [`ReadError`].
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError>;

    /// True when a regular file is there, links resolved, inside the root.
    fn exists(&self, path: &str) -> bool;

    /// The last change of a file, in seconds since 1970, when the system tells.
    fn modified(&self, path: &str) -> Option<i64>;
}

/// What a folder holds, as far as it was walked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Regular files, sorted, `/`-separated, relative to the root of the folder.
    pub files: Vec<String>,
    /// True when the walk stopped at its limit, so that there may be more.
    pub cut: bool,
}

/// A folder that can be listed.
pub trait Folder: Files {
    /// Regular files below `under` (empty for the root), hidden and ignored ones left out, at most `limit`.
    fn list(&self, under: &str, limit: usize) -> Listing;

    /// Where the folder is in the file system, for links and messages; `None` for one that is not there.
    fn location(&self) -> Option<String> {
        None
    }
}

/// How far a caller's path may lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Wherever a person points.
    Anywhere,
    /// Only below the root of the project: an agent.
    InsideRoot,
}

/// What a caller's path turned out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A file, by its path in the opened folder.
    File(String),
    /// A folder, by its path in the opened folder; empty for the opened folder itself.
    Folder(String),
}

/// The folder of a check, with the caller's paths as names in it.
pub struct Opened {
    /// The smallest folder that holds all of them; nothing outside it is read.
    pub folder: Box<dyn Folder>,
    /// The paths, in the caller's order.
    pub targets: Vec<Target>,
    /// The same seen from the root of the project above, when there is one: a part of a text is read with the main
    /// file that includes it.
    pub above: Option<Box<Opened>>,
}

/// The file system as callers name it.
pub trait Workspace: Send + Sync {
    /// Opens the folder that the paths lie in. No path means the current folder.
    ///
    /// # Errors
    /// The first path that cannot be had, with the reason.
    fn open(&self, paths: &[String], reach: Reach) -> Result<Opened, (String, ReadError)>;

    /// The root of the project, which paths in state are relative to.
    ///
    /// # Errors
    /// When it cannot be reached.
    fn project(&self) -> Result<Box<dyn Folder>, ReadError>;
}

/// The time.
pub trait Clock: Send + Sync {
    /// The current instant. It may go backwards; who needs an order takes the later of this and what was last seen.
    fn now(&self) -> Timestamp;

    /// The current day in UTC.
    fn today(&self) -> Date {
        self.now().date()
    }
}

/// A source of bytes nobody can guess.
pub trait Entropy: Send + Sync {
    /// Fills the bytes.
    ///
    /// # Errors
    /// A fault when the system has none to give.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), Fault>;
}
