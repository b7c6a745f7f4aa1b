//! The scores of a seat: what it may and must say, before they are stored, and whether all are there.

use super::types::{Contract, ContractDimension, Priority};
use crate::base::Refusal;
use crate::panel::disk::Dimension;
use crate::panel::{Score, SeatId};

/// A seat and what it scored.
pub type SeatScores<'a> = (SeatId, &'a [Dimension]);

/// Whether every seat that may score anything has scored: then the contract decides, else the recommendations do.
#[must_use]
pub fn complete(contract: &Contract, scores: &[SeatScores<'_>]) -> bool {
    let scored = |seat| {
        scores
            .iter()
            .any(|(id, rows)| *id == seat && !rows.is_empty())
    };
    contract.seats().into_iter().all(scored)
}

/// Holds the scores of one seat against the contract. No scores at all are fine; some must be all it is eligible for.
///
/// # Errors
/// `dimension_invalid`, naming the first row that is wrong and why.
pub fn validate_scores(
    contract: &Contract,
    seat: SeatId,
    rows: &[Dimension],
) -> Result<(), Refusal> {
    if rows.is_empty() {
        return Ok(());
    }
    for (i, row) in rows.iter().enumerate() {
        let Some(dimension) = contract.dimension(&row.id) else {
            let ids: Vec<&str> = contract.dimensions.iter().map(|one| one.id).collect();
            let id: String = row.id.chars().take(40).collect();
            return Err(invalid(
                &format!("{id:?} is no dimension of {}", contract.id),
                &format!("Take dimensions of {}.", ids.join(", ")),
            ));
        };
        if rows.iter().take(i).any(|earlier| earlier.id == row.id) {
            return Err(invalid(
                &format!("{} is scored twice", row.id),
                "Score each dimension once.",
            ));
        }
        validate_row(dimension, seat, row)?;
    }
    let missing: Vec<&str> = contract
        .dimensions
        .iter()
        .filter(|one| one.eligible.contains(&seat) && rows.iter().all(|row| row.id != one.id))
        .map(|one| one.id)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(invalid(
        &format!(
            "the seat {} does not score {}",
            seat.as_str(),
            missing.join(", ")
        ),
        "Score every dimension the seat is eligible for, or give no dimensions at all.",
    ))
}

fn validate_row(
    dimension: &ContractDimension,
    seat: SeatId,
    row: &Dimension,
) -> Result<(), Refusal> {
    let id = dimension.id;
    let empty = |text: &Option<String>| text.as_deref().is_none_or(|text| text.trim().is_empty());
    if !dimension.eligible.contains(&seat) {
        let silent = row.score == Score::NotAssessed
            && row.trigger.is_none()
            && row.block_class.is_none()
            && row.abstain_reason.is_none();
        return if silent {
            Ok(())
        } else {
            Err(invalid(
                &format!("the seat {} may not judge {id}", seat.as_str()),
                &format!("Leave {id} out, or give only the score not_assessed."),
            ))
        };
    }
    let found = matches!(row.score, Score::Warn | Score::Block);
    if found && empty(&row.trigger) {
        return Err(invalid(
            &format!("{id} has no trigger for its score {}", row.score.as_str()),
            "Name in `trigger` what made the score, in the words of your scoring plan.",
        ));
    }
    if !found && row.trigger.is_some() {
        return Err(invalid(
            &format!("{id} has a trigger beside the score {}", row.score.as_str()),
            "Give a trigger with warn and block only.",
        ));
    }
    let classed = row.score == Score::Block && dimension.priority == Priority::Mandatory;
    if classed && row.block_class.is_none() {
        return Err(invalid(
            &format!("the block on {id} does not say whether it can be mended"),
            "Give `block_class`: fatal or repairable.",
        ));
    }
    if !classed && row.block_class.is_some() {
        return Err(invalid(
            &format!("{id} has a block class that it cannot have"),
            "Give `block_class` only with a block on a mandatory dimension.",
        ));
    }
    abstention(dimension, row)
}

fn abstention(dimension: &ContractDimension, row: &Dimension) -> Result<(), Refusal> {
    let id = dimension.id;
    let reason = row.abstain_reason.as_deref().map(str::trim);
    if row.score != Score::NotAssessed {
        return match reason {
            None => Ok(()),
            Some(_) => Err(invalid(
                &format!("{id} has a reason to abstain and a score"),
                "Give `abstain_reason` with not_assessed only.",
            )),
        };
    }
    if reason.is_none_or(str::is_empty) {
        return Err(invalid(
            &format!("{id} is not assessed and no reason is given"),
            "Give `abstain_reason`.",
        ));
    }
    // Nobody else may judge it: the contract could never decide, and a report cannot be taken back.
    if dimension.eligible.len() == 1 {
        return Err(invalid(
            &format!("nobody else may judge {id}, so the contract could not decide"),
            "Score it, or give no dimensions at all; the recommendations decide then.",
        ));
    }
    Ok(())
}

fn invalid(message: &str, hint: &str) -> Refusal {
    Refusal::new("dimension_invalid", message, hint)
}
