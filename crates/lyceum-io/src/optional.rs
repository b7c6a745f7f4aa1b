//! Files that need not be there, such as configuration.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use lyceum_core::base::Fault;

/// Reads a file of at most `limit` bytes; `None` when there is none.
///
/// # Errors
/// `file_unreadable` when something is there that cannot be read.
pub fn read_optional(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, Fault> {
    let fault = |words: String| Fault {
        code: "file_unreadable",
        place: path.display().to_string(),
        source_text: words,
        retryable: false,
    };
    let Ok(metadata) = fs::metadata(path) else {
        return Ok(None);
    };
    if !metadata.is_file() {
        return Err(fault("not a regular file".to_owned()));
    }
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes));
    read.map_err(|error| fault(error.to_string()))?;
    if bytes.len() as u64 > limit {
        return Err(fault(format!("larger than {limit} bytes")));
    }
    Ok(Some(bytes))
}
