//! A seat's report is committed: once, whole, with every quote found.

use serde_json::json;

use super::{hold_token, open_seat};
use crate::base::{Language, Refusal, Timestamp};
use crate::panel::contract;
use crate::panel::disk::{Dimension, Finding, Report, State};
use crate::panel::seat_file;
use crate::panel::types::{Change, Facts, SeatId, SeatStatus, Severity, Status};
use crate::panel::{finding, types::Mode};
use crate::store::Event;
use crate::text::Manuscript;

/// What a seat hands in.
#[derive(Clone, Debug)]
pub struct Submission {
    /// Its report.
    pub report: Report,
    /// Its scores; none when it gives none.
    pub dimensions: Vec<Dimension>,
    /// The token of its brief, when it has one.
    pub token: Option<String>,
}

impl Submission {
    /// Holds it against the contract of the mode and the pinned text; ids are given to findings without one. Slow in
    /// comparison: done before the state is locked.
    ///
    /// # Errors
    /// What [`finding::hold`] says, and `dimension_invalid`.
    pub fn held(
        mut self,
        mode: Mode,
        seat: SeatId,
        manuscript: &Manuscript,
    ) -> Result<Held, Refusal> {
        self.report = finding::hold(self.report, seat, manuscript)?;
        match contract::of_mode(mode) {
            Some(contract) => contract::validate_scores(contract, seat, &self.dimensions)?,
            None if self.dimensions.is_empty() => {}
            None => {
                return Err(Refusal::new(
                    "dimension_invalid",
                    format!("the mode {} has no dimensions", mode.as_str()),
                    "Give no dimensions.",
                ));
            }
        }
        Ok(Held {
            submission: self,
            language: manuscript.language,
        })
    }
}

/// A submission that was held against the text.
#[derive(Clone, Debug)]
pub struct Held {
    submission: Submission,
    language: Language,
}

/// Commits a report. Those of the other seats are neither read nor changed.
///
/// # Errors
/// `panel_not_confirmed`, `unknown_seat`, `seat_already_submitted`, `state_conflict`, `token_invalid`.
pub fn submit(state: &State, id: SeatId, held: Held, facts: &Facts) -> Result<Change, Refusal> {
    open_seat(state, id)?;
    let token_used = hold_token(state, id, held.submission.token.as_deref())?;
    enter(state, id, held, token_used, (facts.at(state), facts))
}

/// The same for a report that another branch of the review committed already: text and token were held there.
///
/// # Errors
/// `panel_not_confirmed`, `unknown_seat`, `seat_already_submitted`, `state_conflict`.
pub fn submit_again(
    state: &State,
    id: SeatId,
    (report, dimensions): (Report, Vec<Dimension>),
    token_used: bool,
    language: Language,
    facts: &Facts,
) -> Result<Change, Refusal> {
    open_seat(state, id)?;
    let held = Held {
        submission: Submission {
            report,
            dimensions,
            token: None,
        },
        language,
    };
    // When it was committed there, so that its files are byte for byte the same.
    enter(state, id, held, token_used, (facts.now, facts))
}

fn enter(
    state: &State,
    id: SeatId,
    held: Held,
    token_used: bool,
    (submitted_at, facts): (Timestamp, &Facts),
) -> Result<Change, Refusal> {
    let Held {
        submission: Submission {
            report, dimensions, ..
        },
        language,
    } = held;
    let now = facts.at(state);
    let mut state = state.clone();
    state.updated_at = now;
    name_for_letters(&mut state, id, &report.findings);
    let added = state.lyceum.seats.entry(id).or_default();
    added.dimensions.clone_from(&dimensions);
    added.failed_reason = None;
    added.token_used = token_used;
    "declared".clone_into(&mut added.provenance_class);
    let event = Event::new(
        "seat_submitted",
        json!({
            "seat_id": id,
            "report": report,
            "dimensions": dimensions,
            "token_used": token_used,
            "provenance_class": added.provenance_class,
            "language": language,
        }),
    );
    if let Some(seat) = state.seat_mut(id) {
        seat.status = SeatStatus::Submitted;
        seat.submitted_at = Some(submitted_at);
        seat.report = Some(report);
    }
    let mut events = vec![event];
    let all = state.panel.seats.iter();
    if all.clone().all(|seat| seat.status == SeatStatus::Submitted) {
        state.status = Status::AllSubmitted;
        events.push(Event::new("all_seats_submitted", json!({})));
    }
    let files = seat_file::files(&state, id, language);
    Ok(Change {
        state,
        events,
        files,
    })
}

/// The ids that letters use: `EIC-W1` for `eic-F1`; the critical findings of the Devil's Advocate are `C1`, `C2` and so on.
fn name_for_letters(state: &mut State, id: SeatId, findings: &[Finding]) {
    let maps = &mut state.lyceum.id_maps;
    if id == SeatId::Da {
        let critical = findings
            .iter()
            .filter(|finding| finding.severity == Severity::Critical);
        for (n, finding) in critical.enumerate() {
            maps.insert(finding.id.clone(), format!("C{}", n + 1));
        }
        return;
    }
    for finding in findings {
        let number = finding
            .id
            .rsplit_once("-F")
            .map_or("", |(_, number)| number);
        maps.insert(finding.id.clone(), format!("{}-W{number}", id.marker()));
    }
}
