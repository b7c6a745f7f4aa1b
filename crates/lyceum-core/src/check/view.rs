//! A check as the JSON object that programs read: the pinned shape of `check_text` and of `--format json`.
//!
//! Knows no file and no caller. [`object`] is the whole of it; [`page`] is a piece of at most [`PAGE_BYTES`], with a
//! cursor for the rest.

use serde_json::{Map, Value, json};

use super::run::{Checked, Examined};
use super::types::{Coverage, FileStatus, Problem, Profile, Rule, Tier};
use crate::base::{Language, Refusal};

/// Most bytes of one page, as compact JSON.
///
/// Below 8 kB by as much as a reader adds that writes a space behind every comma and colon.
pub const PAGE_BYTES: usize = 7_400;
/// Most bytes that coverage may take of a page.
const COVERAGE_BYTES: usize = 2_400;
/// Most bytes of one problem or rule in a page.
const ITEM_BYTES: usize = 2_000;
/// Most names in a list of the summary of a page.
const LIST_ITEMS: usize = 5;
/// Longest string in a page, in characters.
const STRING_CHARS: usize = 400;

/// What to show, and to whom.
#[derive(Clone, Copy, Debug)]
pub struct Show {
    /// The language of messages, hints and notes.
    pub language: Language,
    /// Opinions too; they are counted in any case.
    pub opinions: bool,
    /// The tier from which on a problem makes the check fail; `None` for never.
    pub fail_on: Option<Tier>,
}

/// True when nothing in the report is as grave as the tier the check fails on.
#[must_use]
pub fn passes(checked: &Checked, fail_on: Option<Tier>) -> bool {
    let counts = |tier| checked.count(tier) > 0;
    match fail_on {
        None => true,
        Some(limit) => ![Tier::Error, Tier::Warning, Tier::Opinion]
            .into_iter()
            .any(|tier| tier <= limit && counts(tier)),
    }
}

/// Every problem that is to be shown, with its paper: gravest first, then by paper and place.
#[must_use]
pub fn shown(checked: &Checked, opinions: bool) -> Vec<(&Examined, &Problem)> {
    let mut all: Vec<_> = checked
        .papers
        .iter()
        .flat_map(|paper| paper.report.problems.iter().map(move |p| (paper, p)))
        .filter(|(_, problem)| {
            let enabled = || checked.enabled.iter().any(|id| id == problem.rule);
            opinions || problem.tier != Tier::Opinion || enabled()
        })
        .collect();
    // Stable: the order by paper and place within a tier is kept.
    all.sort_by_key(|(_, problem)| problem.tier);
    all
}

/// The whole object.
#[must_use]
pub fn object(checked: &Checked, show: Show) -> Value {
    let problems = problems(checked, show);
    let shown = problems.len();
    json!({
        "ok": passes(checked, show.fail_on),
        "problems": problems,
        "coverage": whole_coverage(checked, show.language),
        "summary": summary(checked, shown),
    })
}

/// One page of the object.
///
/// # Errors
/// `invalid_cursor` when the cursor is not one of this very report.
pub fn page(checked: &Checked, show: Show, cursor: Option<&str>) -> Result<Value, Refusal> {
    let all = problems(checked, show);
    let mark = fingerprint(&[Value::Array(all.clone()), summary(checked, all.len())]);
    let start = position(cursor, mark, all.len())?;
    let coverage = small_coverage(whole_coverage(checked, show.language));
    let mut summary = summary(checked, all.len());
    bound_list(&mut summary, "bibliography");
    bound_list(&mut summary, "others");
    shorten(&mut summary, STRING_CHARS);
    let frame = json!({
        "ok": passes(checked, show.fail_on),
        "problems": [],
        "coverage": coverage,
        "summary": summary,
    });
    Ok(fill(frame, "problems", all, start, mark))
}

/// One page of the list of rules.
///
/// # Errors
/// `invalid_cursor` when the cursor is not one of this very list.
pub fn rules_page(
    rules: &[&Rule],
    language: Language,
    cursor: Option<&str>,
) -> Result<Value, Refusal> {
    let all: Vec<Value> = rules
        .iter()
        .map(|rule| rule_object(rule, language))
        .collect();
    let mark = fingerprint(&all);
    let start = position(cursor, mark, all.len())?;
    Ok(fill(json!({"rules": []}), "rules", all, start, mark))
}

