//! The report for people: the gravest problems with their place, words and remedy, then what was read.

use std::collections::HashSet;
use std::fmt::Write;

use lyceum_core::base::Language;
use lyceum_core::check::{Checked, Examined, FileStatus, ProfileSource, Tier, rule};
use lyceum_core::port::ReadError;
use lyceum_core::text::Note;

use super::clean::{clean, uri};
use super::{Look, Placed, shown};

/// Problems shown unless all are asked for.
const SHOWN: usize = 15;
/// Notes on what could not be read.
const NOTES: usize = 5;
/// Most different notes that are told apart.
const TOLD_APART: usize = 100;
/// Narrowest and widest context line.
const CONTEXT: (usize, usize) = (50, 110);

/// Writes the report.
pub(super) fn report(checked: &Checked, look: &Look) -> String {
    let all = shown(checked, look);
    let count = if look.all {
        all.len()
    } else {
        all.len().min(SHOWN)
    };
    let mut out = String::new();
    let mut explained = HashSet::new();
    for one in all.iter().take(count) {
        problem(
            &mut out,
            checked,
            one,
            look,
            explained.insert(one.problem.rule),
        );
    }
    if count < all.len() {
        let left = all.len() - count;
        let line = look.say("more", "个未显示");
        let _ = writeln!(
            out,
            "{}\n",
            paint(look, DIM, &format!("{left} {line}: --all"))
        );
    }
    summary(&mut out, checked, look);
    out
}

const BOLD: &str = "1";
const DIM: &str = "2";
const GREEN: &str = "32";

fn tier_colour(tier: Tier) -> &'static str {
    match tier {
        Tier::Error => "1;31",
        Tier::Warning => "1;33",
        Tier::Opinion => "1;36",
    }
}

fn tier_word(tier: Tier, look: &Look) -> &'static str {
    match tier {
        Tier::Error => look.say("error", "错误"),
        Tier::Warning => look.say("warning", "警告"),
        Tier::Opinion => look.say("opinion", "意见"),
    }
}

fn paint(look: &Look, colour: &str, text: &str) -> String {
    if look.colour && !text.is_empty() {
        format!("\u{1b}[{colour}m{text}\u{1b}[0m")
    } else {
        text.to_owned()
    }
}

fn problem(out: &mut String, checked: &Checked, one: &Placed<'_>, look: &Look, first: bool) {
    let found = one.problem;
    let place = format!(
        "{}:{}:{}",
        clean(&look.path(one.file)),
        one.start.line,
        one.start.column
    );
    let place = link(checked, one, look, &paint(look, BOLD, &place));
    let tier = paint(look, tier_colour(found.tier), tier_word(found.tier, look));
    let message = clean(found.message.get(look.language));
    let rule_id = paint(look, DIM, &format!("[{}]", found.rule));
    let _ = writeln!(out, "{place}: {tier}: {message} {rule_id}");
    let context = context(one, look);
    if !context.is_empty() {
        let _ = writeln!(out, "    {context}");
    }
    if let Some(receipt) = &found.receipt {
        let line = format!(
            "{}: {}; {}",
            receipt.procedure, receipt.computed, receipt.comparison
        );
        label(out, look, look.say("why", "原因"), &line);
    } else if first && let Some(rule) = rule::find(found.rule) {
        let why = first_sentence(rule.rationale.get(look.language));
        label(out, look, look.say("why", "原因"), why);
    }
    label(
        out,
        look,
        look.say("fix", "修改"),
        found.hint.get(look.language),
    );
    out.push('\n');
}

fn label(out: &mut String, look: &Look, name: &str, text: &str) {
    let text = clean(text);
    if !text.trim().is_empty() {
        let _ = writeln!(out, "    {} {text}", paint(look, DIM, &format!("{name}:")));
    }
}

fn first_sentence(text: &str) -> &str {
    let english = text.find(". ").map(|at| at + 1);
    let chinese = text.find('。').map(|at| at + '。'.len_utf8());
    let end = match (english, chinese) {
        (Some(a), Some(b)) => a.min(b),
        (Some(a), None) => a,
        (None, Some(b)) => b,
        (None, None) => text.len(),
    };
    text.get(..end).unwrap_or(text)
}

/// OSC 8: a terminal that knows it makes the place a link.
fn link(checked: &Checked, one: &Placed<'_>, look: &Look, text: &str) -> String {
    match &checked.folder {
        Some(folder) if look.links => {
            let target = uri(&format!("{folder}/{}", one.file));
            format!("\u{1b}]8;;file://{target}\u{1b}\\{text}\u{1b}]8;;\u{1b}\\")
        }
        _ => text.to_owned(),
    }
}

