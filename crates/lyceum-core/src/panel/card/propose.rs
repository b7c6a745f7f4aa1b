//! Proposals for the analysis and the cards. Each says what in the text it rests on; a discipline is never guessed.

use crate::base::{Language, Say, Words};
use crate::check::Profile;
use crate::panel::disk::{Card, FieldAnalysis, Rest};
use crate::panel::types::{Mode, SeatId};
use crate::text::Manuscript;

/// A proposed word and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The proposal, in English: it is kept in the state.
    pub value: &'static str,
    /// What in the text speaks for it; `None` for a mere default.
    pub because: Option<Words>,
}

/// What can be proposed before anybody was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guesses {
    /// The paradigm, when the text tells.
    pub paradigm: Option<Guess>,
    /// The type of methodology, when the text tells.
    pub methodology: Option<Guess>,
    /// The tier of the journal.
    pub tier: Guess,
    /// How finished the paper is.
    pub maturity: Guess,
}

/// Words that a way of working leaves in a text. A few alone say nothing.
const TRACES: &[(&str, &str, &[&str])] = &[
    (
        "qualitative",
        "qualitative study",
        &[
            "interview",
            "thematic analysis",
            "focus group",
            "ethnograph",
            "grounded theory",
            "访谈",
            "扎根理论",
        ],
    ),
    (
        "theoretical",
        "formal proof",
        &[
            "theorem",
            "lemma",
            "corollary",
            "proposition ",
            "定理",
            "引理",
        ],
    ),
    (
        "quantitative",
        "statistical analysis",
        &[
            "p =",
            "p <",
            "regression",
            "anova",
            "standard deviation",
            "confidence interval",
            "participants",
            "显著",
            "回归",
            "标准差",
        ],
    ),
    (
        "computational",
        "simulation",
        &[
            "simulation",
            "monte carlo",
            "benchmark",
            "training set",
            "仿真",
            "模拟",
            "训练集",
        ],
    ),
];

/// Fewest traces that count.
const ENOUGH: usize = 3;

/// Proposes what the text tells. `unfinished` counts leftovers such as notes to the author.
#[must_use]
pub fn guess(manuscript: &Manuscript, profile: Option<Profile>, unfinished: usize) -> Guesses {
    let (paradigm, methodology) = way_of_working(manuscript, profile);
    let maturity = if unfinished > 0 {
        Guess {
            value: "first draft",
            because: Some(Words::new(
                format!("{unfinished} leftovers such as TODO are in the text"),
                format!("文中有 {unfinished} 处 TODO 等遗留内容"),
            )),
        }
    } else {
        Guess {
            value: "revised draft",
            because: None,
        }
    };
    Guesses {
        paradigm,
        methodology,
        tier: Guess {
            value: "field journal",
            because: None,
        },
        maturity,
    }
}

fn way_of_working(
    manuscript: &Manuscript,
    profile: Option<Profile>,
) -> (Option<Guess>, Option<Guess>) {
    if profile == Some(Profile::Software) {
        let because = Words::new("the text is a software paper", "文本为软件论文");
        let guess = |value| {
            Some(Guess {
                value,
                because: Some(because.clone()),
            })
        };
        return (guess("software engineering"), guess("software description"));
    }
    let mut counts = vec![0usize; TRACES.len()];
    for block in manuscript
        .blocks
        .iter()
        .filter(|block| block.kind.is_prose())
    {
        let text = block.text.string.to_lowercase();
        for ((_, _, words), count) in TRACES.iter().zip(&mut counts) {
            *count += words
                .iter()
                .map(|word| text.matches(word).count())
                .sum::<usize>();
        }
    }
    let best = counts.iter().copied().max().unwrap_or(0);
    let leaders = counts.iter().filter(|count| **count == best).count();
    if best < ENOUGH || leaders > 1 {
        return (None, None);
    }
    let found = TRACES
        .iter()
        .zip(&counts)
        .find(|(_, count)| **count == best);
    let Some(((paradigm, methodology, words), count)) = found else {
        return (None, None);
    };
    let example = words.first().copied().unwrap_or_default();
    let because = Words::new(
        format!("{count} words such as \"{}\"", example.trim()),
        format!("文中有 {count} 处“{}”一类用词", example.trim()),
    );
    let guess = |value| {
        Some(Guess {
            value,
            because: Some(because.clone()),
        })
    };
    (guess(paradigm), guess(methodology))
}

/// A card for each peer seat of a mode, worded from an analysis that a person gave.
#[must_use]
pub fn cards(mode: Mode, analysis: &FieldAnalysis, language: Language) -> Vec<Card> {
    mode.seats()
        .iter()
        .filter_map(|seat| card(*seat, analysis, language))
        .collect()
}

fn card(seat: SeatId, analysis: &FieldAnalysis, language: Language) -> Option<Card> {
    let field = analysis.primary_discipline.trim();
    let second = analysis
        .secondary_disciplines
        .iter()
        .map(|name| name.trim())
        .find(|name| !name.is_empty());
    let method = analysis.methodology_type.trim();
    let tier = analysis.target_journal_tier.trim();
    let says = |en: String, zh: String| Words { en, zh }.get(language).to_owned();
    let fixed = |say: Say| say.get(language).to_owned();
    let (identity, expertise, focus) = match seat {
        SeatId::Eic => (
            says(
                format!("Editor of a {tier} in {field}"),
                format!("{field}领域期刊（{tier}）的编辑"),
            ),
            says(
                format!("What readers of {field} need; reporting and structure"),
                format!("{field}读者的需求；报告规范与结构"),
            ),
            fixed(Say::new(
                "Fit and contribution. Do abstract and conclusions promise what the work shows? Is it ready for referees?",
                "契合度与贡献。摘要和结论是否与所做工作相符？是否已适合送审？",
            )),
        ),
        SeatId::Methodology => (
            says(
                format!("Methodologist who works with this design: {method}"),
                format!("熟悉此类设计（{method}）的方法学专家"),
            ),
            says(
                format!("Design, analysis and reporting of {method}"),
                format!("{method}的设计、分析与报告"),
            ),
            fixed(Say::new(
                "Does the design answer the question? Do the numbers agree with each other? Could somebody repeat it?",
                "设计能否回答问题？数字是否彼此一致？他人能否重复？",
            )),
        ),
        SeatId::Domain => (
            says(format!("Researcher in {field}"), format!("{field}研究者")),
            says(
                format!("Theory and earlier work in {field}"),
                format!("{field}的理论与已有工作"),
            ),
            fixed(Say::new(
                "Are claims about the field right? Is the nearest earlier work there? Is the theory that is named the one that is tested?",
                "关于本领域的论断是否正确？最相近的工作是否被引用？所提理论是否正是所检验的理论？",
            )),
        ),
        SeatId::Perspective => {
            let from = second.map_or_else(
                || fixed(Say::new("a neighbouring field", "邻近领域")),
                str::to_owned,
            );
            (
                says(format!("Reader from {from}"), format!("来自{from}的读者")),
                says(
                    format!("What {from} knows of the same question; use outside of {field}"),
                    format!("{from}对同一问题的认识；{field}之外的应用"),
                ),
                fixed(Say::new(
                    "Does the conclusion carry beyond this field? For whom does it hold, and for whom not?",
                    "结论能否推广到本领域之外？对谁成立，对谁不成立？",
                )),
            )
        }
        SeatId::Da => return None,
    };
    Some(Card {
        seat,
        identity,
        expertise,
        focus,
        rest: Rest::new(),
    })
}
