//! JUnit XML: a suite for each paper, a case for each rule, a failure for each rule whose problems make the check fail.

use std::collections::BTreeMap;
use std::fmt::Write;

use lyceum_core::check::{Checked, Examined, Rule, Selection, rule};

use super::clean::{clean, xml};
use super::github::gaps;
use super::{Look, Placed, shown};

/// Writes the document.
pub(super) fn report(checked: &Checked, look: &Look) -> String {
    let mut suites = String::new();
    let (mut tests, mut failures, mut errors) = (0, 0, 0);
    let all = shown(checked, look);
    for (nth, paper) in checked.papers.iter().enumerate() {
        let mut of_rule: BTreeMap<&str, Vec<&Placed<'_>>> = BTreeMap::new();
        for one in all.iter().filter(|one| std::ptr::eq(one.paper, paper)) {
            of_rule.entry(one.problem.rule).or_default().push(one);
        }
        let suite = suite(checked, paper, &of_rule, look, nth == 0);
        tests += suite.tests;
        failures += suite.failures;
        errors += suite.errors;
        suites.push_str(&suite.text);
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"lyceum check\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\">\n{suites}</testsuites>\n"
    )
}

struct Suite {
    text: String,
    tests: usize,
    failures: usize,
    errors: usize,
}

fn suite(
    checked: &Checked,
    paper: &Examined,
    of_rule: &BTreeMap<&str, Vec<&Placed<'_>>>,
    look: &Look,
    first: bool,
) -> Suite {
    let selection = Selection {
        rules: look.rules.clone(),
        opinions: look.opinions,
        disabled: look.disabled.clone(),
        unwaived: false,
    };
    let (mut cases, mut tests, mut failures, mut skipped, mut errors) = (String::new(), 0, 0, 0, 0);
    let ran = |rule: &&Rule| selection.takes(rule, &paper.paper) || of_rule.contains_key(rule.id);
    for rule in rule::all().filter(|rule| ran(rule)) {
        tests += 1;
        let skip = paper
            .report
            .coverage
            .rules_skipped
            .iter()
            .find(|skip| skip.rule == rule.id);
        let problems = of_rule.get(rule.id).map_or(&[][..], Vec::as_slice);
        let fails = look.fail_on.is_some_and(|limit| rule.tier <= limit);
        if fails && !problems.is_empty() {
            failures += 1;
        } else if problems.is_empty() && skip.is_some() {
            skipped += 1;
        }
        let reason = skip.map(|skip| skip.reason.get(look.language));
        case(&mut cases, rule, problems, fails, reason, look);
    }
    // What could not be read belongs to the run; it stands in the first suite.
    let unread: Vec<String> = gaps(checked, look.language).map(clean).collect();
    if first && !unread.is_empty() {
        tests += 1;
        errors += 1;
        let _ = writeln!(
            cases,
            "    <testcase classname=\"lyceum\" name=\"coverage\"><error message=\"{}\"/></testcase>",
            xml(&unread.join("\n"))
        );
    }
    let name = xml(&clean(&look.path(&paper.main)));
    Suite {
        text: format!(
            "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\">\n{cases}  </testsuite>\n"
        ),
        tests,
        failures,
        errors,
    }
}

fn case(
    out: &mut String,
    rule: &Rule,
    problems: &[&Placed<'_>],
    fails: bool,
    skipped: Option<&str>,
    look: &Look,
) {
    let head = format!(
        "    <testcase classname=\"lyceum.{}\" name=\"{}\"",
        rule.tier.as_str(),
        xml(rule.id)
    );
    let Some(first) = problems.first() else {
        let _ = match skipped {
            None => writeln!(out, "{head}/>"),
            Some(reason) => writeln!(
                out,
                "{head}><skipped message=\"{}\"/></testcase>",
                xml(&clean(reason))
            ),
        };
        return;
    };
    let lines: Vec<String> = problems
        .iter()
        .map(|one| {
            format!(
                "{}:{}:{}: {} {}",
                clean(&look.path(one.file)),
                one.start.line,
                one.start.column,
                clean(one.problem.message.get(look.language)),
                clean(one.problem.hint.get(look.language))
            )
        })
        .collect();
    let body = xml(&lines.join("\n"));
    let place = format!(
        "{head} file=\"{}\" line=\"{}\">",
        xml(&clean(&look.path(first.file))),
        first.start.line
    );
    let _ = if fails {
        writeln!(
            out,
            "{place}<failure type=\"{}\" message=\"{}\">{body}</failure></testcase>",
            rule.tier.as_str(),
            xml(&clean(rule.title.get(look.language)))
        )
    } else {
        writeln!(out, "{place}<system-out>{body}</system-out></testcase>")
    };
}
