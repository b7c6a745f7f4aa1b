//! References and bibliographies.

mod bibtex;
mod types;

pub use bibtex::parse_bibtex;
pub use types::{Bibliography, Entry, Field};
