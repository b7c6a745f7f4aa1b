//! The shapes of a report that programs read.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::program::Place;

const TEXT: &str = "\\documentclass{article}\n\\begin{document}\nSeen \\cite{x, y}: 变量 100\\% sure.\n\nWe measured the the temperature of the water in the lake.\n% lyceum: allow citation-undefined the companion is in print\nThen \\cite{z}.\n\\bibliography{refs}\n\\end{document}\n";
const BIB: &str = "@article{smith2021, title={A}, author={B, C}, journal={D}, year={2021}}\n";

fn place() -> Place {
    let place = Place::new(&[("refs.bib", BIB)]);
    place.write("a b/pa,p:er%.tex", TEXT);
    place.write("a b/refs.bib", BIB);
    place
}

fn report(place: &Place, format: &str, more: &[&str]) -> String {
    let out = place.run(&[&["check", "a b/pa,p:er%.tex", "--format", format], more].concat());
    assert_eq!(
        out.status.code(),
        Some(1),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    String::from_utf8(out.stdout).unwrap()
}

fn sarif(place: &Place) -> Value {
    serde_json::from_str(&report(place, "sarif", &[])).unwrap()
}

#[test]
fn json_is_the_pinned_object() {
    let place = place();
    let value: Value = serde_json::from_str(&report(&place, "json", &[])).unwrap();
    let keys =
        |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    assert_eq!(keys(&value), ["ok", "problems", "coverage", "summary"]);
    assert_eq!(
        keys(&value["problems"][0]),
        [
            "rule", "tier", "message", "file", "line", "column", "quote", "hint"
        ]
    );
    assert_eq!(keys(&value["coverage"]), ["files", "rules_skipped"]);
    assert_eq!(
        keys(&value["coverage"]["files"][0]),
        ["path", "status", "notes"]
    );
    assert_eq!(
        keys(&value["summary"]),
        [
            "errors",
            "warnings",
            "opinions",
            "shown",
            "main",
            "bibliography",
            "profile"
        ]
    );
    let first = &value["problems"][0];
    assert_eq!(first["file"], "pa,p:er%.tex");
    assert_eq!((&first["line"], &first["column"]), (&3.into(), &12.into()));
}

/// What the published schema of SARIF 2.1.0 allows in the objects we write, and what of it is required. Kept by hand;
/// the schema refuses every other property in these.
const SARIF: &[(&str, &[&str], &[&str])] = &[
    ("log", &["version", "runs"], &["$schema"]),
    (
        "run",
        &["tool"],
        &["language", "columnKind", "invocations", "results"],
    ),
    ("tool", &["driver"], &[]),
    ("driver", &["name"], &["semanticVersion", "rules"]),
    (
        "rule",
        &["id"],
        &[
            "shortDescription",
            "fullDescription",
            "help",
            "defaultConfiguration",
        ],
    ),
    ("configuration", &[], &["level"]),
    (
        "invocation",
        &["executionSuccessful"],
        &["toolExecutionNotifications"],
    ),
    (
        "result",
        &["message"],
        &[
            "ruleId",
            "ruleIndex",
            "level",
            "locations",
            "partialFingerprints",
            "properties",
            "suppressions",
        ],
    ),
    ("message", &["text"], &[]),
    ("location", &[], &["physicalLocation"]),
    ("physicalLocation", &["artifactLocation"], &["region"]),
    ("artifactLocation", &["uri"], &[]),
    (
        "region",
        &[],
        &[
            "startLine",
            "startColumn",
            "endLine",
            "endColumn",
            "snippet",
        ],
    ),
    ("suppression", &["kind"], &["justification"]),
];

fn holds(kind: &str, value: &Value) {
    let (_, required, allowed) = SARIF.iter().find(|(name, ..)| *name == kind).unwrap();
    let object = value
        .as_object()
        .unwrap_or_else(|| panic!("{kind} is no object"));
    for name in *required {
        assert!(object.contains_key(*name), "{kind} lacks {name}");
    }
    for name in object.keys() {
        let name = name.as_str();
        assert!(
            required.contains(&name) || allowed.contains(&name),
            "{kind} may not have {name}"
        );
    }
}

#[test]
fn sarif_keeps_to_the_schema() {
    let log = sarif(&place());
    holds("log", &log);
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    holds("run", run);
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    holds("tool", &run["tool"]);
    let driver = &run["tool"]["driver"];
    holds("driver", driver);
    let rules = driver["rules"].as_array().unwrap();
    for rule in rules {
        holds("rule", rule);
        holds("configuration", &rule["defaultConfiguration"]);
        for text in ["shortDescription", "fullDescription", "help"] {
            holds("message", &rule[text]);
        }
    }
    holds("invocation", &run["invocations"][0]);
    let mut fingerprints = BTreeSet::new();
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 4, "{results:#?}");
    for result in results {
        holds("result", result);
        holds("message", &result["message"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        let location = &result["locations"][0];
        holds("location", location);
        holds("physicalLocation", &location["physicalLocation"]);
        let artifact = &location["physicalLocation"]["artifactLocation"];
        holds("artifactLocation", artifact);
        assert_eq!(artifact["uri"], "a%20b/pa%2Cp%3Aer%25.tex");
        let region = &location["physicalLocation"]["region"];
        holds("region", region);
        let at = |name: &str| region[name].as_u64().unwrap();
        assert!((at("startLine"), at("startColumn")) < (at("endLine"), at("endColumn")));
        let prints = result["partialFingerprints"].as_object().unwrap();
        assert!(fingerprints.insert(prints["lyceumProblem/v1"].to_string()));
    }
    let waived: Vec<&Value> = results
        .iter()
        .filter(|r| r.get("suppressions").is_some())
        .collect();
    assert_eq!(waived.len(), 1);
    holds("suppression", &waived[0]["suppressions"][0]);
    assert_eq!(waived[0]["suppressions"][0]["kind"], "inSource");
    assert_eq!(
        waived[0]["suppressions"][0]["justification"],
        "the companion is in print"
    );
}

#[test]
fn fingerprints_survive_a_shift_of_lines() {
    let place = place();
    let prints = |log: &Value| -> Vec<String> {
        log["runs"][0]["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|result| result["partialFingerprints"].to_string())
            .collect()
    };
    let before = prints(&sarif(&place));
    place.write(
        "a b/pa,p:er%.tex",
        &TEXT.replace(
            "\\begin{document}\n",
            "\\begin{document}\nA new first line.\n\n",
        ),
    );
    assert_eq!(prints(&sarif(&place)), before);
}

#[test]
fn github_commands_are_escaped() {
    let out = report(&place(), "github", &[]);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(
        lines[0],
        "::error file=a b/pa%2Cp%3Aer%25.tex,line=3,endLine=3,col=12,endColumn=13,title=citation-undefined::no entry for x%0AAdd the entry or mend the key."
    );
    assert!(lines[2].starts_with("::warning file="), "{out}");
    assert_eq!(lines[3], "lyceum: 2 errors, 1 warnings, 0 opinions");
    assert_eq!(lines.len(), 4);
}

#[test]
fn a_text_cannot_give_commands() {
    let place = place();
    place.write(
        "a b/pa,p:er%.tex",
        "\\documentclass{article}\n\\begin{document}\nSeen \\cite{x::error::y%0A::stop}.\n::error::owned the the temperature of the water.\n\\bibliography{refs}\n\\end{document}\n",
    );
    let out = report(&place, "github", &["--all"]);
    for line in out.lines().filter(|line| line.starts_with("::")) {
        assert!(line.contains("file=a b/pa%2Cp"), "{out}");
    }
}

/// Reads XML as far as these reports go: every tag closed, attributes quoted, no stray characters.
fn elements(xml: &str) -> Vec<(String, Vec<(String, String)>)> {
    let mut rest = xml
        .strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        .unwrap();
    let (mut open, mut out) = (Vec::new(), Vec::new());
    while let Some(at) = rest.find('<') {
        assert!(
            !rest[..at].contains(['&', '>']) || rest[..at].contains(';'),
            "stray: {}",
            &rest[..at]
        );
        let end = rest.find('>').unwrap();
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
            continue;
        }
        let (body, closed) = match tag.strip_suffix('/') {
            Some(body) => (body, true),
            None => (tag, false),
        };
        let name = body.split(' ').next().unwrap().to_owned();
        let pieces: Vec<&str> = body[name.len()..].split('"').collect();
        let attributes = pieces
            .chunks_exact(2)
            .map(|pair| {
                (
                    pair[0].trim().trim_end_matches('=').to_owned(),
                    pair[1].to_owned(),
                )
            })
            .collect();
        if !closed {
            open.push(name.clone());
        }
        out.push((name, attributes));
    }
    assert!(open.is_empty(), "{open:?} stays open");
    out
}

#[test]
fn junit_is_well_formed_and_counts() {
    let place = place();
    let out = report(&place, "junit", &[]);
    let found = elements(&out);
    let count = |name: &str| found.iter().filter(|(n, _)| n == name).count();
    let attribute = |element: &str, name: &str| -> String {
        let (_, attributes) = found.iter().find(|(n, _)| n == element).unwrap();
        attributes
            .iter()
            .find(|(n, _)| n == name)
            .unwrap()
            .1
            .clone()
    };
    assert_eq!(
        attribute("testsuites", "tests"),
        count("testcase").to_string()
    );
    assert_eq!(attribute("testsuites", "failures"), "2");
    assert_eq!(count("failure"), 2, "two rules fail");
    assert_eq!(attribute("testsuite", "name"), "a b/pa,p:er%.tex");
    assert!(
        out.contains("no entry for x") && out.contains("no entry for y"),
        "{out}"
    );
    // What does not make the check fail is no failure.
    let out = report(&place, "junit", &["--fail-on", "error"]);
    assert_eq!(out.matches("<failure").count(), 1);
    assert_eq!(out.matches("<system-out").count(), 1);
}

#[test]
fn what_was_not_read_is_in_every_shape() {
    let place = Place::new(&[(
        "gap.tex",
        "\\documentclass{article}\n\\begin{document}\nWords. \\input{gone}\n\\end{document}\n",
    )]);
    for (format, words) in [
        ("text", "gone"),
        ("json", "unreadable"),
        ("sarif", "gone"),
        ("junit", "name=\"coverage\"><error"),
        ("github", "::warning title=coverage::"),
    ] {
        let out = place.run(&["check", "gap.tex", "--format", format]);
        assert_eq!(out.status.code(), Some(6), "{format}");
        let text = String::from_utf8(out.stdout).unwrap();
        assert!(text.contains(words), "{format}: {text}");
    }
}
