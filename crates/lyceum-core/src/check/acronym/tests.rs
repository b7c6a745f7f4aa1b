//! The check as a whole, on small texts.

use serde_json::json;

use super::{AcronymRequest, Scope, check_acronyms, parse_allowlist};
use crate::check::tests::MemoryFiles;
use crate::text::{Budget, Format, load};

fn report(text: &str, change: impl Fn(&mut AcronymRequest)) -> serde_json::Value {
    let mut files = MemoryFiles::default();
    files
        .0
        .insert("paper.md".to_owned(), text.as_bytes().to_vec());
    let paths = ["paper.md".to_owned()];
    let manuscript = load(&files, &paths, Format::Markdown, Budget::default()).unwrap();
    let mut request = AcronymRequest::of("paper.md");
    change(&mut request);
    serde_json::to_value(check_acronyms(&manuscript, &request)).unwrap()
}

const PAPER: &str = "\
# Abstract

We used MRI in children.

# 摘要

采用磁共振成像（MRI）和CT。

# Introduction

MRI was used. Magnetic resonance imaging (MRI) is old; magnetic resonance imaging (MRI) is good.
DNA and CO2 rose. A linear model (hereafter OLS) was run.
";

#[test]
fn each_scope_is_judged_on_its_own() {
    let report = report(PAPER, |_| {});
    assert_eq!(report["checker"], "ars-acronym-check/1.0");
    assert_eq!(report["status"], "partial");
    assert_eq!(
        report["coverage"],
        json!({"body": "checked", "abstract_en": "checked", "abstract_zh": "checked"})
    );
    assert_eq!(
        report["findings"],
        json!([
            {"scope": "body", "line": 11, "rule": "defined_after_use", "acronym": "MRI",
             "expansion": "Magnetic resonance imaging", "occurrences": 1},
            {"scope": "body", "line": 11, "rule": "defined_again", "acronym": "MRI",
             "expansion": "Magnetic resonance imaging", "occurrences": 2},
            {"scope": "abstract_en", "line": 3, "rule": "undefined", "acronym": "MRI",
             "expansion": null, "occurrences": 1},
            {"scope": "abstract_zh", "line": 7, "rule": "undefined", "acronym": "CT",
             "expansion": null, "occurrences": 1},
        ])
    );
    assert_eq!(
        report["coverage_limits"],
        json!([{"limit": "unconfirmed_definition", "scope": "body", "line": 12, "acronym": "OLS"}])
    );
}

#[test]
fn scopes_and_the_users_list_are_arguments() {
    let only = report(PAPER, |request| {
        request.scopes = vec![Scope::AbstractEn];
        request.allowed = parse_allowlist("MRI # imaging\nCT, OLS");
        request.input_sha256 = Some("ab".to_owned());
    });
    assert_eq!(only["status"], "checked");
    assert_eq!(only["input_sha256"], "ab");
    assert_eq!(only["allowlist"]["user"], json!(["MRI", "CT", "OLS"]));
    assert_eq!(only["findings"], json!([]));
    assert_eq!(
        only["coverage"],
        json!({"body": "not_requested", "abstract_en": "checked", "abstract_zh": "not_requested"})
    );
    assert_eq!(
        only["scope_lines"]["abstract_en"],
        json!([{"start": 1, "end": 3}])
    );
}

#[test]
fn a_text_without_the_scope_is_not_checked() {
    let none = report("# Introduction\n\nMRI.\n", |request| {
        request.scopes = vec![Scope::AbstractZh];
    });
    assert_eq!(none["status"], "not_checked");
    assert_eq!(none["reason"], "no_requested_scope_in_input");
    assert_eq!(Scope::parse("title"), None);
}

#[test]
fn masked_places_do_not_count() {
    let text = "# A NASA heading\n\nSeen (WHO, 2020; Smith & NIH, 2019) by APA (2010) and `CPU` in $GPU$ \
                <!-- HTML --> at https://example.org/ABC by Smith JA, Jones BC, Li D. See J.A. Smith [@KEY] and grant DE-AC52-07NA27344.\n\n\
                | NIST | ESA |\n|---|---|\n| FBI | CIA |\n\n![A caption with CERN](a.png)\n\nText.[^1]\n\n\
                [^1]: A note on NATO.\n\n# References\n\nJAMA 12.\n";
    let report = report(text, |_| {});
    assert_eq!(report["findings"], json!([]), "{report}");
}

#[test]
fn a_list_of_abbreviations_defines() {
    let text =
        "# Introduction\n\nMRI is used.\n\n# Abbreviations\n\nMRI: magnetic resonance imaging\n";
    let report = report(text, |_| {});
    assert_eq!(report["findings"], json!([]));
    assert_eq!(
        report["unread_sections"],
        json!([{"title": "Abbreviations", "line": 5}])
    );
}
