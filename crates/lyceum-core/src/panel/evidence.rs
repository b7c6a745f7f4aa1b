//! Which rule of the check belongs to which seat, and what the rules found for it.
//!
//! What a rule found is a fact about the text, not a judgement of the work: a seat decides what follows from it. Knows no
//! brief.

use std::collections::BTreeMap;

use super::types::SeatId;
use crate::check::{Examined, Problem, Tier};

use SeatId::{Da, Domain, Eic, Methodology, Perspective};

const EVERYBODY: &[SeatId] = SeatId::ALL;

/// Rules and the seats that get what they find. A rule of the check without a line here fails a test.
const SEATS: &[(&str, &[SeatId])] = &[
    ("abstract-number", &[Eic, Methodology, Da]),
    ("acronym-late", &[Eic]),
    ("acronym-redefined", &[Eic]),
    ("acronym-undefined", &[Eic, Perspective]),
    ("bib-duplicate-key", &[Domain]),
    ("bib-future-year", &[Domain]),
    ("bib-malformed-arxiv", &[Domain]),
    ("bib-malformed-doi", &[Domain]),
    ("bib-malformed-url", &[Domain]),
    ("bib-missing-field", &[Domain]),
    ("bib-placeholder", &[Domain]),
    ("bib-same-work", &[Domain]),
    ("bib-unreadable-entry", &[Domain]),
    ("citation-undefined", &[Domain]),
    ("citation-unused", &[Domain]),
    ("empty-section", &[Eic]),
    ("evidence-causal", &[Methodology, Da]),
    ("evidence-no-spread", &[Methodology, Da]),
    ("evidence-overclaim", &[Perspective, Da]),
    ("evidence-trend", &[Methodology, Da]),
    ("float-unmentioned", &[Eic]),
    // What a text hides, or says to its reviewers, concerns whoever reads it.
    ("hidden-comment", EVERYBODY),
    ("hidden-text", EVERYBODY),
    ("hidden-unicode", EVERYBODY),
    ("label-duplicate", &[Eic]),
    ("label-undefined", &[Eic]),
    ("label-unused", &[Eic]),
    ("leftover-lorem", &[Eic]),
    ("leftover-placeholder", &[Eic]),
    ("leftover-todo", &[Eic]),
    ("leftover-tracked-change", &[Eic]),
    ("percent-mismatch", &[Methodology]),
    ("reference-hard-written", &[Eic]),
    ("repeated-paragraph", &[Eic]),
    ("repeated-word", &[Eic]),
    ("reviewer-instruction", EVERYBODY),
    ("sample-size-conflict", &[Methodology, Da]),
    ("stat-grim", &[Methodology]),
    ("stat-p-value", &[Methodology]),
    ("statement-code", &[Eic, Methodology]),
    ("statement-conflicts", &[Eic]),
    ("statement-data", &[Eic, Methodology]),
    ("statement-ethics", &[Eic, Perspective]),
    ("statement-funding", &[Eic]),
    ("statement-limitations", &[Eic, Da]),
    ("statement-need", &[Eic]),
    ("table-total", &[Methodology]),
    // Who reads for a venue does not let the text silence a rule, so these never speak in a review.
    ("waiver-invalid", &[]),
    ("waiver-stale", &[]),
    ("waiver-without-reason", &[]),
];

/// Most problems of one rule in a brief.
const OF_ONE_RULE: usize = 12;
/// Most problems in a brief.
const IN_ALL: usize = 80;

/// The seats that get what a rule finds; none for an unknown rule.
#[must_use]
pub fn seats(rule: &str) -> &'static [SeatId] {
    SEATS
        .iter()
        .find(|(id, _)| *id == rule)
        .map_or(&[], |(_, seats)| *seats)
}

/// What a rule found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The rule.
    pub rule: &'static str,
    /// How sure it is.
    pub tier: Tier,
    /// What it says.
    pub message: String,
    /// Where: `path:line`.
    pub place: String,
    /// Words of the paper.
    pub quote: String,
    /// The calculation, for a rule that counts.
    pub receipt: Option<String>,
}

/// What the rules of a seat found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Gravest first.
    pub facts: Vec<Fact>,
    /// Rules with more than are listed, and how many more.
    pub left_out: Vec<(&'static str, usize)>,
    /// Rules of the seat that ran and found nothing.
    pub silent: Vec<&'static str>,
    /// Rules of the seat that could not judge this paper, with the reason.
    pub unable: Vec<(&'static str, String)>,
}

/// What the check of a paper says to a seat.
#[must_use]
pub fn of(examined: &Examined, seat: SeatId) -> Evidence {
    let mine = |rule: &str| seats(rule).contains(&seat);
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut out = Evidence::default();
    for problem in &examined.report.problems {
        if !mine(problem.rule) {
            continue;
        }
        let count = counts.entry(problem.rule).or_default();
        *count += 1;
        if *count <= OF_ONE_RULE && out.facts.len() < IN_ALL {
            out.facts.push(fact(examined, problem));
        }
    }
    for (rule, count) in &counts {
        let listed = out.facts.iter().filter(|fact| fact.rule == *rule).count();
        if *count > listed {
            out.left_out.push((rule, count - listed));
        }
    }
    let skipped = &examined.report.coverage.rules_skipped;
    for (rule, seats) in SEATS {
        if !seats.contains(&seat) || counts.contains_key(rule) {
            continue;
        }
        match skipped.iter().find(|one| one.rule == *rule) {
            Some(one) => out.unable.push((rule, one.reason.en.clone())),
            None if ran(rule, examined) => out.silent.push(rule),
            None => {}
        }
    }
    out
}

/// True when a rule applies to the genre of the paper.
fn ran(rule: &str, examined: &Examined) -> bool {
    crate::check::rule::find(rule)
        .is_some_and(|rule| rule.profiles.contains(&examined.report.profile))
}

fn fact(examined: &Examined, problem: &Problem) -> Fact {
    let sources = &examined.paper.manuscript.sources;
    let source = sources.get(problem.span.file.0 as usize);
    let path = source.map_or(examined.main.as_str(), |source| source.path.as_str());
    let line = source.map_or(1, |source| source.line_number(problem.span.start));
    Fact {
        rule: problem.rule,
        tier: problem.tier,
        message: problem.message.en.clone(),
        place: format!("{path}:{line}"),
        quote: problem.quote.clone(),
        receipt: problem.receipt.as_ref().map(|receipt| {
            format!(
                "{}: {}; {}",
                receipt.procedure, receipt.computed, receipt.comparison
            )
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_line_and_every_line_a_rule() {
        let rules: Vec<&str> = crate::check::rule::all().map(|rule| rule.id).collect();
        for rule in &rules {
            assert!(
                SEATS.iter().any(|(id, _)| id == rule),
                "{rule} belongs to no seat"
            );
        }
        for (id, seats) in SEATS {
            assert!(rules.contains(id), "{id} is no rule");
            assert!(!seats.is_empty() || id.starts_with("waiver-"), "{id}");
        }
        assert_eq!(seats("no-such-rule"), &[]);
    }

    #[test]
    fn every_seat_gets_something_of_its_own() {
        for seat in SeatId::ALL {
            let own = SEATS.iter().filter(|(_, seats)| seats.contains(seat));
            assert!(own.count() > EVERYBODY.len() - 1, "{seat:?}");
        }
        assert_eq!(seats("stat-p-value"), &[Methodology]);
        assert_eq!(seats("citation-undefined"), &[Domain]);
        assert!(seats("evidence-causal").contains(&Da));
        assert_eq!(seats("reviewer-instruction").len(), 5);
    }
}
