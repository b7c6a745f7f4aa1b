//! A bibliography file as it was read, entry by entry.

use std::collections::{HashMap, HashSet};

use super::inherit::inherited;
use crate::text::{FileId, Note, Span};

/// The format of a bibliography file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BibliographyFormat {
    /// BibTeX or BibLaTeX.
    Bibtex,
    /// CSL-JSON, as pandoc and Manubot use it.
    CslJson,
}

/// A bibliography file.
#[derive(Clone, Debug)]
pub struct Bibliography {
    /// The file, in the manuscript's sources.
    pub file: FileId,
    /// Its format.
    pub format: BibliographyFormat,
    /// Entries that could be read, in file order. Crossref and xdata are not resolved here.
    pub entries: Vec<Entry>,
    /// Keys of entries that stand in comments: BibTeX reads some of them, other programs none.
    pub commented: HashSet<String>,
    /// What could not be read.
    pub notes: Vec<Note>,
    /// Index of the first entry of each key and alias, in lower case.
    keys: HashMap<String, usize>,
}

/// One entry.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The type, in lower case: `article`.
    pub kind: String,
    /// The key as written; empty when there is none.
    pub key: String,
    /// Place of the key.
    pub key_span: Span,
    /// Fields in file order.
    pub fields: Vec<Field>,
    /// The whole entry.
    pub span: Span,
    /// True when a part of the entry could not be read, so that an absent field proves nothing.
    pub partial: bool,
}

/// One field of an entry.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name, in lower case.
    pub name: String,
    /// The value as written, delimiters cut off, string macros and `#` resolved.
    pub raw: String,
    /// The value as a reader would see it: braces and TeX accents resolved, white space collapsed.
    pub text: String,
    /// Place of the value, without its delimiters when it is in one piece.
    pub span: Span,
}

impl Bibliography {
    /// Puts a bibliography together.
    #[must_use]
    pub fn new(
        file: FileId,
        format: BibliographyFormat,
        entries: Vec<Entry>,
        notes: Vec<Note>,
    ) -> Self {
        let mut keys = HashMap::new();
        for (i, entry) in entries.iter().enumerate() {
            if !entry.key.is_empty() {
                keys.entry(entry.key.to_lowercase()).or_insert(i);
            }
        }
        for (i, entry) in entries.iter().enumerate() {
            for alias in entry.aliases() {
                keys.entry(alias.to_lowercase()).or_insert(i);
            }
        }
        Self {
            file,
            format,
            entries,
            commented: HashSet::new(),
            notes,
            keys,
        }
    }

    /// The first entry of a key or alias, in whatever case, as BibTeX looks a crossref up.
    #[must_use]
    pub fn find(&self, key: &str) -> Option<&Entry> {
        self.keys
            .get(&key.to_lowercase())
            .map(|&i| &self.entries[i])
    }

    /// A field of an entry, or of the entries in this file that it names by `crossref` or `xdata`.
    #[must_use]
    pub fn inherited<'a>(&'a self, entry: &'a Entry, name: &str) -> Option<&'a Field> {
        inherited(entry, name, &|key| self.find(key))
    }
}

impl Entry {
    /// The first field of a name (in lower case), if there.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The readable text of the first field of a name that is there and not empty.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.fields
            .iter()
            .find(|field| field.name == name && !field.text.is_empty())
            .map(|field| field.text.as_str())
    }

    /// Other keys of the same entry, from BibLaTeX's `ids`.
    pub fn aliases(&self) -> impl Iterator<Item = &str> {
        self.list("ids")
    }

    /// Keys in a field that holds a list of them, such as `ids` or `xdata`.
    pub fn list(&self, name: &str) -> impl Iterator<Item = &str> {
        self.field(name)
            .map_or("", |field| field.raw.as_str())
            .split(',')
            .map(str::trim)
            .filter(|key| !key.is_empty())
    }
}
