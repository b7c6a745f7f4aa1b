//! Text hidden from a reader, and instructions addressed to a reviewer or model.

use crate::check::Rule;

/// The rules of this group, in the order of the manual.
pub(super) static RULES: &[&Rule] = &[];
