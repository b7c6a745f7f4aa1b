//! Quotations of the source itself.

use super::*;
use crate::port::{Files, ReadError};
use crate::text::{Budget, Format, find_quote, load};

struct Folder<'a>(&'a [(&'a str, &'a str)]);

impl Files for Folder<'_> {
    fn read(&self, path: &str, _: u64) -> Result<Vec<u8>, ReadError> {
        let found = self.0.iter().find(|(name, _)| *name == path);
        found
            .map(|(_, text)| text.as_bytes().to_vec())
            .ok_or(ReadError::Missing)
    }

    fn exists(&self, path: &str) -> bool {
        self.0.iter().any(|(name, _)| *name == path)
    }

    fn modified(&self, _: &str) -> Option<i64> {
        Some(1)
    }
}

fn read(files: &[(&str, &str)]) -> Manuscript {
    let main = files[0].0;
    let format = Format::of(main).unwrap();
    load(
        &Folder(files),
        &[main.to_owned()],
        format,
        Budget::default(),
    )
    .unwrap()
}

const TEX: &str = r"\documentclass{article}
\newcommand{\ms}{\,ms}
\begin{document}
\section{Results}
We saw 412.6\ms{}
after the walk and 421.6\ms{} before it.
There were 17 left after lunch. % Once 48 left after lunch.
% TODO: ask the 48 students again

\begin{tabular}{lll}
104 & TRUE   & 6.42 \\
105 & FALSE  & 7.11 \\
\end{tabular}

The mean was
\[ m = 3.12 \]
where $m$ is a mean.

\begin{itemize}
\item First thing.
\item Second thing.
\end{itemize}

\input{more}
\end{document}
";

fn tex() -> Manuscript {
    let more = "\\section{More}\nThe \\textsc{Gain} was 5\\ms{} there.\n";
    read(&[
        ("paper.tex", TEX),
        ("more.tex", more),
        ("paper.bbl", "\\bibitem{key} A \\emph{generated} entry.\n"),
    ])
}

/// Where a quotation stands first: file, line, and the words a reader sees of it.
fn at(paper: &Manuscript, quote: &str) -> Option<(String, u32, Vec<String>)> {
    let found = find_quote(paper, quote).into_iter().next()?;
    let source = paper.source(found.span.file);
    let seen = found.parts().map(|(block, seen)| {
        let text = &paper.blocks[block].text.string;
        text.get(seen).unwrap().to_owned()
    });
    let line = source.place(found.span.start).line;
    Some((source.path.clone(), line, seen.collect()))
}

#[test]
fn latex_is_found_as_it_stands_in_the_source() {
    let paper = tex();
    for (quote, file, line, seen) in [
        (r"412.6\ms{} after", "paper.tex", 5, &["412.6 ms after"][..]),
        (
            "412.6\\ms{}\nafter the walk and 421.6\\ms{}",
            "paper.tex",
            5,
            &["412.6 ms after the walk and 421.6 ms"],
        ),
        (
            "104 & TRUE & 6.42",
            "paper.tex",
            11,
            &["104", "TRUE", "6.42"],
        ),
        (
            r"6.42 \\ 105 & FALSE",
            "paper.tex",
            11,
            &["6.42", "105", "FALSE"],
        ),
        (
            r"\section{Results} We saw",
            "paper.tex",
            4,
            &["Results", "We saw"],
        ),
        (
            r"The \textsc{Gain} was 5\ms{}",
            "more.tex",
            2,
            &["The Gain was 5"],
        ),
        (r"\documentclass{article}", "paper.tex", 1, &[]),
        ("TODO: ask the 48 students again", "paper.tex", 8, &[]),
    ] {
        let seen: Vec<String> = seen.iter().map(|text| (*text).to_owned()).collect();
        let shown = |text: &str| text.replace(['\u{2009}', '\u{a0}'], " ");
        let found = at(&paper, quote)
            .map(|(file, line, seen)| (file, line, seen.iter().map(|text| shown(text)).collect()));
        assert_eq!(found, Some((file.to_owned(), line, seen)), "{quote}");
    }
}

#[test]
fn cells_items_and_formulas_are_read_through() {
    let paper = tex();
    for (quote, line) in [
        ("104 TRUE 6.42", 11),
        ("First thing. Second thing.", 20),
        ("The mean was m = 3.12 where m is a mean", 15),
    ] {
        assert_eq!(
            at(&paper, quote).map(|found| found.1),
            Some(line),
            "{quote}"
        );
    }
    let paper = read(&[(
        "a.md",
        "| a | b |\n|---|---|\n| one  | *two* |\n| three | four |\n",
    )]);
    for quote in [
        "one | *two*",
        "one two",
        "| three | four |",
        "*two* | | three",
    ] {
        assert_eq!(
            at(&paper, quote).map(|found| found.1),
            Some(3 + u32::from(quote.starts_with("| three"))),
            "{quote}"
        );
    }
}

#[test]
fn words_that_stand_apart_and_other_numbers_are_not_found() {
    let paper = tex();
    for quote in [
        r"412.6\ms{} before",
        r"12.6\ms{} after",
        r"421.6\ms{} after",
        "104 & FALSE & 6.42",
        "104 & 6.42",
        "walk TRUE",
        "First thing. There were",
        r"\\",
        r"\emph{generated} entry",
        // The comment has the number; the paper says 17.
        "48 left after lunch",
    ] {
        assert_eq!(at(&paper, quote), None, "{quote}");
    }
    assert!(
        QuoteIndex::new(&paper)
            .with_other_numbers("48 left after lunch")
            .is_some()
    );
}

#[test]
fn thousands_of_quotations_of_the_source_read_it_once() {
    let rows: String = (0..10_000)
        .map(|i| format!("row {i} \\emph{{of}} & many \\\\ % and 9{i} more\n"))
        .collect();
    let text = format!(
        "\\begin{{document}}\n\\begin{{tabular}}{{ll}}\n{rows}\\end{{tabular}}\n\\end{{document}}\n"
    );
    let paper = read(&[("paper.tex", &text)]);
    let index = QuoteIndex::new(&paper);
    for i in (0..10_000_u32).step_by(10) {
        let found = index
            .first(&format!("row {i}  \\emph{{of}} & many \\\\"))
            .unwrap();
        assert_eq!(
            paper.source(found.span.file).place(found.span.start).line,
            i + 3
        );
        assert!(index.first(&format!("and 9{i} more")).is_some());
        assert!(
            index
                .first(&format!("row {i} \\emph{{of}} many & many"))
                .is_none()
        );
    }
}
