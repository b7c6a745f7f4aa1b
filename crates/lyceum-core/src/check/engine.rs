//! Runs rules over a paper and puts the report together.

use std::collections::HashSet;

use super::paper::Paper;
use super::rule;
use super::types::{
    Coverage, FileCoverage, FileStatus, Found, Problem, Report, Rule, SkippedRule, Tier,
};
use super::waiver;
use crate::base::Words;
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
    /// Take no waiver: whoever judges somebody else's text does not let its author silence the rules.
    pub unwaived: bool,
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
        left_out: Vec::new(),
    })
}

/// Checks a paper and says before each rule how many are done of how many; `None` when `watch` answers `false`.
pub fn check_watched(
    paper: &Paper,
    selection: &Selection,
    watch: &mut dyn FnMut(usize, usize) -> bool,
) -> Option<Report> {
    let waivers = if selection.unwaived {
        waiver::Collected::default()
    } else {
        waiver::collect(paper)
    };
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
    let mut left_out = Vec::new();
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
        if found.left_out > 0 {
            // Whether a waiver matches one of those that were only counted is not known.
            judged.remove(rule.id);
            if selection.takes(rule, paper) && !waiver::may_hold_anywhere(&waivers, rule.id) {
                left_out.push((rule.tier, found.left_out));
                rules_skipped.push(only_counted(rule, found.left_out));
            }
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
        left_out,
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

fn only_counted(rule: &Rule, left_out: usize) -> SkippedRule {
    let kept = Found::KEPT;
    SkippedRule {
        rule: rule.id,
        reason: Words::new(
            format!("{kept} problems are listed, {left_out} more only counted"),
            format!("列出 {kept} 个问题，另有 {left_out} 个仅计数"),
        ),
    }
}

/// The beginning of a text, white space collapsed. A text may be huge: what is not shown is not looked at.
fn quote(text: &str) -> String {
    let mut out = String::new();
    let mut count = 0;
    for word in text.split_whitespace() {
        if count > 0 {
            if count == QUOTE {
                out.push('…');
                return out;
            }
            out.push(' ');
            count += 1;
        }
        for c in word.chars() {
            if count == QUOTE {
                out.push('…');
                return out;
            }
            out.push(c);
            count += 1;
        }
    }
    out
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
