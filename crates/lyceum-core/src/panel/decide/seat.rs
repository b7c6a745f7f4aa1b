//! Whether a seat may still do something.

use super::conflict;
use crate::base::{Refusal, Sha256};
use crate::panel::disk::State;
use crate::panel::types::{SeatId, SeatStatus, Status};

/// The seat of a word.
///
/// # Errors
/// `unknown_seat` for a word that is no seat of the review.
pub fn seat_of(state: &State, word: &str) -> Result<SeatId, Refusal> {
    let known = SeatId::parse(word).filter(|id| state.seat(*id).is_some());
    known.ok_or_else(|| {
        let names: Vec<&str> = state
            .panel
            .seats
            .iter()
            .map(|seat| seat.seat_id.as_str())
            .collect();
        let word: String = word.chars().take(40).collect();
        Refusal::new(
            "unknown_seat",
            format!("{word:?} is no seat of this review"),
            format!("Take one of {}.", names.join(", ")),
        )
        .in_chinese(
            format!("本评审没有席位 {word:?}"),
            format!("请从 {} 中选择。", names.join("、")),
        )
    })
}

/// A seat that may be dispatched, submit or fail.
///
/// # Errors
/// `panel_not_confirmed`, `unknown_seat`, `seat_already_submitted`, `state_conflict`.
pub fn open_seat(state: &State, id: SeatId) -> Result<(), Refusal> {
    if matches!(
        state.status,
        Status::Created | Status::AwaitingPanelConfirmation
    ) {
        let mut refusal = Refusal::new(
            "panel_not_confirmed",
            "no person has confirmed the panel yet",
            "Attach the field analysis, then have a person confirm it (academic_review_confirm).",
        )
        .in_chinese(
            "评审席位尚未经人确认",
            "请先提交领域分析，再由人确认（academic_review_confirm）。",
        );
        refusal.allowed_now = super::allowed(state.status);
        return Err(refusal);
    }
    let Some(seat) = state.seat(id) else {
        return seat_of(state, id.as_str()).map(|_| ());
    };
    if seat.status == SeatStatus::Submitted {
        let name = id.as_str();
        let mut refusal = Refusal::new(
            "seat_already_submitted",
            format!("the seat {name} has submitted; its report does not change any more"),
            "Go on with another seat, or open a new review.",
        )
        .in_chinese(
            format!("席位 {name} 已提交，报告不可再改"),
            "请继续其他席位，或新建一个评审。",
        );
        refusal.allowed_now = super::allowed(state.status);
        return Err(refusal);
    }
    if state.status != Status::InReview {
        return Err(conflict(state, "seats submit no more", "席位不再接受提交"));
    }
    Ok(())
}

/// Whether a token is that of the seat's last brief; none is no claim.
///
/// # Errors
/// `token_invalid` for a wrong or used one.
pub fn hold_token(state: &State, seat: SeatId, token: Option<&str>) -> Result<bool, Refusal> {
    let Some(token) = token else {
        return Ok(false);
    };
    let issued = state
        .lyceum
        .seats
        .get(&seat)
        .and_then(|seat| seat.token_sha256.as_ref());
    if issued.is_some_and(|issued| *issued == Sha256::of(token.as_bytes())) {
        return Ok(true);
    }
    Err(Refusal::new(
        "token_invalid",
        format!(
            "the token is not that of the last brief of the seat {}",
            seat.as_str()
        ),
        "Take the token of the seat's last brief, or leave it out; the report counts as declared then.",
    )
    .in_chinese(
        format!("令牌与席位 {} 最近一次任务书不符", seat.as_str()),
        "请使用最近一次任务书中的令牌，或不提供令牌（来源记为自述）。",
    ))
}
