//! What is told of a job.

use serde_json::{Value, json};

use super::amount::Amount;
use super::disk::{State, Status};

/// One line of a list.
#[must_use]
pub fn row(state: &State) -> Value {
    let mut row = json!({
        "job_id": state.job_id,
        "operation": state.operation,
        "status": state.status.as_str(),
        "steps": {"done": state.steps.done},
        "updated_at": state.updated_at,
    });
    if let Some(all) = state.steps.all {
        row["steps"]["all"] = json!(all);
    }
    row
}

/// A job with what it came to.
#[must_use]
pub fn view(state: &State) -> Value {
    let mut out = row(state);
    if state.spend.cap.is_some() || state.spend.spent > Amount::ZERO {
        out["spend"] = json!({"spent": state.spend.spent, "cap": state.spend.cap});
    }
    if state.cancel_requested && !state.status.ended() {
        out["cancel_requested"] = json!(true);
    }
    if let Some(result) = &state.result {
        out["result"] = result.clone();
    }
    if let Some(error) = &state.error {
        out["error"] = json!(error);
    }
    if matches!(state.status, Status::Failed | Status::Cancelled) {
        out["ok"] = json!(false);
    }
    out
}
