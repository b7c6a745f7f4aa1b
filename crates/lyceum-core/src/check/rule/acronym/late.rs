//! An acronym is used before it is defined.

use super::request;
use super::undefined::place;
use crate::base::{Say, Words};
use crate::check::acronym::{AcronymRule, check_acronyms};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::{BlockKind, Format, Span};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "acronym-late",
    tier: Tier::Warning,
    title: Say::new(
        "an acronym is used before its definition",
        "缩略语先用后定义",
    ),
    rationale: Say::new(
        "The definition comes too late for the reader who needed it. Compares, in the body and in each abstract on its \
         own, the first use with the first bracket whose words spell the acronym. Silent when the acronym was introduced \
         before in another form, stands before it only in a name (QRST Guard), by a command or in a list of abbreviations; and what a heading, caption, table, note, title of a theorem or item of the acronym alone \
         says does not count.",
        "定义来得太晚，先读到缩略语的读者得不到帮助。在正文和各摘要中分别比较首次使用与首个能拼出该缩略语的括号定义。此前只出现在专名（如 QRST Guard）中、已用其他\
         形式引入，或由命令、缩略语表定义，则不报告；标题、图题、表格、注释、定理名称和仅含缩略语的列表项中的文字不计。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "# Introduction\n\nThe QRST fell. The quick response stress test (QRST) is described below.\n",
            bib: None,
            finds: &["QRST"],
        },
        Example {
            format: Format::Markdown,
            text: "# Abstract\n\nThe QRST fell.\n\n# Introduction\n\nThe quick response stress test (QRST) fell. QRST is good.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "# Introduction\n\nWe present QRST Guard and Jacobi-QRST. The quick response stress test (QRST) is old.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "# The QRST\n\nQRST (a quick test) fell. The quick response stress test (QRST) is described below.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\n\\begin{document}\n\\begin{abstract}\nThe quick response stress test (QRST) fell.\n\\end{abstract}\n\\section{One}\nQRST fell. The quick response stress test (QRST) is old.\n\\end{document}\n",
            bib: None,
            finds: &["QRST"],
        },
        Example {
            format: Format::Markdown,
            text: "# Outline\n\n- QRST\n- Results\n\nThe quick response stress test (QRST) is old.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\\newtheorem{example}{Example}\n\\begin{document}\n\\begin{example}[QRST] \\label{a}\nIt fell. The quick response stress test (QRST) is old.\n\\end{example}\n\\end{document}\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\n\\begin{document}\n\\begin{tablenotes}\n\\item[a] QRST fell.\n\\end{tablenotes}\nThe quick response stress test (QRST) is old.\n\\end{document}\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

fn check(paper: &Paper, found: &mut Found) {
    let report = check_acronyms(&paper.manuscript, &request(paper));
    for finding in report.findings {
        let (AcronymRule::DefinedAfterUse, Some(defined)) = (finding.rule, finding.defined_at)
        else {
            continue;
        };
        if is_in_theorem_title(paper, finding.span)
            || is_whole_item(paper, &finding.acronym, finding.span)
        {
            continue;
        }
        let source = paper.manuscript.source(defined.file);
        let at = format!("{}:{}", source.path, source.line_number(defined.start));
        let (acronym, count) = (&finding.acronym, finding.occurrences);
        let words = finding.expansion.as_deref().unwrap_or("");
        let (en, zh) = place(finding.scope);
        found.push(
            finding.span,
            Words::new(
                format!("{acronym} is used in {en} before its definition at {at} ({count} uses)"),
                format!("{acronym} 在{zh}中先于 {at} 处的定义使用（{count} 次）"),
            ),
            Words::new(
                format!("Define it here: “{words} ({acronym})”."),
                format!("请在此处定义：“{words}（{acronym}）”。"),
            ),
        );
    }
}

/// True for an item of a list that is the acronym alone, as in an outline of headings.
fn is_whole_item(paper: &Paper, acronym: &str, span: Span) -> bool {
    paper.manuscript.blocks.iter().any(|block| {
        block.kind == BlockKind::ListItem
            && block.span.file == span.file
            && (block.span.start..=block.span.end).contains(&span.start)
            && block.text.string.trim() == acronym
    })
}

/// True inside the brackets of `\begin{theorem}[…]`, which are a title.
fn is_in_theorem_title(paper: &Paper, span: Span) -> bool {
    const LONGEST: usize = 300;
    let text = paper.manuscript.source(span.file).text.as_str();
    let head = text.get(..span.start as usize).unwrap_or("");
    let from = head
        .char_indices()
        .rev()
        .take(LONGEST)
        .take_while(|(_, c)| !matches!(c, '\n' | ']'))
        .last()
        .map_or(head.len(), |(at, _)| at);
    let line = head.get(from..).unwrap_or("");
    paper.manuscript.format == Format::Latex
        && line.rfind("}[").is_some_and(|at| {
            line.get(..at)
                .is_some_and(|before| before.contains("\\begin{"))
        })
}
