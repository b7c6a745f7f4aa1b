//! Acronyms, defined once and before use. The check itself is [`crate::check::acronym`].

mod late;
mod redefined;
mod undefined;

use crate::check::acronym::AcronymRequest;
use crate::check::{Paper, Rule};

/// The rules of this group, in the order of the manual.
pub(super) static RULES: &[&Rule] = &[&undefined::RULE, &late::RULE, &redefined::RULE];

/// The whole text, with the short forms that the project knows.
fn request(paper: &Paper) -> AcronymRequest {
    AcronymRequest {
        allowed: paper.known_acronyms.clone(),
        ..AcronymRequest::of("")
    }
}
