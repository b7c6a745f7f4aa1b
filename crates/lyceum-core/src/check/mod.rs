//! Deterministic rules over a paper, and what they report.
//!
//! A rule sees a [`Paper`] and pushes problems; the engine stamps, waives, sorts and counts them. Nothing here reads
//! a file or knows how a report is shown.

pub mod acronym;
mod bibliography;
mod changed;
pub mod discover;
mod engine;
pub mod manual;
mod paper;
mod profile;
pub mod rule;
mod run;
pub mod statistics;
mod types;
pub mod view;
mod waiver;
mod within;

#[cfg(test)]
mod tests;

pub use changed::ChangedLines;
pub use engine::{Selection, check, check_watched};
pub use paper::{BibliographyState, Paper, ProfileSource, assemble};
pub use profile::detect;
pub use run::{
    Checked, Examined, Project, Request, examine, examine_opened, read_failure, unknown_rules,
};
pub use types::{
    Coverage, Example, FileCoverage, FileStatus, Found, Problem, Profile, Receipt, Report, Rule,
    SkippedRule, Tier, Waived,
};
pub use waiver::{ConfigWaiver, ConfigWaivers};

use waiver::is_waiver;
