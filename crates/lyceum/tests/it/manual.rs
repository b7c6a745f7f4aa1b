//! The rule pages and the rule index are what the rules say; `LYCEUM_UPDATE=1` writes them anew.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use lyceum_core::base::Language;
use lyceum_core::check::manual::{Precision, rule_index, rule_page};
use lyceum_core::check::{rule, view};
use serde_json::{Value, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn precision() -> BTreeMap<String, Precision> {
    let Ok(text) = fs::read_to_string(root().join("docs/reference/precision.json")) else {
        return BTreeMap::new();
    };
    let data: Value = serde_json::from_str(&text).unwrap();
    let rules = data["rules"].as_object().unwrap();
    let count = |row: &Value, name: &str| u32::try_from(row[name].as_u64().unwrap()).unwrap();
    rules
        .iter()
        .map(|(id, row)| {
            let precision = Precision {
                n: count(row, "n"),
                right: count(row, "right"),
                low: row["low"].as_f64().unwrap(),
                high: row["high"].as_f64().unwrap(),
            };
            (id.clone(), precision)
        })
        .filter(|(_, precision)| precision.n > 0)
        .collect()
}

/// Every generated page by its path.
fn pages() -> BTreeMap<PathBuf, String> {
    let measured = precision();
    let mut pages = BTreeMap::new();
    for (folder, language) in [
        ("docs/rules", Language::English),
        ("docs/rules/zh", Language::Chinese),
    ] {
        let folder = root().join(folder);
        let of = |id: &str| measured.get(id).copied();
        pages.insert(
            folder.join("README.md"),
            rule_index(rule::all(), language, of),
        );
        for rule in rule::all() {
            pages.insert(
                folder.join(format!("{}.md", rule.id)),
                rule_page(rule, language, of(rule.id)),
            );
        }
    }
    let rules: Vec<Value> = rule::all()
        .map(|rule| view::rule_object(rule, Language::English))
        .collect();
    let text = serde_json::to_string_pretty(&json!({"rules": rules})).unwrap() + "\n";
    pages.insert(root().join("docs/reference/rules.json"), text);
    pages
}

#[test]
fn rule_pages_are_current() {
    let pages = pages();
    if std::env::var_os("LYCEUM_UPDATE").is_some() {
        for (path, text) in &pages {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }
    for (path, text) in &pages {
        let committed = fs::read_to_string(path).unwrap_or_default();
        assert!(
            committed == *text,
            "{} is stale: LYCEUM_UPDATE=1 cargo test",
            path.display()
        );
    }
    for folder in ["docs/rules", "docs/rules/zh"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let known = path.is_dir() || pages.contains_key(&path);
            assert!(known, "{} belongs to no rule", path.display());
        }
    }
}
