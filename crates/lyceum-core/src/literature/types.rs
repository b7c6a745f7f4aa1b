//! A bibliography file as it was read, entry by entry.

use crate::text::{FileId, Note, Span};

/// A bibliography file.
#[derive(Clone, Debug)]
pub struct Bibliography {
    /// The file, in the manuscript's sources.
    pub file: FileId,
    /// Entries that could be read, in file order. Crossref and xdata are not resolved here.
    pub entries: Vec<Entry>,
    /// What could not be read.
    pub notes: Vec<Note>,
}

/// One entry.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The type, in lower case: `article`.
    pub kind: String,
    /// The key as written.
    pub key: String,
    /// Place of the key.
    pub key_span: Span,
    /// Fields in file order.
    pub fields: Vec<Field>,
    /// The whole entry.
    pub span: Span,
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
    /// Place of the value.
    pub span: Span,
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
}