/// A rule as programs read it.
#[must_use]
pub fn rule_object(rule: &Rule, language: Language) -> Value {
    json!({
        "id": rule.id,
        "tier": rule.tier,
        "profiles": rule.profiles.iter().map(|p| Profile::as_str(*p)).collect::<Vec<_>>(),
        "title": rule.title.get(language),
        "rationale": rule.rationale.get(language),
    })
}

fn problems(checked: &Checked, show: Show) -> Vec<Value> {
    shown(checked, show.opinions)
        .into_iter()
        .map(|(paper, problem)| problem_object(paper, problem, show.language))
        .collect()
}

/// One problem as programs read it.
#[must_use]
pub fn problem_object(paper: &Examined, problem: &Problem, language: Language) -> Value {
    let source = paper
        .paper
        .manuscript
        .sources
        .get(problem.span.file.0 as usize);
    let place = source.map(|source| source.place(problem.span.start));
    let mut object = Map::new();
    object.insert("rule".into(), json!(problem.rule));
    object.insert("tier".into(), json!(problem.tier));
    object.insert("message".into(), json!(problem.message.get(language)));
    object.insert(
        "file".into(),
        json!(source.map_or(paper.main.as_str(), |source| source.path.as_str())),
    );
    object.insert("line".into(), json!(place.map_or(1, |place| place.line)));
    object.insert(
        "column".into(),
        json!(place.map_or(1, |place| place.column)),
    );
    object.insert("quote".into(), json!(problem.quote));
    object.insert("hint".into(), json!(problem.hint.get(language)));
    if let Some(receipt) = &problem.receipt {
        object.insert("receipt".into(), json!(receipt));
    }
    Value::Object(object)
}

fn summary(checked: &Checked, shown: usize) -> Value {
    let first = checked.papers.first();
    let mut bibliography: Vec<&str> = Vec::new();
    for file in checked.papers.iter().flat_map(Examined::bibliography) {
        if !bibliography.contains(&file) {
            bibliography.push(file);
        }
    }
    let mut object = Map::new();
    object.insert("errors".into(), json!(checked.count(Tier::Error)));
    object.insert("warnings".into(), json!(checked.count(Tier::Warning)));
    object.insert("opinions".into(), json!(checked.count(Tier::Opinion)));
    object.insert("shown".into(), json!(shown));
    object.insert("main".into(), json!(first.map(|paper| &paper.main)));
    object.insert("bibliography".into(), json!(bibliography));
    object.insert(
        "profile".into(),
        json!(first.map(|paper| paper.report.profile)),
    );
    if checked.papers.len() > 1 {
        let others: Vec<&str> = checked.papers[1..]
            .iter()
            .map(|p| p.main.as_str())
            .collect();
        object.insert("others".into(), json!(others));
    }
    Value::Object(object)
}

fn whole_coverage(checked: &Checked, language: Language) -> Value {
    let mut files: Vec<Value> = Vec::new();
    let mut skipped: Vec<Value> = Vec::new();
    for paper in &checked.papers {
        let Coverage {
            files: read,
            rules_skipped,
        } = &paper.report.coverage;
        for file in read {
            let notes: Vec<&str> = file.notes.iter().map(|n| n.words.get(language)).collect();
            let entry = json!({"path": file.path, "status": file.status, "notes": notes});
            if !files.contains(&entry) {
                files.push(entry);
            }
        }
        for skip in rules_skipped {
            let entry = json!({"rule": skip.rule, "reason": skip.reason.get(language)});
            if !skipped.contains(&entry) {
                skipped.push(entry);
            }
        }
    }
    json!({"files": files, "rules_skipped": skipped})
}

/// Coverage that fits a page: what was not read comes first, long notes are cut, and what is left out is counted.
fn small_coverage(coverage: Value) -> Value {
    if size(&coverage) <= COVERAGE_BYTES {
        return coverage;
    }
    let Value::Object(mut coverage) = coverage else {
        return coverage;
    };
    let mut take = |name: &str| match coverage.remove(name) {
        Some(Value::Array(list)) => list,
        _ => Vec::new(),
    };
    let mut files = take("files");
    let skipped = take("rules_skipped");
    let order = [
        FileStatus::Unreadable,
        FileStatus::Partial,
        FileStatus::Read,
    ]
    .map(|s| json!(s));
    files.sort_by_key(|file| order.iter().position(|status| *status == file["status"]));
    let (files, files_left) = fitting(files, COVERAGE_BYTES * 2 / 3);
    let (skipped, skipped_left) = fitting(skipped, COVERAGE_BYTES / 3);
    json!({
        "files": files,
        "rules_skipped": skipped,
        "left_out": files_left + skipped_left,
    })
}

