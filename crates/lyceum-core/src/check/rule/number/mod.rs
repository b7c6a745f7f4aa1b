//! Numbers that can be recalculated or compared.

mod percent_mismatch;
mod place;
mod stat_p_value;

use crate::check::Rule;

/// The rules of this group, in the order of the manual.
pub(super) static RULES: &[&Rule] = &[&stat_p_value::RULE, &percent_mismatch::RULE];
