//! Opens a review: the mode's seats, the pinned paper, the strength of approval that will count.

use std::collections::BTreeMap;

use serde_json::json;

use crate::attest::Strength;
use crate::base::Refusal;
use crate::panel::disk::{
    Additions, AdvisoryChecks, Checkpoints, Panel, Rest, SCHEMA_VERSION, Seat, State, Synthesis,
};
use crate::panel::id::review_id;
use crate::panel::paper::Pinned;
use crate::panel::persona;
use crate::panel::types::{Change, Facts, Mode, SeatId, SeatStatus, Status};
use crate::store::Event;

/// The mode guard.
///
/// # Errors
/// `not_implemented` for a mode that has no seats yet.
pub fn check_mode(mode: Mode) -> Result<(), Refusal> {
    if !mode.seats().is_empty() {
        return Ok(());
    }
    let name = mode.as_str();
    Err(Refusal::new(
        "not_implemented",
        format!("the mode {name} does not exist yet"),
        "Take full, methodology-focus or quick.",
    )
    .in_chinese(
        format!("模式 {name} 尚未实现"),
        "请使用 full、methodology-focus 或 quick。",
    ))
}

/// A new review of a pinned paper.
///
/// # Errors
/// `not_implemented` for a mode that does not exist yet.
pub fn create(
    pinned: &Pinned,
    mode: Mode,
    require: Strength,
    facts: &Facts,
) -> Result<Change, Refusal> {
    check_mode(mode)?;
    let state = State {
        schema_version: SCHEMA_VERSION.to_owned(),
        review_id: review_id(facts),
        created_at: facts.now,
        updated_at: facts.now,
        mode,
        paper: pinned.paper.clone(),
        upstream_skill_version: persona::PACK.to_owned(),
        upstream_commit: persona::pack_sha256().as_str().to_owned(),
        status: Status::Created,
        field_analysis: None,
        panel: Panel {
            seats: mode.seats().iter().map(|&id| seat(id)).collect(),
            rest: Rest::new(),
        },
        synthesis: Synthesis::default(),
        checkpoints: Checkpoints::default(),
        advisory_checks: AdvisoryChecks::default(),
        lyceum: Additions {
            paper_files: pinned.files.clone(),
            require,
            seats: BTreeMap::new(),
            ..Additions::default()
        },
        rest: Rest::new(),
    };
    let event = Event::new(
        "review_created",
        json!({
            "review_id": state.review_id,
            "mode": mode,
            "paper": state.paper,
            "paper_files": state.lyceum.paper_files,
            "require": require,
        }),
    );
    Ok(Change {
        state,
        events: vec![event],
        files: Vec::new(),
    })
}

fn seat(id: SeatId) -> Seat {
    Seat {
        seat_id: id,
        role_marker: id.marker().to_owned(),
        agent_file: persona::of(id).reference(),
        status: SeatStatus::Pending,
        dispatched_at: None,
        submitted_at: None,
        configuration_card: id.card(),
        report: None,
        rest: Rest::new(),
    }
}
