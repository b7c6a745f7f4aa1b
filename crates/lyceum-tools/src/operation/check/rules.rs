//! `check_rules`: which rules there are.

use lyceum_core::check::{rule, unknown_rules, view};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::error::{Detail, ToolError};
use crate::operation::{Answer, Carries, Effect, Kind, Operation, Standing, Toolset};
use crate::schema;
use crate::world::{Call, World};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Args {
    /// Only these rule ids.
    rules: Option<Vec<String>>,
    /// `more.cursor` of the last answer.
    cursor: Option<String>,
}

/// See the module.
pub static RULES: Operation = Operation {
    name: "check_rules",
    toolset: Toolset::Check,
    title: "Rules of the check",
    description: "Lists the rules of check_text, or explains those named.",
    arguments: schema::of::<Args>,
    result: "`{rules: [{id, tier, profiles[], title, rationale}]}`, and `more {cursor, remaining}` when cut.",
    effect: Effect::Reads,
    carries: Carries::Nothing,
    checkpoint: None,
    examples: &["{}", r#"{"rules": ["citation-undefined"]}"#],
    kind: Kind::Decide(run),
};

fn run(world: &World<'_>, args: Value, _: &Call<'_>) -> Result<Answer, ToolError> {
    let args: Args = schema::parse(args)?;
    let asked = args.rules.unwrap_or_default();
    known(&asked)?;
    let rules: Vec<_> = rule::all()
        .filter(|rule| asked.is_empty() || asked.iter().any(|id| id == rule.id))
        .collect();
    let value = view::rules_page(&rules, world.settings.language, args.cursor.as_deref())?;
    Ok(Answer {
        value,
        standing: Standing::Good,
    })
}

/// Refuses ids in `/rules` that name no rule.
pub(super) fn known(ids: &[String]) -> Result<(), ToolError> {
    let unknown = unknown_rules(ids);
    if unknown.is_empty() {
        return Ok(());
    }
    let details = unknown.into_iter().map(|(i, message)| Detail {
        pointer: format!("/rules/{i}"),
        message,
    });
    Err(ToolError::arguments(details.collect()))
}
