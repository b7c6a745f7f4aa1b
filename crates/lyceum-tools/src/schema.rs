//! Schemas of arguments: derived, then made small; and the check of arguments against them.
//!
//! The menu is paid for by every conversation, so a schema is one flat object without titles, definitions or null unions.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::error::{Detail, ToolError};

/// The derived schema of a type, definitions inlined.
#[must_use]
pub fn of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    });
    settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}

/// Reads arguments that have been held against the schema.
///
/// # Errors
/// `invalid_arguments` with what serde says, should the two ever differ.
pub fn parse<T: DeserializeOwned>(args: Value) -> Result<T, ToolError> {
    serde_json::from_value(args).map_err(|error| {
        ToolError::arguments(vec![Detail {
            pointer: String::new(),
            message: error.to_string(),
        }])
    })
}

/// Makes a derived schema small: no titles, formats, ranges or defaults, no unions with null, plain enums.
#[must_use]
pub fn reduce(schema: Value) -> Value {
    let Value::Object(map) = schema else {
        // Anything goes; clients take `true` for a mistake.
        return json!({});
    };
    let mut map = without_null(map);
    for noise in [
        "$schema", "title", "format", "default", "minimum", "maximum",
    ] {
        map.remove(noise);
    }
    map.retain(|key, value| key != "additionalProperties" || *value != json!(true));
    let mut out = Map::new();
    for (key, value) in map {
        let value = match (key.as_str(), value) {
            ("properties", Value::Object(fields)) => fields
                .into_iter()
                .map(|(name, field)| (name, inner(field)))
                .collect(),
            ("items", item) => inner(item),
            (_, value) => value,
        };
        out.insert(key, value);
    }
    if out.get("type") == Some(&json!("object")) && !out.contains_key("properties") {
        out.insert("properties".into(), json!({}));
    }
    Value::Object(out)
}

/// The schema within another. That unknown fields are refused is said once, at the top, and holds everywhere.
fn inner(schema: Value) -> Value {
    let mut schema = reduce(schema);
    if let Some(map) = schema.as_object_mut()
        && map.get("additionalProperties") == Some(&json!(false))
    {
        map.remove("additionalProperties");
    }
    // An object of any fields.
    if let Some(map) = schema.as_object_mut()
        && map.get("properties") == Some(&json!({}))
    {
        map.remove("properties");
    }
    schema
}

/// `T | null` becomes `T`: leaving an argument out is how it is not given.
fn without_null(mut map: Map<String, Value>) -> Map<String, Value> {
    if let Some(Value::Array(types)) = map.get_mut("type") {
        types.retain(|name| name != "null");
        if let [one] = types.as_slice() {
            let one = one.clone();
            map.insert("type".into(), one);
        }
    }
    if let Some(Value::Array(values)) = map.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Value::Array(any)) = map.get("anyOf") {
        let rest: Vec<&Value> = any.iter().filter(|one| one["type"] != "null").collect();
        if let [Value::Object(one)] = rest.as_slice() {
            let one = one.clone();
            map.remove("anyOf");
            // The description of the field wins over that of its type.
            for (key, value) in one {
                map.entry(key).or_insert(value);
            }
        }
    }
    map
}

/// Holds arguments against a reduced schema; every fault is named.
#[must_use]
pub fn faults(schema: &Value, args: &Value) -> Vec<Detail> {
    let mut found = Vec::new();
    hold(schema, args, "", &mut found);
    found
}

fn hold(schema: &Value, value: &Value, pointer: &str, found: &mut Vec<Detail>) {
    let mut say = |message: String| {
        found.push(Detail {
            pointer: pointer.to_owned(),
            message,
        });
    };
    if let Some(wanted) = schema["type"].as_str()
        && !is(wanted, value)
    {
        return say(format!("expected {wanted}, got {}", kind(value)));
    }
    if let Some(values) = schema["enum"].as_array()
        && !values.contains(value)
    {
        let names: Vec<String> = values.iter().map(plain).collect();
        return say(format!("expected one of {}", names.join(", ")));
    }
    match value {
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                hold(&schema["items"], item, &format!("{pointer}/{i}"), found);
            }
        }
        Value::Object(fields) if schema["properties"].is_object() => {
            hold_object(schema, fields, pointer, found);
        }
        _ => {}
    }
}

fn hold_object(
    schema: &Value,
    fields: &Map<String, Value>,
    pointer: &str,
    found: &mut Vec<Detail>,
) {
    let known = &schema["properties"];
    let required = schema["required"].as_array();
    let must = |name: &str| required.is_some_and(|names| names.iter().any(|one| one == name));
    for (name, field) in fields {
        // Null for what may be left out is leaving it out.
        if field.is_null() && known.get(name).is_some() && !must(name) {
            continue;
        }
        let at = format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
        match known.get(name) {
            Some(schema) => hold(schema, field, &at, found),
            None => {
                let names: Vec<&str> = known
                    .as_object()
                    .map(|known| known.keys().map(String::as_str).collect())
                    .unwrap_or_default();
                found.push(Detail {
                    pointer: at,
                    message: format!("unknown argument; known are {}", names.join(", ")),
                });
            }
        }
    }
    for name in required.into_iter().flatten().filter_map(Value::as_str) {
        if !fields.contains_key(name) {
            found.push(Detail {
                pointer: format!("{pointer}/{name}"),
                message: "missing".to_owned(),
            });
        }
    }
}

fn is(wanted: &str, value: &Value) -> bool {
    match wanted {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        _ => true,
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
