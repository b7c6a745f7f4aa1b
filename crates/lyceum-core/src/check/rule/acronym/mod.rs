//! Acronyms, defined once and before use. The check itself is [`crate::check::acronym`].

mod late;
mod redefined;
mod undefined;

use crate::check::Rule;

/// The rules of this group, in the order of the manual.
pub(super) static RULES: &[&Rule] = &[&undefined::RULE, &late::RULE, &redefined::RULE];
