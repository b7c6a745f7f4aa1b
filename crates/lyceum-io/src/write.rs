//! Whole files beside the state: created new, or replaced at once. Neither leaves half a file behind.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Creates a file that is not there yet; only its owner may read it when `private`.
///
/// # Errors
/// `AlreadyExists` when anything is there, a link included; else as the system says. Nothing is left behind then.
pub fn write_new(path: &Path, bytes: &[u8], private: bool) -> io::Result<()> {
    if path.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let beside = Beside::write(path, bytes, private, None)?;
    // A link never replaces what somebody made in between.
    match fs::hard_link(&beside.0, path) {
        Err(error) if cannot_link(&error) => {
            let mut options = OpenOptions::new();
            let mut file = guarded(options.write(true).create_new(true), private).open(path)?;
            file.write_all(bytes).and_then(|()| file.sync_all())
        }
        done => done,
    }
}

/// Replaces a regular file with other bytes, keeping its rights.
///
/// # Errors
/// `InvalidInput` for a link or a special file; else as the system says. The old file stays then.
pub fn write_over(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let metadata = fs::symlink_metadata(path)?;
    if !metadata.is_file() {
        let words = "not a regular file";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, words));
    }
    let beside = Beside::write(path, bytes, true, Some(metadata.permissions()))?;
    fs::rename(&beside.0, path)
}

/// Some file systems know no links.
fn cannot_link(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied
    )
}

/// A finished file with a passing name in the same folder, removed when it was not moved away.
struct Beside(PathBuf);

impl Beside {
    fn write(
        path: &Path,
        bytes: &[u8],
        private: bool,
        rights: Option<Permissions>,
    ) -> io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let folder = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!(".lyceum-new-{}-{n}", std::process::id());
        let passing = folder.join(name);
        let mut options = OpenOptions::new();
        let mut file = guarded(options.write(true).create_new(true), private).open(&passing)?;
        let beside = Self(passing);
        file.write_all(bytes)?;
        if let Some(rights) = rights {
            file.set_permissions(rights)?;
        }
        file.sync_all()?;
        Ok(beside)
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[cfg(unix)]
fn guarded(options: &mut OpenOptions, private: bool) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt as _;
    options.mode(if private { 0o600 } else { 0o666 })
}

#[cfg(not(unix))]
fn guarded(options: &mut OpenOptions, _: bool) -> &mut OpenOptions {
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_new_file_never_replaces_another() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        write_new(&path, b"one", false).unwrap();
        let error = write_new(&path, b"two", false).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert_eq!(names(folder.path()), ["a"]);
        assert!(write_new(&folder.path().join("no/folder"), b"x", false).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn rights_are_kept_and_links_are_left_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        write_new(&path, b"one", true).unwrap();
        assert_eq!(mode(&path), 0o600);
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        write_over(&path, b"two").unwrap();
        assert_eq!(
            (mode(&path), fs::read(&path).unwrap()),
            (0o640, b"two".to_vec())
        );
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert!(write_over(&link, b"three").is_err());
        assert!(write_new(&link, b"three", false).is_err());
        assert_eq!(names(folder.path()), ["a", "link"]);
    }
}
