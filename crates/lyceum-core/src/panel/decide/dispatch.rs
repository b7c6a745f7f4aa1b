//! A seat's brief is given out: the seat is dispatched, by whom and with which token is known by hashes.

use serde_json::json;

use super::open_seat;
use crate::base::{Refusal, Sha256};
use crate::panel::disk::State;
use crate::panel::types::{Change, Facts, SeatId, SeatStatus};
use crate::store::Event;

/// Notes that a brief was given out. Only the token of the last brief counts.
///
/// # Errors
/// `panel_not_confirmed`, `unknown_seat`, `seat_already_submitted`, `state_conflict`.
pub fn dispatch(
    state: &State,
    seat: SeatId,
    brief: &Sha256,
    token: &Sha256,
    facts: &Facts,
) -> Result<Change, Refusal> {
    open_seat(state, seat)?;
    let now = facts.at(state);
    let mut state = state.clone();
    if let Some(seat) = state.seat_mut(seat) {
        seat.status = SeatStatus::Dispatched;
        seat.dispatched_at = Some(now);
    }
    let added = state.lyceum.seats.entry(seat).or_default();
    added.brief_sha256 = Some(brief.clone());
    added.token_sha256 = Some(token.clone());
    state.updated_at = now;
    let event = Event::new(
        "seat_dispatched",
        json!({"seat_id": seat, "brief_sha256": brief, "token_sha256": token}),
    );
    Ok(Change {
        state,
        events: vec![event],
        files: Vec::new(),
    })
}
