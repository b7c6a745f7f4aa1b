//! How what lies on disk stands to its journal, and what a writer must do before it goes on.
//!
//! Pure: bytes in, a finding out. `docs/format.md` tells the same in words.

use std::ops::Range;

use super::journal::{Journal, Trouble, parse_line};
use super::types::{Condition, Event, Head, Key, Stored};
use crate::base::{Refusal, Sha256};

/// What lies on disk of one aggregate.
#[derive(Clone, Copy, Debug)]
pub struct Present<'a> {
    /// The state file.
    pub state: Option<&'a [u8]>,
    /// The state of a commit on its way.
    pub next: Option<&'a [u8]>,
    /// The journal.
    pub journal: &'a Journal,
    /// The bytes that [`Journal::torn`] points at.
    pub torn: &'a [u8],
}

/// Which bytes hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// There is no such aggregate.
    Nothing,
    /// The state file.
    State,
    /// The state of the commit on its way.
    Next,
}

/// One thing to do before anything else is written, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Keep these bytes of the journal aside and cut it there.
    SetAside(Range<usize>),
    /// Keep a copy of the state file, then append a line that says so.
    KeepEdit {
        /// What the journal said.
        expected: Sha256,
        /// What was there.
        found: Sha256,
        /// True when what was there is gone on from, since nothing else is left.
        taken: bool,
    },
    /// Rename the state of the commit on its way over the state file.
    FinishState,
}

/// How an aggregate stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its condition.
    pub condition: Condition,
    /// Which bytes hold.
    pub holds: Holds,
    /// The last line.
    pub head: Option<Head>,
    /// What a writer does first; empty when nothing, and when it must not write.
    pub steps: Vec<Step>,
}

impl Finding {
    /// The bytes that hold, of those it was made from.
    #[must_use]
    pub fn bytes<'a>(&self, present: &Present<'a>) -> Option<&'a [u8]> {
        match self.holds {
            Holds::Nothing => None,
            Holds::State => present.state,
            Holds::Next => present.next,
        }
    }

    /// What a reader is given.
    #[must_use]
    pub fn stored(&self, present: &Present<'_>) -> Option<Stored> {
        let bytes = self.bytes(present);
        let damaged = matches!(self.condition, Condition::Damaged(_) | Condition::Forked);
        if bytes.is_none() && !damaged {
            return None;
        }
        Some(Stored {
            bytes: bytes.unwrap_or_default().to_vec(),
            head: self.head.clone(),
            condition: self.condition.clone(),
        })
    }

    /// Why a writer must not go on.
    ///
    /// # Errors
    /// `journal_forked` or `journal_damaged`.
    pub fn writable(&self, key: &Key) -> Result<(), Refusal> {
        match &self.condition {
            Condition::Forked => Err(forked(key)),
            Condition::Damaged(what) => Err(damaged(key, what)),
            _ => Ok(()),
        }
    }
}

fn forked(key: &Key) -> Refusal {
    let journal = key.journal();
    Refusal::new(
        "journal_forked",
        format!("{journal} holds two branches that a merge of git brought together"),
        "Run `lyceum merge` to join them; until then it can be read and not changed.",
    )
    .in_chinese(
        format!("{journal} 中有两条分支，是 git 合并带来的"),
        "请运行 `lyceum merge` 将其合并；在此之前只能读取，不能修改。",
    )
}

/// The refusal of an aggregate whose journal or state does not hold.
#[must_use]
pub fn damaged(key: &Key, what: &str) -> Refusal {
    let journal = key.journal();
    Refusal::new(
        "journal_damaged",
        format!("{journal}: {what}"),
        "Put the files of this folder back as a backup or git has them; until then they can be read and not changed.",
    )
    .in_chinese(
        format!("{journal}：{what}"),
        "请用备份或 git 中的版本恢复该文件夹中的文件；在此之前只能读取，不能修改。",
    )
}

/// The refusal of a state file that somebody wrote and that is no JSON; a copy is kept at `kept`.
#[must_use]
pub fn unreadable_edit(key: &Key, kept: &str) -> Refusal {
    let state = key.state();
    Refusal::new(
        "state_unreadable",
        format!(
            "{state} was changed by another program and is no JSON any more; a copy is at {kept}"
        ),
        "Mend the file, or put it back as a backup or git has it.",
    )
    .in_chinese(
        format!("{state} 被其他程序改动，已不是有效的 JSON；副本保存在 {kept}"),
        "请修复该文件，或用备份或 git 中的版本恢复。",
    )
}

