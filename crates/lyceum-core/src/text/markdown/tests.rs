//! What the reader makes of each construct.

use crate::text::source::Source;
use crate::text::{
    BlockKind, Builder, CitationStyle, FloatKind, Format, HiddenKind, InlineKind, LabelTarget,
    Manuscript, SectionKind,
};

fn read(text: &str) -> Manuscript {
    read_parts(&[text])
}

fn read_parts(texts: &[&str]) -> Manuscript {
    let mut builder = Builder::new(Format::Markdown);
    let parts: Vec<_> = texts
        .iter()
        .map(|text| builder.add_source(Source::new("a.md", *text)))
        .collect();
    super::read(&mut builder, &parts);
    builder.finish()
}

fn blocks(text: &str) -> Vec<(BlockKind, String)> {
    read(text)
        .blocks
        .into_iter()
        .map(|block| (block.kind, block.text.string))
        .collect()
}

/// The visible text, blocks joined by ` / `.
fn seen(text: &str) -> String {
    let shown: Vec<String> = blocks(text).into_iter().map(|(_, words)| words).collect();
    shown.join(" / ")
}

fn keys(text: &str) -> Vec<String> {
    read(text)
        .citations
        .iter()
        .flat_map(|citation| &citation.keys)
        .map(|key| key.key.clone())
        .collect()
}

fn references(text: &str) -> Vec<(String, String)> {
    read(text)
        .references
        .into_iter()
        .map(|reference| (reference.name, reference.command))
        .collect()
}

fn labels(text: &str) -> Vec<(String, LabelTarget)> {
    read(text)
        .labels
        .into_iter()
        .map(|label| (label.name, label.target))
        .collect()
}

#[test]
fn pandoc_citations_are_found() {
    let text = "See [see @a, p. 3; -@b] and @c [p. 3], @{d e/f}, [-@g], @h; mail me@x.org or <you@y.org>, \\@i, `@j`.\n\n\
                ```\n@k\n```\n\n$@l$ **[@m_n; @o]** [link](http://x.y/@p) https://x.y/@q.\n";
    assert_eq!(keys(text), ["a", "b", "c", "d e/f", "g", "h", "m_n", "o"]);
    let out = read(text);
    assert_eq!(out.citations[0].style, CitationStyle::Parenthetical);
    assert_eq!(out.citations[1].style, CitationStyle::Textual);
    for citation in &out.citations {
        assert!(citation.block.is_some());
        for key in &citation.keys {
            assert_eq!(out.slice(key.span), key.key);
        }
    }
}

#[test]
fn manubot_keys_and_tags_are_found() {
    let text = "A [@doi:10.1/x; @pmid:1; @url:https://a.b/c_d_e/f] and [@tag:t].\n\n[@tag:t]: doi:10.2/y\n[tag:u]: url:http://z\n";
    assert_eq!(
        keys(text),
        ["doi:10.1/x", "pmid:1", "url:https://a.b/c_d_e/f", "tag:t"]
    );
    let items: Vec<String> = read(text)
        .bib_items
        .into_iter()
        .map(|(key, _)| key)
        .collect();
    assert_eq!(items, ["tag:t", "tag:u"]);
    assert!(!seen(text).contains("10.2"));
}

#[test]
fn cross_references_are_no_citations() {
    let text = "As @fig:a, [@tbl:b], {@eq:c}A, @sec-d, Figure \\ref{fig:e} and \\autoref{tab:f}, [text](#g), [](#h), \
                \\@ref(fig:i), [@fig:j; @fig:k].\n";
    assert_eq!(keys(text), Vec::<String>::new());
    let names: Vec<String> = references(text)
        .into_iter()
        .map(|(name, command)| format!("{command} {name}"))
        .collect();
    assert_eq!(
        names,
        [
            "@fig fig:a",
            "@tbl tbl:b",
            "@eq eq:c",
            "@sec sec-d",
            "ref fig:e",
            "autoref tab:f",
            "link g",
            "link h",
            "@ref fig:i",
            "@fig fig:j",
            "@fig fig:k"
        ]
    );
    assert!(seen(text).contains("text, #h,"), "{}", seen(text));
}

