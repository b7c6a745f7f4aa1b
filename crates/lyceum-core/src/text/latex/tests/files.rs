//! Several files: includes, and what LaTeX left behind.

use super::*;

#[test]
fn included_files_are_read_in_place() {
    let files = Memory::of(&[
        (
            "paper/main.tex",
            r"\documentclass{article}\begin{document}A\input{parts/one} B \include{two.tex}\input three
\import{parts/}{four}\subfile{parts/five}\InputIfFileExists{six}{}{}\end{document}",
        ),
        ("paper/parts/one.tex", r"one \label{l1}"),
        ("paper/two.tex", r"two \cite{k}"),
        ("paper/three.tex", "three"),
        ("paper/parts/four.tex", r"four \input{deep}"),
        ("paper/parts/deep.tex", "deep"),
        (
            "paper/parts/five.tex",
            r"\documentclass[../main]{subfiles}\newcommand{\x}{mute}not text\begin{document}five\end{document}lost",
        ),
    ]);
    let m = read_from(&files, "paper/main.tex");
    let text: String = m
        .blocks
        .iter()
        .map(|b| b.text.string.as_str())
        .collect::<Vec<_>>()
        .join("|");
    assert_eq!(text, "Aone B|two k three four deep five");
    assert_eq!(m.source(m.labels[0].span.file).path, "paper/parts/one.tex");
    assert_eq!(m.slice(m.labels[0].span), "l1");
    assert_eq!(keys(&m), [("k", "k")]);
    assert!(notes(&m).is_empty(), "{:?}", m.notes);
}

#[test]
fn includes_that_fail_are_notes() {
    let files = Memory::of(&[
        (
            "main.tex",
            r"a\input{missing}\input{fig.pgf}\input{../../etc/passwd}\input{loop}\input{/abs}z",
        ),
        ("loop.tex", r"in \input{loop}\input{main}"),
    ]);
    let m = read_from(&files, "main.tex");
    assert_eq!(
        notes(&m),
        [
            "include_missing",
            "include_missing",
            "include_outside",
            "include_loop",
            "include_loop",
            "include_outside"
        ]
    );
    let unreadable: Vec<Option<&str>> = m.notes.iter().map(|n| n.unreadable.as_deref()).collect();
    assert_eq!(
        unreadable[..3],
        [Some("missing"), None, Some("../../etc/passwd")]
    );
    assert!(m.blocks[0].text.string.ends_with('z'));
}

#[test]
fn many_includes_stay_in_the_budget() {
    let ten = r"\input{b}".repeat(200);
    let files = Memory::of(&[
        ("main.tex", &r"\input{a}".repeat(200)),
        ("a.tex", &ten),
        ("b.tex", "word "),
    ]);
    let m = read_from(&files, "main.tex");
    assert!(notes(&m).contains(&"include_budget"));
}

#[test]
fn what_latex_left_behind_is_used_when_fresh() {
    let mut files = Memory::of(&[
        ("main.tex", r"\label{a}\ref{b}\cite{k}\bibliography{gone}"),
        (
            "main.aux",
            "\\newlabel{a}{{1}{1}}\n\\newlabel{b}{{2}{1}}\n\\newlabel{b@cref}{{}}\n\\@input{ch.aux}\n",
        ),
        ("ch.aux", "\\newlabel{c}{{3}{1}}\n"),
        (
            "main.bbl",
            "\\bibitem[{One and Two(2000)}]{k}\nText\n\\bibitem[x%\n]{m}\n\\entry{n}{article}{}\n",
        ),
    ]);
    let m = read_from(&files, "main.tex");
    assert_eq!(m.aux_labels, ["b", "c"]);
    let mut items: Vec<(&str, &str)> = m
        .bib_items
        .iter()
        .map(|(key, span)| (key.as_str(), m.slice(*span)))
        .collect();
    items.sort_unstable();
    assert_eq!(items, [("k", "k"), ("m", "m"), ("n", "n")]);
    files.0.get_mut("main.tex").unwrap().1 = 2;
    let m = read_from(&files, "main.tex");
    assert!(m.aux_labels.is_empty() && m.bib_items.is_empty());
    let files = Memory::of(&[
        ("main.tex", "x"),
        (
            "main.bcf",
            "<bcf:datasource type=\"file\" datatype=\"bibtex\">refs.bib</bcf:datasource>\n",
        ),
    ]);
    assert_eq!(
        read_from(&files, "main.tex").bibliographies[0].0,
        "refs.bib"
    );
}

