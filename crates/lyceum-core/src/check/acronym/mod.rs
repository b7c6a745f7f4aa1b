//! The acronym check `ars-acronym-check/1.0`: is every acronym defined once, and before its first use, in the body and
//! in each abstract?
//!
//! Reads a [`crate::text::Manuscript`]; knows no files and no presentation. What it cannot read it lists
//! (`coverage_limits`, `unread_sections`) instead of guessing, and never accuses an acronym it has seen introduced in
//! a form it does not read.

mod allow;
mod candidate;
mod definition;
mod mask;
mod scan;
mod scope;
mod types;

#[cfg(test)]
mod tests;

pub use allow::{DEFAULT_ALLOWLIST, parse_allowlist};
pub use scan::check_acronyms;
pub use types::{
    AcronymFinding, AcronymReport, AcronymRequest, AcronymRule, AcronymStatus, Allowlist, CHECKER,
    CoverageLimit, LimitKind, LineRange, NotChecked, PerScope, Scope, ScopeCoverage, UnreadSection,
};
