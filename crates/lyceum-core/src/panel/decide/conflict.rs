//! What a status does not allow, and what it does.

use crate::base::Refusal;
use crate::panel::disk::State;
use crate::panel::types::Status;

/// The operations that a status allows, the next step first.
#[must_use]
pub fn allowed(status: Status) -> Vec<String> {
    let names: &[&str] = match status {
        Status::Created | Status::AwaitingPanelConfirmation => {
            &["academic_review_confirm", "academic_review_status"]
        }
        Status::InReview => &[
            "academic_review_brief",
            "academic_review_submit",
            "academic_review_status",
        ],
        Status::AllSubmitted | Status::AwaitingSynthesisApproval => {
            &["academic_review_report", "academic_review_status"]
        }
        Status::ReportReady | Status::Abandoned => &["academic_review_status"],
    };
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// `state_conflict`: the review does not stand where this step begins.
#[must_use]
pub fn conflict(state: &State, blocks: &str, blocks_zh: &str) -> Refusal {
    let (hint, hint_zh) = match state.status {
        Status::Created => (
            "Attach the field analysis first (action attach).",
            "请先提交领域分析（action 为 attach）。",
        ),
        Status::AwaitingPanelConfirmation => (
            "Have the panel confirmed first (action confirm).",
            "请先确认评审席位（action 为 confirm）。",
        ),
        Status::InReview => (
            "Submit the reports of the seats that are open.",
            "请提交尚未完成的席位报告。",
        ),
        Status::AllSubmitted | Status::AwaitingSynthesisApproval => (
            "Go on with academic_review_report.",
            "请继续使用 academic_review_report。",
        ),
        Status::ReportReady => (
            "Open a new review for another look.",
            "如需再次评审，请新建一个评审。",
        ),
        Status::Abandoned => (
            "Open a new review; this one was given up.",
            "此评审已放弃，请新建一个评审。",
        ),
    };
    let status = state.status.as_str();
    let mut refusal = Refusal::new(
        "state_conflict",
        format!("the review is {status}: {blocks}"),
        hint,
    )
    .in_chinese(format!("评审状态为 {status}：{blocks_zh}"), hint_zh);
    refusal.allowed_now = allowed(state.status);
    refusal
}
