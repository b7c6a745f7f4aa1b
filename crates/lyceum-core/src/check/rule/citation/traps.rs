//! Whole small texts full of traps: nothing here may be reported.

use crate::check::tests::{findings, findings_at};
use crate::text::Format;

const RULES: &[&str] = &[
    "citation-undefined",
    "citation-unused",
    "bib-duplicate-key",
    "bib-same-work",
    "bib-unreadable-entry",
    "bib-missing-field",
    "bib-malformed-doi",
    "bib-malformed-arxiv",
    "bib-malformed-url",
    "bib-future-year",
    "bib-placeholder",
    "label-undefined",
    "label-duplicate",
    "float-unmentioned",
    "reference-hard-written",
];

fn nothing(format: Format, text: &str, bib: &str) {
    for rule in RULES {
        let found = findings(rule, format, text, Some(bib));
        assert!(found.is_empty(), "{rule}: {found:?}");
    }
}

const BIB: &str = "@article{a, author={A. Bo}, title={T}, journal={J}, year=2001}
@article{b, author={A. Bo}, title={T}, journal={J}, year=2002}
@article{c, author={A. Bo}, title={T}, journal={J}, year=2003, crossref={d}}
@book{d, author={A. Bo}, title={T}, publisher={J}, year=2004}
@book{e, author={A. Bo}, title={T}, publisher={J}, year=2005, ids={ee, eee}}
@phdthesis{f, author={A. Bo}, title={T}, school={J}, year=2006}
";

