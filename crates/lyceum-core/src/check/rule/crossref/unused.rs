//! Labels of floats and formulas that nothing refers to.

use super::super::occurrence::{
    Use, affordable, is_slides, is_whole, known_places, occurs_elsewhere, referred,
};
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::{Format, Label, LabelTarget};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "label-unused",
    tier: Tier::Opinion,
    title: Say::new("labels that nothing refers to", "从未被引用的标签"),
    rationale: Say::new(
        "A labelled formula or float that nothing refers to may be a forgotten reference, or needs no number. One \
         problem for the whole text, at the first such label. Labels of sections are not counted. Silent when an \
         include could not be read, in parts of a text, for slides, and for names that stand elsewhere in the text as \
         an argument.",
        "带标签但从未被引用的公式或浮动体，可能是忘了引用，也可能不需要编号。全文只报告一次，位于第一个这样的标签。章节标签不计。有包含的文件无法读取、文稿\
         片段、幻灯片，以及名称在文中其他地方作为参数出现的，不报告。",
    ),
    profiles: Profile::WHOLE,
    examples: &[
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\\begin{document}\n\\begin{equation}\\label{eq:a} a=b \\end{equation}\n\\begin{equation}\\label{eq:b} a=b \\end{equation}\nSee \\eqref{eq:b}.\n\\end{document}\n",
            bib: None,
            finds: &["eq:a"],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\\begin{document}\n\\section{A}\\label{sec:a}\n\\begin{equation}\\label{eq:b} a=b \\end{equation}\nSee \\eqref{eq:b}.\n\\end{document}\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "# A {#a}\n\nText.\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

/// Labels looked into, and labels a message names.
const LABELS: usize = 500;
const NAMED: usize = 5;

fn check(paper: &Paper, found: &mut Found) {
    let text = &paper.manuscript;
    if !is_whole(text) || is_slides(text) {
        return;
    }
    let referred = referred(text);
    let known = known_places(paper, true);
    let unused: Vec<&Label> = text
        .labels
        .iter()
        .filter(|label| matches!(label.target, LabelTarget::Float(_) | LabelTarget::Equation))
        .filter(|label| !referred.contains(label.name.as_str()))
        .take(affordable(text, LABELS))
        .filter(|label| !occurs_elsewhere(paper, &label.name, &known, Use::Word))
        .collect();
    let Some(first) = unused.first() else {
        return;
    };
    let names: Vec<&str> = unused
        .iter()
        .take(NAMED)
        .map(|label| label.name.as_str())
        .collect();
    let names = names.join(", ");
    let (more_en, more_zh) = match unused.len().saturating_sub(NAMED) {
        0 => (String::new(), String::new()),
        n => (format!(" and {n} more"), format!(" 等，另有 {n} 个")),
    };
    let en = match unused.len() {
        1 => format!("nothing refers to the label {names}"),
        n => format!("nothing refers to {n} labels: {names}{more_en}"),
    };
    found.push(
        first.span,
        Words::new(
            en,
            format!("有 {} 个标签从未被引用：{names}{more_zh}", unused.len()),
        ),
        Words::new(
            "Refer to them, or leave out the label and the number.",
            "请引用它们，或去掉标签和编号。",
        ),
    );
}
