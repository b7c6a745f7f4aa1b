//! Sections, floats, tables, lists, notes.

use super::*;
use crate::text::{FloatKind, InlineKind, SectionKind};

#[test]
fn sections_have_levels_from_one() {
    let m = read(concat!(
        r"\documentclass{article}\begin{document}\begin{abstract}Short.\end{abstract}Front.\section[S]{Introduction}",
        r"\label{sec:i}a\subsection*{Deep}b\paragraph{Run in} c\section{Results}d\end{document}ignored",
    ));
    let got: Vec<(u8, &str, SectionKind, bool)> = m
        .sections
        .iter()
        .map(|s| (s.level, s.title.as_str(), s.kind, s.unnumbered))
        .collect();
    assert_eq!(
        got,
        [
            (0, "", SectionKind::Front, true),
            (1, "Abstract", SectionKind::Abstract, true),
            (1, "", SectionKind::Front, true),
            (1, "Introduction", SectionKind::Introduction, false),
            (2, "Deep", SectionKind::Other, true),
            (4, "Run in", SectionKind::Other, false),
            (1, "Results", SectionKind::Results, false),
        ]
    );
    assert_eq!(m.sections[5].parent, Some(4));
    assert_eq!(m.sections[6].parent, Some(0));
    assert_eq!(labels(&m), [("sec:i", LabelTarget::Section)]);
    assert_eq!(m.blocks.last().unwrap().text.string, "d");
    assert!(notes(&m).is_empty());
}

#[test]
fn chapters_and_parts_stand_above_sections() {
    let levels = |text: &str| -> Vec<u8> {
        read(text)
            .sections
            .iter()
            .skip(1)
            .map(|s| s.level)
            .collect()
    };
    assert_eq!(
        levels(
            r"\documentclass{book}\begin{document}\chapter{A}\section{B}\chapter{C}\end{document}"
        ),
        [1, 2, 1]
    );
    assert_eq!(levels(r"\part{P}\section{A}\part{Q}"), [1, 3, 1]);
    assert_eq!(
        levels(r"\documentclass{report}\begin{document}\section{B}\end{document}"),
        [2]
    );
    assert_eq!(levels(r"\subsection{A}\subsubsection{B}"), [1, 2]);
}

#[test]
fn appendices_are_named_as_such() {
    let m = read(r"\section{A}a\appendix\section{Results}b\subsection{More}c\section{Funding}d");
    let kinds: Vec<SectionKind> = (1..m.sections.len()).map(|i| m.kind_of(i)).collect();
    assert_eq!(
        kinds,
        [
            SectionKind::Other,
            SectionKind::Appendix,
            SectionKind::Appendix,
            SectionKind::Funding
        ]
    );
    let m = read(r"\begin{appendices}\section{A}a\end{appendices}\section{B}b");
    assert_eq!(m.sections[1].kind, SectionKind::Appendix);
    assert_eq!(m.sections[2].kind, SectionKind::Other);
}

#[test]
fn front_matter_is_read_in_the_preamble() {
    let m = read(concat!(
        r"\documentclass[12pt]{article}\usepackage[T1]{fontenc}\title[short]{The \emph{Title}\thanks{Funded.}}",
        r"\author{A. One \and B. Two}\date{May 2020}\keywords{a, b}Not text.\begin{document}\maketitle Text.\end{document}",
    ));
    assert_eq!(m.front_matter.get("title"), Some("The Title"));
    assert_eq!(m.front_matter.get("author"), Some("A. One, B. Two"));
    assert_eq!(m.front_matter.get("date"), Some("May 2020"));
    assert_eq!(m.front_matter.get("keywords"), Some("a, b"));
    assert_eq!(
        m.packages,
        [
            ("documentclass:article".to_owned(), "12pt".to_owned()),
            ("fontenc".to_owned(), "T1".to_owned())
        ]
    );
    let kinds: Vec<BlockKind> = m.blocks.iter().map(|b| b.kind).collect();
    assert_eq!(
        kinds,
        [
            BlockKind::Footnote,
            BlockKind::Title,
            BlockKind::Author,
            BlockKind::Keywords,
            BlockKind::Paragraph
        ]
    );
    let m = read(r"\documentclass{a}\abstract{In short.}\begin{document}Text.\end{document}");
    assert_eq!(m.kind_of(m.blocks[0].section), SectionKind::Abstract);
    assert_eq!(m.kind_of(m.blocks[1].section), SectionKind::Front);
}

