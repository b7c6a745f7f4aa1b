//! The two structured fields of a finding: what mending it costs, and what follows when it is not mended.

use serde_json::{Map, Value};

/// What a repair may touch.
const SCOPES: &[&str] = &["sentence", "section", "re_analysis", "new_data", "other"];
/// What may follow.
const CODES: &[&str] = &[
    "acceptance_criterion_unmet",
    "evidence_gap_remains",
    "claim_scope_unsupported",
    "method_reproducibility_unresolved",
    "reporting_requirement_unmet",
    "editorial_conformance_unmet",
    "interpretive_ambiguity_remains",
    "reader_traceability_reduced",
];
/// Where it follows.
const TARGETS: &[&str] = &[
    "manuscript",
    "section",
    "claim",
    "table",
    "figure",
    "dataset",
];
/// Most characters of a locator.
const LOCATOR: usize = 500;

/// `{kind, locator}`, or `{kind: other, surface_id, locator}`.
pub(super) fn hold_scope(value: &Value) -> Result<(), String> {
    let fields = object(value, "cost_scope")?;
    let kind = word(fields, "cost_scope.kind", "kind", SCOPES)?;
    locator(fields, "cost_scope")?;
    let other = kind == "other";
    if other && !fields.get("surface_id").is_some_and(is_text) {
        return Err("cost_scope of kind other needs a surface_id".to_owned());
    }
    let known: &[&str] = if other {
        &["kind", "surface_id", "locator"]
    } else {
        &["kind", "locator"]
    };
    only(fields, "cost_scope", known)
}

/// `{code, target: {kind, locator}}`.
pub(super) fn hold_consequence(value: &Value) -> Result<(), String> {
    let fields = object(value, "consequence")?;
    word(fields, "consequence.code", "code", CODES)?;
    only(fields, "consequence", &["code", "target"])?;
    let target = fields.get("target").unwrap_or(&Value::Null);
    let target = object(target, "consequence.target")?;
    word(target, "consequence.target.kind", "kind", TARGETS)?;
    locator(target, "consequence.target")?;
    only(target, "consequence.target", &["kind", "locator"])
}

fn object<'a>(value: &'a Value, name: &str) -> Result<&'a Map<String, Value>, String> {
    value
        .as_object()
        .ok_or_else(|| format!("{name} is no object"))
}

fn word<'a>(
    fields: &'a Map<String, Value>,
    name: &str,
    key: &str,
    known: &[&str],
) -> Result<&'a str, String> {
    fields
        .get(key)
        .and_then(Value::as_str)
        .filter(|word| known.contains(word))
        .ok_or_else(|| format!("{name} is not one of {}", known.join(", ")))
}

fn is_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.trim().is_empty())
}

fn locator(fields: &Map<String, Value>, name: &str) -> Result<(), String> {
    let locator = fields.get("locator").filter(|one| is_text(one));
    let short = locator
        .and_then(Value::as_str)
        .is_some_and(|text| text.chars().nth(LOCATOR).is_none());
    if short {
        Ok(())
    } else {
        Err(format!(
            "{name}.locator is not a text of at most {LOCATOR} characters"
        ))
    }
}

fn only(fields: &Map<String, Value>, name: &str, known: &[&str]) -> Result<(), String> {
    match fields.keys().find(|key| !known.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => {
            let key: String = key.chars().take(40).collect();
            Err(format!("{name} has an unknown field {key:?}"))
        }
    }
}
