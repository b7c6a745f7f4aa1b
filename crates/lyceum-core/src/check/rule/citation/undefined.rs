//! A key is cited that no bibliography holds.

use std::collections::HashSet;

use super::cited::{first_places, is_whole};
use crate::base::{Say, Words};
use crate::check::{BibliographyState, Example, Found, Paper, Profile, Rule, Tier};
use crate::text::{CitationStyle, Format, SectionKind, is_manubot_key};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "citation-undefined",
    tier: Tier::Error,
    title: Say::new(
        "cited key is not in the bibliography",
        "引用的键不在参考文献库中",
    ),
    rationale: Say::new(
        "A key without an entry prints as a question mark or not at all. One problem a key, at its first place. Items \
         of a `thebibliography` and aliases (`ids`) count as entries; BibTeX takes keys in any case. Silent when a \
         bibliography holds nothing though ten keys are cited, when one, or an include that may name one, could not be read; when there is no bibliography; for keys that Manubot resolves \
         (`doi:…`), for names of cross references (`fig:…`), for keys made by macros, and for a bare `@name` in \
         the acknowledgements, which may be the name of an account. When the text names no bibliography but one was found beside it, silent unless \
         that one holds at least half of the cited keys, when there are more than four.",
        "没有条目的键会显示为问号或根本不显示。每个键只在首次出现处报告一次。`thebibliography` 中的条目和别名（`ids`）算作条目；\
         BibTeX 不区分键的大小写。以下情况不报告：参考文献库或可能指定参考文献库的被包含文件无法读取；没有参考文献库；Manubot 自行解析的键（`doi:…`）；\
         交叉引用的名称（`fig:…`）；由宏生成的键；致谢中可能是账户名的单独的 `@name`。如果文稿没有指定参考文献库，而旁边找到了一个，则只在\
         其中至少有一半被引用的键时才报告（被引用的键多于四个时）。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@smith2020] and after [@smith2020].\n",
            bib: Some("@article{smith2021, title={A}}\n"),
            finds: &["smith2020"],
        },
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@smith2021; @doi:10.1000/1], see [@fig:one].\n\n# Acknowledgements\n\nThanks to @octocat.\n",
            bib: Some("@article{smith2021, title={A}}\n"),
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: gone.bib\n---\n\nSeen before [@smith2020].\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "No bibliography is named [@smith2020; @jones2019; @doe2018; @bo2017; @li2016].\n",
            bib: Some("@article{other2021, title={A}}\n"),
            finds: &[],
        },
    ],
    check,
};

/// Problems that get a nearest key, and entries it is looked for in: beyond them it costs more than it helps.
const NEAREST: usize = 50;
const ENTRIES: usize = 20_000;

/// From so many keys on, a bibliography without a single entry is not the one that is meant.
const MANY: usize = 10;

fn check(paper: &Paper, found: &mut Found) {
    let own_items = !paper.manuscript.bib_items.is_empty();
    let none = paper.bibliography_state == BibliographyState::None;
    let asked_once = paper.bibliography_state == BibliographyState::Complete && asks_once(paper);
    if !(is_whole(paper) || asked_once || (none && own_items && no_gap(paper))) {
        return;
    }
    let keys: Vec<_> = first_places(paper)
        .into_iter()
        .filter(|(key, _)| is_plain(&key.key))
        .collect();
    let bare = bare_names(paper);
    let missing: Vec<_> = keys
        .iter()
        .filter(|(key, _)| !paper.is_defined(&key.key) && !bare.contains(&key.key.as_str()))
        .collect();
    let asked = own_items || !paper.manuscript.bibliographies.is_empty();
    if !asked && keys.len() > 4 && missing.len() * 2 > keys.len() {
        return;
    }
    if missing.len() >= MANY && !own_items && paper.entries().next().is_none() {
        found.skip(
            format!(
                "{} of {} keys have no entry, and the bibliography holds none: another one seems to be meant",
                missing.len(),
                keys.len()
            ),
            format!(
                "{} 个键中有 {} 个没有条目，且该参考文献库为空：似乎另有参考文献库",
                keys.len(),
                missing.len()
            ),
        );
        return;
    }
    for (nth, (key, times)) in missing.into_iter().enumerate() {
        if lost_in_a_bad_entry(paper, &key.key, nth) {
            continue;
        }
        let near = if nth < NEAREST {
            nearest(paper, &key.key)
        } else {
            None
        };
        let hint = match near {
            Some(near) => Words::new(
                format!("Did you mean {near}?"),
                format!("是否应为 {near}？"),
            ),
            None => Words::new("Add the entry or mend the key.", "请补充条目或改正键名。"),
        };
        let (en, zh) = match times {
            1 => (String::new(), String::new()),
            n => (format!(", cited {n} times"), format!("，共引用 {n} 次")),
        };
        found.push(
            key.span,
            Words::new(
                format!("no entry for {}{en}", key.key),
                format!("没有键为 {} 的条目{zh}", key.key),
            ),
            hint,
        );
    }
}

