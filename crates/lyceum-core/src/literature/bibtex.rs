//! BibTeX and BibLaTeX files, tolerantly, entry by entry. (Reader to come: keys only.)

use std::sync::LazyLock;

use regex::Regex;

use super::types::{Bibliography, Entry};
use crate::text::{FileId, Source, Span};

static ENTRY: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(
        clippy::expect_used,
        reason = "a literal pattern, compiled by every test"
    )]
    Regex::new(r"@(\w+)\s*[{(]\s*([^\s,{}()]+)\s*,").expect("pattern")
});

/// Reads a bibliography; what cannot be read becomes a note, never an error.
#[must_use]
pub fn parse_bibtex(file: FileId, source: &Source) -> Bibliography {
    let entries = ENTRY
        .captures_iter(&source.text)
        .filter_map(|captures| {
            let (whole, kind, key) = (captures.get(0)?, captures.get(1)?, captures.get(2)?);
            Some(Entry {
                kind: kind.as_str().to_lowercase(),
                key: key.as_str().to_owned(),
                key_span: Span::new(file, key.start(), key.end()),
                fields: Vec::new(),
                span: Span::new(file, whole.start(), whole.end()),
            })
        })
        .collect();
    Bibliography {
        file,
        entries,
        notes: Vec::new(),
    }
}
