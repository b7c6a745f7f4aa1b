//! Numbers that can be recalculated or compared.

mod abstract_number;
mod percent_mismatch;
mod place;
mod sample_size;
mod stat_grim;
mod stat_p_value;
mod table_total;

#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod trap_tests;

use crate::check::Rule;

/// The rules of this group, in the order of the manual.
pub(super) static RULES: &[&Rule] = &[
    &stat_p_value::RULE,
    &stat_grim::RULE,
    &percent_mismatch::RULE,
    &abstract_number::RULE,
    &sample_size::RULE,
    &table_total::RULE,
];
