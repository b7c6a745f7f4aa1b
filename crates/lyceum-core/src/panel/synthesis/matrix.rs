//! The decision from recommendations alone, where no contract decides. Every panel of four gets exactly one.

use crate::base::Words;
use crate::panel::Verdict;

/// A decision and the rule that made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// The decision.
    pub decision: Verdict,
    /// A stable name of the rule.
    pub rule: &'static str,
    /// The rule in words.
    pub words: Words,
}

fn ruling(decision: Verdict, rule: &'static str, en: &str, zh: &str) -> Ruling {
    Ruling {
        decision,
        rule,
        words: Words::new(en, zh),
    }
}

/// Rules on the recommendations of the four peer seats, in any order. `grave` is whether a seat that asks for a major
/// revision has a critical or major finding.
#[must_use]
pub(super) fn four(mut verdicts: [Verdict; 4], grave: bool) -> Ruling {
    use Verdict::{Accept as A, MajorRevision as Ma, MinorRevision as Mi, Reject as R};
    verdicts.sort();
    match verdicts {
        [A, A, A, Mi] => ruling(
            A,
            "accept_with_suggestions",
            "three seats accept and one asks for a minor revision: accept, with suggestions",
            "三个席位建议接收、一个建议小修：接收，并附修改建议",
        ),
        [Mi, Mi, Mi, Ma] if grave => ruling(
            Ma,
            "one_major_with_cause",
            "three seats ask for a minor and one for a major revision, and that seat has a critical or major finding: \
             major revision",
            "三个席位建议小修、一个建议大修，且后者有严重或主要问题：大修",
        ),
        [Mi, Mi, Mi, Ma] => ruling(
            Mi,
            "one_major_without_cause",
            "three seats ask for a minor and one for a major revision, and that seat has no critical or major finding: \
             minor revision",
            "三个席位建议小修、一个建议大修，但后者没有严重或主要问题：小修",
        ),
        [Ma, Ma, Ma, R] => ruling(
            Ma,
            "last_chance",
            "three seats ask for a major revision and one rejects: major revision, as a last chance",
            "三个席位建议大修、一个建议拒稿：大修（最后一次机会）",
        ),
        [Ma, Ma, R, R] => ruling(
            R,
            "resubmit_encouraged",
            "two seats ask for a major revision and two reject: reject, a new submission is encouraged",
            "两个席位建议大修、两个建议拒稿：拒稿，鼓励修改后重新投稿",
        ),
        [A, A, A, A]
        | [A, A, Mi, Mi]
        | [A, Mi, Mi, Mi]
        | [Mi, Mi, Mi, Mi]
        | [Mi, Mi, Ma, Ma]
        | [Mi, Ma, Ma, Ma]
        | [Ma, Ma, Ma, Ma]
        | [Ma, R, R, R]
        | [R, R, R, R] => listed(verdicts),
        [A, A, R, R] => ruling(
            Ma,
            "split_extremes",
            "two seats accept and two reject: major revision, so that the causes can be answered",
            "两个席位建议接收、两个建议拒稿：大修，以便逐一回应分歧原因",
        ),
        [_, _, third, R] if third != R => ruling(
            Ma,
            "one_reject",
            "one seat rejects and three do not: major revision",
            "一个席位建议拒稿、其余三个不建议：大修",
        ),
        [_, _, third, _] => ruling(
            third,
            "upper_median",
            "no row of the table has these recommendations: the upper median of the four, ordered from accept to reject",
            "表中没有这一组合：取四个建议（由接收到拒稿排序）的上中位数",
        ),
    }
}

/// The rows of the table that need no remark.
fn listed(sorted: [Verdict; 4]) -> Ruling {
    use Verdict::{Accept as A, MajorRevision as Ma, MinorRevision as Mi, Reject as R};
    let decision = match sorted {
        [A, A, A, A] => A,
        [A, ..] | [Mi, Mi, Mi, Mi] => Mi,
        [Mi, ..] | [Ma, Ma, ..] => Ma,
        _ => R,
    };
    ruling(
        decision,
        "table_row",
        "the row of the table of recommendations for these four",
        "推荐意见表中与这四个建议对应的一行",
    )
}

