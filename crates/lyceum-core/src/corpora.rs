//! Where the shared real-world test data are; test builds only.

use std::path::PathBuf;

/// The folder of the corpora: `LYCEUM_CORPORA`, or `shared/corpora` beside the project; `None`, said on standard error,
/// where they are absent.
pub(crate) fn corpora() -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    let folder = std::env::var_os("LYCEUM_CORPORA").map_or_else(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: corpora absent");
    None
}
