//! A cited entry lacks what its type requires.

use super::cited::printed_bibtex;
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::literature::Entry;
use crate::text::Format;

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "bib-missing-field",
    tier: Tier::Warning,
    title: Say::new(
        "entry without what its type requires",
        "条目缺少其类型必需的字段",
    ),
    rationale: Say::new(
        "What BibTeX requires of a type and BibLaTeX requires too: author, title and year; the journal of an article, \
         the book of a chapter or conference paper, the school of a thesis, the institution of a report; the publisher of \
         a book and the pages or chapter of an `inbook` only where BibTeX prints the list. Fields of the same meaning \
         count for each other (date and year, editor for author of a book, school and institution), and so do those \
         inherited by crossref or xdata. Only entries that are cited are looked at. Silent for misc, online, manual, \
         unpublished and other types, for preprints and deposits of an archive (Zenodo, figshare) written as articles, for \
         reports with an address in Markdown, for values that are a macro (`\\mnras`), for works in press, for unsigned articles \
         that name an organisation, for CSL-JSON, and for entries that could not be read whole.",
        "某一类型在 BibTeX 和 BibLaTeX 中都必需的字段：作者、题名和年份；期刊论文的期刊名，章节或会议论文所在的书名，学位论文的学校，报告的机构；仅当由 \
         BibTeX 输出时，还包括图书的出版社以及 `inbook` 的页码或章节。含义相同的字段可以互相代替（date 与 year、图书的 editor 与 author、school 与 \
         institution），经 crossref 或 xdata 继承的也算。只检查被引用的条目。misc、online、manual、unpublished 等类型、写成 article 的预印本和\
         存档条目（Zenodo、figshare）、Markdown 中带网址的报告、以宏写成的值（`\\mnras`）、待出版的文献、署机构名的文章、CSL-JSON 以及未能完整读取的条目不报告。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@a; @b; @c; @d].\n",
            bib: Some(
                "@article{a, author={A. B.}, title={T}, year=2000}\n@inproceedings{b, author={A. B.}, title={T}, year={}}\n@phdthesis{c, author={A. B.}, title={T}, year=2000}\n@article{d, title={T}, journal={J}, year=2000}\n",
            ),
            finds: &["a", "b", "c", "d"],
        },
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@a; @b; @c; @d; @e; @f; @g].\n",
            bib: Some(
                "@article{a, author={A. B.}, title={T}, journaltitle={J}, date={2000-01}}\n@inproceedings{b, author={A. B.}, title={T}, crossref={p}}\n@proceedings{p, title={P}, year=1999}\n@book{c, editor={A. B.}, title={T}, year=2000}\n@misc{d, title={T}}\n@article{e, author={A. B.}, title={T}, year=2000, eprint={1706.03762}, archivePrefix={arXiv}}\n@thesis{f, author={A. B.}, title={T}, year={in press}, institution={U}}\n@article{g, author={A. B.}, title={T}, note={in prep}}\n@article{h}\n",
            ),
            finds: &[],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\\begin{document}\nSeen \\cite{a}, \\cite{b}, \\cite{c}.\n\\bibliographystyle{apj}\\bibliography{refs}\n\\end{document}\n",
            bib: Some(
                "@article{a, author={A. B.}, title={T}, journal={\\mnras}, year=2000}\n@techreport{b, author={A. B.}, title={T}, url={https://example.org/}, year=2000}\n@article{c, author={A. B.}, title={T}, journal={{}}, year=2000}\n",
            ),
            finds: &["b", "c"],
        },
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@a; @b].\n",
            bib: Some(
                "@techreport{a, author={A. B.}, title={T}, url={https://example.org/}, year=2000}\n@article{b, author={A. B.}, title={T}, doi={10.5281/zenodo.1000000}, year=2000}\n",
            ),
            finds: &[],
        },
    ],
    check,
};

/// A requirement: one of these fields; the first is its name.
type Need = &'static [&'static str];

const AUTHOR: Need = &[
    "author",
    "editor",
    "organization",
    "institution",
    "key",
    "shortauthor",
    "collaboration",
    "publisher",
];
const TITLE: Need = &[
    "title",
    "maintitle",
    "booktitle",
    "shorttitle",
    "titleaddon",
];
const YEAR: Need = &["year", "date", "pubstate", "issued", "eventdate"];
const JOURNAL: Need = &[
    "journal",
    "journaltitle",
    "shortjournal",
    "booktitle",
    "journalsubtitle",
];
const BOOKTITLE: Need = &[
    "booktitle",
    "maintitle",
    "journal",
    "journaltitle",
    "series",
    "eventtitle",
];
const SCHOOL: Need = &["school", "institution", "publisher", "organization"];
const INSTITUTION: Need = &[
    "institution",
    "school",
    "publisher",
    "organization",
    "type",
    "series",
];
const PUBLISHER: Need = &["publisher", "institution", "organization", "howpublished"];
const PLACE: Need = &["pages", "chapter", "booktitle", "pagetotal", "eid"];