/// The line around the place, white space collapsed, what is meant in bold.
fn context(one: &Placed<'_>, look: &Look) -> String {
    let Some(source) = one.source else {
        return String::new();
    };
    let width = look.width.saturating_sub(8).clamp(CONTEXT.0, CONTEXT.1);
    let line_start = source.line_start(one.start.line) as usize;
    let start = one.problem.span.start as usize;
    let line_end = source
        .text
        .get(start..)
        .and_then(|rest| rest.find('\n'))
        .map_or(source.text.len(), |at| start + at);
    let end = (one.problem.span.end as usize).clamp(start, line_end);
    let piece = |range: std::ops::Range<usize>| source.text.get(range).unwrap_or("");
    let meant = collapse_head(piece(start..end), width * 2 / 3);
    let room = width.saturating_sub(meant.chars().count());
    let before = collapse_tail(piece(line_start..start), room / 2);
    let after = collapse_head(
        piece(end..line_end),
        room - before.chars().count().min(room),
    );
    format!(
        "{}{}{}",
        clean(before.trim_start()),
        paint(look, BOLD, &clean(&meant)),
        clean(after.trim_end())
    )
}

/// The beginning of a text in at most `room` characters. A line may be huge: what is not shown is not looked at.
fn collapse_head(text: &str, room: usize) -> String {
    let mut out = String::new();
    let mut count = 0;
    let mut spacing = false;
    for c in text.chars() {
        if c.is_whitespace() {
            if !spacing {
                out.push(' ');
                count += 1;
            }
            spacing = true;
        } else {
            out.push(c);
            count += 1;
            spacing = false;
        }
        if count >= room.max(1) {
            if out.trim_end().len() < text.trim_end().len() {
                out.push('…');
            }
            break;
        }
    }
    out
}

/// The end of a text in at most `room` characters.
fn collapse_tail(text: &str, room: usize) -> String {
    let mut kept: Vec<char> = Vec::new();
    for c in text.chars().rev() {
        let c = if c.is_whitespace() { ' ' } else { c };
        if c == ' ' && kept.last() == Some(&' ') {
            continue;
        }
        if kept.len() >= room {
            kept.push('…');
            break;
        }
        kept.push(c);
    }
    kept.reverse();
    kept.into_iter().collect()
}

fn summary(out: &mut String, checked: &Checked, look: &Look) {
    let _ = writeln!(out, "{}", counts(checked, look));
    for paper in &checked.papers {
        took(out, paper, look);
    }
    coverage(out, checked, look);
}

fn counts(checked: &Checked, look: &Look) -> String {
    let (errors, warnings, opinions) = (
        checked.count(Tier::Error),
        checked.count(Tier::Warning),
        checked.count(Tier::Opinion),
    );
    let waived: usize = checked
        .papers
        .iter()
        .map(|paper| paper.report.waived.len())
        .sum();
    let plural = |n: usize, one: &str, many: &str, zh: &str| match look.language {
        Language::Chinese => format!("{n} 个{zh}"),
        _ if n == 1 => format!("1 {one}"),
        _ => format!("{n} {many}"),
    };
    let mut parts = Vec::new();
    if errors > 0 {
        let words = plural(errors, "error", "errors", "错误");
        parts.push(paint(look, tier_colour(Tier::Error), &words));
    }
    if warnings > 0 {
        let words = plural(warnings, "warning", "warnings", "警告");
        parts.push(paint(look, tier_colour(Tier::Warning), &words));
    }
    if errors + warnings == 0 {
        let words = look.say("no errors or warnings", "没有错误或警告");
        parts.push(paint(look, GREEN, words));
    }
    if opinions > 0 {
        let words = plural(opinions, "opinion", "opinions", "意见");
        let words = if look.opinions {
            words
        } else {
            format!("{words} (--opinions)")
        };
        parts.push(words);
    }
    if waived > 0 {
        parts.push(match look.language {
            Language::Chinese => format!("{waived} 个已豁免"),
            Language::English => format!("{waived} waived"),
        });
    }
    parts.join(look.say(", ", "，"))
}

