//! Entries of the paper's own bibliography that the text never cites.

use std::collections::HashSet;

use super::super::occurrence::{Use, affordable, known_places, occurs_elsewhere};
use super::cited::{cited, is_auxiliary, is_whole};
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::literature::{Bibliography, BibliographyFormat, Entry};
use crate::text::Format;

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "citation-unused",
    tier: Tier::Warning,
    title: Say::new("entries are never cited", "有从未被引用的条目"),
    rationale: Say::new(
        "An entry of the paper's own bibliography that nothing cites is a forgotten citation or a leftover, and prints \
         nowhere. One problem a bibliography, at the first such entry. Silent when the text cites less than half of the \
         entries or the file lies outside of the folder of the text (a shared library), after `\\nocite{*}`, for entries that others inherit from or name (crossref, xdata, \
         related, sets), in parts of a text, for CSL-JSON, for keys that stand in \
         the text as an argument of some other command, and when an include or a bibliography could not be read.",
        "文稿自己的参考文献库中从未被引用的条目，要么是忘了引用，要么是遗留物，不会出现在参考文献表中。每个参考文献库只报告一次，位于第一个\
         这样的条目。以下情况不报告：文中引用的条目不足一半，或文件不在文稿所在文件夹内（共用的文献库）；使用了 `\\nocite{*}`；被其他条目继承或提到的条目（crossref、\
         xdata、related、条目集）；文稿片段；CSL-JSON；键在文中作为其他命令的参数出现；有包含的文件或参考文献库无法读取。",
    ),
    profiles: Profile::WHOLE,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@a; @b].\n",
            bib: Some("@book{a, title={A}}\n@book{b, title={B}}\n@book{c, title={C}}\n"),
            finds: &["c"],
        },
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@a].\n",
            bib: Some("@book{a, title={A}}\n@book{b, title={B}}\n@book{c, title={C}}\n"),
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@a].\n",
            bib: Some("@inproceedings{a, title={A}, crossref={c}}\n@proceedings{c, title={C}}\n"),
            finds: &[],
        },
    ],
    check,
};

/// How many keys are looked for outside of citations.
const NAMES: usize = 200;
/// How many keys a message names.
const NAMED: usize = 5;

fn check(paper: &Paper, found: &mut Found) {
    let cited = cited(paper);
    if cited.everything || !is_whole(paper) {
        return;
    }
    let known = known_places(paper, false);
    for bib in &paper.bibliographies {
        if bib.format != BibliographyFormat::Bibtex || is_shared(paper, bib) {
            continue;
        }
        let named = named_by_others(bib);
        let works: Vec<&Entry> = bib
            .entries
            .iter()
            .filter(|entry| {
                !entry.key.is_empty()
                    && !is_auxiliary(entry)
                    && !named.contains(&entry.key.to_lowercase())
            })
            .collect();
        let unused: Vec<&Entry> = works
            .iter()
            .copied()
            .filter(|entry| !cited.has(entry))
            .collect();
        if unused.len() * 2 > works.len() {
            continue;
        }
        let unused: Vec<&Entry> = unused
            .into_iter()
            .take(affordable(&paper.manuscript, NAMES))
            .filter(|entry| !occurs_elsewhere(paper, &entry.key, &known, Use::Argument))
            .collect();
        let Some(first) = unused.first() else {
            continue;
        };
        let keys: Vec<&str> = unused
            .iter()
            .take(NAMED)
            .map(|entry| entry.key.as_str())
            .collect();
        let more = unused.len() - keys.len();
        let (more_en, more_zh) = match more {
            0 => (String::new(), String::new()),
            n => (format!(" and {n} more"), format!(" 等，另有 {n} 个")),
        };
        let (one, keys) = (unused.len() == 1, keys.join(", "));
        let en = if one {
            format!("entry {keys} is never cited")
        } else {
            format!("{} entries are never cited: {keys}{more_en}", unused.len())
        };
        let zh = format!("{} 个条目从未被引用：{keys}{more_zh}", unused.len());
        found.push(
            first.key_span,
            Words::new(en, zh),
            Words::new(
                "Cite them where they belong, or take them out.",
                "请在相应位置引用，或将其删除。",
            ),
        );
    }
}

/// True for a file outside of the folder of the text: other papers beside this one may cite the rest of it.
fn is_shared(paper: &Paper, bib: &Bibliography) -> bool {
    let path = paper.manuscript.source(bib.file).path.as_str();
    let main = paper.manuscript.sources.first();
    let folder = main
        .and_then(|source| source.path.rfind('/').and_then(|at| source.path.get(..=at)))
        .unwrap_or("");
    !path.starts_with(folder)
}

/// Keys, in lower case, that entries of the file name.
fn named_by_others(bib: &Bibliography) -> HashSet<String> {
    let fields = ["crossref", "xref", "xdata", "related", "entryset"];
    bib.entries
        .iter()
        .flat_map(|entry| fields.iter().flat_map(|field| entry.list(field)))
        .map(str::to_lowercase)
        .collect()
}
