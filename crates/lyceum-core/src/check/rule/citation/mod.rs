//! Citations and the bibliography.

mod undefined;

use crate::check::Rule;

/// The rules of this group, in the order of the manual.
pub(super) static RULES: &[&Rule] = &[&undefined::RULE];