#[test]
fn floats_have_captions_labels_and_parts() {
    let m = read(concat!(
        r"\begin{figure*}[t]\centering\includegraphics[width=1cm]{a.pdf}\caption[s]{Words \cite{k}.}\label{fig:a}\end{figure*}",
        r"\begin{figure}\begin{subfigure}{.5\textwidth}\includegraphics{b}\caption{One}\label{fig:b1}\end{subfigure}",
        r"\subfloat[Two\label{fig:b2}]{\includegraphics{c}}\caption{Both}\label{fig:b}\end{figure}",
        r"\begin{minipage}{3cm}\captionof{table}{Of}\label{tab:c}\end{minipage}",
        r"\begin{algorithm}\caption{Steps}\label{alg:d}\begin{algorithmic}\STATE $x$\end{algorithmic}\end{algorithm}",
    ));
    let got: Vec<(FloatKind, bool, Vec<&str>, &[String])> = m
        .floats
        .iter()
        .map(|f| {
            let names = f
                .labels
                .iter()
                .map(|&i| m.labels[i].name.as_str())
                .collect();
            (f.kind, f.part, names, f.graphics.as_slice())
        })
        .collect();
    let files = |names: &[&str]| -> Vec<String> { names.iter().map(|&n| n.to_owned()).collect() };
    assert_eq!(
        got,
        [
            (
                FloatKind::Figure,
                false,
                vec!["fig:a"],
                files(&["a.pdf"]).as_slice()
            ),
            (
                FloatKind::Figure,
                false,
                vec!["fig:b"],
                files(&[]).as_slice()
            ),
            (
                FloatKind::Figure,
                true,
                vec!["fig:b1"],
                files(&["b"]).as_slice()
            ),
            (
                FloatKind::Figure,
                true,
                vec!["fig:b2"],
                files(&["c"]).as_slice()
            ),
            (
                FloatKind::Table,
                false,
                vec!["tab:c"],
                files(&[]).as_slice()
            ),
            (
                FloatKind::Algorithm,
                false,
                vec!["alg:d"],
                files(&[]).as_slice()
            ),
        ]
    );
    let caption = |i: usize| m.blocks[m.floats[i].caption.unwrap()].text.string.as_str();
    assert_eq!(
        (caption(0), caption(1), caption(2), caption(3)),
        ("Words k.", "Both", "One", "Two")
    );
    assert_eq!(
        m.blocks[m.floats[0].caption.unwrap()].kind,
        BlockKind::Caption
    );
    assert!(notes(&m).is_empty());
}

#[test]
fn tables_have_cells_and_header_rows() {
    let table = |text: &str| -> (usize, Vec<Vec<String>>) {
        let m = read(text);
        assert_eq!(m.tables.len(), 1, "{text}");
        let rows = m.tables[0]
            .rows
            .iter()
            .map(|row| {
                row.iter()
                    .map(|cell| m.blocks[cell.block].text.string.clone())
                    .collect()
            })
            .collect();
        (m.tables[0].header_rows, rows)
    };
    let (header, rows) = table(concat!(
        r"\begin{tabular}{@{}lrr@{}}\toprule Name & $n$ & Share \\ & (a) & (b) \\\midrule",
        "\nA & 1 & 5\\% \\\\[2pt] B & & 10 \\\\ \\bottomrule\\end{tabular}"
    ));
    assert_eq!(header, 2);
    assert_eq!(
        rows,
        [
            vec!["Name", "n", "Share"],
            vec!["", "(a)", "(b)"],
            vec!["A", "1", "5%"],
            vec!["B", "", "10"]
        ]
    );
    let m = read(
        r"\begin{tabularx}{\textwidth}{lX}\multicolumn{2}{c}{Wide}\\\hline\multirow{2}{*}{a}&b\\&c\end{tabularx}",
    );
    assert_eq!(m.tables[0].rows[0][0].columns, 2);
    assert_eq!(m.tables[0].rows.len(), 3);
    let (header, rows) = table(concat!(
        r"\begin{longtable}{ll}\caption{C}\label{t}\\\hline A & B\\\hline\endfirsthead A & B\\\hline\endhead",
        r"foot\\\endfoot 1 & 2\\3 & 4\\\end{longtable}"
    ));
    assert_eq!((header, rows.len()), (1, 3));
    let m = read(r"\begin{longtable}{l}\caption{C}\label{t}\\a\\b\end{longtable}");
    assert_eq!(labels(&m), [("t", LabelTarget::Float(0))]);
    assert_eq!(m.tables[0].float, Some(0));
    let m = read(r"\begin{tabular}{cc}\begin{tabular}{c}a\\b\end{tabular}&{x\\y}\\\end{tabular}");
    assert_eq!(m.tables.len(), 1);
    assert_eq!(m.tables[0].rows[0].len(), 2);
    assert_eq!(m.blocks[0].text.string, "a b");
}

