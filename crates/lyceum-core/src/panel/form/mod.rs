//! A seat's report as a form that a person fills in an editor.
//!
//! Lines that begin with `%%` are not read; `=== name` begins a part, `key: value` a field, and a value goes on until the
//! next field or part. A line of a value that would be one of these is written with a `\` before it. Parsing tells every
//! error with its line; [`marked`] puts them into the text, so that nothing a person wrote is ever lost. Knows no file
//! and no editor.

mod parse;
mod render;
mod types;

#[cfg(test)]
mod tests;

pub use parse::parse;
pub use render::{marked, render};
pub use types::{Filled, FormError, missing_quotes};
