//! What the reader finds in the Markdown manuscripts of the corpora.

use std::collections::BTreeSet;

use crate::corpora::{Folder, corpora};
use crate::text::{
    BlockKind, Budget, Format, LabelTarget, Manuscript, QuoteIndex, SectionKind, is_manubot_key,
    load,
};

/// Reads parts of a folder of manuscripts; `None` where the corpora are absent.
fn read(folder: &str, parts: &[&str]) -> Option<Manuscript> {
    let root = corpora()?.join("manuscripts").join(folder);
    let paths: Vec<String> = parts.iter().map(|&part| part.to_owned()).collect();
    Some(load(&Folder(root), &paths, Format::Markdown, Budget::default()).unwrap())
}

fn keys(out: &Manuscript) -> Vec<&str> {
    out.citations
        .iter()
        .flat_map(|citation| &citation.keys)
        .map(|key| key.key.as_str())
        .collect()
}

fn kinds(out: &Manuscript) -> Vec<SectionKind> {
    out.sections
        .iter()
        .skip(1)
        .map(|section| section.kind)
        .collect()
}

/// No markup may be left in what a reader sees, and every quotation of it must be found.
fn sound(name: &str, out: &Manuscript) {
    let index = QuoteIndex::new(out);
    for block in &out.blocks {
        let text = block.text.string.as_str();
        assert!(
            !text.contains("<!--") && !text.contains("](") && !text.contains(":::"),
            "{name}: {text}"
        );
        if !block.kind.is_prose() {
            continue;
        }
        for noise in [
            "{#", "{.", "\\begin", "\\label", "\\cite", "$$", "**", "<span", "</",
        ] {
            assert!(!text.contains(noise), "{name}: {noise} in {text}");
        }
        let found = index.find(text);
        assert!(!found.is_empty(), "{name}: {text}");
    }
    let names: BTreeSet<&str> = out.labels.iter().map(|label| label.name.as_str()).collect();
    for reference in &out.references {
        assert!(
            names.contains(reference.name.as_str()),
            "{name}: no label {}",
            reference.name
        );
    }
}

#[test]
fn joss_papers_are_read() {
    // Name, distinct keys cited, keys in all, figures and tables with a caption.
    for (name, distinct, all, floats) in [
        ("amrex", 17, 18, 0),
        ("bumbl", 4, 6, 2),
        ("cfdm", 10, 10, 0),
        ("emcee", 6, 7, 0),
        ("manopt.jl", 24, 30, 1),
        ("optim.jl", 18, 18, 0),
        ("spiceypy", 13, 14, 0),
    ] {
        let Some(out) = read(&format!("joss_{name}"), &["paper.md"]) else {
            return;
        };
        sound(name, &out);
        let cited = keys(&out);
        let set: BTreeSet<&str> = cited.iter().copied().collect();
        assert_eq!((set.len(), cited.len()), (distinct, all), "{name}");
        assert_eq!(out.floats.len(), floats, "{name}");
        assert_eq!(out.bibliographies.len(), 1, "{name}");
        let title = out.blocks.first().map(|block| block.kind);
        assert_eq!(title, Some(BlockKind::Title), "{name}");
        assert_eq!(kinds(&out).last(), Some(&SectionKind::References), "{name}");
        let summaries = kinds(&out)
            .iter()
            .filter(|&&kind| kind == SectionKind::Abstract)
            .count();
        let whole = ["amrex", "optim.jl", "bumbl"].contains(&name);
        assert_eq!(summaries, usize::from(!whole), "{name}");
    }
}

#[test]
fn the_scihub_study_is_read() {
    let parts = [
        "00.front-matter.md",
        "01.abstract.md",
        "02.manuscript.md",
        "90.back-matter.md",
    ];
    let Some(out) = read("manubot_scihub", &parts) else {
        return;
    };
    sound("scihub", &out);
    let cited = keys(&out);
    assert!(cited.iter().all(|key| is_manubot_key(key)));
    assert_eq!(cited.len(), 184);
    assert_eq!(out.bib_items.len(), 2);
    assert_eq!(out.tables.len(), 1);
    assert_eq!(
        (out.tables[0].rows.len(), out.tables[0].header_rows),
        (11, 1)
    );
    let labelled = out
        .labels
        .iter()
        .filter(|label| matches!(label.target, LabelTarget::Float(_)))
        .count();
    assert_eq!((labelled, out.floats.len()), (18, 18));
    assert!(out.floats.iter().all(|float| float.caption.is_some()));
    let kinds = kinds(&out);
    for kind in [
        SectionKind::Abstract,
        SectionKind::Results,
        SectionKind::Discussion,
        SectionKind::Methods,
    ] {
        assert_eq!(kinds.iter().filter(|&&k| k == kind).count(), 1, "{kind:?}");
    }
}

#[test]
fn the_markdown_thesis_is_read() {
    let parts: Vec<String> = [
        "02_statement",
        "03_summary",
        "04_acknowledgements",
        "05_table_of_contents",
        "06_list_of_figures",
        "07_list_of_tables",
        "08_abbreviations",
        "09_chapter_1",
        "10_chapter_2",
        "11_chapter_3",
        "12_chapter_4",
        "13_chapter_5",
        "14_chapter_6",
        "15_conclusion",
        "16_appendix_1",
        "17_appendix_2",
        "18_references",
    ]
    .iter()
    .map(|name| format!("{name}.md"))
    .collect();
    let names: Vec<&str> = parts.iter().map(String::as_str).collect();
    let Some(out) = read("thesis_markdown/source", &names) else {
        return;
    };
    sound("thesis", &out);
    assert_eq!(keys(&out), ["Cousteau1963"]);
    assert_eq!(out.references.len(), 15);
    assert_eq!(
        (out.floats.len(), out.tables.len(), out.comments.len()),
        (4, 1, 23)
    );
    let sizes: Vec<usize> = out.tables[0].rows.iter().map(Vec::len).collect();
    assert_eq!(sizes, [7; 9]);
    assert_eq!(out.sections.len(), 52);
}

#[test]
fn manubot_test_manuscripts_are_read() {
    let Some(out) = read(
        "manubot_test-manuscripts/citation-rendering/content",
        &["01.main-text.md"],
    ) else {
        return;
    };
    sound("rendering", &out);
    let cited = keys(&out);
    // The 268th key of a rough search stands in the example code.
    assert!(cited.iter().all(|key| key.starts_with("raw:")));
    assert_eq!(
        out.front_matter.get("title"),
        Some("Testing manuscript for CSL JSON field combinations")
    );
    assert_eq!(cited.len(), 256);
    let Some(out) = read(
        "manubot_test-manuscripts/example/content",
        &["01.front-matter.md", "02.body.md"],
    ) else {
        return;
    };
    sound("example", &out);
    assert_eq!(keys(&out).len(), 12);
}