/// True when the text has the one request for bibliographies that BibTeX allows: no include that is missing can hold
/// another.
fn asks_once(paper: &Paper) -> bool {
    let text = &paper.manuscript;
    text.format == Format::Latex && !text.bibliographies.is_empty() && !paper.uses_biblatex()
}

fn no_gap(paper: &Paper) -> bool {
    let notes = &paper.manuscript.notes;
    notes.iter().all(|note| note.unreadable.is_none())
}

/// True for a key that is meant to stand in a bibliography, as it is written.
fn is_plain(key: &str) -> bool {
    const CROSS_REFERENCES: &[&str] = &[
        "fig", "figure", "tbl", "tab", "table", "eq", "eqn", "equation", "sec", "section", "lst",
        "alg", "thm", "lem", "app", "apx", "chap", "ch", "def", "exm", "exr", "cor", "prp", "prop",
        "cnj", "suppfig", "supptab", "vid", "nte", "tip", "wrn", "imp", "cau", "rem", "sol", "ex",
        "line",
    ];
    let head = key.split([':', '-']).next().unwrap_or("").to_lowercase();
    let refers = key.contains([':', '-']) && CROSS_REFERENCES.contains(&head.as_str());
    !key.is_empty()
        && !key.starts_with('*')
        && !refers
        && !key.contains(['#', '\\', '{', '}', '$'])
        && !is_manubot_key(key)
}

/// Names without a digit that Markdown texts mention outside of brackets where they thank people: perhaps accounts.
fn bare_names(paper: &Paper) -> HashSet<&str> {
    let text = &paper.manuscript;
    if text.format != Format::Markdown {
        return HashSet::new();
    }
    text.citations
        .iter()
        .filter(|citation| citation.style == CitationStyle::Textual)
        .filter(|citation| {
            let block = citation.block.and_then(|block| text.blocks.get(block));
            block.is_some_and(|block| text.kind_of(block.section) == SectionKind::Acknowledgements)
        })
        .flat_map(|citation| &citation.keys)
        .map(|key| key.key.as_str())
        .filter(|key| !key.contains(|c: char| c.is_ascii_digit()))
        .collect()
}

/// True when a bibliography with bad entries holds the key in a place that could not be read.
fn lost_in_a_bad_entry(paper: &Paper, key: &str, nth: usize) -> bool {
    let bad = paper
        .bibliographies
        .iter()
        .filter(|bib| !bib.notes.is_empty());
    for bib in bad {
        let text = &paper.manuscript.source(bib.file).text;
        let there = nth >= NEAREST
            || text.match_indices(key).any(|(at, _)| {
                let before = text
                    .get(..at)
                    .and_then(|head| head.trim_end().chars().last());
                matches!(before, Some('{' | '('))
            });
        if there {
            return true;
        }
    }
    false
}

/// The key most like one that is missing, when it is close.
fn nearest<'a>(paper: &'a Paper, key: &str) -> Option<&'a str> {
    let allowed = match key.chars().count() {
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    };
    let items = paper.manuscript.bib_items.iter().map(|(item, _)| item);
    let keys = paper.entries().map(|entry| &entry.key).chain(items);
    keys.filter(|near| near.len().abs_diff(key.len()) <= 4 && near.len() <= 100)
        .take(ENTRIES)
        .map(|near| {
            let distance = if near.eq_ignore_ascii_case(key) {
                0
            } else {
                strsim::damerau_levenshtein(near, key)
            };
            (distance, near)
        })
        .min()
        .filter(|(distance, _)| *distance <= allowed)
        .map(|(_, near)| near.as_str())
}
