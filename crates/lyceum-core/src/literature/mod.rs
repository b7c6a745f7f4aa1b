//! References and bibliographies: read tolerantly, entry by entry, every entry with its place.
//!
//! Nothing here judges an entry; rules do (`crate::check::rule`).

mod bibtex;
mod csl;
mod field;
mod inherit;
mod name;
mod types;

#[cfg(test)]
mod tests;

pub use bibtex::{Strings, parse_bibtex, parse_bibtex_with};
pub use csl::parse_csl_json;
pub use inherit::inherited;
pub use name::{Name, parse_names, split_names};
pub use types::{Bibliography, BibliographyFormat, Entry, Field};