fn fitting(list: Vec<Value>, bytes: usize) -> (Vec<Value>, usize) {
    let all = list.len();
    let mut room = bytes;
    let mut kept = Vec::new();
    for mut value in list {
        if let Some(Value::Array(notes)) = value.get_mut("notes") {
            let more = notes.len().saturating_sub(3);
            notes.truncate(3);
            if more > 0 {
                notes.push(json!(format!("… {more} more")));
            }
        }
        shorten(&mut value, 160);
        let cost = size(&value) + 1;
        if cost > room {
            break;
        }
        room -= cost;
        kept.push(value);
    }
    let left = all - kept.len();
    (kept, left)
}

/// Puts as many items into the frame as fit, and a cursor when some are left.
fn fill(mut frame: Value, name: &str, all: Vec<Value>, start: usize, mark: u64) -> Value {
    let total = all.len();
    let more =
        |at: usize| json!({"cursor": format!("{at:x}-{mark:016x}"), "remaining": total - at});
    let mut room = PAGE_BYTES.saturating_sub(size(&frame) + size(&more(start.min(total))) + 32);
    let mut taken = Vec::new();
    for mut item in all.into_iter().skip(start) {
        if size(&item) > ITEM_BYTES {
            bound(&mut item);
        }
        let cost = size(&item) + 1;
        // One item always goes in, so that following cursors ends.
        if cost > room && !taken.is_empty() {
            break;
        }
        room = room.saturating_sub(cost);
        taken.push(item);
    }
    let next = start + taken.len();
    if let Some(shown) = frame.pointer_mut("/summary/shown") {
        *shown = json!(taken.len());
    }
    frame[name] = Value::Array(taken);
    if next < total {
        frame["more"] = more(next);
    }
    frame
}

/// Makes an item small: strings are cut, then the inputs of the receipt are left out.
fn bound(item: &mut Value) {
    shorten(item, STRING_CHARS);
    if size(item) > ITEM_BYTES
        && let Some(receipt) = item.get_mut("receipt")
    {
        receipt["inputs"] = json!({});
    }
    if size(item) > ITEM_BYTES {
        shorten(item, STRING_CHARS / 4);
    }
}

/// Cuts a list of names in the summary and counts what was left out as its last entry.
fn bound_list(summary: &mut Value, name: &str) {
    if let Some(Value::Array(list)) = summary.get_mut(name)
        && list.len() > LIST_ITEMS
    {
        let more = list.len() - LIST_ITEMS;
        list.truncate(LIST_ITEMS);
        list.push(json!(format!("… {more} more")));
    }
}

fn shorten(value: &mut Value, chars: usize) {
    match value {
        Value::String(text) => {
            if let Some((cut, _)) = text.char_indices().nth(chars) {
                text.truncate(cut);
                text.push('…');
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|value| shorten(value, chars)),
        Value::Object(map) => map.values_mut().for_each(|value| shorten(value, chars)),
        _ => {}
    }
}

fn size(value: &Value) -> usize {
    value.to_string().len()
}

fn position(cursor: Option<&str>, mark: u64, count: usize) -> Result<usize, Refusal> {
    let Some(cursor) = cursor else {
        return Ok(0);
    };
    cursor
        .split_once('-')
        .and_then(|(at, of)| {
            let at = usize::from_str_radix(at, 16).ok()?;
            (u64::from_str_radix(of, 16).ok()? == mark && at < count).then_some(at)
        })
        .ok_or_else(|| {
            Refusal::new(
                "invalid_cursor",
                "the cursor is not one of this answer, or the text or the arguments changed since",
                "Ask again without a cursor.",
            )
        })
}

/// FNV-1a: a page must name the report it belongs to; nothing depends on its being hard to forge.
fn fingerprint(values: &[Value]) -> u64 {
    values
        .iter()
        .flat_map(|value| value.to_string().into_bytes())
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
}
