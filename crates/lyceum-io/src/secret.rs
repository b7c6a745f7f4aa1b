//! The user's own secrets of this machine: the key that authenticates handles, and which handles were used.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use lyceum_core::base::{Failure, Fault, Timestamp};

/// Its file, below the user's state folder.
const KEY: &str = "handle.key";
/// Where used handles are remembered until they expire.
const USED: &str = "handles";

fn fault(path: &Path, error: &io::Error) -> Failure {
    Fault {
        code: "user_state_unwritable",
        place: path.display().to_string(),
        source_text: error.to_string(),
        retryable: false,
    }
    .into()
}

/// A new file that only the user may read.
fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

fn read(path: &Path) -> io::Result<[u8; 32]> {
    let mut key = [0; 32];
    File::open(path)?.read_exact(&mut key)?;
    Ok(key)
}

/// The key, made at first use from random bytes.
///
/// # Errors
/// A fault when the folder cannot be written or the key not read.
pub fn handle_key(state: &Path, random: [u8; 32]) -> Result<[u8; 32], Failure> {
    let path = state.join(KEY);
    if let Ok(key) = read(&path) {
        return Ok(key);
    }
    let made = || -> io::Result<()> {
        folder(state)?;
        // Whole or not at all: two that start at once must end with the same key.
        let draft = state.join(format!("{KEY}.{}", std::process::id()));
        let _ = fs::remove_file(&draft);
        let mut file = create(&draft)?;
        file.write_all(&random)?;
        file.sync_all()?;
        let linked = fs::hard_link(&draft, &path);
        fs::remove_file(&draft)?;
        match linked {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => Ok(()),
        }
    };
    made()
        .and_then(|()| read(&path))
        .map_err(|error| fault(&path, &error))
}

/// Marks a handle as used; false when it was used before. Those that have expired are forgotten.
///
/// # Errors
/// A fault when the folder cannot be written.
pub fn use_once(
    state: &Path,
    nonce: &str,
    expires: Timestamp,
    now: Timestamp,
) -> Result<bool, Failure> {
    let used = state.join(USED);
    folder(&used).map_err(|error| fault(&used, &error))?;
    for entry in fs::read_dir(&used).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let until = name
            .split_once('-')
            .and_then(|(until, _)| until.parse().ok());
        if until.is_some_and(|until: i64| until < now.unix()) {
            let _ = fs::remove_file(entry.path());
        }
    }
    let path = used.join(format!("{}-{nonce}", expires.unix()));
    match create(&path) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(fault(&path, &error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_key_for_good_and_for_nobody_else() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("lyceum");
        assert_eq!(handle_key(&state, [1; 32]).unwrap(), [1; 32]);
        assert_eq!(handle_key(&state, [2; 32]).unwrap(), [1; 32]);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode(&state.join(KEY)), 0o600);
            assert_eq!(mode(&state), 0o700);
        }
        fs::write(folder.path().join("file"), "").unwrap();
        assert!(handle_key(&folder.path().join("file/lyceum"), [1; 32]).is_err());
    }

    #[test]
    fn a_handle_is_used_once_and_forgotten_after_its_time() {
        let folder = tempfile::tempdir().unwrap();
        let at = Timestamp::from_unix;
        let once =
            |nonce, expires, now| use_once(folder.path(), nonce, at(expires), at(now)).unwrap();
        assert!(once("a", 100, 50));
        assert!(!once("a", 100, 60));
        assert!(once("b", 200, 150));
        let left = fs::read_dir(folder.path().join(USED)).unwrap().count();
        assert_eq!(left, 1);
    }
}
