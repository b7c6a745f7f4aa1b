//! Every file operation the store makes, one method each, so that a test can record them, fail any of them, and lose
//! what was not synced. Paths are absolute.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The file operations of the store.
pub trait FileOps: Send + Sync {
    /// Makes one folder; the parent is there. With `private` only its owner may enter.
    ///
    /// # Errors
    /// As the system says; `AlreadyExists` when it is there.
    fn make_dir(&self, path: &Path, private: bool) -> io::Result<()>;
    /// Creates or empties a file and writes all bytes; not synced.
    ///
    /// # Errors
    /// As the system says.
    fn write(&self, path: &Path, bytes: &[u8], private: bool) -> io::Result<()>;
    /// Appends bytes with one write, creating the file; not synced.
    ///
    /// # Errors
    /// As the system says.
    fn append(&self, path: &Path, bytes: &[u8], private: bool) -> io::Result<()>;
    /// Cuts a file to a length; not synced.
    ///
    /// # Errors
    /// As the system says.
    fn truncate(&self, path: &Path, len: u64) -> io::Result<()>;
    /// Makes the bytes of a file durable.
    ///
    /// # Errors
    /// As the system says.
    fn sync_file(&self, path: &Path) -> io::Result<()>;
    /// Makes the names in a folder durable.
    ///
    /// # Errors
    /// As the system says.
    fn sync_dir(&self, path: &Path) -> io::Result<()>;
    /// Renames over whatever is there.
    ///
    /// # Errors
    /// As the system says.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Renames, and fails with `AlreadyExists` when something is there.
    ///
    /// # Errors
    /// As the system says.
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    ///
    /// # Errors
    /// As the system says.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Reads a whole file; `None` when it is not there.
    ///
    /// # Errors
    /// As the system says.
    fn read(&self, path: &Path) -> io::Result<Option<Vec<u8>>>;
    /// Reads at most the last `max` bytes of a file, and tells its whole length; `None` when it is not there.
    ///
    /// # Errors
    /// As the system says.
    fn read_tail(&self, path: &Path, max: u64) -> io::Result<Option<(Vec<u8>, u64)>> {
        RealOps.read_tail(path, max)
    }
    /// What stands under a name, links not followed; `None` when nothing.
    ///
    /// # Errors
    /// As the system says.
    fn entry(&self, path: &Path) -> io::Result<Option<Entry>> {
        RealOps.entry(path)
    }
    /// The names in a folder; `None` when it is not there.
    ///
    /// # Errors
    /// As the system says.
    fn list(&self, path: &Path) -> io::Result<Option<Vec<String>>> {
        RealOps.list(path)
    }
    /// Removes an empty folder.
    ///
    /// # Errors
    /// As the system says.
    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        RealOps.remove_dir(path)
    }
}

/// What stands under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A regular file, with its length.
    File(u64),
    /// A folder.
    Folder,
    /// A link.
    Link,
    /// A pipe, a device, a socket.
    Special,
}

/// The real ones.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealOps;

#[cfg(unix)]
fn guarded(options: &mut OpenOptions, private: bool) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt as _;
    options.mode(if private { 0o600 } else { 0o666 })
}

#[cfg(not(unix))]
fn guarded(options: &mut OpenOptions, _: bool) -> &mut OpenOptions {
    options
}

/// Renames unless something is there; `None` where the system or the file system cannot do that in one step.
#[cfg(target_os = "linux")]
fn rename_in_one_step(from: &Path, to: &Path) -> Option<io::Result<()>> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => None,
        done => Some(done.map_err(io::Error::from)),
    }
}

#[cfg(not(target_os = "linux"))]
fn rename_in_one_step(_: &Path, _: &Path) -> Option<io::Result<()>> {
    None
}

impl FileOps for RealOps {
    fn make_dir(&self, path: &Path, private: bool) -> io::Result<()> {
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::DirBuilderExt as _;
            builder.mode(if private { 0o700 } else { 0o777 });
        }
        #[cfg(not(unix))]
        let _ = private;
        builder.create(path)
    }

    fn write(&self, path: &Path, bytes: &[u8], private: bool) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        guarded(&mut options, private).open(path)?.write_all(bytes)
    }

    fn append(&self, path: &Path, bytes: &[u8], private: bool) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        guarded(&mut options, private).open(path)?.write_all(bytes)
    }

    fn truncate(&self, path: &Path, len: u64) -> io::Result<()> {
        OpenOptions::new().write(true).open(path)?.set_len(len)
    }

    fn sync_file(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        // Windows cannot open a folder for this, and its renames are written through.
        if cfg!(windows) {
            return Ok(());
        }
        File::open(path)?.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        if let Some(done) = rename_in_one_step(from, to) {
            return done;
        }
        match fs::hard_link(from, to) {
            Ok(()) => {
                // The old name must not be lost before the new one is safe.
                if let Some(folder) = to.parent() {
                    self.sync_dir(folder)?;
                }
                fs::remove_file(from)
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            // A file system without hard links; the caller holds the lock.
            Err(_) if fs::symlink_metadata(to).is_err() => fs::rename(from, to),
            Err(_) => Err(io::ErrorKind::AlreadyExists.into()),
        }
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn read(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }

    fn read_tail(&self, path: &Path, max: u64) -> io::Result<Option<(Vec<u8>, u64)>> {
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let len = file.metadata()?.len();
        file.seek(SeekFrom::Start(len.saturating_sub(max)))?;
        let mut bytes = Vec::new();
        file.take(max).read_to_end(&mut bytes)?;
        Ok(Some((bytes, len)))
    }

    fn entry(&self, path: &Path) -> io::Result<Option<Entry>> {
        let metadata = match fs::symlink_metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let kind = metadata.file_type();
        Ok(Some(if kind.is_symlink() {
            Entry::Link
        } else if kind.is_dir() {
            Entry::Folder
        } else if kind.is_file() {
            Entry::File(metadata.len())
        } else {
            Entry::Special
        }))
    }

    fn list(&self, path: &Path) -> io::Result<Option<Vec<String>>> {
        let entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut names = Vec::new();
        for entry in entries {
            // A name that is no Unicode is none of ours.
            if let Ok(name) = entry?.file_name().into_string() {
                names.push(name);
            }
        }
        names.sort();
        Ok(Some(names))
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir(path)
    }
}