/// Rules on the recommendations of fewer than four seats: the strictest. `None` for nobody's.
#[must_use]
pub(super) fn reduced(verdicts: &[Verdict]) -> Option<Ruling> {
    let strictest = verdicts.iter().copied().max()?;
    Some(ruling(
        strictest,
        "reduced_panel",
        "a mode with fewer than four peer seats and no complete scores: the strictest recommendation",
        "该模式的同行席位少于四个且评分不完整：取最严格的建议",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Accept, MajorRevision, MinorRevision, Reject};

    fn verdict(letter: char) -> Verdict {
        match letter {
            'A' => Accept,
            'i' => MinorRevision,
            'a' => MajorRevision,
            _ => Reject,
        }
    }

    /// All 35: A accept, i minor, a major, R reject; the decision; the rule.
    const TABLE: &[(&str, char, &str)] = &[
        ("AAAA", 'A', "table_row"),
        ("AAAi", 'A', "accept_with_suggestions"),
        ("AAAa", 'A', "upper_median"),
        ("AAAR", 'a', "one_reject"),
        ("AAii", 'i', "table_row"),
        ("AAia", 'i', "upper_median"),
        ("AAiR", 'a', "one_reject"),
        ("AAaa", 'a', "upper_median"),
        ("AAaR", 'a', "one_reject"),
        ("AARR", 'a', "split_extremes"),
        ("Aiii", 'i', "table_row"),
        ("Aiia", 'i', "upper_median"),
        ("AiiR", 'a', "one_reject"),
        ("Aiaa", 'a', "upper_median"),
        ("AiaR", 'a', "one_reject"),
        ("AiRR", 'R', "upper_median"),
        ("Aaaa", 'a', "upper_median"),
        ("AaaR", 'a', "one_reject"),
        ("AaRR", 'R', "upper_median"),
        ("ARRR", 'R', "upper_median"),
        ("iiii", 'i', "table_row"),
        ("iiia", 'a', "one_major_with_cause"),
        ("iiiR", 'a', "one_reject"),
        ("iiaa", 'a', "table_row"),
        ("iiaR", 'a', "one_reject"),
        ("iiRR", 'R', "upper_median"),
        ("iaaa", 'a', "table_row"),
        ("iaaR", 'a', "one_reject"),
        ("iaRR", 'R', "upper_median"),
        ("iRRR", 'R', "upper_median"),
        ("aaaa", 'a', "table_row"),
        ("aaaR", 'a', "last_chance"),
        ("aaRR", 'R', "resubmit_encouraged"),
        ("aRRR", 'R', "table_row"),
        ("RRRR", 'R', "table_row"),
    ];

    #[test]
    fn every_panel_of_four_has_one_decision_in_any_order() {
        let letters = ['A', 'i', 'a', 'R'];
        let mut seen = std::collections::BTreeSet::new();
        for word in 0..256_usize {
            let places = [word % 4, word / 4 % 4, word / 16 % 4, word / 64];
            let mut sorted = places;
            sorted.sort_unstable();
            let name: String = sorted.iter().map(|i| letters[*i]).collect();
            let (_, decision, rule) = TABLE.iter().find(|(row, ..)| *row == name).unwrap();
            let got = four(places.map(|i| verdict(letters[i])), true);
            assert_eq!(
                (got.decision, got.rule),
                (verdict(*decision), *rule),
                "{name}"
            );
            seen.insert(name);
        }
        assert_eq!(seen.len(), 35);
        assert_eq!(TABLE.len(), 35);
    }

    #[test]
    fn one_major_among_minors_needs_a_cause() {
        let panel = [MinorRevision, MajorRevision, MinorRevision, MinorRevision];
        assert_eq!(four(panel, false).decision, MinorRevision);
        assert_eq!(four(panel, true).decision, MajorRevision);
    }

    #[test]
    fn a_reduced_panel_takes_the_strictest() {
        assert_eq!(reduced(&[]), None);
        let got = reduced(&[MinorRevision, Reject]).unwrap();
        assert_eq!((got.decision, got.rule), (Reject, "reduced_panel"));
    }
}
