//! A person gives a review up.

use serde_json::json;

use super::conflict;
use super::fail::hold_reason;
use crate::base::Refusal;
use crate::panel::disk::State;
use crate::panel::types::{Change, Facts, Status};
use crate::store::Event;

/// Gives a review up. What was written stays; nothing is added any more.
///
/// # Errors
/// `state_conflict` for a review that has ended, `reason_missing`, `too_large`.
pub fn abandon(state: &State, reason: &str, facts: &Facts) -> Result<Change, Refusal> {
    if matches!(state.status, Status::ReportReady | Status::Abandoned) {
        return Err(conflict(state, "it has ended", "评审已经结束"));
    }
    hold_reason(reason)?;
    let mut state = state.clone();
    state.updated_at = facts.at(&state);
    let from = state.status;
    state.status = Status::Abandoned;
    let event = Event::new("review_abandoned", json!({"reason": reason, "from": from}));
    Ok(Change {
        state,
        events: vec![event],
        files: Vec::new(),
    })
}
