//! Text hidden from a reader, and instructions addressed to a reviewer or model.

mod comment;
mod instruction;
mod text;
mod unicode;

use crate::check::Rule;

/// The rules of this group, in the order of the manual.
pub(super) static RULES: &[&Rule] = &[
    &instruction::RULE,
    &text::RULE,
    &unicode::RULE,
    &comment::RULE,
];

#[cfg(test)]
mod tests;
