//! Takes waived problems out and says which waivers are wrong.

use std::collections::{HashMap, HashSet};

use super::{Collected, Scope, Waiver, scope};
use crate::base::Words;
use crate::check::Paper;
use crate::check::rule::{self, waiver as rules};
use crate::check::types::{Found, Problem, Waived};
use crate::text::{FileId, Source};

/// The rules that waivers name, so that they can be run to see whether a waiver is stale.
pub(in crate::check) fn named_rules(collected: &Collected) -> HashSet<&str> {
    collected
        .waivers
        .iter()
        .map(|waiver| waiver.rule.as_str())
        .collect()
}

/// True when a waiver of the rule holds for more than some lines.
pub(in crate::check) fn may_hold_anywhere(collected: &Collected, rule: &str) -> bool {
    collected.waivers.iter().any(|waiver| {
        let wide = matches!(waiver.scope, Scope::File | Scope::Config { .. });
        wide && waiver.rule == rule && has_reason(waiver)
    })
}

/// What came of the waivers.
pub(in crate::check) struct Applied {
    /// Problems that stay.
    pub(in crate::check) kept: Vec<Problem>,
    /// Problems that are waived.
    pub(in crate::check) waived: Vec<Waived>,
    /// Waivers that matched nothing although their rule judged the paper.
    pub(in crate::check) stale: Found,
    /// Waivers that name no rule or cannot be read.
    pub(in crate::check) invalid: Found,
    /// Waivers that give no reason.
    pub(in crate::check) reasonless: Found,
}

/// Applies the waivers to the problems; `judged` are the rules that ran and could judge.
pub(in crate::check) fn apply(
    paper: &Paper,
    collected: &Collected,
    problems: Vec<Problem>,
    judged: &HashSet<&str>,
) -> Applied {
    let mut out = Applied {
        kept: Vec::new(),
        waived: Vec::new(),
        stale: Found::default(),
        invalid: Found::default(),
        reasonless: Found::default(),
    };
    let mut used = vec![false; collected.waivers.len()];
    let index = Index::of(collected);
    for problem in problems {
        match index.find(paper, &problem) {
            None => out.kept.push(problem),
            Some(i) => {
                used[i] = true;
                out.waived.push(Waived {
                    problem,
                    reason: collected.waivers[i].reason.clone(),
                });
            }
        }
    }
    for span in &collected.malformed {
        out.invalid.push(
            *span,
            Words::new("the waiver cannot be read", "无法读取此豁免"),
            Words::new(
                "Write: lyceum: allow RULE reason",
                "请写成：lyceum: allow 规则 理由",
            ),
        );
    }
    for (waiver, used) in collected.waivers.iter().zip(used) {
        judge(waiver, used, judged, &mut out);
    }
    out
}

fn judge(waiver: &Waiver, used: bool, judged: &HashSet<&str>, out: &mut Applied) {
    let id = &waiver.rule;
    if rule::find(id).is_none() {
        let near = rule::nearest(id);
        out.invalid.push(
            waiver.span,
            Words::new(
                format!("no rule is called {id}"),
                format!("没有名为 {id} 的规则"),
            ),
            near.map_or_else(
                || {
                    Words::new(
                        "Take an id from lyceum check --explain.",
                        "请使用 lyceum check --explain 列出的规则。",
                    )
                },
                |near| {
                    Words::new(
                        format!("Did you mean {near}?"),
                        format!("是否应为 {near}？"),
                    )
                },
            ),
        );
    } else if !has_reason(waiver) {
        out.reasonless.push(
            waiver.span,
            Words::new(
                format!("the waiver of {id} gives no reason, so it does not hold"),
                format!("对 {id} 的豁免没有说明理由，因此无效"),
            ),
            Words::new(
                "Say why the problem is to stay.",
                "请说明为什么保留这个问题。",
            ),
        );
    } else if !used && can_be_stale(waiver, judged) {
        out.stale.push(
            waiver.span,
            Words::new(
                format!("the waiver of {id} matches no problem any more"),
                format!("对 {id} 的豁免已不再对应任何问题"),
            ),
            Words::new("Remove the waiver.", "请删除此豁免。"),
        );
    }
}

