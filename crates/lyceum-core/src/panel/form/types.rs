//! What a form holds and what is wrong with one.

use crate::base::{Language, Words};
use crate::panel::disk::{Dimension, Report};
use crate::text::{Manuscript, QuoteIndex};

/// Something in a form that cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong and what to write.
    pub words: Words,
}

impl FormError {
    pub(super) fn new(line: usize, en: impl Into<String>, zh: impl Into<String>) -> Self {
        Self {
            line,
            words: Words::new(en, zh),
        }
    }

    /// `line 12: …`.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        match language {
            Language::English => format!("line {}: {}", self.line, self.words.en),
            Language::Chinese => format!("第 {} 行：{}", self.line, self.words.zh),
        }
    }
}

/// A form that was filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct Filled {
    /// The report; findings are numbered in their order.
    pub report: Report,
    /// The scores; none when nothing was scored.
    pub dimensions: Vec<Dimension>,
    /// The line of each quote of each finding, for messages.
    pub quote_lines: Vec<Vec<usize>>,
}

/// The quotes that are not in the paper.
#[must_use]
pub fn missing_quotes(filled: &Filled, manuscript: &Manuscript) -> Vec<FormError> {
    let index = QuoteIndex::new(manuscript);
    let mut errors = Vec::new();
    for (finding, lines) in filled.report.findings.iter().zip(&filled.quote_lines) {
        for (evidence, line) in finding.evidence.iter().zip(lines) {
            if index.find(&evidence.quote).is_empty() {
                errors.push(FormError::new(
                    *line,
                    "these words are not in the paper; copy them from it letter for letter",
                    "论文中没有这段文字；请逐字从论文中复制",
                ));
            }
        }
    }
    errors
}
