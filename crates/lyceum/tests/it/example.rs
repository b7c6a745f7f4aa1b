//! The example of the README: the whole report, compared with the committed one.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/paper")
}

#[test]
fn the_example_paper_has_its_known_faults() {
    let out = Command::new(env!("CARGO_BIN_EXE_lyceum"))
        .args(["check", "--format", "json"])
        .arg(example())
        .env("LC_ALL", "C")
        .output()
        .unwrap();
    assert_eq!(
        out.status.code(),
        Some(1),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    let got: Value = serde_json::from_slice(&out.stdout).unwrap();
    let expected = example().join("expected.json");
    if std::env::var_os("LYCEUM_UPDATE").is_some() {
        fs::write(
            &expected,
            serde_json::to_string_pretty(&got).unwrap() + "\n",
        )
        .unwrap();
    }
    let want: Value = serde_json::from_str(&fs::read_to_string(expected).unwrap()).unwrap();
    assert_eq!(
        got, want,
        "LYCEUM_UPDATE=1 cargo test writes examples/paper/expected.json"
    );
    let rules: BTreeSet<&str> = got["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| problem["rule"].as_str().unwrap())
        .collect();
    for planted in [
        "citation-undefined",
        "label-undefined",
        "stat-p-value",
        "percent-mismatch",
        "leftover-todo",
        "reviewer-instruction",
        "bib-malformed-doi",
        "bib-future-year",
        "abstract-number",
        "float-unmentioned",
        "table-total",
        "repeated-word",
        "bib-missing-field",
    ] {
        assert!(
            rules.contains(planted),
            "{planted} is planted and not found"
        );
    }
}
