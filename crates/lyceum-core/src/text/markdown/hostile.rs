//! Whatever the text, the reader ends, keeps its spans inside the file and on character boundaries.

use proptest::prelude::*;

use super::super::source::Source;
use super::super::{Builder, Format, Manuscript, Span};

fn read(format: Format, text: &str) -> Manuscript {
    let mut builder = Builder::new(format);
    let file = builder.add_source(
        Source::from_bytes("a", text.as_bytes().to_vec())
            .unwrap_or_else(|_| Source::new("a", text)),
    );
    match format {
        Format::Markdown => super::read(&mut builder, &[file]),
        _ => super::super::plain::read(&mut builder, &[file]),
    }
    builder.finish()
}

/// Every place in a manuscript.
fn spans(out: &Manuscript) -> Vec<Span> {
    let mut all: Vec<Span> = Vec::new();
    for block in &out.blocks {
        all.push(block.span);
        let text = &block.text.string;
        let cuts: Vec<usize> = text
            .char_indices()
            .map(|(i, _)| i)
            .chain([text.len()])
            .collect();
        for pair in cuts.windows(2) {
            all.extend(block.text.span(pair[0]..pair[1]));
        }
        all.extend(block.text.span(0..text.len()));
        for inline in &block.text.inlines {
            assert!(
                text.get(inline.range.clone()).is_some(),
                "inline off a boundary"
            );
        }
    }
    all.extend(out.sections.iter().map(|section| section.span));
    for citation in &out.citations {
        all.push(citation.span);
        all.extend(citation.keys.iter().map(|key| key.span));
    }
    all.extend(out.labels.iter().map(|label| label.span));
    all.extend(out.references.iter().map(|reference| reference.span));
    all.extend(out.floats.iter().map(|float| float.span));
    all.extend(out.tables.iter().map(|table| table.span));
    all.extend(out.comments.iter().map(|comment| comment.span));
    all.extend(out.hidden.iter().map(|hidden| hidden.span));
    all.extend(out.bibliographies.iter().map(|(_, span)| *span));
    all.extend(out.bib_items.iter().map(|(_, span)| *span));
    all.extend(out.notes.iter().filter_map(|note| note.span));
    all
}

fn sound(format: Format, text: &str) {
    let out = read(format, text);
    for span in spans(&out) {
        let source = out.source(span.file);
        assert!(
            source.text.get(span.range()).is_some(),
            "{span:?} in {:?}",
            source.text
        );
    }
    for (i, block) in out.blocks.iter().enumerate() {
        assert!(block.section < out.sections.len());
        assert!(
            block.float.is_none_or(|float| float < out.floats.len()),
            "block {i}"
        );
    }
    for row in out.tables.iter().flat_map(|table| &table.rows) {
        assert!(row.iter().all(|cell| cell.block < out.blocks.len()));
    }
    for citation in &out.citations {
        assert!(citation.block.is_none_or(|block| block < out.blocks.len()));
        for key in &citation.keys {
            assert_eq!(out.slice(key.span), key.key);
        }
    }
}

/// Pieces that mean something, so that random texts meet the reader's paths.
const PIECES: &[&str] = &[
    "@",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    "#",
    "\\",
    "$",
    "$$",
    "^",
    "^[",
    "~",
    "`",
    "```\n",
    "~~~\n",
    "\n",
    "\n\n",
    " ",
    "    ",
    "<",
    ">",
    "<!--",
    "-->",
    "<div>",
    "</div>",
    "<td>",
    "</td>",
    "<table>",
    "<tr>",
    "<span hidden>",
    "</span>",
    "<p>",
    "<script>",
    "</script>",
    "<pre>",
    "</pre>",
    "![",
    "](a.png)",
    "{#fig:x}",
    "{.unnumbered}",
    "[@a; @b]",
    "@key",
    "@fig:x",
    "{@tbl-y}",
    "@{",
    "\\begin{table}",
    "\\end{table}",
    "\\begin{equation}",
    "\\end{equation}",
    "\\caption{",
    "\\label{a}",
    "\\cite{a,b}",
    "\\ref{x}",
    "\\textbf{",
    "\\footnote{",
    "\\item",
    "\\begin{tabular}{ll}",
    "&",
    "\\\\",
    "\\end{tabular}",
    "::: {.abstract}\n",
    ":::\n",
    "---\n",
    "---- ----\n",
    "+---+---+\n",
    "| a | b |\n",
    "|---|---|\n",
    ": cap {#tbl:z}\n",
    "Table: x\n",
    "[^1]",
    "[^1]: ",
    "[x]: y\n",
    "- ",
    "1. ",
    "> ",
    "title: x\n",
    "abstract: |\n",
    "bibliography: [a, b]\n",
    "变量",
    "é",
    "\u{301}",
    "\u{a0}",
    "\t",
    "&nbsp;",
    "&",
    "*",
    "**",
    "_",
    "http://a.b",
    "word",
    "Abstract: ",
    "{{x}}",
    "{%",
    "%}",
    "= \n",
    "\r",
    "\r\n",
    "\0",
    "\u{feff}",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_markdown_is_read(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60)) {
        sound(Format::Markdown, &pieces.concat());
    }

    #[test]
    fn any_string_is_read(text in "\\PC*") {
        sound(Format::Markdown, &text);
        sound(Format::Plain, &text);
    }

    #[test]
    fn any_plain_text_is_read(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60)) {
        sound(Format::Plain, &pieces.concat());
    }
}

#[test]
fn deep_and_long_texts_end() {
    let pieces = PIECES.iter().chain(&[
        "[[",
        "](",
        "<a ",
        "<a b=\"",
        "$a ",
        "$$a",
        "\\a{",
        "\\begin{a}",
        "{{",
        "{%",
        "^a",
        "~a",
        "@a",
        "[@a;",
        "<b>",
        "*a ",
        "a*",
        "[^a]: ",
        "- a\n",
        ">> ",
        "a\n: b\n",
        "## a\n",
        "$a$",
        "`a",
        "| ",
        "|a\n",
        "----\nx\n",
        "+-+\n",
        "<td>a",
        "::: {#fig-x}\n",
        "![a](b)\n\n",
        "![a](b) ",
    ]);
    for piece in pieces {
        let text = piece.repeat(100_000 / piece.len());
        let out = read(Format::Markdown, &text);
        assert!(out.sections.len() < 200_000, "{piece:?}");
    }
}

#[test]
fn line_ends_and_marks_of_every_system_are_one() {
    let plain = "---\ntitle: A\n---\n\n# One\n\nText [@k].\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
    let shape = |text: &str| {
        let out = read(Format::Markdown, text);
        let blocks: Vec<_> = out
            .blocks
            .iter()
            .map(|block| (block.kind, block.text.string.clone()))
            .collect();
        (blocks, out.citations.len(), out.tables.len())
    };
    let expected = shape(plain);
    assert_eq!(expected.2, 1);
    assert_eq!(shape(&plain.replace('\n', "\r\n")), expected);
    assert_eq!(shape(&plain.replace('\n', "\r")), expected);
    assert_eq!(shape(&format!("\u{feff}{plain}")), expected);
}
