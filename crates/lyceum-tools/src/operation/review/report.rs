//! `academic_review_report`: a draft of the decision letter and the roadmap, then a person's approval of exactly those.

use lyceum_core::panel::disk::{Adjudication, Rest, State};
use lyceum_core::panel::synthesis::{
    Rendered, approvable, approve_as, draft_as, may_report, render, unadjudicated,
};
use lyceum_core::panel::{Drift, Outcome, Status, view};
use lyceum_core::text::Manuscript;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::open::{Opened, commit, facts, open, unchanged};
use crate::approval::{Approval, Question, pass};
use crate::error::ToolError;
use crate::operation::{Answer, Carries, Effect, Kind, Operation, Standing, Toolset};
use crate::schema;
use crate::world::{Call, World};

/// Most findings named in a result.
const NAMED: usize = 20;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    review_id: String,
    approve: Option<bool>,
    /// One per critical finding of da
    da_adjudications: Option<Vec<AdjudicationArgs>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AdjudicationArgs {
    finding_id: String,
    outcome: OutcomeArg,
    rationale: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum OutcomeArg {
    Validated,
    Rejected,
    Unresolved,
}

/// See the module.
pub static REPORT: Operation = Operation {
    name: "academic_review_report",
    toolset: Toolset::Review,
    title: "Decision letter and roadmap",
    description: "Drafts decision letter and roadmap by rule once all seats reported. approve: a human approves; then they are final.",
    arguments: schema::of::<Args>,
    result: "where the review stands, as `academic_review_status` tells it, and `da_unadjudicated[]` while critical findings \
             of the Devil's Advocate wait",
    effect: Effect::Appends,
    carries: Carries::Text,
    checkpoint: Some("report"),
    examples: &[],
    kind: Kind::Decide(run),
};

fn run(world: &World<'_>, args: Value, call: &Call<'_>) -> Result<Answer, ToolError> {
    let args: Args = schema::parse(args)?;
    let opened = open(world, &args.review_id)?;
    // What the status forbids is said before what the paper does.
    may_report(&opened.state)?;
    let adjudications = adjudications(&opened.state, args.da_adjudications);
    let state = if args.approve.unwrap_or(false) {
        approved(world, call, opened, &adjudications)?
    } else {
        drafted(world, call, &opened, &adjudications)?
    };
    let folder = format!(".academic-review/{}", state.review_id);
    let mut value = view::summary(&state, &folder, Drift::Unchanged, world.settings.language);
    let waiting = unadjudicated(&state, &adjudications);
    if !waiting.is_empty() {
        value["da_unadjudicated"] = json!(waiting.iter().take(NAMED).collect::<Vec<_>>());
    }
    Ok(Answer {
        value,
        standing: Standing::Good,
    })
}

/// Those given; those of the last draft when none are.
fn adjudications(state: &State, given: Option<Vec<AdjudicationArgs>>) -> Vec<Adjudication> {
    let Some(given) = given else {
        return state.synthesis.da_critical_adjudications.clone();
    };
    given
        .into_iter()
        .map(|one| Adjudication {
            finding_id: one.finding_id,
            adjudicated: false,
            outcome: match one.outcome {
                OutcomeArg::Validated => Outcome::Validated,
                OutcomeArg::Rejected => Outcome::Rejected,
                OutcomeArg::Unresolved => Outcome::Unresolved,
            },
            rationale: one.rationale.unwrap_or_default(),
            rest: Rest::new(),
        })
        .collect()
}

fn drafted(
    world: &World<'_>,
    call: &Call<'_>,
    opened: &Opened,
    adjudications: &[Adjudication],
) -> Result<State, ToolError> {
    let paper = unchanged(world, call, &opened.state)?.manuscript;
    let rendered = render(&opened.state, &paper, adjudications)?;
    store_draft(world, call, opened, &paper, &rendered)
}

fn store_draft(
    world: &World<'_>,
    call: &Call<'_>,
    opened: &Opened,
    paper: &Manuscript,
    rendered: &Rendered,
) -> Result<State, ToolError> {
    let facts = facts(world)?;
    let now = draft_as(&opened.state, paper, rendered, &facts)?;
    if now.events.is_empty() {
        return Ok(now.state);
    }
    commit(world, call, &opened.key, REPORT.name, None, &mut |state| {
        draft_as(state.unwrap_or(&opened.state), paper, rendered, &facts)
    })
}

fn approved(
    world: &World<'_>,
    call: &Call<'_>,
    opened: Opened,
    adjudications: &[Adjudication],
) -> Result<State, ToolError> {
    if opened.state.status == Status::ReportReady {
        // The same answer again gets the stored result, another one a conflict.
        return drafted(world, call, &opened, adjudications);
    }
    let paper = unchanged(world, call, &opened.state)?.manuscript;
    // Nothing is drafted for an approval that cannot be given.
    let rendered = approvable(&opened.state, &paper, adjudications)?;
    // A look stores nothing: what is shown is the draft that an answer would store.
    let opened = if matches!(call.approval, Approval::Look(_)) {
        opened
    } else {
        store_draft(world, call, &opened, &paper, &rendered)?;
        open(world, opened.key.id())?
    };
    let state = &opened.state;
    let proposal = json!({
        "review_id": state.review_id,
        "approve": true,
        "da_adjudications": rendered
            .adjudications
            .iter()
            .map(|one| json!({
                "finding_id": one.finding_id,
                "outcome": one.outcome,
                "rationale": one.rationale,
            }))
            .collect::<Vec<_>>(),
    });
    let shown = rendered.shown();
    let attestation = pass(
        world,
        call,
        &Question {
            checkpoint: "report",
            subject: format!("review:{}", state.review_id),
            operation: REPORT.name,
            proposal: &proposal,
            shown: &shown,
            require: state.lyceum.require,
            head: opened.stored.head.as_ref().map(|head| head.hash.clone()),
        },
    )?;
    let facts = facts(world)?;
    commit(world, call, &opened.key, REPORT.name, None, &mut |now| {
        let now = now.unwrap_or(state);
        approve_as(now, &paper, &rendered, attestation.clone(), &facts)
    })
}