#[test]
fn labels_have_their_targets() {
    use LabelTarget::{Equation, Float, Other, Section};
    let text = "# Head {#sec:h}\n\n![Cap](a.png){#fig:a width=5}\n\n$$x=1$$ {#eq:e}\n\n$$\\label{eq:f} y$$\n\n\
                | A | B |\n|---|---|\n| 1 | 2 |\n\nTable: Words {#tbl:t}\n\n```{python}\n#| label: fig-q\n#| fig-cap: \"Q\"\n1\n```\n\n\
                <a id=\"here\"></a> and []{#span}.\n";
    let expected = [
        ("sec:h", Section),
        ("fig:a", Float(0)),
        ("eq:e", Equation),
        ("eq:f", Equation),
        ("tbl:t", Float(1)),
        ("fig-q", Float(2)),
        ("here", Other),
        ("span", Other),
    ]
    .map(|(name, target)| (name.to_owned(), target));
    assert_eq!(labels(text), expected);
    let out = read(text);
    let kinds: Vec<FloatKind> = out.floats.iter().map(|float| float.kind).collect();
    assert_eq!(
        kinds,
        [FloatKind::Figure, FloatKind::Table, FloatKind::Figure]
    );
    let captions: Vec<&str> = out
        .floats
        .iter()
        .map(|float| out.blocks[float.caption.unwrap()].text.string.as_str())
        .collect();
    assert_eq!(captions, ["Cap", "Words", "Q"]);
    assert_eq!(out.floats[0].graphics, ["a.png"]);
    assert_eq!(out.tables[0].float, Some(1));
    assert!(!seen(text).contains(['{', '#', '$']), "{}", seen(text));
}

#[test]
fn implicit_ids_are_labels_only_when_used() {
    let text = "# One thing\n\n# Other, thing\n\nSee [x](#other-thing).\n";
    assert_eq!(
        labels(text),
        [("other-thing".to_owned(), LabelTarget::Section)]
    );
}

#[test]
fn joss_figures_have_their_label_in_the_caption() {
    let text = "See \\autoref{fig:x}.\n\n![A `code` caption [@k]. \\label{fig:x}](a_b_c.png)\n";
    let out = read(text);
    assert_eq!(
        out.blocks[out.floats[0].caption.unwrap()].text.string,
        "A code caption [@k]."
    );
    assert_eq!(labels(text), [("fig:x".to_owned(), LabelTarget::Float(0))]);
    assert_eq!(keys(text), ["k"]);
}

#[test]
fn images_within_a_line_are_not_read_as_words() {
    assert_eq!(seen("Before ![alt words](a.png) after.\n"), "Before after.");
    assert_eq!(read("Before ![alt](a.png) after.\n").floats.len(), 0);
    assert_eq!(seen("![](a.png \"A title\")\n"), "A title");
}

#[test]
fn front_matter_becomes_title_abstract_and_bibliography() {
    let text = "---\ntitle: A *fine* title\nauthor:\n  - name: Ada\nkeywords: [a, b]\nbibliography:\n  - x.bib\n  - y.bib\n\
                abstract: |\n  We cite [@k].\n\n  Twice.\nnocite: |\n  @z\n---\n\nBody.\n\n# Head\n\nEnd.\n";
    let out = read(text);
    let shown: Vec<(BlockKind, &str)> = out
        .blocks
        .iter()
        .map(|b| (b.kind, b.text.string.as_str()))
        .collect();
    assert_eq!(
        shown,
        [
            (BlockKind::Title, "A fine title"),
            (BlockKind::Author, "Ada"),
            (BlockKind::Keywords, "a"),
            (BlockKind::Keywords, "b"),
            (BlockKind::Paragraph, "We cite [@k]."),
            (BlockKind::Paragraph, "Twice."),
            (BlockKind::Paragraph, "Body."),
            (BlockKind::Heading, "Head"),
            (BlockKind::Paragraph, "End."),
        ]
    );
    let kinds: Vec<SectionKind> = out.blocks.iter().map(|b| out.kind_of(b.section)).collect();
    assert_eq!(
        kinds[4..7],
        [
            SectionKind::Abstract,
            SectionKind::Abstract,
            SectionKind::Other
        ]
    );
    let paths: Vec<(&str, &str)> = out
        .bibliographies
        .iter()
        .map(|(path, span)| (path.as_str(), out.slice(*span)))
        .collect();
    assert_eq!(paths, [("x.bib", "x.bib"), ("y.bib", "y.bib")]);
    assert_eq!(out.front_matter.get("title"), Some("A *fine* title"));
    assert_eq!(out.citations[0].style, CitationStyle::Silent);
}

