//! Where a project begins.

use std::path::{Path, PathBuf};

/// Files and folders that mark a root, any of them.
const MARKS: [&str; 5] = [
    "lyceum.toml",
    ".lyceum",
    "research/study.json",
    ".academic-review",
    ".git",
];

/// The root that a folder belongs to: the nearest folder at or above it that bears a mark, else the folder itself.
#[must_use]
pub fn find_root(from: &Path) -> PathBuf {
    from.ancestors()
        .find(|folder| MARKS.iter().any(|mark| folder.join(mark).exists()))
        .unwrap_or(from)
        .to_path_buf()
}
