//! The analysis and the cards as a text that a person edits: `name: value`, a heading for each seat, lines that begin
//! with `#` and a space are for the reader.

use std::fmt::Write;

use crate::base::{Language, Say, Words};
use crate::panel::disk::{Card, FieldAnalysis, Rest};
use crate::panel::types::{Mode, SeatId};

/// A line that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong.
    pub words: Words,
}

/// The fields of the analysis, as they are written.
const FIELDS: [(&str, Say); 6] = [
    ("primary discipline", Say::new("one", "一个")),
    (
        "secondary disciplines",
        Say::new("up to three, separated by ;", "最多三个，用 ; 分隔"),
    ),
    (
        "research paradigm",
        Say::new(
            "such as quantitative, qualitative, theoretical",
            "例如 quantitative、qualitative、theoretical",
        ),
    ),
    (
        "methodology type",
        Say::new(
            "such as randomised trial, survey, proof",
            "例如 randomised trial、survey、proof",
        ),
    ),
    (
        "target journal tier",
        Say::new(
            "such as field journal, top journal, conference",
            "例如 field journal、top journal、conference",
        ),
    ),
    (
        "paper maturity",
        Say::new(
            "first draft, revised draft or pre-submission",
            "first draft、revised draft 或 pre-submission",
        ),
    ),
];

const CARD_FIELDS: [&str; 3] = ["identity", "expertise", "focus"];

/// The form with what is known filled in.
#[must_use]
pub fn template(analysis: &FieldAnalysis, mode: Mode, language: Language) -> String {
    let mut out = String::new();
    for line in match language {
        Language::English => [
            "Who should read this paper? Change what does not fit, fill in what is empty, save and close.",
            "A value may go on in the next line when that begins with a space.",
        ],
        Language::Chinese => [
            "应由谁来审阅这篇论文？请修改不合适的内容，补全空白，然后保存并关闭。",
            "内容可以续到下一行，续行以空格开头。",
        ],
    } {
        let _ = writeln!(out, "# {line}");
    }
    out.push('\n');
    let secondary = analysis.secondary_disciplines.join("; ");
    let values = [
        &analysis.primary_discipline,
        &secondary,
        &analysis.research_paradigm,
        &analysis.methodology_type,
        &analysis.target_journal_tier,
        &analysis.paper_maturity,
    ];
    for ((name, hint), value) in FIELDS.iter().zip(values) {
        let _ = writeln!(out, "# {}\n{name}: {}", hint.get(language), folded(value));
    }
    for seat in mode.seats().iter().filter(|seat| **seat != SeatId::Da) {
        let card = analysis
            .configuration_cards
            .iter()
            .find(|card| card.seat == *seat);
        let _ = writeln!(out, "\n[{}]\n# {}", seat.as_str(), seat.title());
        let values = card.map_or([""; 3], |card| {
            [&card.identity, &card.expertise, &card.focus].map(String::as_str)
        });
        for (name, value) in CARD_FIELDS.iter().zip(values) {
            let _ = writeln!(out, "{name}: {}", folded(value));
        }
    }
    out
}

/// A value that runs over lines, indented so that it reads back as one.
fn folded(text: &str) -> String {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    lines.join("\n  ")
}

/// Reads the form. Whether every field is filled in is for the decision to say.
///
/// # Errors
/// Every line that is not understood.
pub fn parse(text: &str) -> Result<FieldAnalysis, Vec<Misread>> {
    let mut reader = Reader::default();
    for (index, line) in text.lines().enumerate() {
        reader.line(index + 1, line);
    }
    if reader.misread.is_empty() {
        Ok(reader.analysis())
    } else {
        Err(reader.misread)
    }
}

#[derive(Default)]
struct Reader {
    fields: [String; 6],
    cards: Vec<(SeatId, [String; 3])>,
    /// Which value goes on: a field of the analysis, or one of the last card.
    open: Option<Open>,
    misread: Vec<Misread>,
}

#[derive(Clone, Copy)]
enum Open {
    Field(usize),
    Card(usize),
}

impl Reader {
    fn line(&mut self, number: usize, line: &str) {
        let wrong = |en: String, zh: String| Misread {
            line: number,
            words: Words::new(en, zh),
        };
        if line.trim().is_empty() || line == "#" || line.starts_with("# ") {
            return;
        }
        if line.starts_with([' ', '\t']) {
            if let Some(value) = self.value() {
                value.push('\n');
                value.push_str(line.trim());
            } else {
                self.misread.push(wrong(
                    "a continued line follows nothing".to_owned(),
                    "续行之前没有内容".to_owned(),
                ));
            }
            return;
        }
        let name = line.trim_end();
        if let Some(seat) = name
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
        {
            self.open = None;
            match SeatId::parse(seat) {
                Some(seat) if self.cards.iter().all(|(other, _)| *other != seat) => {
                    self.cards.push((seat, Default::default()));
                }
                _ => self.misread.push(wrong(
                    format!("[{seat}] is no seat, or there twice"),
                    format!("[{seat}] 不是席位，或出现了两次"),
                )),
            }
            return;
        }
        let split = line.split_once([':', '：']);
        let Some((name, value)) = split.map(|(name, value)| (name.trim().to_lowercase(), value))
        else {
            self.misread.push(wrong(
                "neither a name with a colon nor a seat in brackets".to_owned(),
                "既不是“名称: 内容”，也不是方括号中的席位".to_owned(),
            ));
            return;
        };
        self.open = if self.cards.is_empty() {
            FIELDS
                .iter()
                .position(|(field, _)| *field == name)
                .map(Open::Field)
        } else {
            CARD_FIELDS
                .iter()
                .position(|field| *field == name)
                .map(Open::Card)
        };
        match self.value() {
            Some(slot) => {
                slot.clear();
                slot.push_str(value.trim());
            }
            None => self.misread.push(wrong(
                format!("{name:?} is no field here"),
                format!("此处没有 {name:?} 这一项"),
            )),
        }
    }

    fn value(&mut self) -> Option<&mut String> {
        match self.open? {
            Open::Field(n) => self.fields.get_mut(n),
            Open::Card(n) => self.cards.last_mut()?.1.get_mut(n),
        }
    }

    fn analysis(self) -> FieldAnalysis {
        let [primary, secondary, paradigm, methodology, tier, maturity] = self.fields;
        FieldAnalysis {
            analyst_run_at: None,
            primary_discipline: primary,
            secondary_disciplines: secondary
                .split([';', '；'])
                .map(str::trim)
                .filter(|name| !name.is_empty())
                .map(str::to_owned)
                .collect(),
            research_paradigm: paradigm,
            methodology_type: methodology,
            target_journal_tier: tier,
            paper_maturity: maturity,
            configuration_cards: self
                .cards
                .into_iter()
                .map(|(seat, [identity, expertise, focus])| Card {
                    seat,
                    identity,
                    expertise,
                    focus,
                    rest: Rest::new(),
                })
                .collect(),
            rest: Rest::new(),
        }
    }
}