fn took(out: &mut String, paper: &Examined, look: &Look) {
    let main = clean(&look.path(&paper.main));
    let parts: Vec<String> = paper
        .parts
        .iter()
        .map(|part| clean(&look.path(part)))
        .collect();
    let what = match (parts.is_empty(), look.language) {
        (true, _) => main,
        (false, Language::Chinese) => {
            format!("{}（{main} 的一部分）", parts.join("，"))
        }
        (false, _) => format!("{} (part of {main})", parts.join(", ")),
    };
    let mut line = format!("{} {what}", look.say("checked", "已检查"));
    let bibliography: Vec<String> = paper.bibliography().into_iter().map(clean).collect();
    if !bibliography.is_empty() {
        let _ = write!(
            line,
            "{} {}",
            look.say(" with", "，参考文献库"),
            bibliography.join(", ")
        );
    }
    let profile = paper.report.profile.as_str();
    let how = match paper.profile_source {
        ProfileSource::Given => "",
        ProfileSource::Detected => look.say(" (detected)", "（自动判断）"),
    };
    let _ = write!(line, "{} {profile}{how}", look.say(" as", "，类型"));
    let _ = writeln!(out, "{line}");
    if !paper.also.is_empty() {
        let also: Vec<String> = paper.also.iter().map(|path| clean(path)).collect();
        let _ = writeln!(
            out,
            "{}: {}",
            look.say("also here, not checked", "另有未检查的文档"),
            also.join(", ")
        );
    }
}

fn coverage(out: &mut String, checked: &Checked, look: &Look) {
    let files = || {
        checked
            .papers
            .iter()
            .flat_map(|paper| paper.report.coverage.files.iter().map(move |f| (paper, f)))
    };
    let read: HashSet<&str> = files()
        .filter(|(_, file)| file.status != FileStatus::Unreadable)
        .map(|(_, file)| file.path.as_str())
        .collect();
    let count = read.len();
    let _ = writeln!(
        out,
        "{}",
        match look.language {
            Language::Chinese => format!("已读取 {count} 个文件"),
            Language::English if count == 1 => "read 1 file".to_owned(),
            Language::English => format!("read {count} files"),
        }
    );
    let mut notes = Notes::default();
    for status in [FileStatus::Unreadable, FileStatus::Partial] {
        for (paper, file) in files().filter(|(_, file)| file.status == status) {
            for note in &file.notes {
                let words = note.words.get(look.language);
                notes.add(place_of(paper, note, words, look), words);
            }
        }
    }
    notes.write(out, look);
    let outside = ReadError::Outside.to_string();
    let leads_out = |note: &Note| note.unreadable.is_some() && note.words.en.contains(&outside);
    if files().any(|(_, file)| file.notes.iter().any(leads_out)) {
        let _ = writeln!(
            out,
            "  {}",
            look.say(
                "to read from a folder above: lyceum check --root FOLDER PATH",
                "如需读取上级文件夹：lyceum check --root FOLDER PATH",
            )
        );
    }
    let skipped = checked
        .papers
        .iter()
        .flat_map(|paper| &paper.report.coverage.rules_skipped);
    for skip in skipped.take(NOTES) {
        let _ = writeln!(
            out,
            "  {} {}: {}",
            look.say("not judged:", "未判断："),
            skip.rule,
            clean(skip.reason.get(look.language))
        );
    }
}

/// `file:line` of a note that has a place and does not name its file itself.
fn place_of(paper: &Examined, note: &Note, words: &str, look: &Look) -> String {
    let source = note.span.and_then(|span| {
        let source = paper.paper.manuscript.sources.get(span.file.0 as usize)?;
        Some((source, source.line_number(span.start)))
    });
    match source {
        Some((source, line)) if !words.contains(&source.path) => {
            format!("{}:{line}: ", look.path(&source.path))
        }
        Some(_) => String::new(),
        None => String::new(),
    }
}

/// Notes in order, the same words counted once with their first place.
#[derive(Default)]
struct Notes<'a> {
    list: Vec<(String, &'a str, usize)>,
    /// Different ones beyond those that are told apart.
    more: usize,
}

impl<'a> Notes<'a> {
    fn add(&mut self, place: String, words: &'a str) {
        let full = self.list.len() >= TOLD_APART;
        match self.list.iter_mut().find(|(_, old, _)| *old == words) {
            Some((.., count)) => *count += 1,
            None if full => self.more += 1,
            None => self.list.push((place, words, 1)),
        }
    }

    fn write(&self, out: &mut String, look: &Look) {
        for (place, words, count) in self.list.iter().take(NOTES) {
            let times = match (count, look.language) {
                (1, _) => String::new(),
                (n, Language::English) => format!(" ({n} times)"),
                (n, Language::Chinese) => format!("（{n} 次）"),
            };
            let note = look.say("note:", "注意：");
            let _ = writeln!(out, "  {note} {}{}{times}", clean(place), clean(words));
        }
        let left = self.list.len().saturating_sub(NOTES) + self.more;
        if left > 0 {
            let words = look.say("more notes: --json", "条其他说明：--json");
            let _ = writeln!(out, "  {left} {words}");
        }
    }
}
