//! `academic_review_confirm`: the field analysis is attached, then a person confirms the panel.

use lyceum_core::attest::canonical;
use lyceum_core::base::{Refusal, Sha256};
use lyceum_core::panel::disk::{Card, FieldAnalysis, Rest, State};
use lyceum_core::panel::shown::panel_shown;
use lyceum_core::panel::{Drift, SeatId, decide, view};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::open::{Opened, commit, facts, open, unchanged};
use crate::approval::{Question, pass};
use crate::error::{Detail, ToolError};
use crate::operation::{Answer, Carries, Effect, Kind, Operation, Standing, Toolset};
use crate::schema;
use crate::world::{Call, World};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    review_id: String,
    action: Action,
    primary_discipline: Option<String>,
    secondary_disciplines: Option<Vec<String>>,
    research_paradigm: Option<String>,
    methodology_type: Option<String>,
    target_journal_tier: Option<String>,
    paper_maturity: Option<String>,
    /// One per seat but da
    configuration_cards: Option<Vec<CardArgs>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Action {
    Attach,
    Confirm,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CardArgs {
    seat: String,
    identity: String,
    expertise: String,
    focus: String,
}

/// See the module.
pub static CONFIRM: Operation = Operation {
    name: "academic_review_confirm",
    toolset: Toolset::Review,
    title: "Attach the analysis, confirm the panel",
    description: "attach: the field analysis and cards. confirm: a human confirms or edits the cards; then seats submit.",
    arguments: schema::of::<Args>,
    result: "where the review stands, as `academic_review_status` tells it",
    effect: Effect::Appends,
    carries: Carries::Text,
    checkpoint: Some("panel"),
    examples: &[],
    kind: Kind::Decide(run),
};

fn run(world: &World<'_>, args: Value, call: &Call<'_>) -> Result<Answer, ToolError> {
    let proposal = args.clone();
    let args: Args = schema::parse(args)?;
    let opened = open(world, &args.review_id)?;
    let state = match args.action {
        Action::Attach => attach(world, call, &opened, args)?,
        Action::Confirm => confirm(world, call, &opened, args, &proposal)?,
    };
    let language = world.settings.language;
    Ok(Answer {
        value: view::summary(&state, opened.key.folder(), Drift::Unchanged, language),
        standing: Standing::Good,
    })
}

fn wrong(pointer: &str, message: &str) -> ToolError {
    ToolError::arguments(vec![Detail {
        pointer: pointer.to_owned(),
        message: message.to_owned(),
    }])
}

fn attach(
    world: &World<'_>,
    call: &Call<'_>,
    opened: &Opened,
    args: Args,
) -> Result<State, ToolError> {
    let need = |name: &str, value: Option<String>| {
        value.ok_or_else(|| wrong(&format!("/{name}"), "missing for the action attach"))
    };
    let analysis = FieldAnalysis {
        analyst_run_at: None,
        primary_discipline: need("primary_discipline", args.primary_discipline)?,
        secondary_disciplines: args.secondary_disciplines.unwrap_or_default(),
        research_paradigm: need("research_paradigm", args.research_paradigm)?,
        methodology_type: need("methodology_type", args.methodology_type)?,
        target_journal_tier: need("target_journal_tier", args.target_journal_tier)?,
        paper_maturity: need("paper_maturity", args.paper_maturity)?,
        configuration_cards: cards(
            &opened.state,
            args.configuration_cards
                .ok_or_else(|| wrong("/configuration_cards", "missing for the action attach"))?,
        )?,
        rest: Rest::new(),
    };
    let facts = facts(world)?;
    let step = |state: &State| decide::attach(state, analysis.clone(), &facts);
    // What the status forbids is said before what the paper does.
    step(&opened.state)?;
    unchanged(world, call, &opened.state)?;
    commit(world, call, &opened.key, CONFIRM.name, None, &mut |state| {
        step(state.unwrap_or(&opened.state))
    })
}

fn cards(state: &State, cards: Vec<CardArgs>) -> Result<Vec<Card>, Refusal> {
    cards
        .into_iter()
        .map(|card| {
            Ok(Card {
                seat: match SeatId::parse(&card.seat) {
                    Some(seat) => seat,
                    None => decide::seat_of(state, &card.seat)?,
                },
                identity: card.identity,
                expertise: card.expertise,
                focus: card.focus,
                rest: Rest::new(),
            })
        })
        .collect()
}

fn confirm(
    world: &World<'_>,
    call: &Call<'_>,
    opened: &Opened,
    args: Args,
    proposal: &Value,
) -> Result<State, ToolError> {
    let analysis = [
        ("primary_discipline", args.primary_discipline.is_some()),
        (
            "secondary_disciplines",
            args.secondary_disciplines.is_some(),
        ),
        ("research_paradigm", args.research_paradigm.is_some()),
        ("methodology_type", args.methodology_type.is_some()),
        ("target_journal_tier", args.target_journal_tier.is_some()),
        ("paper_maturity", args.paper_maturity.is_some()),
    ];
    if let Some((name, _)) = analysis.iter().find(|(_, given)| *given) {
        return Err(wrong(
            &format!("/{name}"),
            "the analysis is attached already; with confirm only configuration_cards may be edited",
        ));
    }
    let state = &opened.state;
    let edited = args
        .configuration_cards
        .map(|given| cards(state, given))
        .transpose()?;
    // The same answer given already: the stored result.
    if decide::confirmed_so(state, &Sha256::of(canonical(proposal).as_bytes())) {
        return Ok(state.clone());
    }
    let analysis = decide::proposed(state, edited.clone())?;
    unchanged(world, call, state)?;
    let shown = panel_shown(state, &analysis);
    let attestation = pass(
        world,
        call,
        &Question {
            checkpoint: decide::PANEL,
            subject: format!("review:{}", state.review_id),
            operation: CONFIRM.name,
            proposal,
            shown: &shown,
            require: state.lyceum.require,
            head: opened.stored.head.as_ref().map(|head| head.hash.clone()),
        },
    )?;
    let facts = facts(world)?;
    commit(world, call, &opened.key, CONFIRM.name, None, &mut |now| {
        let now = now.unwrap_or(state);
        decide::confirm(now, edited.clone(), attestation.clone(), &facts)
    })
}