fn needs(kind: &str, bibtex: bool) -> Vec<Need> {
    let mut needs = match kind {
        "article" => vec![AUTHOR, TITLE, JOURNAL, YEAR],
        "book" | "mvbook" | "collection" => vec![AUTHOR, TITLE, YEAR],
        "inbook" => vec![AUTHOR, TITLE, YEAR],
        "incollection" | "inproceedings" | "conference" => vec![AUTHOR, TITLE, BOOKTITLE, YEAR],
        "mastersthesis" | "phdthesis" | "thesis" => vec![AUTHOR, TITLE, SCHOOL, YEAR],
        "techreport" | "report" => vec![AUTHOR, TITLE, INSTITUTION, YEAR],
        "proceedings" => vec![TITLE, YEAR],
        _ => Vec::new(),
    };
    if bibtex && matches!(kind, "book" | "inbook") {
        needs.push(PUBLISHER);
    }
    if bibtex && kind == "inbook" {
        needs.push(PLACE);
    }
    needs
}

fn check(paper: &Paper, found: &mut Found) {
    let bibtex = paper.manuscript.format == Format::Latex && !paper.uses_biblatex();
    for entry in
        printed_bibtex(paper).filter(|entry| !entry.partial && !has_lost_parent(paper, entry))
    {
        let missing: Vec<&str> = needs(&entry.kind, bibtex)
            .into_iter()
            .filter(|need| !is_met(paper, entry, need))
            .filter_map(|need| need.first().copied())
            .collect();
        if missing.is_empty() {
            continue;
        }
        let names = missing.join(", ");
        found.push(
            entry.key_span,
            Words::new(
                format!("{} (@{}) has no {names}", entry.key, entry.kind),
                format!("{}（@{}）缺少 {names}", entry.key, entry.kind),
            ),
            Words::new(
                format!("Add {names}, or choose the type that fits."),
                format!("请补充 {names}，或改用合适的类型。"),
            ),
        );
    }
}

fn is_met(paper: &Paper, entry: &Entry, need: Need) -> bool {
    let there = need.iter().any(|name| {
        paper
            .inherited(entry, name)
            // `\mnras` and other macros of a style leave no words, yet print some.
            .is_some_and(|field| !field.text.is_empty() || has_macro(&field.raw))
    });
    there
        || (need == YEAR && is_coming(entry))
        || (need == JOURNAL && (is_preprint(entry) || is_deposit(entry) || is_coming(entry)))
        || (need == INSTITUTION && is_linked_by_csl(paper, entry))
        || (need == AUTHOR && is_unsigned(entry))
}

/// True for a value that holds a command with a name.
fn has_macro(raw: &str) -> bool {
    raw.split('\\')
        .skip(1)
        .any(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// True for an article that lies in an archive of data, software and teaching material rather than in a journal.
fn is_deposit(entry: &Entry) -> bool {
    const DEPOSITS: [&str; 9] = [
        "10.5281/",
        "10.6084/",
        "10.17605/",
        "10.5061/",
        "10.17632/",
        "zenodo",
        "figshare",
        "osf.io",
        "github.com",
    ];
    ["doi", "url", "note"].iter().any(|name| {
        entry.text(name).is_some_and(|text| {
            let text = text.to_lowercase();
            DEPOSITS.iter().any(|deposit| text.contains(deposit))
        })
    })
}

/// True where CSL prints a report with its address, so that a missing institution leaves no gap.
fn is_linked_by_csl(paper: &Paper, entry: &Entry) -> bool {
    paper.manuscript.format == Format::Markdown
        && ["doi", "url"].iter().any(|name| entry.text(name).is_some())
}

/// True for a work that is not out yet.
fn is_coming(entry: &Entry) -> bool {
    [
        "note",
        "howpublished",
        "addendum",
        "journal",
        "volume",
        "pages",
    ]
    .iter()
    .filter_map(|name| entry.text(name))
    .any(|text| {
        let text = text.to_lowercase();
        [
            "press",
            "forthcoming",
            "to appear",
            "submitted",
            "in prep",
            "preparation",
            "accepted",
            "under review",
            "n.d",
            "undated",
        ]
        .iter()
        .any(|word| text.contains(word))
    })
}

/// True for an article that says in another way where it is to be had.
fn is_preprint(entry: &Entry) -> bool {
    [
        "eprint",
        "archiveprefix",
        "arxivid",
        "eprinttype",
        "howpublished",
    ]
    .iter()
    .any(|name| entry.text(name).is_some())
        || ["note", "url", "doi", "publisher"].iter().any(|name| {
            entry.text(name).is_some_and(|text| {
                let text = text.to_lowercase();
                text.contains("rxiv") || text.contains("preprint") || text.contains("ssrn")
            })
        })
}

/// True for an article of a newspaper, an encyclopedia or the like, which may have no author.
fn is_unsigned(entry: &Entry) -> bool {
    entry.text("entrysubtype").is_some() || entry.text("label").is_some()
}

/// True when the entry inherits from one that is not there.
fn has_lost_parent(paper: &Paper, entry: &Entry) -> bool {
    ["crossref", "xdata"]
        .iter()
        .flat_map(|name| entry.list(name))
        .any(|key| {
            paper
                .bibliographies
                .iter()
                .all(|bib| bib.find(key).is_none())
        })
}
