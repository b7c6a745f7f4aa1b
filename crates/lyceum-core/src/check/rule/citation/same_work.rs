//! One work stands twice in the bibliography, under two keys that are both cited.

use std::collections::HashMap;

use super::cited::printed;
use super::identifier::{arxiv_id, doi};
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::literature::{Entry, parse_names};
use crate::text::{Format, tex_to_text};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "bib-same-work",
    tier: Tier::Warning,
    title: Say::new("one work under two keys", "同一文献使用两个键"),
    rationale: Say::new(
        "Two cited entries of the same type with the same DOI, the same arXiv number, or the same title, year and first \
         author: the reference list names the work twice. Silent when the entries differ in volume, number, pages, \
         edition, version, chapter, DOI or journal, when the title is short or generic, for parts of one book or \
         proceedings that carry its DOI, and for a preprint beside its article.",
        "两个被引用且类型相同的条目，其 DOI、arXiv 编号，或题名、年份和第一作者相同：参考文献表会把同一文献列两次。如果两者的卷、期、页码、版次、\
         版本、章节、DOI 或期刊不同，题名很短或很笼统，是同一本书或论文集中带有整书 DOI 的不同部分，或是预印本与正式论文，则不报告。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@a; @b].\n",
            bib: Some(
                "@article{a, title={On things}, doi={10.1000/ABC}}\n@article{b, title={On Things.}, doi={https://doi.org/10.1000/abc}}\n",
            ),
            finds: &["b"],
        },
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@a; @b].\n",
            bib: Some(
                "@article{a, author={Ann Müller}, title={A study of many strange things}, year=2001}\n@article{b, author={M{\\\"u}ller, A. and Bo, C.}, title={{A Study of many strange {T}hings}}, year={2001}}\n",
            ),
            finds: &["b"],
        },
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@a; @b; @c; @d].\n",
            bib: Some(
                "@article{a, author={Ann Bo}, title={A study of many strange things}, year=2001, volume=1}\n@article{b, author={Bo, A.}, title={A Study of many strange things}, year={2001}, volume=2}\n@misc{c, author={Bo, A.}, title={A Study of many strange things}, year={2001}}\n@article{d, author={Bo, A.}, title={A Study of many strange things II}, year={2001}}\n",
            ),
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@a; @b].\n",
            bib: Some(
                "@incollection{a, title={One chapter}, doi={10.1000/book}}\n@incollection{b, title={Another chapter}, doi={10.1000/book}}\n",
            ),
            finds: &[],
        },
    ],
    check,
};

/// Titles shorter than this, in letters, are shared by many works.
const LETTERS: usize = 20;

fn check(paper: &Paper, found: &mut Found) {
    let mut seen: HashMap<String, Vec<&Entry>> = HashMap::new();
    for (_, entry) in printed(paper) {
        let mut told = false;
        for (why, name) in names(paper, entry) {
            let others = seen.entry(name).or_default();
            let same = others
                .iter()
                .find(|other| other.key != entry.key && is_same(paper, other, entry, why));
            if let (Some(other), false) = (same, told) {
                told = true;
                report(paper, found, other, entry, why);
            }
            if others.len() < 20 {
                others.push(entry);
            }
        }
    }
}

fn report(paper: &Paper, found: &mut Found, other: &Entry, entry: &Entry, why: Why) {
    let line = paper
        .manuscript
        .source(other.key_span.file)
        .place(other.key_span.start)
        .line;
    let (en, zh) = match why {
        Why::Doi => ("DOI", "DOI"),
        Why::Arxiv => ("arXiv number", "arXiv 编号"),
        Why::Title => ("title, year and first author", "题名、年份和第一作者"),
    };
    found.push(
        entry.key_span,
        Words::new(
            format!(
                "{} has the same {en} as {} in line {line}",
                entry.key, other.key
            ),
            format!("{} 与第 {line} 行的 {} 的{zh}相同", entry.key, other.key),
        ),
        if title(other) == title(entry) || why != Why::Doi {
            Words::new(
                "Cite one of them everywhere and delete the other.",
                "请统一引用其中一个，删除另一个。",
            )
        } else {
            Words::new(
                "Their titles differ: mend the DOI that is wrong, or cite one of them everywhere.",
                "两者题名不同：请改正错误的 DOI，或统一引用其中一个。",
            )
        },
    );
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Why {
    Doi,
    Arxiv,
    Title,
}

/// The names by which an entry's work may be known again.
fn names(paper: &Paper, entry: &Entry) -> Vec<(Why, String)> {
    let mut names = Vec::new();
    if let Some(doi) = entry.text("doi").and_then(doi) {
        names.push((Why::Doi, format!("doi {doi}")));
    }
    if let Some(id) = arxiv_id(entry) {
        names.push((Why::Arxiv, format!("arxiv {id}")));
    }
    let title = title(entry);
    let year = paper
        .inherited(entry, "year")
        .or_else(|| paper.inherited(entry, "date"))
        .and_then(|field| field.text.get(..4));
    let author = entry
        .field("author")
        .and_then(|field| parse_names(&field.raw).into_iter().next())
        .map(|name| letters(&tex_to_text(&name.family)));
    if let (Some(year), Some(author)) = (year, author)
        && title.len() >= LETTERS
    {
        names.push((Why::Title, format!("title {title} {year} {author}")));
    }
    names
}

fn title(entry: &Entry) -> String {
    let subtitle = entry.text("subtitle").unwrap_or("");
    letters(&format!("{} {subtitle}", entry.text("title").unwrap_or("")))
}

/// Letters and digits in lower case.
fn letters(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

fn is_same(paper: &Paper, one: &Entry, two: &Entry, why: Why) -> bool {
    if kind(one) != kind(two) {
        return false;
    }
    let parts = [
        "volume", "number", "pages", "edition", "version", "chapter", "part", "eid", "series",
    ];
    let differ = |name: &str| match (one.text(name), two.text(name)) {
        (Some(one), Some(two)) => letters(one) != letters(two),
        _ => false,
    };
    if why == Why::Doi {
        // Parts of a book may carry its DOI; another title is then another part.
        let part = matches!(
            kind(one),
            "incollection" | "inbook" | "inproceedings" | "proceedings" | "book"
        );
        return !part || title(one) == title(two);
    }
    let doi_of = |entry: &Entry| entry.text("doi").and_then(doi);
    let dois_differ = matches!((doi_of(one), doi_of(two)), (Some(a), Some(b)) if a != b);
    let journal = |entry: &Entry| {
        [
            "journal",
            "journaltitle",
            "booktitle",
            "school",
            "institution",
            "howpublished",
            "url",
        ]
        .iter()
        .find_map(|name| paper.inherited(entry, name))
        .map(|field| letters(&field.text))
    };
    let places_differ = matches!((journal(one), journal(two)), (Some(a), Some(b)) if a != b);
    if why == Why::Arxiv {
        return title(one) == title(two) && !dois_differ && !places_differ;
    }
    !dois_differ && !places_differ && !parts.iter().any(|name| differ(name))
}

fn kind(entry: &Entry) -> &str {
    match entry.kind.as_str() {
        "conference" => "inproceedings",
        "phdthesis" | "mastersthesis" => "thesis",
        "electronic" | "www" | "online" => "misc",
        "techreport" => "report",
        kind => kind,
    }
}
