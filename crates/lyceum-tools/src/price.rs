//! What the menu costs a conversation, in o200k tokens.
//!
//! Counted by a development dependency and committed, so that the program carries no tokenizer; a test compares.

use serde_json::{Value, json};

use crate::operation::{Operation, Toolset};

static COMMITTED: &str = include_str!("../../../docs/reference/token-prices.json");

/// The committed list: `{encoding, tools: [{name, tokens}], toolsets, total}`.
#[must_use]
pub fn committed() -> Value {
    serde_json::from_str(COMMITTED).unwrap_or(Value::Null)
}

/// The committed list cut to some toolsets.
#[must_use]
pub fn committed_for(sets: &[Toolset]) -> Value {
    let all = committed();
    let registry = crate::registry::Registry::all();
    let names: Vec<&str> = registry.of_sets(sets).map(|op| op.name).collect();
    let priced = all["tools"].as_array().into_iter().flatten();
    let tools: Vec<(String, u64)> = priced
        .filter_map(|tool| {
            let name = tool["name"].as_str()?;
            names
                .contains(&name)
                .then(|| Some((name.to_owned(), tool["tokens"].as_u64()?)))?
        })
        .collect();
    list(&tools)
}

/// What a model pays for: name, description and schema of the arguments.
#[must_use]
pub fn priced_text(operation: &Operation) -> String {
    json!({
        "name": operation.name,
        "description": operation.description,
        "inputSchema": operation.schema(),
    })
    .to_string()
}

/// Puts the list together from what each tool costs.
#[must_use]
pub fn list(tools: &[(String, u64)]) -> Value {
    let registry = crate::registry::Registry::all();
    let price_of = |set: Toolset| -> u64 {
        let of_set = |name: &str| registry.find(name).is_some_and(|op| op.toolset == set);
        let priced = tools.iter().filter(|(name, _)| of_set(name));
        priced.map(|(_, tokens)| tokens).sum()
    };
    let toolsets: serde_json::Map<String, Value> = Toolset::ALL
        .into_iter()
        .map(|set| (set.as_str().to_owned(), json!(price_of(set))))
        .collect();
    let entries: Vec<Value> = tools
        .iter()
        .map(|(name, tokens)| json!({"name": name, "tokens": tokens}))
        .collect();
    json!({
        "encoding": "o200k",
        "tools": entries,
        "toolsets": toolsets,
        "total": tools.iter().map(|(_, tokens)| tokens).sum::<u64>(),
    })
}
