//! What an advisory check answers.

use serde::{Deserialize, Serialize};

use super::ROWS;
use crate::base::Words;
use crate::panel::SeatId;
use crate::panel::disk::AdvisoryChecks;

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AdvisoryOutcome {
    /// Nobody asked for it yet.
    NotRun,
    /// It ran and has nothing to say.
    Passed,
    /// It ran and found something to look at.
    Failed,
    /// There was nothing that it could judge.
    Skipped,
}

impl AdvisoryOutcome {
    /// The spelling in the state file.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotRun => "not_run",
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
        }
    }
}

/// What became of one thing that was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowStatus {
    /// The paper has it.
    Supported,
    /// Words that are given as the paper's are not in it.
    QuoteNotFound,
    /// A section, table, figure or line that is named is not there.
    LocatorNotFound,
    /// A number that is given as the paper's is not in it.
    NumberNotFound,
    /// It cannot be told from the text.
    NotCheckable,
    /// What is recommended is in the bibliography already.
    AlreadyCited,
    /// What is recommended carries a DOI that cannot be one.
    MalformedDoi,
    /// What is recommended was not looked up: there is no network here.
    NotChecked,
    /// A short form is never defined.
    Undefined,
    /// A short form is defined after its first use.
    DefinedAfterUse,
    /// A short form is defined twice.
    DefinedAgain,
}

impl RowStatus {
    /// The spelling in results and in the letter.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::QuoteNotFound => "quote_not_found",
            Self::LocatorNotFound => "locator_not_found",
            Self::NumberNotFound => "number_not_found",
            Self::NotCheckable => "not_checkable",
            Self::AlreadyCited => "already_cited",
            Self::MalformedDoi => "malformed_doi",
            Self::NotChecked => "not_checked",
            Self::Undefined => "undefined",
            Self::DefinedAfterUse => "defined_after_use",
            Self::DefinedAgain => "defined_again",
        }
    }

    /// True for what a reader should look at.
    #[must_use]
    pub const fn is_remark(self) -> bool {
        !matches!(
            self,
            Self::Supported | Self::NotCheckable | Self::NotChecked
        )
    }
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The seat that said it; `None` for the paper itself.
    pub seat: Option<SeatId>,
    /// Its finding.
    pub finding: Option<String>,
    /// What: the words, the number, the place, the short form, the reference.
    pub what: String,
    /// What became of it.
    pub status: RowStatus,
    /// Where it stands in the paper, as `path:line`.
    pub place: Option<String>,
}

/// One check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdvisoryCheck {
    /// How it ended.
    pub outcome: AdvisoryOutcome,
    /// Why it was skipped or what it could not see.
    pub note: Option<Words>,
    /// What was looked at; remarks first, at most some hundreds.
    pub rows: Vec<Row>,
    /// How many rows there are beyond those.
    pub left_out: usize,
}

impl AdvisoryCheck {
    /// A check that had nothing to judge.
    #[must_use]
    pub fn skipped(note: Words) -> Self {
        Self {
            outcome: AdvisoryOutcome::Skipped,
            note: Some(note),
            rows: Vec::new(),
            left_out: 0,
        }
    }

    /// The rows with the outcome that follows from them: a remark fails it, something supported passes it, and what
    /// could not be told skips it.
    #[must_use]
    pub fn of(mut rows: Vec<Row>, note: Option<Words>) -> Self {
        let any = |test: &dyn Fn(&Row) -> bool| rows.iter().any(test);
        let outcome = if any(&|row| row.status.is_remark()) {
            AdvisoryOutcome::Failed
        } else if any(&|row| row.status == RowStatus::Supported) {
            AdvisoryOutcome::Passed
        } else {
            AdvisoryOutcome::Skipped
        };
        rows.sort_by_key(|row| !row.status.is_remark());
        let left_out = rows.len().saturating_sub(ROWS);
        rows.truncate(ROWS);
        Self {
            outcome,
            note,
            rows,
            left_out,
        }
    }
}

/// All three.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdvisoryResult {
    /// Short forms of the paper.
    pub acronyms: AdvisoryCheck,
    /// What reviewers recommend to cite.
    pub suggested_references: AdvisoryCheck,
    /// What reviewers say of the paper.
    pub reviewer_claims: AdvisoryCheck,
}

impl AdvisoryResult {
    /// What the state file says of them; unknown fields of the old value are kept.
    #[must_use]
    pub fn states(&self, old: &AdvisoryChecks) -> AdvisoryChecks {
        AdvisoryChecks {
            acronyms: self.acronyms.outcome.as_str().to_owned(),
            suggested_references: self.suggested_references.outcome.as_str().to_owned(),
            reviewer_claims: self.reviewer_claims.outcome.as_str().to_owned(),
            rest: old.rest.clone(),
        }
    }

    /// The three with their names, in the order of the letter.
    #[must_use]
    pub fn all(&self) -> [(&'static str, &AdvisoryCheck); 3] {
        [
            ("acronyms", &self.acronyms),
            ("suggested_references", &self.suggested_references),
            ("reviewer_claims", &self.reviewer_claims),
        ]
    }
}