#[test]
fn comments_are_kept_and_never_seen() {
    let text = "<!-- one -->\n\nText <!-- two\nlines --> goes on.\n\n<!--\n# three\n\n```\n\n[@x] -->\n\nlast <!-- four --> `<!-- no -->`\n";
    assert_eq!(seen(text), "Text goes on. / last <!-- no -->");
    let out = read(text);
    let comments: Vec<&str> = out
        .comments
        .iter()
        .map(|comment| comment.text.as_str())
        .collect();
    assert_eq!(
        comments,
        ["one", "two\nlines", "# three\n\n```\n\n[@x]", "four"]
    );
    assert_eq!(out.slice(out.comments[3].span), "<!-- four -->");
    assert_eq!(keys(text), Vec::<String>::new());
    let open = "a\n\n<!-- never closed\n\nb\n";
    assert!(seen(open).contains("never closed") && seen(open).contains('b'));
    assert_eq!(read(open).notes[0].code, "comment_unclosed");
}

#[test]
fn html_shows_its_words_and_keeps_what_is_hidden() {
    let text = "<div class=\"x\">\n\nSome <b>bold</b> text<br>here.\n\n</div>\n\n<p>One</p>\n<p>Two</p>\n\n\
                <span style=\"display:none\">secret *words* [@k]</span>Seen.\n\n<div hidden>\n\nmore secret\n\n</div>\n\n\
                <script>var x = 1;</script>\n\n<style>\np { }\n</style>\n";
    assert_eq!(seen(text), "Some bold text here. / One / Two / Seen.");
    let out = read(text);
    let hidden: Vec<(HiddenKind, &str)> = out
        .hidden
        .iter()
        .map(|h| (h.kind, h.text.as_str()))
        .collect();
    assert_eq!(
        hidden,
        [
            (HiddenKind::NotDisplayed, "secret words"),
            (HiddenKind::NotDisplayed, "more secret")
        ]
    );
    assert_eq!(out.citations[0].style, CitationStyle::Silent);
}

#[test]
fn html_figures_and_tables_are_read() {
    let text = "<figure id=\"fig:h\">\n  <img src=\"a.png\">\n  <figcaption>The caption.</figcaption>\n</figure>\n\n\
                <table>\n  <caption>Cap</caption>\n  <tr>\n    <th>A</th><th>B</th>\n  </tr>\n  <tr>\n    <td>1</td>\n    <td>2</td>\n  </tr>\n</table>\n\nAfter.\n";
    let out = read(text);
    assert_eq!(out.floats.len(), 2);
    assert_eq!(
        out.blocks[out.floats[0].caption.unwrap()].text.string,
        "The caption."
    );
    assert_eq!(out.floats[0].graphics, ["a.png"]);
    assert_eq!(
        out.blocks[out.floats[1].caption.unwrap()].text.string,
        "Cap"
    );
    let rows: Vec<Vec<&str>> = out.tables[0]
        .rows
        .iter()
        .map(|row| {
            row.iter()
                .map(|cell| out.blocks[cell.block].text.string.as_str())
                .collect()
        })
        .collect();
    assert_eq!(rows, [["A", "B"], ["1", "2"]]);
    assert_eq!(out.tables[0].header_rows, 1);
    assert_eq!(out.blocks.last().unwrap().kind, BlockKind::Paragraph);
}

#[test]
fn notes_are_blocks_of_their_own() {
    let text = "Text^[A note with *marks* [@k].] goes on[^1].\n\n[^1]: The second note.\n\n    With two paragraphs.\n";
    let expected = [
        (BlockKind::Footnote, "A note with marks [@k]."),
        (BlockKind::Paragraph, "Text goes on."),
        (BlockKind::Footnote, "The second note."),
        (BlockKind::Footnote, "With two paragraphs."),
    ]
    .map(|(kind, words)| (kind, words.to_owned()));
    assert_eq!(blocks(text), expected);
}

#[test]
fn marks_do_not_break_words() {
    assert_eq!(
        seen("re*search*es **and** ~~old~~ H~2~O 10^-3^ x^2^ 21^st^\n"),
        "researches and old H2O 10⁻³ x² 21st"
    );
    let out = read("An *emphasised* **word** https://a.b/c_d_e?f=g(h)i.\n");
    let marks: Vec<(InlineKind, &str)> = out.blocks[0]
        .text
        .inlines
        .iter()
        .map(|inline| {
            (
                inline.kind,
                &out.blocks[0].text.string[inline.range.clone()],
            )
        })
        .collect();
    assert_eq!(
        marks,
        [
            (InlineKind::Emphasis, "emphasised"),
            (InlineKind::Strong, "word"),
            (InlineKind::Url, "https://a.b/c_d_e?f=g(h)i")
        ]
    );
}

