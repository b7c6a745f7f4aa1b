//! The language of evidence: opinions only.

mod causal;
mod no_spread;
mod overclaim;
mod trend;

use crate::check::Rule;

/// The rules of this group, in the order of the manual.
pub(super) static RULES: &[&Rule] = &[
    &overclaim::RULE,
    &causal::RULE,
    &no_spread::RULE,
    &trend::RULE,
];
