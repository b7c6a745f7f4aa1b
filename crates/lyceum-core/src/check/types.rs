//! Rules, problems and reports.

use serde::Serialize;

use super::paper::Paper;
use crate::base::{Say, Words};
use crate::text::{Format, Note, Span};

/// How sure a rule is, and so how loudly it speaks. Ordered from the gravest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// Wrong by the text's own standard: a broken reference, a number that cannot be.
    Error,
    /// Almost always wrong; a reader would ask.
    Warning,
    /// Worth a look; shown only when asked for.
    Opinion,
}

impl Tier {
    /// The spelling in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Opinion => "opinion",
        }
    }
}

/// The genre of a text, which decides what may be asked of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// A research article.
    #[default]
    Article,
    /// A software paper, for example for JOSS.
    Software,
    /// A thesis or dissertation.
    Thesis,
    /// A part of a text, or a text that is none of the others: no demands on completeness.
    Fragment,
}

impl Profile {
    /// All profiles.
    pub const ALL: &'static [Self] = &[Self::Article, Self::Software, Self::Thesis, Self::Fragment];
    /// All profiles that are whole texts.
    pub const WHOLE: &'static [Self] = &[Self::Article, Self::Software, Self::Thesis];

    /// The spelling in arguments and reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Article => "article",
            Self::Software => "software",
            Self::Thesis => "thesis",
            Self::Fragment => "fragment",
        }
    }
}

/// A short text for or against a rule; each one is a test.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The format of `text`.
    pub format: Format,
    /// The manuscript.
    pub text: &'static str,
    /// The bibliography file `refs.bib` beside it, when the rule needs one; the text must ask for it.
    pub bib: Option<&'static str>,
    /// The quotes of the problems the rule reports, in order; empty for an example against.
    pub finds: &'static [&'static str],
}

/// A rule, defined once in a file of its own.
#[derive(Debug)]
pub struct Rule {
    /// Its stable name, `kebab-case`.
    pub id: &'static str,
    /// How sure it is.
    pub tier: Tier,
    /// What it reports, as a short phrase.
    pub title: Say,
    /// Why it matters and exactly when it speaks and stays silent.
    pub rationale: Say,
    /// The genres it applies to.
    pub profiles: &'static [Profile],
    /// Examples for and against, at least one of each.
    pub examples: &'static [Example],
    /// The rule itself.
    pub check: fn(&Paper, &mut Found),
}

/// The calculation behind a numeric problem, so that a reader can do it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Receipt {
    /// What was calculated, by a name a statistician knows.
    pub procedure: String,
    /// What went in, as quoted from the text.
    pub inputs: serde_json::Map<String, serde_json::Value>,
    /// What came out.
    pub computed: String,
    /// What it was compared with, and how.
    pub comparison: String,
}

/// One problem with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The rule's id.
    pub rule: &'static str,
    /// The rule's tier.
    pub tier: Tier,
    /// What is wrong, as a fact.
    pub message: Words,
    /// Where.
    pub span: Span,
    /// The source text under the span, white space collapsed, at most 160 characters.
    pub quote: String,
    /// What to do, as one imperative sentence.
    pub hint: Words,
    /// The calculation, for numeric rules.
    pub receipt: Option<Receipt>,
}

/// What a rule hands in.
#[derive(Debug, Default)]
pub struct Found {
    /// Problems, in any order.
    pub problems: Vec<Problem>,
    /// Why the rule could not judge this paper, when it could not.
    pub skipped: Option<Words>,
    /// How many problems there are beyond those that are kept.
    pub left_out: usize,
    /// The latest of those; callers may still write to it.
    spare: Option<Box<Problem>>,
}

impl Found {
    /// Most problems kept of one rule: no one reads more, and a hostile text must not fill the memory.
    pub const KEPT: usize = 10_000;

    /// Reports a problem; the engine fills in rule, tier and quote. Past [`Found::KEPT`] problems it is only counted.
    pub fn push(&mut self, span: Span, message: Words, hint: Words) -> &mut Problem {
        let problem = Problem {
            rule: "",
            tier: Tier::Opinion,
            message,
            span,
            quote: String::new(),
            hint,
            receipt: None,
        };
        if self.problems.len() >= Self::KEPT {
            self.left_out += 1;
            return self.spare.insert(Box::new(problem));
        }
        self.problems.push(problem);
        let last = self.problems.len() - 1;
        &mut self.problems[last]
    }

    /// Says that the rule cannot judge this paper, and why.
    pub fn skip(&mut self, en: impl Into<String>, zh: impl Into<String>) {
        self.skipped = Some(Words::new(en, zh));
    }
}

/// A rule that did not judge, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedRule {
    /// The rule's id.
    pub rule: &'static str,
    /// Why.
    pub reason: Words,
}

/// How far a file was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FileStatus {
    /// Whole.
    Read,
    /// With constructs left out.
    Partial,
    /// Not at all.
    Unreadable,
}

/// How far one file was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileCoverage {
    /// Its path.
    pub path: String,
    /// How far.
    pub status: FileStatus,
    /// What was left out or guessed.
    pub notes: Vec<Note>,
}

/// How far the paper was examined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Every file that was read or asked for.
    pub files: Vec<FileCoverage>,
    /// Rules that did not judge.
    pub rules_skipped: Vec<SkippedRule>,
}

impl Coverage {
    /// True when a whole file, include or bibliography could not be read (exit code 6).
    #[must_use]
    pub fn has_gap(&self) -> bool {
        self.files
            .iter()
            .any(|file| file.status == FileStatus::Unreadable)
    }
}

/// A problem that its author keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waived {
    /// The problem.
    pub problem: Problem,
    /// Why, in the author's words.
    pub reason: String,
}

/// What a check found.
#[derive(Clone, Debug)]
pub struct Report {
    /// Problems, gravest first, then by place.
    pub problems: Vec<Problem>,
    /// How far the paper was examined.
    pub coverage: Coverage,
    /// The profile that was applied.
    pub profile: Profile,
    /// Problems that waivers took out, in the same order.
    pub waived: Vec<Waived>,
    /// Problems that were counted and not kept, by tier.
    pub left_out: Vec<(Tier, usize)>,
}

impl Report {
    /// How many problems of a tier there are.
    #[must_use]
    pub fn count(&self, tier: Tier) -> usize {
        let kept = self.problems.iter().filter(|problem| problem.tier == tier);
        let left_out = self.left_out.iter().filter(|(of, _)| *of == tier);
        kept.count() + left_out.map(|(_, count)| count).sum::<usize>()
    }

    /// Keeps some problems. Nothing is known of those that were only counted, so they are forgotten.
    pub fn keep(&mut self, wanted: impl FnMut(&Problem) -> bool) {
        self.problems.retain(wanted);
        self.left_out.clear();
    }
}
