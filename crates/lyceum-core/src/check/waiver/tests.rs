//! Which lines a waiver holds for, what is said of wrong ones, and that one paper's waivers do not leak into another.

use super::parse::{Written, read};
use super::scope::matches;
use super::{ConfigWaiver, ConfigWaivers};
use crate::base::Date;
use crate::check::tests::MemoryFiles;
use crate::check::{Profile, Report, Selection, assemble, check};
use crate::text::{Budget, Format, load};

const HEAD: &str = "---\nbibliography: refs.bib\n---\n\n";

fn report(text: &str, config: Option<ConfigWaivers>, selection: &Selection) -> Report {
    let mut files = MemoryFiles::default();
    files
        .0
        .insert("paper.md".into(), format!("{HEAD}{text}").into_bytes());
    files
        .0
        .insert("refs.bib".into(), b"@book{a, title={A}}\n".to_vec());
    let budget = Budget::default();
    let manuscript = load(&files, &["paper.md".into()], Format::Markdown, budget).unwrap();
    let today = Date {
        year: 2026,
        month: 11,
        day: 30,
    };
    let found = ["refs.bib".to_owned()];
    let mut paper = assemble(&files, manuscript, &found, budget, Profile::Article, today);
    if let Some(config) = config {
        paper.waive(config);
    }
    check(&paper, selection)
}

fn only(rules: &[&str]) -> Selection {
    Selection {
        rules: rules.iter().map(|id| (*id).to_owned()).collect(),
        ..Selection::default()
    }
}

/// The keys that are reported and those that are waived.
fn undefined(text: &str) -> (String, String) {
    let report = report(text, None, &only(&["citation-undefined"]));
    let kept: Vec<_> = report.problems.iter().map(|p| p.quote.as_str()).collect();
    let waived: Vec<_> = report
        .waived
        .iter()
        .map(|w| w.problem.quote.as_str())
        .collect();
    (kept.join(" "), waived.join(" "))
}

fn both(kept: &str, waived: &str) -> (String, String) {
    (kept.to_owned(), waived.to_owned())
}

#[test]
fn behind_text_a_waiver_holds_for_its_line() {
    assert_eq!(
        undefined("One @x <!-- lyceum: allow citation-undefined in print -->\ntwo @y.\n"),
        both("y", "x")
    );
}

#[test]
fn on_its_own_line_a_waiver_holds_for_the_next_paragraph() {
    assert_eq!(
        undefined(
            "Zero @w.\n\n<!-- lyceum: allow citation-undefined in print -->\n\nOne @x\ntwo @y.\n\nThree @z.\n"
        ),
        both("w z", "x y")
    );
    assert_eq!(
        undefined("<!-- lyceum: allow citation-undefined in print --> One\ntwo @y.\n\nThree @z.\n"),
        both("z", "y")
    );
}

#[test]
fn a_waiver_of_the_file_holds_for_all_of_it() {
    assert_eq!(
        undefined(
            "One @x.\n\nTwo @y.\n\n<!-- lyceum: allow-file citation-undefined in print -->\n"
        ),
        both("", "x y")
    );
}

#[test]
fn a_waiver_of_another_rule_or_without_reason_does_not_hold() {
    assert_eq!(
        undefined("One @x. <!-- lyceum: allow todo in print -->\n"),
        both("x", "")
    );
    assert_eq!(
        undefined("One @x. <!-- lyceum: allow citation-undefined -->\n"),
        both("x", "")
    );
}

#[test]
fn wrong_waivers_are_reported_unless_only_other_rules_are_asked_for() {
    let text = "One @a. <!-- lyceum: allow citation-undefined in print -->\n\nTwo <!-- lyceum: allow citation-undefind x y -->\n\nThree <!-- lyceum: allow citation-undefined -->\n";
    let ids = |selection: &Selection| -> Vec<&str> {
        report(text, None, selection)
            .problems
            .iter()
            .map(|problem| problem.rule)
            .filter(|id| id.starts_with("waiver"))
            .collect()
    };
    assert_eq!(
        ids(&Selection::default()),
        ["waiver-stale", "waiver-invalid", "waiver-without-reason"]
    );
    assert!(ids(&only(&["citation-undefined"])).is_empty());
}

fn config(path: Option<&str>, quote: Option<&str>, whole: bool) -> ConfigWaivers {
    ConfigWaivers {
        path: "lyceum.toml".to_owned(),
        text: "[[check.waiver]]\n".to_owned(),
        waivers: vec![ConfigWaiver {
            rule: "citation-undefined".to_owned(),
            path: path.map(str::to_owned),
            quote: quote.map(str::to_owned),
            reason: "in print".to_owned(),
            span: 0..16,
        }],
        whole,
    }
}