const LATEX: &str = r"\documentclass{article}
\usepackage{natbib,cleveref,subcaption,listings,amsmath}
\newcommand{\fig}[1]{Figure~\ref{fig:#1}}
\newcommand{\later}{\ref{sec:later}}
\begin{document}
\section{First}\label{sec:first}
Cited \cite[see][p.~3]{a}, \citep*{b}, \citeauthor{c}, \citealp{d,a}, \citeyearpar{ee}, \footnote{Or \citet{f}.}.
\fig{one} and \subref{fig:one:a}, \Cref{tab:one,tab:two}, \crefrange{eq:a}{eq:b}, \autoref*{eq:c},
\hyperref[sec:first]{the first}, \nameref{sec:later}, \cref{thm:a}, line~\ref{line:a}, item~\ref{it:a}, \later,
Listing~\ref{lst:one}, box~\ref{box:one}, \eqref{eq:tag}, \pageref{LastPage}, footnote~\ref{fn:a}.
\begin{figure*}[tb]
  \centering
  \begin{subfigure}{.5\textwidth}\includegraphics{x}\caption{X}\label{fig:one:a}\end{subfigure}
  \caption{Whole \label{fig:one}}
\end{figure*}
\begin{table}\caption[S]{T}\label{tab:one}\begin{tabular}{l}a\end{tabular}\end{table}
\begin{longtable}{l}\caption{T}\label{tab:two}\\ a \end{longtable}
\begin{subequations}\label{eq:a}
\begin{align} a &= b \label{eq:b}\\ c &= d \label{eq:c} \tag{*}\label{eq:tag}\end{align}
\end{subequations}
\begin{theorem}\label{thm:a} A. \end{theorem}
\begin{enumerate}\item\label{it:a} One.\end{enumerate}
\begin{algorithm}\caption{A}\begin{algorithmic}\State x \label{line:a}\end{algorithmic}\end{algorithm}
\begin{lstlisting}[caption={L}, label={lst:one}]
\label{lst:one} \cite{nothing} Figure ??
\end{lstlisting}
\begin{tcolorbox}[label=box:one] Words. \end{tcolorbox}
A note.\footnote{\label{fn:a}Here.}
% \ref{gone} \cite{gone} \label{sec:first}
\begin{figure}\includegraphics{y}\end{figure}
\begin{figure}\includegraphics{y}\captionof{figure}{Z}\label{fig:z}\end{figure}
As in Figure~2, is it so? See \verb|\ref{gone}| and $x[?]$.
\section{Later}\label{sec:later}
Words.
\bibliographystyle{plain}
\bibliography{refs}
\end{document}
";

#[test]
fn a_latex_text_full_of_traps() {
    nothing(Format::Latex, LATEX, BIB);
}

const MARKDOWN: &str = r"---
title: A
bibliography: refs.bib
---

# First {#sec:first}

Cited [@a; see @b, p. 3; -@c], @d says [@ee], mail me@home.org or [see @f]. `@code` and \@home stay.

See @fig:one, [@fig:one; @tbl:one], @sec:first, \autoref{fig:two}, and Figure \ref{fig:three}.

![One](a.png){#fig:one width=50%}

![Two \label{fig:two}](b.png)

![Three.\label{fig:three}](c.png)

The workflow is shown below.

![Workflow](d.png)

| a | b |
|---|---|
| 1 | 2 |

: A table {#tbl:one}

```python
@decorator
def f(): pass
```
";

#[test]
fn a_markdown_text_full_of_traps() {
    nothing(Format::Markdown, MARKDOWN, BIB);
}

#[test]
fn a_biblatex_text_full_of_traps() {
    let bib = "@article{a, author={A. Bo}, title={T}, journaltitle={J}, date={2001-02/2001-03}, doi={10/abc12}}
@online{b, title={T}, url={https://a.org/~x?y=1#z}, date={2002}}
@incollection{c, author={A. Bo}, title={T}, crossref={d}}
@collection{d, editor={A. Bo}, title={T}, date={1999}}
@xdata{x, journaltitle={J}, date={2004}}
@article{e, author={A. Bo}, title={Other}, xdata={x}}
@report{f, author={A. Bo}, title={T}, type={resreport}, institution={U}, date={forthcoming}}
@set{g, entryset={a,b}}
";
    let text = r"\documentclass{article}
\usepackage[backend=biber]{biblatex}
\addbibresource{refs.bib}
\begin{document}
\autocite[1]{a}, \textcite{b}, \parencites(see)()[1]{c}[2]{e}, \footcite{f}, \fullcite{g}.
\printbibliography
\end{document}
";
    nothing(Format::Latex, text, bib);
}

#[test]
fn items_of_the_text_itself_are_entries() {
    let text = r"\documentclass{article}\begin{document}
Known \cite{a,b}.
\begin{thebibliography}{9}
\bibitem{a} A.
\bibitem[B(2001)]{b} B.
\end{thebibliography}
\end{document}
";
    assert!(findings("citation-undefined", Format::Latex, text, None).is_empty());
    let wrong = text.replace("\\cite{a,b}", "\\cite{a,c}");
    assert_eq!(
        findings("citation-undefined", Format::Latex, &wrong, None),
        ["c"]
    );
}

#[test]
fn bibtex_takes_keys_in_any_case_and_biber_does_not() {
    let text = |head: &str, foot: &str| {
        format!(
            "\\documentclass{{article}}{head}\\begin{{document}}See \\cite{{Bo2001}}.{foot}\\end{{document}}"
        )
    };
    let bib = Some("@misc{bo2001, title={T}}\n");
    let bibtex = text("", "\\bibliography{refs}");
    assert!(findings("citation-undefined", Format::Latex, &bibtex, bib).is_empty());
    let biber = text("\\usepackage{biblatex}\\addbibresource{refs.bib}", "");
    assert_eq!(
        findings("citation-undefined", Format::Latex, &biber, bib),
        ["Bo2001"]
    );
}

#[test]
fn a_library_outside_of_the_folder_may_serve_other_papers() {
    let bib = "@book{a, title={A}}\n@book{b, title={B}}\n@book{c, title={C}}\n";
    let at = |named: &str, path| {
        let text = format!("---\nbibliography: {named}\n---\n\nSeen before [@a; @b].\n");
        findings_at(
            "citation-unused",
            Format::Markdown,
            ("papers/one/paper.md", &text),
            Some((path, bib)),
        )
    };
    assert!(at("../refs.bib", "papers/refs.bib").is_empty());
    assert_eq!(at("bib/refs.bib", "papers/one/bib/refs.bib"), ["c"]);
}
