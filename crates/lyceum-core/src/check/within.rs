//! A folder of a folder: the same files by shorter names.

use crate::port::{Files, Folder, Listing, ReadError};

/// What lies below a prefix of another folder.
pub(super) struct Within<'a> {
    folder: &'a dyn Folder,
    /// Empty, or a path with a `/` at its end.
    prefix: String,
}

impl<'a> Within<'a> {
    pub(super) fn new(folder: &'a dyn Folder, prefix: &str) -> Self {
        let prefix = match prefix.trim_end_matches('/') {
            "" => String::new(),
            prefix => format!("{prefix}/"),
        };
        Self { folder, prefix }
    }

    /// The name here of a path there.
    pub(super) fn name<'b>(&self, path: &'b str) -> Option<&'b str> {
        path.strip_prefix(self.prefix.as_str())
    }

    fn there(&self, path: &str) -> Result<String, ReadError> {
        // `..` must not lead out of the prefix, which the folder below does not know.
        let mut depth = 0_i32;
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => depth -= 1,
                _ => depth += 1,
            }
            if depth < 0 {
                return Err(ReadError::Outside);
            }
        }
        Ok(format!("{}{path}", self.prefix))
    }
}

impl Files for Within<'_> {
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        self.folder.read(&self.there(path)?, limit)
    }

    fn exists(&self, path: &str) -> bool {
        self.there(path).is_ok_and(|path| self.folder.exists(&path))
    }

    fn modified(&self, path: &str) -> Option<i64> {
        self.folder.modified(&self.there(path).ok()?)
    }
}

impl Folder for Within<'_> {
    fn list(&self, under: &str, limit: usize) -> Listing {
        let Ok(there) = self.there(under) else {
            return Listing::default();
        };
        let listing = self.folder.list(there.trim_end_matches('/'), limit);
        Listing {
            files: listing
                .files
                .iter()
                .filter_map(|path| self.name(path))
                .map(str::to_owned)
                .collect(),
            cut: listing.cut,
        }
    }

    fn location(&self) -> Option<String> {
        let above = self.folder.location()?;
        let prefix = self.prefix.trim_end_matches('/');
        Some(if prefix.is_empty() {
            above
        } else {
            format!("{above}/{prefix}")
        })
    }
}