#[test]
fn entities_and_escapes_are_shown() {
    assert_eq!(
        seen("5&nbsp;mm &amp; a\\*b\\_c&copy; 5\u{a0}%\n"),
        "5 mm & a*b_c© 5 %"
    );
    assert_eq!(seen("中文\n换行 and\nmore\n"), "中文换行 and more");
    assert_eq!(
        seen("It costs $5 or $6, not $x+1$.\n"),
        "It costs $5 or $6, not x+1."
    );
    assert_eq!(
        seen("{{name}} and {% if x %}yes{% endif %}\n"),
        "{{name}} and yes"
    );
}

#[test]
fn raw_tex_leaves_no_noise() {
    let text = "\\newpage\n\nText \\textbf{bold} \\LaTeX{} by \\citep[p. 3]{a,b} in \\S 2.\\footnote{A note.}\n\n\
                \\begin{figure}\n\\centering\n\\includegraphics[width=1cm]{x.pdf}\n\\caption{Cap \\emph{two}.\\label{fig:l}}\n\\end{figure}\n\n\
                \\begin{equation}\n\\label{eq:m} x^2\n\\end{equation}\n\nEnd.\n";
    assert_eq!(keys(text), ["a", "b"]);
    let shown = seen(text);
    assert!(
        !shown.contains("newpage") && !shown.contains("centering"),
        "{shown}"
    );
    assert!(shown.contains("Text bold LaTeX by"), "{shown}");
    assert!(shown.contains("Cap two."), "{shown}");
    assert_eq!(
        labels(text),
        [
            ("fig:l".to_owned(), LabelTarget::Float(0)),
            ("eq:m".to_owned(), LabelTarget::Equation)
        ]
    );
    assert!(blocks(text).contains(&(BlockKind::Math, "x²".to_owned())));
    let tabbing = "\\begin{tabbing}\n\\textbf{API}~~~~~ \\= \\textbf{A}pp ``x'' --- 5\\% a_b \\\\  \nJS \\> {Java} % no\n\\end{tabbing}\n";
    assert_eq!(seen(tabbing), "API App “x” — 5% a_b JS Java");
}

#[test]
fn divs_spans_and_lists_are_read() {
    let text = "::: {.abstract}\nThe abstract.\n:::\n\n::: {#fig-panel layout-ncol=2}\n\n![A](a.png){#fig-a}\n\n![B](b.png){#fig-b}\n\nThe whole.\n:::\n\n\
                A [span *of*]{.x} words.\n\nTerm\n:   Meaning\n\n| Line one\n| line two\n\n> Quoted.\n\n- item\n\n  second\n";
    let out = read(text);
    assert_eq!(out.sections[1].kind, SectionKind::Abstract);
    let parts: Vec<bool> = out.floats.iter().map(|float| float.part).collect();
    assert_eq!(parts, [false, true, true]);
    assert_eq!(
        out.blocks[out.floats[0].caption.unwrap()].text.string,
        "The whole."
    );
    let rest: Vec<(BlockKind, String)> = blocks(text).into_iter().skip(4).collect();
    let expected = [
        (BlockKind::Paragraph, "A span of words."),
        (BlockKind::ListItem, "Term"),
        (BlockKind::ListItem, "Meaning"),
        (BlockKind::Paragraph, "Line one line two"),
        (BlockKind::Quote, "Quoted."),
        (BlockKind::ListItem, "item"),
        (BlockKind::ListItem, "second"),
    ]
    .map(|(kind, words)| (kind, words.to_owned()));
    assert_eq!(rest, expected);
}

#[test]
fn headings_find_their_level_and_title() {
    let levels = |text: &str| -> Vec<(u8, String)> {
        read(text)
            .sections
            .iter()
            .skip(1)
            .map(|s| (s.level, s.title.clone()))
            .collect()
    };
    let pair = |level, title: &str| (level, title.to_owned());
    assert_eq!(
        levels("## A\n\n### B\n\n## C\n"),
        [pair(1, "A"), pair(2, "B"), pair(1, "C")]
    );
    let titled = "# The work itself\n\n## Abstract\n\nx\n\n## 2.1 Data `f()`\n\ny\n";
    assert_eq!(
        levels(titled),
        [pair(1, "Abstract"), pair(1, "2.1 Data f()")]
    );
    assert_eq!(blocks(titled)[0].0, BlockKind::Title);
    assert_eq!(
        levels("Head\n====\n\ntext {-}\n\nSub {-}\n---\n")[1],
        pair(2, "Sub")
    );
    let out = read("# A {-}\n\n# B {.unnumbered}\n\n# C\n");
    let plain: Vec<bool> = out
        .sections
        .iter()
        .skip(1)
        .map(|section| section.unnumbered)
        .collect();
    assert_eq!(plain, [true, true, false]);
}

