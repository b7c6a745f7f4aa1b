//! What is said of the critical findings of the Devil's Advocate. None is passed over in silence.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::Refusal;
use crate::panel::disk::{Adjudication, Finding, Report};
use crate::panel::{Outcome, SeatId, Severity, Verdict};

/// The critical findings of the Devil's Advocate.
#[must_use]
pub(super) fn criticals<'a>(reports: &[(SeatId, &'a Report)]) -> Vec<&'a Finding> {
    let da = reports.iter().filter(|(seat, _)| *seat == SeatId::Da);
    da.flat_map(|(_, report)| &report.findings)
        .filter(|finding| finding.severity == Severity::Critical)
        .collect()
}

/// Holds adjudications against the findings and puts them in the findings' order.
///
/// # Errors
/// `da_adjudication_invalid`: an unknown finding, one twice, a rejection without a reason.
pub(super) fn ordered(
    given: &[Adjudication],
    criticals: &[&Finding],
) -> Result<Vec<Adjudication>, Refusal> {
    let known: BTreeSet<&str> = criticals.iter().map(|one| one.id.as_str()).collect();
    let mut by_id: BTreeMap<&str, &Adjudication> = BTreeMap::new();
    for one in given {
        let id = name(&one.finding_id);
        if !known.contains(one.finding_id.as_str()) {
            let names: Vec<String> = criticals.iter().take(20).map(|one| name(&one.id)).collect();
            return Err(invalid(
                &format!("{id} is no critical finding of the Devil's Advocate"),
                &if names.is_empty() {
                    "Leave da_adjudications out; there is nothing to adjudicate.".to_owned()
                } else {
                    format!("Adjudicate {}.", names.join(", "))
                },
            ));
        }
        if one.outcome == Outcome::Rejected && one.rationale.trim().is_empty() {
            return Err(invalid(
                &format!("{id} is rejected without a rationale"),
                "Say in `rationale` why the finding does not hold.",
            ));
        }
        if by_id.insert(&one.finding_id, one).is_some() {
            return Err(invalid(
                &format!("{id} is adjudicated twice"),
                "Give each finding one adjudication.",
            ));
        }
    }
    let of = |finding: &&Finding| {
        Some(Adjudication {
            adjudicated: false,
            ..(*by_id.get(finding.id.as_str())?).clone()
        })
    };
    Ok(criticals.iter().filter_map(of).collect())
}

/// Whether a report may be approved with these adjudications.
///
/// # Errors
/// `da_adjudication_missing`; `da_critical_unresolved` for an Accept with a critical finding that is not rejected.
pub(super) fn may_approve(
    decision: Option<Verdict>,
    adjudications: &[Adjudication],
    criticals: &[&Finding],
) -> Result<(), Refusal> {
    let outcomes: BTreeMap<&str, Outcome> = adjudications
        .iter()
        .map(|one| (one.finding_id.as_str(), one.outcome))
        .collect();
    let outcome = |finding: &Finding| outcomes.get(finding.id.as_str()).copied();
    let pick = |test: &dyn Fn(Option<Outcome>) -> bool| -> Vec<String> {
        let found = criticals.iter().filter(|finding| test(outcome(finding)));
        found.take(20).map(|finding| name(&finding.id)).collect()
    };
    let missing = pick(&|outcome| outcome.is_none());
    if !missing.is_empty() {
        let ids = missing.join(", ");
        return Err(Refusal::new(
            "da_adjudication_missing",
            format!("critical findings of the Devil's Advocate have no adjudication: {ids}"),
            "Give da_adjudications with an outcome for each.",
        )
        .in_chinese(
            format!("魔鬼代言人的严重问题尚未裁定：{ids}"),
            "请在 da_adjudications 中为每一项给出裁定。",
        ));
    }
    let standing = pick(&|outcome| outcome != Some(Outcome::Rejected));
    if decision == Some(Verdict::Accept) && !standing.is_empty() {
        let ids = standing.join(", ");
        return Err(Refusal::new(
            "da_critical_unresolved",
            format!("the rules say accept, and critical findings of the Devil's Advocate stand: {ids}"),
            "Reject each with a rationale where it does not hold, or abandon the review; there is no override.",
        )
        .in_chinese(
            format!("按规则应为接收，但魔鬼代言人的严重问题仍成立：{ids}"),
            "若问题不成立，请逐项驳回并说明理由；否则请放弃本次评审。此处无法强行通过。",
        ));
    }
    Ok(())
}

fn name(id: &str) -> String {
    id.chars().take(60).collect()
}

fn invalid(message: &str, hint: &str) -> Refusal {
    Refusal::new("da_adjudication_invalid", message, hint)
}
