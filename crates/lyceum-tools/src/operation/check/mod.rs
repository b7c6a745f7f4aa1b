//! Checks of a text.

mod class;
mod rules;
mod text;

pub use rules::RULES;
pub use text::TEXT;
