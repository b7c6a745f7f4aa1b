//! The rules, one file each, in groups. The order here is the order in the manual.

use super::types::Rule;

mod acronym;
mod citation;
mod crossref;
mod evidence;
mod hygiene;
mod leftover;
mod number;
mod occurrence;
mod statement;
pub(super) mod waiver;
mod wording;

static GROUPS: &[&[&Rule]] = &[
    citation::RULES,
    crossref::RULES,
    number::RULES,
    acronym::RULES,
    leftover::RULES,
    hygiene::RULES,
    statement::RULES,
    evidence::RULES,
    waiver::RULES,
];

/// Every rule.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    GROUPS.iter().flat_map(|group| group.iter().copied())
}

/// The rule of an id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.id == id)
}

/// The id most like one that names no rule, when one is near.
#[must_use]
pub fn nearest(id: &str) -> Option<&'static str> {
    if id.len() > 64 {
        return None;
    }
    all()
        .map(|rule| (strsim::damerau_levenshtein(rule.id, id), rule.id))
        .min()
        .filter(|(distance, near)| *distance <= near.len() / 3)
        .map(|(_, near)| near)
}
