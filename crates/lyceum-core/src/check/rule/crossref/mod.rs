//! Labels, cross references and floats.

mod duplicate;
mod hard_written;
mod undefined;
mod unmentioned;
mod unused;

use crate::check::Rule;

/// The rules of this group, in the order of the manual.
pub(super) static RULES: &[&Rule] = &[
    &undefined::RULE,
    &duplicate::RULE,
    &unmentioned::RULE,
    &hard_written::RULE,
    &unused::RULE,
];
