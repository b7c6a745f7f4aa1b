//! One label name stands at two places.

use std::collections::HashMap;

use super::super::occurrence::is_slides;
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::{FileId, Format, Label, Manuscript};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "label-duplicate",
    tier: Tier::Error,
    title: Say::new("label defined twice", "标签重复定义"),
    rationale: Say::new(
        "LaTeX warns that the label is multiply defined, and every reference to it leads to the last one. Reported at \
         the second place. Silent for slides, for one label that a macro or an include repeats, and for files with a \
         condition that only TeX can decide, since the two may stand in different branches.",
        "LaTeX 会警告标签重复定义，所有引用都指向最后一处。在第二处报告。以下情况不报告：幻灯片；由宏或重复包含造成的同一标签；文件中有只有 TeX 才能判断的\
         条件（两处可能位于不同分支）。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\\begin{document}\n\\section{A}\\label{sec:a}\nText.\n\\section{B}\\label{sec:a}\nText.\n\\end{document}\n",
            bib: None,
            finds: &["sec:a"],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\\begin{document}\n\\section{A}\\label{sec:a}\nText.\n% \\label{sec:a}\n\\begin{verbatim}\n\\label{sec:a}\n\\end{verbatim}\n\\iffalse\\section{B}\\label{sec:a}\\fi\n\\section{B}\\label{sec:A}\nText.\n\\end{document}\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "# A {#a}\n\nText.\n\n# B {#b}\n\nText.\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

fn check(paper: &Paper, found: &mut Found) {
    let text = &paper.manuscript;
    if is_slides(text) {
        return;
    }
    let undecided: Vec<FileId> = text
        .notes
        .iter()
        .filter(|note| matches!(note.code, "conditional_undecided" | "unclosed_conditional"))
        .filter_map(|note| note.span.map(|span| span.file))
        .collect();
    let mut seen: HashMap<&str, &Label> = HashMap::new();
    for label in &text.labels {
        let Some(first) = seen.get(label.name.as_str()).copied() else {
            seen.insert(&label.name, label);
            continue;
        };
        let in_branches = [first.span.file, label.span.file]
            .iter()
            .any(|file| undecided.contains(file));
        if first.span == label.span || in_branches || label.name.contains(['#', '\\']) {
            continue;
        }
        found.push(
            label.span,
            Words::new(
                format!(
                    "the label {} was already set {}",
                    label.name,
                    place(text, first, label).0
                ),
                format!(
                    "标签 {} 已在{}定义",
                    label.name,
                    place(text, first, label).1
                ),
            ),
            Words::new(
                "Give one of the two another name.",
                "请为其中一个换一个名称。",
            ),
        );
    }
}

fn place(text: &Manuscript, first: &Label, second: &Label) -> (String, String) {
    let source = text.source(first.span.file);
    let line = source.place(first.span.start).line;
    if first.span.file == second.span.file {
        return (format!("in line {line}"), format!("第 {line} 行"));
    }
    let path = &source.path;
    (
        format!("in {path}, line {line}"),
        format!(" {path} 第 {line} 行"),
    )
}
