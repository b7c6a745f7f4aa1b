//! Citations and the bibliography.

mod cited;
mod duplicate_key;
mod future_year;
mod identifier;
mod malformed_arxiv;
mod malformed_doi;
mod malformed_url;
mod missing_field;
mod placeholder;
mod same_work;
mod undefined;
mod unreadable;
mod unused;

#[cfg(test)]
mod traps;

use crate::check::Rule;

/// The rules of this group, in the order of the manual.
pub(super) static RULES: &[&Rule] = &[
    &undefined::RULE,
    &unused::RULE,
    &duplicate_key::RULE,
    &same_work::RULE,
    &unreadable::RULE,
    &missing_field::RULE,
    &malformed_doi::RULE,
    &malformed_arxiv::RULE,
    &malformed_url::RULE,
    &future_year::RULE,
    &placeholder::RULE,
];
