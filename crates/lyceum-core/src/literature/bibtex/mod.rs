//! BibTeX and BibLaTeX files, tolerantly, entry by entry.
//!
//! One bad entry never stops the others: reading goes on at the next line that starts with `@type{`. What BibTeX itself
//! surely stumbles over becomes a note with its place. Invariants: time is linear in the file, nothing recurses, every
//! span lies on character boundaries.

mod read;
mod scan;
mod strings;
mod value;

#[cfg(test)]
mod tests;

pub use read::{parse_bibtex, parse_bibtex_with};
pub use strings::Strings;
