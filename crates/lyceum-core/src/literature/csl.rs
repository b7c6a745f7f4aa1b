//! CSL-JSON bibliographies, as pandoc and Manubot use them, read into the shape of BibTeX entries.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::types::{Bibliography, BibliographyFormat, Entry, Field};
use crate::base::Words;
use crate::text::{FileId, Note, Source, Span};

static ID: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(
        clippy::expect_used,
        reason = "a literal pattern, compiled by every test"
    )]
    Regex::new(r#""id"\s*:\s*("(?:[^"\\]|\\.)*"|[0-9]+)"#).expect("pattern")
});

/// Reads a CSL-JSON file. What is no CSL-JSON yields no entries and a note `bibliography_unreadable`.
#[must_use]
pub fn parse_csl_json(file: FileId, source: &Source) -> Bibliography {
    let nothing = |words: Words| {
        let note = Note {
            code: "bibliography_unreadable",
            words,
            span: None,
            unreadable: Some(source.path.clone()),
        };
        Bibliography::new(file, BibliographyFormat::CslJson, Vec::new(), vec![note])
    };
    let value: Value = match serde_json::from_str(&source.text) {
        Ok(value) => value,
        Err(error) => {
            return nothing(Words::new(
                format!("{}: not JSON: {error}", source.path),
                format!("{}：不是 JSON：{error}", source.path),
            ));
        }
    };
    let items = match &value {
        Value::Array(items) => items.as_slice(),
        Value::Object(map) => match map.get("references").or_else(|| map.get("items")) {
            Some(Value::Array(items)) => items.as_slice(),
            _ => std::slice::from_ref(&value),
        },
        _ => &[],
    };
    if items.iter().any(|item| !item.is_object()) {
        return nothing(Words::new(
            format!("{}: JSON, but not CSL-JSON", source.path),
            format!("{}：是 JSON，但不是 CSL-JSON", source.path),
        ));
    }
    let mut places = ID.captures_iter(&source.text);
    let mut entries: Vec<Entry> = Vec::with_capacity(items.len());
    for item in items {
        let Some(key) = item.get("id").and_then(scalar) else {
            continue;
        };
        let span = places
            .by_ref()
            .filter_map(|captures| captures.get(1))
            .find(|found| decoded(found.as_str()) == key)
            .map_or(Span::new(file, 0, 0), |found| {
                let quotes = usize::from(found.as_str().starts_with('"'));
                Span::new(file, found.start() + quotes, found.end() - quotes)
            });
        entries.push(Entry {
            kind: kind(item.get("type").and_then(Value::as_str).unwrap_or("")),
            fields: fields(item, span),
            key,
            key_span: span,
            span,
            partial: false,
        });
    }
    Bibliography::new(file, BibliographyFormat::CslJson, entries, Vec::new())
}

fn decoded(literal: &str) -> String {
    serde_json::from_str::<Value>(literal)
        .ok()
        .as_ref()
        .and_then(scalar)
        .unwrap_or_default()
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(words) => Some(words.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn kind(csl: &str) -> String {
    match csl {
        "article-journal" | "article-magazine" | "article-newspaper" => "article",
        "paper-conference" => "inproceedings",
        "chapter" => "incollection",
        "webpage" | "post" | "post-weblog" => "online",
        other => other,
    }
    .to_owned()
}

fn fields(item: &Value, span: Span) -> Vec<Field> {
    let names = [
        ("title", "title"),
        ("container-title", "journal"),
        ("DOI", "doi"),
        ("URL", "url"),
        ("publisher", "publisher"),
        ("volume", "volume"),
        ("issue", "number"),
        ("number", "number"),
        ("page", "pages"),
        ("edition", "edition"),
        ("note", "note"),
    ];
    let mut fields = Vec::new();
    let mut add = |name: &str, raw: String| {
        fields.push(Field {
            name: name.to_owned(),
            text: raw.split_whitespace().collect::<Vec<_>>().join(" "),
            raw,
            span,
        });
    };
    for (csl, name) in names {
        if let Some(raw) = item.get(csl).and_then(scalar) {
            add(name, raw);
        }
    }
    for role in ["author", "editor", "translator"] {
        if let Some(people) = item.get(role).and_then(Value::as_array) {
            let people: Vec<String> = people.iter().map(person).collect();
            add(role, people.join(" and "));
        }
    }
    if let Some(year) = item.get("issued").and_then(year) {
        add("year", year);
    }
    fields
}

fn person(person: &Value) -> String {
    let part = |name: &str| person.get(name).and_then(Value::as_str).unwrap_or("");
    if !part("literal").is_empty() {
        return format!("{{{}}}", part("literal"));
    }
    let family = [part("non-dropping-particle"), part("family")]
        .join(" ")
        .trim()
        .to_owned();
    if part("given").is_empty() {
        format!("{{{family}}}")
    } else {
        format!("{family}, {}", part("given"))
    }
}

fn year(issued: &Value) -> Option<String> {
    let first = issued
        .get("date-parts")
        .and_then(|parts| parts.get(0))
        .and_then(|parts| parts.get(0));
    first
        .and_then(scalar)
        .or_else(|| issued.get("raw").and_then(scalar))
        .or_else(|| issued.get("literal").and_then(scalar))
        .or_else(|| scalar(issued))
}
