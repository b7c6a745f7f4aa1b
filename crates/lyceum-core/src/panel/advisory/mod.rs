//! Advisory checks of a finished panel: short forms of the paper, what reviewers say of it, and what they recommend to
//! cite. They are attached last and decide nothing; "did not run" is a result.
//!
//! Knows a manuscript and a state, no network: a reference that somebody recommends is only held against its own
//! syntax and the paper's bibliography.

mod acronym;
mod claim;
mod locator;
mod reference;
mod types;

#[cfg(test)]
mod tests;

pub use types::{AdvisoryCheck, AdvisoryOutcome, AdvisoryResult, Row, RowStatus};

use super::disk::State;
use crate::literature::Bibliography;
use crate::text::Manuscript;

/// Most rows kept of one check; a report may have ten thousand findings.
const ROWS: usize = 200;

/// Runs the three checks over a paper and the reports of its panel.
#[must_use]
pub fn run(manuscript: &Manuscript, state: &State) -> AdvisoryResult {
    run_beside(manuscript, &[], state)
}

/// The same with the bibliography files of the paper, as far as they could be read.
#[must_use]
pub fn run_beside(
    manuscript: &Manuscript,
    bibliographies: &[Bibliography],
    state: &State,
) -> AdvisoryResult {
    AdvisoryResult {
        acronyms: acronym::check(manuscript, &state.paper.path),
        suggested_references: reference::check(manuscript, bibliographies, state),
        reviewer_claims: claim::check(manuscript, state),
    }
}