#[test]
fn formulas_set_apart_are_blocks() {
    let text = r"Let \begin{equation}\label{eq:a} E = mc^2 \end{equation} and \[ x \] and $$y$$ or \begin{align*}a &= b\\ c &= d\end{align*} end.";
    let got: Vec<(BlockKind, String)> = blocks(text);
    let kinds: Vec<BlockKind> = got.iter().map(|(kind, _)| *kind).collect();
    use BlockKind::{Math, Paragraph};
    assert_eq!(
        kinds,
        [
            Paragraph, Math, Paragraph, Math, Paragraph, Math, Paragraph, Math, Paragraph
        ]
    );
    assert_eq!(got[1].1, "E = mc²");
    assert_eq!(got[7].1, "a = b c = d");
    assert_eq!(labels(&read(text)), [("eq:a", LabelTarget::Equation)]);
}

#[test]
fn lists_quotes_code_and_notes() {
    let text = concat!(
        "\\begin{itemize}\\item One\n\ntwo\\item[x] Three\\begin{enumerate}\\item Deep\\end{enumerate}\\end{itemize}",
        "\\begin{quote}Said.\\end{quote}Text\\footnote{A note with $x$.} goes on.",
        "\\begin{lstlisting}[caption={Some code},label=lst:a]\nx = 1 # \\label{no}\n\\end{lstlisting}"
    );
    use BlockKind::{Caption, Code, Footnote, ListItem, Paragraph, Quote};
    let kinds: Vec<BlockKind> = blocks(text).iter().map(|(kind, _)| *kind).collect();
    assert_eq!(
        kinds,
        [
            ListItem, ListItem, ListItem, ListItem, Quote, Footnote, Paragraph, Caption, Code
        ]
    );
    let m = read(text);
    assert_eq!(m.blocks[6].text.string, "Text goes on.");
    assert!(
        m.blocks[6]
            .text
            .inlines
            .iter()
            .any(|i| i.kind == InlineKind::FootnoteMark)
    );
    assert_eq!(labels(&m), [("lst:a", LabelTarget::Float(0))]);
    assert_eq!(m.floats[0].kind, FloatKind::Listing);
    let m = read(
        "\\lstset{escapeinside={(*}{*)}}\\begin{lstlisting}\nx (*\\label{line:a}*)\n\\end{lstlisting}",
    );
    assert_eq!(labels(&m), [("line:a", LabelTarget::Other)]);
}

#[test]
fn drawings_are_mute_but_cite() {
    let m = read(
        r"\newtheorem{thm}{Theorem}\begin{tikzpicture}\node {words \cite{a}};\end{tikzpicture}\begin{thm}\label{t}Claim.\end{thm}",
    );
    assert_eq!(m.blocks.len(), 1);
    assert_eq!(m.blocks[0].text.string, "Claim.");
    assert_eq!(keys(&m).len(), 1);
    assert_eq!(labels(&m), [("t", LabelTarget::Other)]);
}
