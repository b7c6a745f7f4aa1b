//! Waivers that are wrong themselves. The engine finds them when it applies the waivers; the rules are here so that
//! they have an id, a tier and a page like every other.

mod invalid;
mod reasonless;
mod stale;

use crate::check::{Found, Paper, Rule};

/// The rules of this group, in the order of the manual.
pub(in crate::check) static RULES: &[&Rule] = &[&stale::RULE, &invalid::RULE, &reasonless::RULE];

/// See the module: the engine does the work.
fn by_the_engine(_: &Paper, _: &mut Found) {}