#[test]
fn run_in_heads_open_parts() {
    let text = "**Abstract.** We show.\n\n**Keywords:** a, b\n\nBody.\n\n# Introduction\n\nx\n";
    let out = read(text);
    let shown: Vec<(BlockKind, SectionKind, &str)> = out
        .blocks
        .iter()
        .map(|b| (b.kind, out.kind_of(b.section), b.text.string.as_str()))
        .collect();
    assert_eq!(
        shown[0],
        (BlockKind::Paragraph, SectionKind::Abstract, "We show.")
    );
    assert_eq!((shown[1].0, shown[1].2), (BlockKind::Keywords, "a, b"));
    assert_eq!(
        shown[2],
        (BlockKind::Paragraph, SectionKind::Other, "Body.")
    );
}

#[test]
fn a_closing_fence_may_be_followed_by_a_tab() {
    assert_eq!(seen("```\ncode\n```\t\n\n# Head\n"), "code / Head");
}

#[test]
fn parts_are_one_manuscript() {
    let out = read_parts(&["# One {#sec:a}\n\ntext", "# Two\n\nSee @sec:a.\n"]);
    assert_eq!(out.sections.len(), 3);
    assert_eq!(out.references[0].span.file.0, 1);
    assert_eq!(out.labels[0].span.file.0, 0);
}

#[test]
fn a_summary_is_an_abstract_only_at_the_start() {
    let kinds = |text: &str| -> Vec<SectionKind> {
        read(text).sections.iter().skip(1).map(|s| s.kind).collect()
    };
    assert_eq!(
        kinds("# Summary\n\na\n\n# Results\n\nb\n")[0],
        SectionKind::Abstract
    );
    assert_eq!(
        kinds("# Abstract\n\na\n\n# Summary\n\nb\n")[1],
        SectionKind::Other
    );
    assert_eq!(kinds("# A\n\n## Summary\n\na\n")[1], SectionKind::Other);
    assert_eq!(
        kinds("# Summary\n\na\n\n## Part\n\nb\n")[0],
        SectionKind::Other
    );
    assert_eq!(
        kinds("# A\n\n# B\n\n# C\n\n# Summary\n\na\n")[3],
        SectionKind::Other
    );
}

#[test]
fn tags_and_text_on_one_line_are_no_code() {
    let text = "<details><summary>More</summary>\n\nInside.\n\n</details>\n\nR<sup>2</sup> and 10<sup>-3</sup>, the 5<sup>th</sup>.\n";
    let shown = [
        (BlockKind::Paragraph, "More"),
        (BlockKind::Paragraph, "Inside."),
        (BlockKind::Paragraph, "R² and 10⁻³, the 5th."),
    ]
    .map(|(kind, words)| (kind, words.to_owned()));
    assert_eq!(blocks(text), shown);
}

#[test]
fn example_lists_are_no_citations() {
    let text = "(@good) An example.\n\nAs (@good) shows, but not @bad.\n";
    assert_eq!(keys(text), ["bad"]);
    assert_eq!(
        seen(text),
        "(@good) An example. / As (@good) shows, but not @bad."
    );
}

#[test]
fn names_of_theorems_and_callouts_are_no_sections() {
    let text = "# Methods\n\n::: {#thm-a}\n\n## Pythagoras\n\nTrue.\n:::\n\n::: {.callout-note}\n## Note\nText.\n:::\n\n## Two\n";
    let titles: Vec<String> = read(text)
        .sections
        .iter()
        .skip(1)
        .map(|s| s.title.clone())
        .collect();
    assert_eq!(titles, ["Methods", "Two"]);
}

#[test]
fn cells_too_many_are_not_shown() {
    let text = "| A | B |\n|---|---|\n| 1 | 2 | $x$ [@k] |\n";
    assert_eq!(seen(text), "A / B / 1 / 2");
    assert_eq!(keys(text), ["k"]);
}
