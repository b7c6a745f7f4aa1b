//! Checks of a text.

mod class;
mod rules;
mod text;

pub(crate) use class::of_files as class_of;
pub use rules::RULES;
pub use text::TEXT;
