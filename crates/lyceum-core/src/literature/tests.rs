//! Real bibliographies: every file of the corpus gives the entries it is known to hold.

use std::collections::BTreeMap;

use serde_json::Value;

use super::*;
use crate::text::{FileId, Source};

/// Files whose count differs from what the corpus says, with the reason.
const COUNTS: &str = include_str!("../../../../testdata/bib/entry_counts.tsv");

fn strings(value: &Value) -> Vec<String> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|word| word.as_str().map(str::to_owned))
        .collect()
}

#[test]
fn every_file_of_the_corpus_gives_its_entries() {
    let Some(corpora) = crate::corpora() else {
        return;
    };
    let known: BTreeMap<&str, usize> = COUNTS
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| {
            let mut columns = line.split('\t');
            let file = columns.next().unwrap();
            (file, columns.next().unwrap().parse().unwrap())
        })
        .collect();
    let table = std::fs::read_to_string(corpora.join("bib/SOURCES.md")).unwrap();
    let mut wrong = Vec::new();
    let mut files = 0;
    for row in table.lines().filter(|row| row.starts_with("| ")) {
        let columns: Vec<&str> = row.split('|').map(str::trim).collect();
        let file = columns[1];
        if !file.ends_with(".bib") {
            continue;
        }
        files += 1;
        let said = columns[4]
            .split_once(" entries")
            .and_then(|(n, _)| n.parse().ok());
        let bytes = std::fs::read(corpora.join("bib").join(file)).unwrap();
        let source = Source::from_bytes(file, bytes).unwrap();
        let got = parse_bibtex(FileId(0), &source);
        let want = known.get(file).copied().or(said);
        if want != Some(got.entries.len()) {
            wrong.push(format!("{file}: {want:?}, got {}", got.entries.len()));
        }
        if columns[4].contains("meant to parse") {
            for note in &got.notes {
                wrong.push(format!("{file}: {}", note.words));
            }
        }
    }
    assert!(files > 100, "{files} files");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn names_split_as_bibtex_splits_them() {
    let Some(corpora) = crate::corpora() else {
        return;
    };
    let rows =
        std::fs::read_to_string(corpora.join("bib/python-bibtexparser/names.jsonl")).unwrap();
    let mut wrong = Vec::new();
    for row in rows.lines() {
        let row: Value = serde_json::from_str(row).unwrap();
        let Some(input) = row["input"].as_str() else {
            continue;
        };
        if row["kind"] == "split_coauthors" {
            let got: Vec<&str> = split_names(input);
            let want = strings(&row["expected"]);
            if got != want {
                wrong.push(format!("{input:?}: {got:?}, not {want:?}"));
            }
        } else if row["kind"] != "invalid_name_strict" {
            let got = name::parse_name(input);
            let part = |name: &str| strings(&row["expected"][name]).join(" ");
            let same = got.given == part("first")
                && got.prefix == part("von")
                && got.family == part("last")
                && got.suffix == part("jr");
            if !same {
                wrong.push(format!("{input:?}: {got:?}, not {}", row["expected"]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn csl_json_is_read_with_places() {
    let Some(corpora) = crate::corpora() else {
        return;
    };
    let path = "manuscripts/manubot_scihub/manual-references.json";
    let bytes = std::fs::read(corpora.join(path)).unwrap();
    let source = Source::from_bytes(path, bytes).unwrap();
    let got = parse_csl_json(FileId(0), &source);
    assert!(got.entries.len() > 20 && got.notes.is_empty());
    for entry in &got.entries {
        assert_eq!(source.slice(entry.key_span), entry.key);
    }
    assert_eq!(got.entries[0].kind, "online");
    assert_eq!(got.entries[0].text("author"), Some("Himmelstein, Daniel"));
    assert_eq!(got.entries[0].text("year"), Some("2019"));
}

#[test]
fn json_that_is_no_bibliography_is_said_to_be_none() {
    for text in ["{", "[1, 2]", "[{\"id\": "] {
        let got = parse_csl_json(FileId(0), &Source::new("a.json", text));
        assert_eq!(got.notes.len(), 1, "{text}");
        assert!(got.entries.is_empty());
    }
}
