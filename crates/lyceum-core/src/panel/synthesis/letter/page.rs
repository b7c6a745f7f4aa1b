//! Writing Markdown in one of the two languages.

use crate::base::{Language, Words};
use crate::panel::{Outcome, SeatId, Verdict};

/// A text that grows.
pub(in super::super) struct Page {
    language: Language,
    out: String,
}

impl Page {
    pub(in super::super) fn new(language: Language) -> Self {
        Self {
            language,
            out: String::new(),
        }
    }

    /// A fixed text.
    pub(in super::super) const fn say(&self, en: &'static str, zh: &'static str) -> &'static str {
        match self.language {
            Language::English => en,
            Language::Chinese => zh,
        }
    }

    /// A composed text.
    pub(in super::super) fn words<'a>(&self, words: &'a Words) -> &'a str {
        match self.language {
            Language::English => &words.en,
            Language::Chinese => &words.zh,
        }
    }

    /// A heading with empty lines around it.
    pub(in super::super) fn heading(&mut self, level: usize, en: &'static str, zh: &'static str) {
        let text = self.say(en, zh);
        self.title(level, text);
    }

    /// The same with a composed text, which must be escaped.
    pub(in super::super) fn title(&mut self, level: usize, text: &str) {
        self.gap();
        self.line(&format!("{} {text}", "#".repeat(level)));
        self.gap();
    }

    /// One line.
    pub(in super::super) fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// A paragraph.
    pub(in super::super) fn paragraph(&mut self, text: &str) {
        self.gap();
        self.line(text);
        self.gap();
    }

    /// An item of a list: a label and what belongs to it.
    pub(in super::super) fn fact(&mut self, en: &'static str, zh: &'static str, text: &str) {
        let line = match self.language {
            Language::English => format!("- {en}: {text}"),
            Language::Chinese => format!("- {zh}：{text}"),
        };
        self.line(&line);
    }

    /// What a quotation below is.
    pub(in super::super) fn label(&mut self, en: &'static str, zh: &'static str) {
        self.gap();
        let line = match self.language {
            Language::English => format!("{en}:"),
            Language::Chinese => format!("{zh}："),
        };
        self.line(&line);
    }

    /// The head of a table.
    pub(in super::super) fn table(&mut self, columns: &[(&'static str, &'static str)]) {
        self.gap();
        let names: Vec<String> = columns
            .iter()
            .map(|(en, zh)| self.say(en, zh).to_owned())
            .collect();
        self.row(&names);
        let rule = vec!["---".to_owned(); columns.len()];
        self.row(&rule);
    }

    /// A row of a table; the cells must be escaped.
    pub(in super::super) fn row(&mut self, cells: &[String]) {
        let line = format!("| {} |", cells.join(" | "));
        self.line(&line);
    }

    /// Escaped lines as they are.
    pub(in super::super) fn lines(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// One empty line, unless there is one already.
    pub(in super::super) fn gap(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    /// What nobody gave.
    pub(in super::super) const fn absent(&self) -> &'static str {
        self.say("NOT PROVIDED", "未提供")
    }

    pub(in super::super) const fn yes(&self, yes: bool) -> &'static str {
        if yes {
            self.say("yes", "是")
        } else {
            self.say("no", "否")
        }
    }

    pub(in super::super) const fn known(&self, value: Option<bool>) -> &'static str {
        match value {
            Some(value) => self.yes(value),
            None => self.say("unknown", "未知"),
        }
    }

    pub(in super::super) const fn verdict(&self, verdict: Verdict) -> &'static str {
        match verdict {
            Verdict::Accept => self.say("Accept", "接收"),
            Verdict::MinorRevision => self.say("Minor Revision", "小修"),
            Verdict::MajorRevision => self.say("Major Revision", "大修"),
            Verdict::Reject => self.say("Reject", "拒稿"),
        }
    }

    pub(in super::super) const fn seat(&self, seat: SeatId) -> &'static str {
        match seat {
            SeatId::Eic => self.say("Journal-Fit Reviewer", "期刊适配审稿人"),
            SeatId::Methodology => {
                self.say("Peer Reviewer 1 (methodology)", "同行审稿人 1（研究方法）")
            }
            SeatId::Domain => self.say("Peer Reviewer 2 (domain)", "同行审稿人 2（学科领域）"),
            SeatId::Perspective => self.say(
                "Peer Reviewer 3 (perspective)",
                "同行审稿人 3（跨学科视角）",
            ),
            SeatId::Da => self.say("Devil's Advocate", "魔鬼代言人"),
        }
    }

    pub(in super::super) const fn outcome(&self, outcome: Outcome) -> &'static str {
        match outcome {
            Outcome::Validated => self.say("validated: it holds", "成立"),
            Outcome::Rejected => self.say("rejected: it does not hold", "驳回：不成立"),
            Outcome::Unresolved => self.say("unresolved", "未决"),
        }
    }

    /// The text, with one newline at its end.
    pub(in super::super) fn finish(self) -> String {
        let mut out = self.out;
        out.truncate(out.trim_end_matches('\n').len());
        out.push('\n');
        out
    }
}