#[test]
fn configuration_waives_by_path_and_quote() {
    let rules = only(&["citation-undefined", "waiver-stale"]);
    let count = |config, text: &str| {
        let report = report(text, Some(config), &rules);
        let stale = report.problems.iter().filter(|p| p.rule == "waiver-stale");
        (report.waived.len(), stale.count())
    };
    assert_eq!(count(config(None, None, false), "One @x @y.\n"), (2, 0));
    assert_eq!(
        count(config(None, Some("y"), false), "One @x.\n\nTwo @y.\n"),
        (1, 0)
    );
    assert_eq!(
        count(config(Some("paper.md"), None, false), "One @x.\n"),
        (1, 0)
    );
    assert_eq!(
        count(config(Some("other.md"), None, true), "One @x.\n"),
        (0, 0)
    );
    assert_eq!(
        count(config(Some("*.md"), None, false), "One @a.\n"),
        (0, 1)
    );
    assert_eq!(count(config(None, None, false), "One @a.\n"), (0, 0));
    assert_eq!(count(config(None, None, true), "One @a.\n"), (0, 1));
}

#[test]
fn a_stale_waiver_of_the_configuration_is_shown_there() {
    let report = report(
        "One @a.\n",
        Some(config(None, None, true)),
        &Selection::default(),
    );
    let stale: Vec<_> = report
        .problems
        .iter()
        .filter(|p| p.rule == "waiver-stale")
        .map(|p| p.quote.as_str())
        .collect();
    assert_eq!(stale, ["[[check.waiver]]"]);
}

#[test]
fn the_grammar_of_waivers() {
    let one = |words: &str| read(words).flatten().unwrap();
    assert_eq!(
        one(" lyceum: allow todo-left, citation-undefined: kept for the editor"),
        Written {
            rules: vec!["todo-left".into()],
            reason: "citation-undefined: kept for the editor".into(),
            file: false
        }
        .also("citation-undefined", "kept for the editor")
    );
    assert_eq!(
        one("% Lyceum：ALLOW-FILE citation-undefined — 理由").reason,
        "理由"
    );
    assert!(one("lyceum: allow-file x y").file);
    assert_eq!(read("lyceum: allow"), Some(None));
    assert_eq!(read("we say lyceum: allow x"), None);
    assert_eq!(read(""), None);
}

impl Written {
    fn also(mut self, rule: &str, reason: &str) -> Self {
        self.rules.push(rule.into());
        self.reason = reason.into();
        self
    }
}

#[test]
fn patterns_of_paths() {
    assert!(matches("a/b.tex", "a/b.tex") && matches("./a", "a/b.tex") && matches("a/", "a/b.tex"));
    assert!(!matches("a", "ab.tex") && !matches("b.tex", "a/b.tex"));
    assert!(matches("*.tex", "a/b.tex") && matches("a/*/c*x", "a/b/cax"));
    assert!(!matches("*.bib", "a/b.tex") && !matches("aa*aa", "aaa"));
}

#[test]
fn a_text_full_of_waivers_stays_quick_and_right() {
    let count = 3_000;
    let lines: String = (0..count)
        .map(|i| format!("One @x{i} <!-- lyceum: allow citation-undefined in print -->\n"))
        .collect();
    let all = report(&lines, None, &only(&["citation-undefined", "waiver-stale"]));
    assert_eq!((all.problems.len(), all.waived.len()), (0, count));
    // Nested ranges: the outer one still holds behind the inner one.
    assert_eq!(
        undefined(
            "<!-- lyceum: allow citation-undefined outer -->\nOne @x\ntwo @y <!-- lyceum: allow citation-undefined inner -->\nthree @z.\n"
        ),
        both("", "x y z")
    );
}

#[test]
fn past_a_limit_problems_are_only_counted() {
    let kept = crate::check::Found::KEPT;
    let text: String = (0..kept + 5).map(|i| format!("Point @x{i}.\n\n")).collect();
    let report = report(&text, None, &only(&["citation-undefined"]));
    assert_eq!(report.problems.len(), kept);
    assert_eq!(report.count(crate::check::Tier::Error), kept + 5);
    let said = &report.coverage.rules_skipped[0];
    assert!(
        said.reason.en.ends_with("5 more only counted"),
        "{}",
        said.reason
    );
}
