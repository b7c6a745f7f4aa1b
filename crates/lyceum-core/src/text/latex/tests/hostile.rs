//! Texts that do not balance, do not end, or mean harm.

use proptest::prelude::*;

use super::*;
use crate::text::Span;

/// Every place is inside its file and on character boundaries.
fn check_places(m: &Manuscript) {
    let check = |span: Span| {
        let text = &m.source(span.file).text;
        assert!(
            text.get(span.range()).is_some(),
            "{span:?} of {}",
            text.len()
        );
    };
    for block in &m.blocks {
        check(block.span);
        if let Some(span) = block.text.span(0..block.text.len()) {
            check(span);
        }
        for inline in &block.text.inlines {
            assert!(
                block.text.string.get(inline.range.clone()).is_some(),
                "{inline:?}"
            );
            if let Some(span) = block.text.span(inline.range.clone()) {
                check(span);
            }
        }
        assert!(block.section < m.sections.len());
        assert!(block.float.is_none_or(|float| float < m.floats.len()));
    }
    m.sections.iter().for_each(|section| check(section.span));
    m.floats.iter().for_each(|float| check(float.span));
    m.tables.iter().for_each(|table| check(table.span));
    m.labels.iter().for_each(|label| check(label.span));
    m.references
        .iter()
        .for_each(|reference| check(reference.span));
    m.comments.iter().for_each(|comment| check(comment.span));
    m.hidden.iter().for_each(|hidden| check(hidden.span));
    for citation in &m.citations {
        check(citation.span);
        citation.keys.iter().for_each(|key| check(key.span));
    }
    m.notes.iter().filter_map(|note| note.span).for_each(check);
}

#[test]
fn broken_texts_are_kept_and_noted() {
    for (tex, text, code) in [
        (r"a { b", "a b", "unbalanced_group"),
        (r"a } b", "a b", "unbalanced_group"),
        (
            "costs $5 here\n\nnext",
            "costs 5 here|next",
            "unbalanced_group",
        ),
        (r"\begin{itemize}\item a", "a", "unbalanced_group"),
        (r"a\end{itemize} b", "a b", "unbalanced_group"),
        (
            "\\section{Lost brace\n\nText \\section{Next} b",
            "Lost brace Text|Next|b",
            "unbalanced_group",
        ),
        ("\\begin{verbatim} a", "a", "unbalanced_group"),
        ("\\verb|a\nb", "|a b", "unbalanced_group"),
        (r"a \iffalse b", "a", "unclosed_conditional"),
    ] {
        let m = read(tex);
        let words: Vec<&str> = m.blocks.iter().map(|b| b.text.string.as_str()).collect();
        assert_eq!(words.join("|"), text, "{tex}");
        assert!(notes(&m).contains(&code), "{tex}: {:?}", m.notes);
        check_places(&m);
    }
}

#[test]
fn macro_bombs_end() {
    for tex in [
        r"\def\a{x\a\a}\a after",
        r"\def\a{\b\b}\def\b{\a\a}\a after",
        r"\newcommand{\m}[1]{#1 \m{#1 #1}}\m{x} after",
        r"\newenvironment{e}{\begin{e}}{\end{e}}\begin{e}x\end{e} after",
    ] {
        let m = read(tex);
        assert!(notes(&m).contains(&"macro_budget"), "{tex}");
        check_places(&m);
    }
}

#[test]
fn deep_nesting_is_no_recursion() {
    for (piece, count) in [
        ("{", 100_000),
        ("\\emph{", 50_000),
        ("$\\frac{", 20_000),
        ("\\footnote{", 20_000),
        ("\\begin{figure}", 20_000),
        ("\\begin{tabular}{c}", 20_000),
        ("\\begin{itemize}\\item ", 20_000),
        ("\\iftrue ", 50_000),
        ("\\cite[", 20_000),
        ("$x^{", 20_000),
        ("\\newcommand{\\x}{", 20_000),
        ("\\textcolor{white}{a ", 20_000),
    ] {
        let m = read(&piece.repeat(count));
        check_places(&m);
    }
    let m = read(&format!(
        "\\newcommand{{\\m}}[1]{{#1}}{}x{}",
        "\\m{".repeat(20_000),
        "}".repeat(20_000)
    ));
    check_places(&m);
}

/// Pieces that mean something to TeX, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        "$",
        "$$",
        "&",
        "#1",
        "^",
        "_",
        "~",
        "%x\n",
        "\n",
        "\n\n",
        " ",
        "*",
        "word ",
        "变量",
        "é",
        "--",
        "``",
        "''",
        "\\\\",
        "\\(",
        "\\)",
        "\\[",
        "\\]",
        "\\",
        "\\'",
        "\\\"{o}",
        "\\c c",
        "\\section{",
        "\\section*{A}",
        "\\title{",
        "\\footnote{",
        "\\emph{",
        "\\textbf{b}",
        "\\cite{a,b}",
        "\\cite[x][y]{",
        "\\cites(a)(b)[c]{d}{e}",
        "\\ref{",
        "\\label{l}",
        "\\cref{a,b}",
        "\\caption{c}",
        "\\caption[",
        "\\begin{figure}",
        "\\end{figure}",
        "\\begin{tabular}{cc}",
        "\\end{tabular}",
        "\\begin{longtable}{c}",
        "\\end{longtable}",
        "\\hline",
        "\\multicolumn{2}{c}{",
        "\\begin{equation}",
        "\\end{equation}",
        "\\begin{itemize}",
        "\\item",
        "\\item[",
        "\\end{itemize}",
        "\\begin{verbatim}",
        "\\end{verbatim}",
        "\\verb|x|",
        "\\verb+",
        "\\begin{comment}",
        "\\end{comment}",
        "\\begin{document}",
        "\\end{document}",
        "\\documentclass{article}",
        "\\begin{abstract}",
        "\\end{abstract}",
        "\\appendix",
        "\\newcommand{\\m}[2][d]{#1#2\\ref{#2}}",
        "\\m",
        "\\m{x}",
        "\\m[y]{z}",
        "\\def\\q#1{#1\\q}",
        "\\q",
        "\\let\\r\\m",
        "\\r",
        "\\newif\\ifz",
        "\\ztrue",
        "\\ifz",
        "\\iffalse",
        "\\iftrue",
        "\\ifx\\a\\b",
        "\\else",
        "\\fi",
        "\\input{main}",
        "\\input x",
        "\\frac{a}{b}",
        "\\frac",
        "\\sqrt[3]{",
        "\\text{",
        "\\SI{1}{\\km}",
        "\\num{",
        "\\textcolor{white}{",
        "\\color{white}",
        "\\phantom{",
        "\\todo{",
        "\\replaced{a}{b}",
        "\\url{a%b}",
        "\\href{u}{t}",
        "\\newenvironment{e}{(}{)}",
        "\\begin{e}",
        "\\end{e}",
        "\\begin{lstlisting}[label=x]",
        "\\end{lstlisting}",
        "\\subfloat[a]{",
        "\\captionof{table}{",
        "\\bibitem[a]{k}",
        "\\begin{thebibliography}{9}",
        "\\makeatletter",
        "\\x@y",
        "\\csname a\\endcsname",
        "\\ac{x}",
        "\\newacronym{a}{b}{c}",
        "\\hat{x}",
        "\\left.",
        "\\par",
        "\\bgroup",
        "\\egroup",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_pieces_are_read(text in pieces()) {
        check_places(&read(&text));
    }

    #[test]
    fn any_text_is_read(text in r"[^\x00-\x08\x0b-\x1f]{0,80}") {
        check_places(&read(&text));
    }
}