fn can_be_stale(waiver: &Waiver, judged: &HashSet<&str>) -> bool {
    let own = rules::RULES.iter().any(|rule| rule.id == waiver.rule);
    let somewhere = !matches!(waiver.scope, Scope::Config { judged: false, .. });
    judged.contains(waiver.rule.as_str()) && somewhere && !own
}

fn has_reason(waiver: &Waiver) -> bool {
    waiver
        .reason
        .chars()
        .filter(|c| c.is_alphanumeric())
        .count()
        >= 2
}

/// Waivers by what they hold for, so that a text full of them stays quick.
struct Index<'a> {
    collected: &'a Collected,
    lines: HashMap<(&'a str, FileId), Vec<Lines>>,
    others: HashMap<&'a str, Vec<usize>>,
}

/// Lines that a waiver holds for.
struct Lines {
    first: u32,
    last: u32,
    /// The latest last line of this one and all before it.
    reach: u32,
    waiver: usize,
}

impl<'a> Index<'a> {
    fn of(collected: &'a Collected) -> Self {
        let mut lines: HashMap<(&str, FileId), Vec<Lines>> = HashMap::new();
        let mut others: HashMap<&str, Vec<usize>> = HashMap::new();
        for (i, waiver) in collected.waivers.iter().enumerate() {
            let rule = waiver.rule.as_str();
            match waiver.scope {
                _ if !has_reason(waiver) => {}
                Scope::Nowhere => {}
                Scope::Lines(first, last) => {
                    lines
                        .entry((rule, waiver.span.file))
                        .or_default()
                        .push(Lines {
                            first,
                            last,
                            reach: 0,
                            waiver: i,
                        });
                }
                Scope::File | Scope::Config { .. } => others.entry(rule).or_default().push(i),
            }
        }
        for list in lines.values_mut() {
            list.sort_by_key(|lines| (lines.first, lines.waiver));
            let mut reach = 0;
            for lines in list {
                reach = reach.max(lines.last);
                lines.reach = reach;
            }
        }
        Self {
            collected,
            lines,
            others,
        }
    }

    /// The waiver that holds for a problem.
    fn find(&self, paper: &Paper, problem: &Problem) -> Option<usize> {
        let file = problem.span.file;
        let source = paper.manuscript.sources.get(file.0 as usize)?;
        let start = source.line_number(problem.span.start);
        let end = problem.span.end.saturating_sub(1).max(problem.span.start);
        let end = source.line_number(end);
        let near = self.lines.get(&(problem.rule, file)).and_then(|list| {
            let before = list.partition_point(|lines| lines.first <= end);
            list[..before]
                .iter()
                .rev()
                .take_while(|lines| lines.reach >= start)
                .find(|lines| lines.last >= start)
        });
        if let Some(lines) = near {
            return Some(lines.waiver);
        }
        let others = self.others.get(problem.rule)?;
        others
            .iter()
            .copied()
            .find(|&i| holds(&self.collected.waivers[i], problem, source, start))
    }
}

fn holds(waiver: &Waiver, problem: &Problem, source: &Source, line: u32) -> bool {
    match &waiver.scope {
        Scope::Nowhere | Scope::Lines(..) => false,
        Scope::File => waiver.span.file == problem.span.file,
        Scope::Config { path, quote, .. } => {
            let here = path
                .as_ref()
                .is_none_or(|pattern| scope::matches(pattern, &source.path));
            here && quote.as_ref().is_none_or(|quote| {
                let wanted = flat(quote);
                let line = source.line(line);
                flat(&problem.quote).contains(&wanted)
                    || (line.len() < 10_000 && flat(line).contains(&wanted))
            })
        }
    }
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
