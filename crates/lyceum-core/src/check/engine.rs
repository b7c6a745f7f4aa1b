//! Runs rules over a paper and puts the report together.

use std::collections::HashSet;

use super::paper::Paper;
use super::rule;
use super::types::{
    Coverage, FileCoverage, FileStatus, Found, Problem, Report, Rule, SkippedRule, Tier,
};
use super::waiver;
use crate::text::{FileId, Span};

/// Longest quote in a problem, in characters.
const QUOTE: usize = 160;

/// Which rules to run.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Only these rules, whatever their tier; empty for all.
    pub rules: Vec<String>,
    /// Opinions too.
    pub opinions: bool,
    /// Never these rules, unless `rules` names them.
    pub disabled: Vec<String>,
}

impl Selection {
    /// True when a rule is to run on this paper.
    #[must_use]
    pub fn takes(&self, rule: &Rule, paper: &Paper) -> bool {
        if !self.rules.is_empty() {
            return self.rules.iter().any(|id| id == rule.id);
        }
        !self.disabled.iter().any(|id| id == rule.id)
            && rule.profiles.contains(&paper.profile)
            && (self.opinions || rule.tier != Tier::Opinion)
    }
}

/// Checks a paper.
#[must_use]
pub fn check(paper: &Paper, selection: &Selection) -> Report {
    let mut go_on = |_, _| true;
    check_watched(paper, selection, &mut go_on).unwrap_or_else(|| Report {
        problems: Vec::new(),
        coverage: Coverage::default(),
        profile: paper.profile,
        waived: Vec::new(),
    })
}

/// Checks a paper and says before each rule how many are done of how many; `None` when `watch` answers `false`.
pub fn check_watched(
    paper: &Paper,
    selection: &Selection,
    watch: &mut dyn FnMut(usize, usize) -> bool,
) -> Option<Report> {
    let waivers = waiver::collect(paper);
    // Whether a waiver is stale shows only when the rule it names runs.
    let named = if selection.rules.iter().any(|id| id == "waiver-stale") {
        waiver::named_rules(&waivers)
    } else {
        HashSet::new()
    };
    let rules: Vec<_> = rule::all()
        .filter(|rule| selection.takes(rule, paper) || named.contains(rule.id))
        .collect();
    let (mut problems, mut rules_skipped, mut judged) = (Vec::new(), Vec::new(), HashSet::new());
    for (done, rule) in rules.iter().enumerate() {
        if !watch(done, rules.len()) {
            return None;
        }
        let mut found = Found::default();
        (rule.check)(paper, &mut found);
        match found.skipped {
            None => {
                judged.insert(rule.id);
            }
            Some(reason) => rules_skipped.push(SkippedRule {
                rule: rule.id,
                reason,
            }),
        }
        problems.extend(stamped(paper, rule, found.problems));
    }
    let mut applied = waiver::apply(paper, &waivers, problems, &judged);
    let wrong = [applied.stale, applied.invalid, applied.reasonless];
    for (rule, found) in rule::waiver::RULES.iter().zip(wrong) {
        applied.kept.extend(stamped(paper, rule, found.problems));
    }
    applied.kept.retain(|problem| {
        rule::find(problem.rule).is_some_and(|rule| selection.takes(rule, paper))
    });
    sort(&mut applied.kept);
    applied
        .waived
        .sort_by(|a, b| order(&a.problem).cmp(&order(&b.problem)));
    let mut seen = HashSet::new();
    applied
        .kept
        .retain(|problem| seen.insert((problem.rule, problem.span, problem.message.en.clone())));
    Some(Report {
        problems: applied.kept,
        coverage: Coverage {
            files: coverage(paper),
            rules_skipped,
        },
        profile: paper.profile,
        waived: applied.waived,
    })
}

fn stamped<'a>(
    paper: &'a Paper,
    rule: &'a Rule,
    problems: Vec<Problem>,
) -> impl Iterator<Item = Problem> + 'a {
    problems
        .into_iter()
        .map(move |problem| stamp(paper, rule, problem))
}

fn stamp(paper: &Paper, rule: &Rule, mut problem: Problem) -> Problem {
    problem.rule = rule.id;
    problem.tier = rule.tier;
    if problem.quote.is_empty() {
        problem.quote = quote(paper.manuscript.slice(problem.span));
    }
    problem
}

fn quote(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(QUOTE) {
        None => words,
        Some((cut, _)) => format!("{}…", &words[..cut]),
    }
}

fn sort(problems: &mut [Problem]) {
    problems.sort_by(|a, b| order(a).cmp(&order(b)));
}

fn order(problem: &Problem) -> (Tier, Span, &'static str) {
    (problem.tier, problem.span, problem.rule)
}

fn coverage(paper: &Paper) -> Vec<FileCoverage> {
    let manuscript = &paper.manuscript;
    let mut files: Vec<FileCoverage> = manuscript
        .sources
        .iter()
        .map(|source| FileCoverage {
            path: source.path.clone(),
            status: FileStatus::Read,
            notes: Vec::new(),
        })
        .collect();
    let notes = manuscript
        .notes
        .iter()
        .chain(paper.bibliographies.iter().flat_map(|b| &b.notes));
    for note in notes {
        if let Some(path) = &note.unreadable {
            files.push(FileCoverage {
                path: path.clone(),
                status: FileStatus::Unreadable,
                notes: vec![note.clone()],
            });
        } else {
            let FileId(file) = note.span.map_or(FileId(0), |span| span.file);
            if let Some(entry) = files.get_mut(file as usize) {
                entry.status = FileStatus::Partial;
                entry.notes.push(note.clone());
            }
        }
    }
    files
}
