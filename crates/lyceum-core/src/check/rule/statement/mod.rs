//! Statements a genre requires: opinions, and only where the text itself shows that the statement is owed.

mod code;
mod conflicts;
mod data;
mod ethics;
mod funding;
mod limitations;
mod need;

use crate::check::Rule;

/// The rules of this group, in the order of the manual.
pub(super) static RULES: &[&Rule] = &[
    &data::RULE,
    &code::RULE,
    &ethics::RULE,
    &funding::RULE,
    &conflicts::RULE,
    &limitations::RULE,
    &need::RULE,
];
