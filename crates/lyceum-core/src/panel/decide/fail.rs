//! A seat that could not report.

use serde_json::json;

use super::{hold_token, open_seat};
use crate::base::Refusal;
use crate::panel::disk::State;
use crate::panel::types::{Change, Facts, SeatId, SeatStatus};
use crate::store::Event;

/// Most characters of a reason.
pub const REASON_CHARS: usize = 2_000;

/// Marks a seat as failed; its token is worth nothing any more, and it may be dispatched again.
///
/// # Errors
/// `panel_not_confirmed`, `unknown_seat`, `seat_already_submitted`, `state_conflict`, `token_invalid`,
/// `reason_missing`, `too_large`.
pub fn fail(
    state: &State,
    seat: SeatId,
    reason: &str,
    token: Option<&str>,
    facts: &Facts,
) -> Result<Change, Refusal> {
    open_seat(state, seat)?;
    hold_token(state, seat, token)?;
    hold_reason(reason)?;
    let now = facts.at(state);
    let mut state = state.clone();
    if let Some(seat) = state.seat_mut(seat) {
        seat.status = SeatStatus::Failed;
    }
    let added = state.lyceum.seats.entry(seat).or_default();
    added.failed_reason = Some(reason.to_owned());
    added.token_sha256 = None;
    state.updated_at = now;
    let event = Event::new(
        "seat_failed",
        json!({"seat_id": seat, "failed_reason": reason}),
    );
    Ok(Change {
        state,
        events: vec![event],
        files: Vec::new(),
    })
}

/// A reason that says something and is not a book.
pub(super) fn hold_reason(reason: &str) -> Result<(), Refusal> {
    if reason.trim().is_empty() {
        return Err(Refusal::new(
            "reason_missing",
            "no reason is given",
            "Say in a sentence why.",
        )
        .in_chinese("没有给出原因", "请用一句话说明原因。"));
    }
    if reason.chars().nth(REASON_CHARS).is_some() {
        return Err(Refusal::new(
            "too_large",
            format!("the reason has more than {REASON_CHARS} characters"),
            "Say it shorter.",
        ));
    }
    Ok(())
}
