//! Phase 0: the field analysis and the cards of the peer seats, proposed.

use serde_json::json;

use super::conflict;
use crate::base::Refusal;
use crate::panel::disk::{Card, FieldAnalysis, State};
use crate::panel::types::{Change, Facts, SeatId, Status};
use crate::store::Event;

/// Most characters of one field of analysis or card.
pub const FIELD_CHARS: usize = 4_000;
/// Most secondary disciplines.
pub const SECONDARY: usize = 3;

/// Stores the analysis; a person confirms it next.
///
/// # Errors
/// `state_conflict` unless the review was only opened, `cards_invalid`, `analysis_invalid`, `too_large`.
pub fn attach(
    state: &State,
    mut analysis: FieldAnalysis,
    facts: &Facts,
) -> Result<Change, Refusal> {
    if state.status != Status::Created {
        return Err(conflict(
            state,
            "its field analysis is attached already",
            "领域分析已经提交",
        ));
    }
    hold_analysis(&analysis)?;
    analysis.configuration_cards = cards_of(state, analysis.configuration_cards)?;
    let now = facts.at(state);
    analysis.analyst_run_at = Some(now);
    let event = Event::new("analysis_attached", json!({ "field_analysis": analysis }));
    let mut state = state.clone();
    state.field_analysis = Some(analysis);
    state.status = Status::AwaitingPanelConfirmation;
    state.updated_at = now;
    Ok(Change {
        state,
        events: vec![event],
        files: Vec::new(),
    })
}

fn hold_analysis(analysis: &FieldAnalysis) -> Result<(), Refusal> {
    let fields = [
        ("primary_discipline", &analysis.primary_discipline),
        ("research_paradigm", &analysis.research_paradigm),
        ("methodology_type", &analysis.methodology_type),
        ("target_journal_tier", &analysis.target_journal_tier),
        ("paper_maturity", &analysis.paper_maturity),
    ];
    for (name, text) in fields {
        hold_text(name, text)
            .map_err(|what| what.refusal("analysis_invalid", "Fill in every field."))?;
    }
    for text in &analysis.secondary_disciplines {
        hold_text("secondary_disciplines", text)
            .map_err(|what| what.refusal("analysis_invalid", "Leave empty names out."))?;
    }
    let count = analysis.secondary_disciplines.len();
    if count > SECONDARY {
        return Err(Refusal::new(
            "analysis_invalid",
            format!("{count} secondary disciplines"),
            format!("Name the {SECONDARY} that matter most."),
        ));
    }
    Ok(())
}

/// What is wrong with a text.
enum Wrong {
    Empty(String),
    Long(String),
}

impl Wrong {
    fn refusal(self, code: &'static str, hint: &str) -> Refusal {
        match self {
            Self::Empty(name) => Refusal::new(code, format!("{name} is empty"), hint),
            Self::Long(name) => Refusal::new(
                "too_large",
                format!("{name} has more than {FIELD_CHARS} characters"),
                "Say it shorter.",
            ),
        }
    }
}

fn hold_text(name: &str, text: &str) -> Result<(), Wrong> {
    if text.trim().is_empty() {
        return Err(Wrong::Empty(name.to_owned()));
    }
    if text.chars().nth(FIELD_CHARS).is_some() {
        return Err(Wrong::Long(name.to_owned()));
    }
    Ok(())
}

/// Cards in the order of the seats: one for each peer seat of the review, none for the Devil's Advocate.
///
/// # Errors
/// `cards_invalid`, `too_large`.
pub fn cards_of(state: &State, cards: Vec<Card>) -> Result<Vec<Card>, Refusal> {
    let peers: Vec<SeatId> = state
        .panel
        .seats
        .iter()
        .map(|seat| seat.seat_id)
        .filter(|id| *id != SeatId::Da)
        .collect();
    let names: Vec<&str> = peers.iter().map(|id| id.as_str()).collect();
    let invalid = |what: String| {
        Refusal::new(
            "cards_invalid",
            what,
            format!("Give one card for each of {}.", names.join(", ")),
        )
    };
    for card in &cards {
        let name = card.seat.as_str();
        if !peers.contains(&card.seat) {
            return Err(invalid(format!("the seat {name} takes no card here")));
        }
        if cards.iter().filter(|other| other.seat == card.seat).count() > 1 {
            return Err(invalid(format!("two cards for the seat {name}")));
        }
        for (field, text) in [
            ("identity", &card.identity),
            ("expertise", &card.expertise),
            ("focus", &card.focus),
        ] {
            hold_text(&format!("{field} of the card {name}"), text)
                .map_err(|what| what.refusal("cards_invalid", "Fill in every field."))?;
        }
    }
    let mut ordered = Vec::new();
    for id in peers {
        match cards.iter().find(|card| card.seat == id) {
            Some(card) => ordered.push(card.clone()),
            None => return Err(invalid(format!("no card for the seat {}", id.as_str()))),
        }
    }
    Ok(ordered)
}
