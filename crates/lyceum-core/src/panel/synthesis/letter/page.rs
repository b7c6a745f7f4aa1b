//! Writing Markdown in one of the two languages.

use crate::base::{Language, Say, Words};
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
    pub(in super::super) const fn say_of(&self, say: Say) -> &'static str {
        say.get(self.language)
    }

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

    /// A table without the columns in which nobody gave anything.
    pub(in super::super) fn given(
        &mut self,
        columns: &[(&'static str, &'static str)],
        rows: &[Vec<String>],
    ) {
        let absent = self.absent();
        let kept: Vec<bool> = (0..columns.len())
            .map(|i| {
                rows.iter()
                    .any(|row| row.get(i).is_some_and(|cell| cell != absent))
            })
            .collect();
        let all = columns.iter().zip(&kept);
        let shown: Vec<_> = all
            .filter(|(_, kept)| **kept)
            .map(|(column, _)| *column)
            .collect();
        self.table(&shown);
        for row in rows {
            let cells: Vec<String> = row
                .iter()
                .zip(&kept)
                .filter(|(_, kept)| **kept)
                .map(|(cell, _)| cell.clone())
                .collect();
            self.row(&cells);
        }
    }

    /// Several things in a row.
    pub(in super::super) fn list<T: AsRef<str>>(&self, all: &[T]) -> String {
        let all: Vec<&str> = all.iter().map(AsRef::as_ref).collect();
        all.join(self.say(", ", "、"))
    }

    /// A label within a line, and what belongs to it.
    pub(in super::super) fn labelled(&self, label: &str, text: &str) -> String {
        format!("{label}{}{text}", self.say(": ", "："))
    }

    /// A text with a remark in brackets.
    pub(in super::super) fn remarked(&self, text: &str, remark: &str) -> String {
        format!(
            "{text}{}{remark}{}",
            self.say(" (", "（"),
            self.say(")", "）")
        )
    }

    /// The fields of a roadmap by the words of the letter.
    pub(in super::super) fn fields(&self, names: &[&str]) -> String {
        let words: Vec<&str> = names.iter().map(|name| self.field(name)).collect();
        self.list(&words)
    }

    fn field<'a>(&self, name: &'a str) -> &'a str {
        match name {
            "title" => self.say("title", "标题"),
            "description" => self.say("description", "说明"),
            "target_section" => self.say("section", "章节"),
            "suggested_action" => self.say("suggested action", "建议做法"),
            "verification_criteria" => self.say("acceptance criteria", "验收标准"),
            "evidence_anchor" => self.say("anchor", "证据锚点"),
            "confidence" => self.say("confidence", "置信度"),
            "competence_basis" => self.say("competence", "能力依据"),
            "cost_scope" => self.say("cost scope", "修改范围"),
            "consequence_if_unaddressed" => self.say("consequence if unaddressed", "不处理的后果"),
            "proposed_targets" => self.say("passages that may be changed", "可修改处"),
            "cost_scope.locator" => self.say("place of the cost scope", "修改范围的位置"),
            "cost_scope.surface_id" => self.say("name of the cost scope", "修改范围的名称"),
            "consequence_if_unaddressed.target.locator" => {
                self.say("place of the consequence", "后果所涉位置")
            }
            other => other,
        }
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

    /// A seat within a line. Its marker in transport, such as `R1`, is never shown alone: items are called so.
    pub(in super::super) const fn short(&self, seat: SeatId) -> &'static str {
        match seat {
            SeatId::Methodology => self.say("Peer Reviewer 1", "同行审稿人 1"),
            SeatId::Domain => self.say("Peer Reviewer 2", "同行审稿人 2"),
            SeatId::Perspective => self.say("Peer Reviewer 3", "同行审稿人 3"),
            SeatId::Eic | SeatId::Da => self.seat(seat),
        }
    }

    /// The same by its marker.
    pub(in super::super) fn marked(&self, marker: &str) -> &'static str {
        let seat = SeatId::ALL.iter().find(|seat| seat.marker() == marker);
        seat.map_or("", |seat| self.short(*seat))
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
