//! The two contracts there are.

use super::types::{
    Atom, Condition, Contract, ContractDimension, Over, Priority, Quantifier, Test,
};
use crate::panel::{Mode, Score, SeatId, Verdict};

/// The contract of a mode; none for a mode that decides in another way.
#[must_use]
pub const fn of_mode(mode: Mode) -> Option<&'static Contract> {
    match mode {
        Mode::Full => Some(&FULL),
        Mode::MethodologyFocus => Some(&METHODOLOGY_FOCUS),
        Mode::Quick | Mode::ReReview | Mode::Guided | Mode::Calibration => None,
    }
}

const fn atom(over: Over, test: Test) -> Atom {
    Atom { over, test }
}

static FULL: Contract = Contract {
    id: "reviewer/reviewer_full/v2",
    panel_size: 5,
    dimensions: &[
        ContractDimension {
            id: "D1",
            name: "methodology_rigor",
            description: "Whether design, data and analysis can carry the conclusions.",
            priority: Priority::Mandatory,
            eligible: &[SeatId::Methodology],
            owner: SeatId::Methodology,
        },
        ContractDimension {
            id: "D2",
            name: "domain_accuracy",
            description: "Whether the paper states its field, its terms and earlier work correctly.",
            priority: Priority::Mandatory,
            eligible: &[SeatId::Domain],
            owner: SeatId::Domain,
        },
        ContractDimension {
            id: "D3",
            name: "argumentative_coherence",
            description: "Whether each step of the argument follows and rival readings are met.",
            priority: Priority::Mandatory,
            eligible: &[SeatId::Da, SeatId::Methodology],
            owner: SeatId::Da,
        },
        ContractDimension {
            id: "D4",
            name: "cross_disciplinary_relevance",
            description: "Whether the work holds and matters when seen from neighbouring fields.",
            priority: Priority::High,
            eligible: &[SeatId::Perspective],
            owner: SeatId::Perspective,
        },
        ContractDimension {
            id: "D5",
            name: "writing_and_structure",
            description: "Whether a reader of the venue can follow text, figures and order.",
            priority: Priority::Normal,
            eligible: &[SeatId::Eic],
            owner: SeatId::Eic,
        },
        ContractDimension {
            id: "D6",
            name: "venue_fit_and_contribution",
            description: "Whether the contribution is new enough and belongs in the venue.",
            priority: Priority::Mandatory,
            eligible: &[SeatId::Eic],
            owner: SeatId::Eic,
        },
    ],
    conditions: &[
        Condition {
            id: "F1",
            severity: 95,
            quantifier: Quantifier::Any,
            atoms: &[atom(Over::Any(Some(Priority::Mandatory)), Test::Fatal)],
            label: "a mandatory dimension has a fatal block",
            label_zh: "某个必备维度存在无法修复的阻断",
            action: Verdict::Reject,
        },
        Condition {
            id: "F2",
            severity: 90,
            quantifier: Quantifier::Any,
            atoms: &[atom(
                Over::Any(Some(Priority::Mandatory)),
                Test::Is(Score::Block),
            )],
            label: "a mandatory dimension is blocked",
            label_zh: "某个必备维度被阻断",
            action: Verdict::MajorRevision,
        },
        Condition {
            id: "F3",
            severity: 70,
            quantifier: Quantifier::Majority,
            atoms: &[atom(
                Over::TwoOrMore(Priority::Mandatory),
                Test::OrWorse(Score::Warn),
            )],
            label: "two or more mandatory dimensions have a warning or worse",
            label_zh: "两个或更多必备维度得到警告或更差",
            action: Verdict::MajorRevision,
        },
        Condition {
            id: "F4",
            severity: 60,
            quantifier: Quantifier::Any,
            atoms: &[atom(
                Over::Any(Some(Priority::High)),
                Test::Is(Score::Block),
            )],
            label: "a dimension of high priority is blocked",
            label_zh: "某个高优先维度被阻断",
            action: Verdict::MajorRevision,
        },
        Condition {
            id: "F5",
            severity: 40,
            quantifier: Quantifier::Any,
            atoms: &[atom(Over::Any(None), Test::OrWorse(Score::Warn))],
            label: "some dimension has a warning or worse",
            label_zh: "某个维度得到警告或更差",
            action: Verdict::MinorRevision,
        },
        Condition {
            id: "F0",
            severity: 10,
            quantifier: Quantifier::All,
            atoms: &[atom(Over::Every(None), Test::Is(Score::Pass))],
            label: "every dimension passes",
            label_zh: "所有维度均通过",
            action: Verdict::Accept,
        },
    ],
};

static METHODOLOGY_FOCUS: Contract = Contract {
    id: "reviewer/reviewer_methodology_focus/v2",
    panel_size: 2,
    dimensions: &[
        ContractDimension {
            id: "D1",
            name: "methodology_rigor",
            description: "Whether design, data and analysis can carry the conclusions.",
            priority: Priority::Mandatory,
            eligible: &[SeatId::Methodology],
            owner: SeatId::Methodology,
        },
        ContractDimension {
            id: "D2",
            name: "writing_and_structure",
            description: "Whether a reader of the venue can follow text, figures and order.",
            priority: Priority::Normal,
            eligible: &[SeatId::Eic],
            owner: SeatId::Eic,
        },
    ],
    conditions: &[
        Condition {
            id: "F1",
            severity: 95,
            quantifier: Quantifier::Any,
            atoms: &[atom(Over::One("D1"), Test::Fatal)],
            label: "the methodology has a fatal block",
            label_zh: "研究方法存在无法修复的阻断",
            action: Verdict::Reject,
        },
        Condition {
            id: "F2",
            severity: 90,
            quantifier: Quantifier::Any,
            atoms: &[atom(Over::One("D1"), Test::Is(Score::Block))],
            label: "the methodology is blocked",
            label_zh: "研究方法被阻断",
            action: Verdict::MajorRevision,
        },
        Condition {
            id: "F3",
            severity: 70,
            quantifier: Quantifier::Any,
            atoms: &[atom(Over::One("D1"), Test::Is(Score::Warn))],
            label: "the methodology has a warning",
            label_zh: "研究方法得到警告",
            action: Verdict::MajorRevision,
        },
        Condition {
            id: "F4",
            severity: 40,
            quantifier: Quantifier::Any,
            atoms: &[atom(Over::One("D2"), Test::OrWorse(Score::Warn))],
            label: "writing and structure have a warning or worse",
            label_zh: "写作与结构得到警告或更差",
            action: Verdict::MinorRevision,
        },
        Condition {
            id: "F0",
            severity: 10,
            quantifier: Quantifier::All,
            atoms: &[atom(Over::Every(None), Test::Is(Score::Pass))],
            label: "every dimension passes",
            label_zh: "所有维度均通过",
            action: Verdict::Accept,
        },
    ],
};
