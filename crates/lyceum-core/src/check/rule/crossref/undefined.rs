//! A cross reference to a label that is nowhere.

use std::collections::{HashMap, HashSet};

use super::super::occurrence::{Use, affordable, is_whole, known_places, occurs_elsewhere};
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::{
    CrossReference, ESCAPES_CODE, Format, Manuscript, READS_CODE, escapes_code, reads_code,
};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "label-undefined",
    tier: Tier::Error,
    title: Say::new(
        "cross reference to a label that is not there",
        "交叉引用的标签不存在",
    ),
    rationale: Say::new(
        "Such a reference prints as ??. One problem a label, at its first place. Silent when an include could not be \
         read, in parts of a text, for labels of other documents (xr), for labels of packages (LastPage) or that the \
         `.aux` file knows, when code is read from files with an escape to LaTeX, when ten names and a quarter of all find no label (said in the coverage), for names made \
         by macros, and when the name stands elsewhere in the text as an argument or attribute, where a macro, a code \
         block or a package may define it.",
        "这样的引用会显示为 ??。每个标签只在首次出现处报告一次。以下情况不报告：有包含的文件无法读取；文稿片段；其他文档的标签（xr）；宏包自带的标签\
         （LastPage）或 `.aux` 文件中已有的标签；从文件读入且允许转义到 LaTeX 的代码；至少十个且超过四分之一的名称找不到标签（在覆盖说明中注明）；由宏生成的名称；该名称在文中其他地方作为参数或属性出现，可能由宏、代码块或宏包定义。",
    ),
    profiles: Profile::WHOLE,
    examples: &[
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\\begin{document}\nSee \\ref{fig:one} and \\cref{sec:a,sec:b}, again \\ref{fig:one}.\n\\section{A}\\label{sec:a}\nText.\n\\end{document}\n",
            bib: None,
            finds: &["\\ref{fig:one}", "sec:b"],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\\usepackage{xr}\\externaldocument[S-]{supplement}\\begin{document}\nSee \\ref{S-fig:one}, \\pageref{LastPage}, \\ref{lst:a}, % \\ref{old}\n\\newcommand{\\eqn}[1]{\\ref{eq:#1}}\n\\begin{lstlisting}[caption={A},label={lst:a}]\nx\n\\end{lstlisting}\n\\end{document}\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\\begin{document}\n\\input{gone}See \\ref{fig:one}.\n\\end{document}\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\\newtcbinputlisting{\\mylisting}[1]{minted options={escapeinside=||},listing file={#1}}\\begin{document}\n\\mylisting{a.py}See line \\ref{ln:one}.\n\\end{document}\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\\begin{document}\n\\lstinputlisting{a.py}See line \\ref{ln:one}.\n\\end{document}\n",
            bib: None,
            finds: &["\\ref{ln:one}"],
        },
        Example {
            format: Format::Markdown,
            text: "# A {#sec:a}\n\nSee @fig:gone, @fig:one and @sec:a.\n\n![One](a.png){#fig:one}\n",
            bib: None,
            finds: &["@fig:gone"],
        },
        Example {
            format: Format::Markdown,
            text: "# A {#sec:a}\n\nSee @fig-plot and \\ref{fig:two}.\n\n```{r}\n#| label: fig-plot\nplot(x)\n```\n\n![Two.\\label{fig:two}](b.png)\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

/// From so many unknown names on, and a quarter of all, it is our reading that fails and not the text.
const MANY: usize = 10;
/// Names looked into; beyond them something else is wrong.
const NAMES: usize = 100;

fn check(paper: &Paper, found: &mut Found) {
    let text = &paper.manuscript;
    let external: Vec<&str> = text
        .packages
        .iter()
        .filter(|(name, _)| name == "xr")
        .map(|(_, value)| value.split('|').next().unwrap_or(""))
        .collect();
    if !is_whole(text) || external.contains(&"") || may_label_lines(text) {
        return;
    }
    let labels: HashSet<&str> = text
        .labels
        .iter()
        .map(|label| label.name.as_str())
        .chain(text.aux_labels.iter().map(String::as_str))
        .collect();
    let mut order: Vec<&CrossReference> = Vec::new();
    let mut times: HashMap<&str, usize> = HashMap::new();
    for reference in &text.references {
        let name = reference.name.as_str();
        let from_elsewhere = external.iter().any(|prefix| name.starts_with(prefix));
        if labels.contains(name) || from_elsewhere || !is_judged(reference) {
            continue;
        }
        let count = times.entry(name).or_insert(0);
        *count += 1;
        if *count == 1 {
            order.push(reference);
        }
    }
    let names: HashSet<&str> = text.references.iter().map(|r| r.name.as_str()).collect();
    if order.len() >= MANY && order.len() * 4 > names.len() {
        found.skip(
            format!(
                "{} of {} references find no label: something sets labels that is not read here",
                order.len(),
                names.len()
            ),
            format!(
                "{} 个引用中有 {} 个找不到标签：可能由此处无法读取的内容定义",
                names.len(),
                order.len()
            ),
        );
        return;
    }
    let known = known_places(paper, true);
    for reference in order.into_iter().take(affordable(text, NAMES)) {
        let name = reference.name.as_str();
        if occurs_elsewhere(paper, name, &known, Use::Word) {
            continue;
        }
        let (en, zh) = match times.get(name) {
            Some(n) if *n > 1 => (
                format!(", referred to {n} times"),
                format!("，共引用 {n} 次"),
            ),
            _ => (String::new(), String::new()),
        };
        found.push(
            reference.span,
            Words::new(
                format!("no label {name}{en}"),
                format!("没有标签 {name}{zh}"),
            ),
            hint(&labels, name),
        );
    }
}

/// True when code is read from files that may set labels of lines, by an escape to LaTeX: those files are not read.
fn may_label_lines(text: &Manuscript) -> bool {
    let tagged = |tag: &str| text.packages.iter().any(|(name, _)| name == tag);
    let any = |holds: fn(&str) -> bool| text.sources.iter().any(|source| holds(&source.text));
    text.format == Format::Latex
        && (tagged(READS_CODE) || any(reads_code))
        && (tagged(ESCAPES_CODE) || any(escapes_code))
}

fn is_judged(reference: &CrossReference) -> bool {
    let name = reference.name.as_str();
    let made = name.contains(['#', '\\', '{', '}', '$', '%', '*', '<']);
    let of_package = matches!(
        name,
        "LastPage" | "TotPages" | "VeryLastPage" | "lastpage" | "LastBibItem" | "TotFigures"
    );
    let other_system = matches!(
        reference.command.as_str(),
        "zref"
            | "zpageref"
            | "lineref"
            | "sref"
            | "bref"
            | "pref"
            | "link"
            | "#"
            | "titleref"
            | "thref"
    );
    !(name.is_empty() || made || of_package || other_system)
}

fn hint(labels: &HashSet<&str>, name: &str) -> Words {
    let allowed = if name.chars().count() < 5 { 1 } else { 2 };
    let near = labels
        .iter()
        .filter(|label| label.len().abs_diff(name.len()) <= allowed * 4 && label.len() <= 100)
        .map(|label| (strsim::damerau_levenshtein(label, name), *label))
        .min()
        .filter(|(distance, _)| *distance <= allowed);
    match near {
        Some((_, near)) => Words::new(
            format!("Did you mean {near}?"),
            format!("是否应为 {near}？"),
        ),
        None => Words::new("Add the label or mend the name.", "请添加标签或改正名称。"),
    }
}