#[test]
fn packages_beside_the_text_define_macros() {
    let files = Memory::of(&[
        (
            "main.tex",
            r"\documentclass{own}\usepackage{macros}\begin{document}\title{T}See \figref{a} and \prob. \keywords{k}
\begin{myclaim}Yes.\end{myclaim}\end{document}",
        ),
        (
            "macros.sty",
            "\\NeedsTeXFormat{LaTeX2e}% TODO nothing\n\\newcommand{\\figref}[1]{Figure~\\ref{fig:#1}}\\def\\pr@b{P}\\newcommand{\\prob}{\\pr@b(x)}",
        ),
        (
            "own.cls",
            "\\LoadClass{article}\\def\\title#1{\\gdef\\@title{#1}}\\def\\keywords#1{}\\newenvironment{myclaim}{Claim: }{}\\addbibresource{x.bib}\\endinput junk {",
        ),
    ]);
    let m = read_from(&files, "main.tex");
    assert_eq!(references(&m), [("fig:a", r"\figref{a}")]);
    let text: Vec<&str> = m.blocks.iter().map(|b| b.text.string.as_str()).collect();
    assert_eq!(
        text,
        ["T", "See Figure fig:a and P(x).", "k", "Claim: Yes."]
    );
    assert!(m.comments.is_empty() && m.notes.is_empty() && m.sources.len() == 1);
    assert_eq!(m.slice(m.bibliographies[0].1), r"\documentclass");
}

#[test]
fn a_volume_is_no_key() {
    let m = read_from(
        &Memory::of(&[(
            "main.tex",
            r"\volcite{2}[3]{a} \cite{b} \pvolcite[see]{1}{c}",
        )]),
        "main.tex",
    );
    let keys: Vec<&str> = m
        .citations
        .iter()
        .flat_map(|citation| citation.keys.iter().map(|key| key.key.as_str()))
        .collect();
    assert_eq!(keys, ["a", "b", "c"]);
}

#[test]
fn a_complete_newer_log_says_which_references_are_broken() {
    let long = "a".repeat(60);
    let warning = format!("LaTeX Warning: Reference `{long}' on page 1 undefined on input line 3.");
    let (first, rest) = warning.split_at(79);
    let log =
        format!("This is pdfTeX\n\n{first}\n{rest}\n\nOutput written on main.pdf (1 page).\n");
    let text = format!(r"\ref{{made-by-a-package}}\ref{{{long}}}");
    let mut files = Memory::of(&[("main.tex", &text), ("main.log", &log)]);
    let known = |files: &Memory| read_from(files, "main.tex").aux_labels;
    assert_eq!(known(&files), ["made-by-a-package"]);
    // A text edited since, and a run that did not end, say nothing.
    files.0.get_mut("main.tex").unwrap().1 = 2;
    assert!(known(&files).is_empty());
    let log = log.replace("Output written on", "Fatal error in");
    let files = Memory::of(&[("main.tex", &text), ("main.log", &log)]);
    assert!(known(&files).is_empty());
}

#[test]
fn a_table_without_end_is_cut_and_told() {
    let rows = "a & 1 \\\\\n".repeat(210_000);
    let text = format!(r"\begin{{tabular}}{{lr}}{rows}\end{{tabular}} Words after it.");
    let m = read_from(&Memory::of(&[("main.tex", &text)]), "main.tex");
    assert!(m.notes.iter().any(|note| note.code == "table_too_large"));
    assert!(m.blocks.len() <= 400_010, "{}", m.blocks.len());
    assert!(
        m.blocks
            .last()
            .is_some_and(|block| block.text.string.contains("Words after it"))
    );
}
