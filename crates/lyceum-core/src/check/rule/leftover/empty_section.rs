//! A heading with nothing under it.

use std::sync::LazyLock;

use regex::Regex;

use super::place::{Readable, pattern, readable};
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::{BlockKind, Format, Manuscript, SectionKind, Span};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "empty-section",
    tier: Tier::Warning,
    title: Say::new("a heading with nothing under it", "标题下没有内容"),
    rationale: Say::new(
        "A heading directly followed by a heading of the same or a higher level, or by the end of the text, announces \
         what is not there. Silent when a subsection follows, when anything but comments and labels stands in between \
         (an image, an include, a command), for reference lists, appendix titles and lists of contents, which other \
         programs fill, and when a file that the text includes could not be read.",
        "标题之后紧跟同级或更高级的标题，或直接到文末，说明应有的内容缺失。若其后是小节，或中间有注释和标签以外的任何内容\
         （图片、包含语句、命令），则不报告；由其他程序填充的参考文献、附录标题和目录不报告；有被包含的文件无法读取时也不报告。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "# Methods\n\nWe looked.\n\n# Results\n\n<!-- to come -->\n\n# Discussion\n\nFine.\n",
            bib: None,
            finds: &["# Results"],
        },
        Example {
            format: Format::Markdown,
            text: "# Methods\n\n## Data\n\nWe looked.\n\n## Analysis\n\n# Discussion\n\nFine.\n\n# References\n",
            bib: None,
            finds: &["## Analysis"],
        },
        Example {
            format: Format::Markdown,
            text: "# Methods\n\n## Data\n\nWe looked.\n\n# Figures\n\n![A figure](a.png)\n\n# Code\n\n```\nx\n```\n\n\
                   # References\n\n# Appendix\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "# Table of contents\n\n# List of figures\n\n# Introduction\n\nText.\n\n# More\n\n{{< include more.md >}}\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\n\\begin{document}\n\\section{Methods}\nText.\n\\section{Results}\n\\label{sec:r} % to come\n\\section{End}\nText.\n\\end{document}\n",
            bib: None,
            finds: &["\\section{Results}"],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\n\\begin{document}\n\\section{Methods}\n\\subsection{Data}\nText.\n\\section{Map}\n\\includegraphics{map}\n\\section{More}\n\\blindtext\n\\section*{References}\n\\printbibliography\n\\end{document}\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

static PASSED_OVER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\\(?:label|phantomsection|addcontentsline|markboth|markright|thispagestyle|pagestyle|clearpage|cleardoublepage|newpage|pagebreak|vspace|bigskip|medskip|smallskip|noindent|par|centering|index)\b\*?(?:\s*(?:\[[^\]]*\]|\{[^{}]*\}))*",
    )
});

fn check(paper: &Paper, found: &mut Found) {
    let manuscript = &paper.manuscript;
    if manuscript
        .notes
        .iter()
        .any(|note| note.unreadable.is_some())
    {
        found.skip(
            "a file of the text could not be read",
            "文稿的某个文件无法读取",
        );
        return;
    }
    let mut sources = None;
    for (i, section) in manuscript.sections.iter().enumerate().skip(1) {
        if is_slogan(&section.title)
            || is_filled_elsewhere(manuscript, i)
            || has_content(manuscript, i)
        {
            continue;
        }
        let next = manuscript.sections.get(i + 1);
        if next.is_some_and(|next| next.level > section.level) {
            continue;
        }
        let sources = sources.get_or_insert_with(|| readable(paper));
        let Some(heading) = heading(manuscript, i) else {
            continue;
        };
        if holds_something(manuscript, sources, i, heading) {
            continue;
        }
        found.push(
            heading,
            Words::new(
                format!("nothing under the heading “{}”", section.title),
                format!("标题“{}”下没有内容", section.title),
            ),
            Words::new(
                "Write the section or delete its heading.",
                "请补写该节或删除标题。",
            ),
        );
    }
}

/// The whole heading in its source; `None` for a section without one.
fn heading(manuscript: &Manuscript, index: usize) -> Option<Span> {
    let section = &manuscript.sections[index];
    let block = manuscript
        .blocks
        .get(section.blocks.start)
        .filter(|block| block.kind == BlockKind::Heading && block.section == index)?;
    let mut span = section.span.join(block.span);
    let source = manuscript.source(span.file);
    let closed = source.text.get(span.end as usize..)?.starts_with('}');
    span.end += u32::from(closed);
    Some(span)
}

/// A heading that says all it has to: a link or a sentence set large.
fn is_slogan(title: &str) -> bool {
    title.is_empty()
        || title.starts_with('>')
        || title.ends_with(['!', '.', '！', '。'])
        || title.contains("://")
}

/// Sections that a program or a list fills.
fn is_filled_elsewhere(manuscript: &Manuscript, index: usize) -> bool {
    let section = &manuscript.sections[index];
    let title = section.title.to_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| title.contains(part));
    matches!(
        section.kind,
        SectionKind::References
            | SectionKind::Appendix
            | SectionKind::Front
            | SectionKind::Abbreviations
    ) || has(&[
        "reference",
        "bibliograph",
        "contents",
        "list of",
        "index",
        "glossary",
        "nomenclature",
        "literature",
        "citation",
        "目录",
        "目次",
        "插图",
        "表格清单",
        "图清单",
        "索引",
        "文献",
        "符号",
    ])
}

/// True when a block other than the heading stands in the section itself.
fn has_content(manuscript: &Manuscript, index: usize) -> bool {
    let section = &manuscript.sections[index];
    manuscript
        .blocks
        .get(section.blocks.clone())
        .unwrap_or_default()
        .iter()
        .any(|block| block.section == index && block.kind != BlockKind::Heading)
}

/// True when the source between this heading and the next holds more than comments and labels: perhaps nothing the
/// reader of the format knows, but something.
fn holds_something(
    manuscript: &Manuscript,
    sources: &[Readable],
    index: usize,
    heading: Span,
) -> bool {
    let section = &manuscript.sections[index];
    let Some(source) = sources
        .iter()
        .find(|source| source.file == section.span.file)
    else {
        return true;
    };
    let start = heading.end as usize;
    let end = match manuscript.sections.get(index + 1) {
        Some(next) if next.span.file == section.span.file => next.span.start as usize,
        // What the next file begins with is not looked at: a heading that ends its file is left alone.
        Some(_) if manuscript.format == Format::Latex => return true,
        _ => source.text.len(),
    };
    let Some(between) = source.text.get(start..end.min(source.text.len())) else {
        return true;
    };
    let rest = PASSED_OVER.replace_all(between, "");
    !rest.trim().is_empty()
}
