//! When files were last written, finely enough to notice a save.

use std::path::Path;
use std::time::SystemTime;

/// Time of the last change and length; `None` for a file that is not there.
pub type Stamp = Option<(SystemTime, u64)>;

/// The stamp of each name below a folder.
#[must_use]
pub fn stamps(folder: &Path, names: &[String]) -> Vec<Stamp> {
    names
        .iter()
        .map(|name| {
            let metadata = std::fs::metadata(folder.join(name)).ok()?;
            Some((metadata.modified().ok()?, metadata.len()))
        })
        .collect()
}
