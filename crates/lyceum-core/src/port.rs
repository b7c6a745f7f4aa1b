//! What core asks of the world. Each trait has a real implementation in `lyceum-io` and one in memory in
//! `lyceum-testkit`.

use crate::base::Date;

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

/// Today's date.
pub trait Clock {
    /// The current day in UTC.
    fn today(&self) -> Date;
}