/// Says how an aggregate stands.
#[must_use]
pub fn examine(present: &Present<'_>) -> Finding {
    let journal = present.journal;
    let mut finding = Finding {
        condition: Condition::Sound,
        holds: if present.state.is_some() {
            Holds::State
        } else {
            Holds::Nothing
        },
        head: journal.last.as_ref().map(super::journal::Line::head),
        steps: Vec::new(),
    };
    match &journal.trouble {
        Some(Trouble::Forked { .. }) => finding.condition = Condition::Forked,
        Some(Trouble::Damaged { line, what }) => {
            finding.condition = Condition::Damaged(format!("line {line}: {what}"));
        }
        None => match &journal.torn {
            Some(range) => torn(present, range, &mut finding),
            None => whole(present, &mut finding),
        },
    }
    finding
}

/// Half a line at the end: of a commit that was never acknowledged, when the state is still the one before it.
fn torn(present: &Present<'_>, range: &Range<usize>, finding: &mut Finding) {
    let state = present.state.map(Sha256::of);
    let untouched = match (&present.journal.last, &state) {
        (Some(last), Some(state)) => last.after == *state,
        (Some(_), None) => false,
        (None, None) => true,
        // The first line of a state that was there before its journal, unless the line says that it made this state.
        (None, Some(state)) => !holds_text(present.torn, &format!("\"after\":\"{state}\"")),
    };
    if untouched {
        finding.condition = Condition::TornTail;
        finding.steps.push(Step::SetAside(range.clone()));
    } else {
        finding.condition = Condition::Damaged(
            "its last line is not whole, and the state is not the one before it".to_owned(),
        );
    }
}

fn holds_text(bytes: &[u8], text: &str) -> bool {
    String::from_utf8_lossy(bytes).contains(text)
}

/// A journal of whole lines.
fn whole(present: &Present<'_>, finding: &mut Finding) {
    let Some(last) = &present.journal.last else {
        if present.state.is_some() {
            finding.condition = Condition::Unjournaled;
        }
        return;
    };
    let state = present.state.map(Sha256::of);
    if state.as_ref() == Some(&last.after) {
        return;
    }
    let next_holds = present
        .next
        .is_some_and(|next| Sha256::of(next) == last.after);
    if next_holds {
        finding.holds = Holds::Next;
        finding.condition = Condition::Unfinished;
        if let Some(found) = state.filter(|state| Some(state) != last.before.as_ref()) {
            finding.condition = Condition::EditedOutside;
            // The line that tells of this edit may be there already, and only the rename missing.
            if !tells(last, &found) {
                finding.steps.push(Step::KeepEdit {
                    expected: last.after.clone(),
                    found,
                    taken: false,
                });
            }
        }
        finding.steps.push(Step::FinishState);
        return;
    }
    match state {
        Some(found) => {
            finding.condition = Condition::EditedOutside;
            finding.steps.push(Step::KeepEdit {
                expected: last.after.clone(),
                found,
                taken: true,
            });
        }
        None => {
            finding.condition = Condition::Damaged("the state file is missing".to_owned());
        }
    }
}

fn tells(line: &super::journal::Line, found: &Sha256) -> bool {
    line.events_of(EXTERNAL_EDIT)
        .any(|event| event.data.get("found").and_then(|v| v.as_str()) == Some(found.as_str()))
}

/// The kind of event that tells of an outside edit.
pub const EXTERNAL_EDIT: &str = "external_edit";

/// True when the state that holds is not what the journal's commits made of it: somebody wrote it anew, now or before some
/// line, and work went on from there.
#[must_use]
pub fn edited_outside(stored: &Stored, journal: &[u8]) -> bool {
    let whole = |line: &&[u8]| line.iter().any(|byte| !byte.is_ascii_whitespace());
    let now = stored.condition == Condition::EditedOutside
        && journal
            .split(|byte| *byte == b'\n')
            .rfind(whole)
            .and_then(|line| parse_line(line).ok())
            .is_none_or(|last| last.after != Sha256::of(&stored.bytes));
    // Only such lines are parsed: within a string the quotes would be escaped.
    let mark = format!("\"kind\":\"{EXTERNAL_EDIT}\"");
    now || String::from_utf8_lossy(journal)
        .lines()
        .filter(|line| line.contains(&mark))
        .filter_map(|line| parse_line(line.as_bytes()).ok())
        .any(|line| {
            line.events_of(EXTERNAL_EDIT).any(|event| {
                let taken = event.data.get("taken");
                taken.and_then(serde_json::Value::as_bool) == Some(true)
            })
        })
}

/// The event of an outside edit.
#[must_use]
pub fn external_edit(expected: &Sha256, found: &Sha256, taken: bool, kept: &str) -> Event {
    Event::new(
        EXTERNAL_EDIT,
        serde_json::json!({"expected": expected, "found": found, "taken": taken, "kept": kept}),
    )
}
