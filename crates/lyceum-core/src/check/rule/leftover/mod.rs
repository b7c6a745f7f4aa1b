//! What was left behind while writing.

mod empty_section;
mod lorem;
mod place;
mod placeholder;
mod repeated_paragraph;
mod repeated_word;
mod todo;
mod tracked_change;

use crate::check::Rule;

/// The rules of this group, in the order of the manual.
pub(super) static RULES: &[&Rule] = &[
    &todo::RULE,
    &placeholder::RULE,
    &lorem::RULE,
    &tracked_change::RULE,
    &empty_section::RULE,
    &repeated_word::RULE,
    &repeated_paragraph::RULE,
];
