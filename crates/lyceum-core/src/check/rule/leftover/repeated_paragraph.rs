//! The same paragraph twice.

use std::collections::HashMap;

use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::{BlockKind, Format, Manuscript, SectionKind, Span};

/// Fewest words of a paragraph that is not repeated by chance or by formula.
const WORDS: usize = 40;
/// The same in Chinese characters.
const CHARACTERS: usize = 80;

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "repeated-paragraph",
    tier: Tier::Warning,
    title: Say::new("a paragraph stands in the text twice", "段落重复"),
    rationale: Say::new(
        "A paragraph that was moved by copying, or a file that is included twice. Compares paragraphs of the body of \
         at least 40 words or 80 Chinese characters, word for word, white space aside. The abstract (not the summary of a software paper), the front part and \
         each section of an appendix may repeat the body and are compared with themselves only. Silent for quotations, notes in \
         figures and tables, and shorter paragraphs.",
        "复制粘贴移动的段落，或被包含两次的文件。逐字比较正文中至少 40 个英文词或 80 个汉字的段落（忽略空白）。\
         摘要（软件论文的 Summary 除外）、正文前部分和附录各节可以与正文重复，只在其自身内部比较；引文、图表中的注释和较短的段落不报告。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "# Methods\n\nThe samples were taken at noon on every third day of the month, stored in the dark at four \
                   degrees for no longer than a week, and then measured three times by two people who did not know \
                   which of the sites each of them came from.\n\n# Results\n\nThe samples were taken at noon on every \
                   third day of the month, stored in the dark at four\ndegrees for no longer than a week, and then \
                   measured three times by two people who did not know which of the sites each of them came from.\n",
            bib: None,
            finds: &[
                "The samples were taken at noon on every third day of the month, stored in the dark at four degrees for no longer than a week, and then measured three times by t…",
            ],
        },
        Example {
            format: Format::Markdown,
            text: "# Abstract\n\nThe samples were taken at noon on every third day of the month, stored in the dark at four \
                   degrees for no longer than a week, and then measured three times by two people who did not know \
                   which of the sites each of them came from.\n\n# Results\n\nThe samples were taken at noon on every \
                   third day of the month, stored in the dark at four degrees for no longer than a week, and then \
                   measured three times by two people who did not know which of the sites each of them came from.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\\begin{document}\n\\begin{figure}\\caption{One.}\nThe samples were taken at noon on every third day of the month, stored in the dark at four degrees for no longer than a week, and then measured three times by two people who did not know which of the sites each of them came from.\n\\end{figure}\n\nText.\n\n\\begin{figure}\\caption{Two.}\nThe samples were taken at noon on every third day of the month, stored in the dark at four degrees for no longer than a week, and then measured three times by two people who did not know which of the sites each of them came from.\n\\end{figure}\n\\end{document}\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "# Results\n\nThe p-value is given.\n\n# Discussion\n\nThe p-value is given.\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

fn check(paper: &Paper, found: &mut Found) {
    let manuscript = &paper.manuscript;
    let mut first: HashMap<(&str, Option<usize>), usize> = HashMap::new();
    let floats = float_places(manuscript);
    for (i, block) in manuscript.blocks.iter().enumerate() {
        let kind = manuscript.kind_of(block.section);
        // What may repeat the body is compared with itself only.
        let apart = match kind {
            // The summary of a software paper is a part of it.
            SectionKind::Abstract if paper.profile == Profile::Software => None,
            SectionKind::Abstract | SectionKind::Front | SectionKind::Appendix => {
                Some(block.section)
            }
            _ => None,
        };
        let text = block.text.string.as_str();
        if block.kind != BlockKind::Paragraph
            || kind == SectionKind::References
            || !is_long(text)
            || is_inside(&floats, block.span)
        {
            continue;
        }
        let Some(&earlier) = first.get(&(text, apart)) else {
            first.insert((text, apart), i);
            continue;
        };
        let before = manuscript.blocks[earlier].span;
        let line = manuscript.source(before.file).line_number(before.start);
        let path = &manuscript.source(before.file).path;
        let (message, hint) = if before == block.span {
            (
                Words::new(
                    format!("{path} is included twice, so this paragraph is printed twice"),
                    format!("{path} 被包含两次，本段因此出现两次"),
                ),
                Words::new("Include the file once.", "请只包含该文件一次。"),
            )
        } else {
            (
                Words::new(
                    format!("the same paragraph as at {path}:{line}"),
                    format!("与 {path}:{line} 处的段落相同"),
                ),
                Words::new("Delete one of the two.", "请删去其中一段。"),
            )
        };
        found.push(block.span, message, hint);
    }
}

/// Places of floats in ascending order, those inside another left out.
fn float_places(manuscript: &Manuscript) -> Vec<Span> {
    let mut all: Vec<Span> = manuscript.floats.iter().map(|float| float.span).collect();
    all.sort_unstable();
    let mut places: Vec<Span> = Vec::new();
    for span in all {
        let inside = places
            .last()
            .is_some_and(|last| last.file == span.file && span.end <= last.end);
        if !inside {
            places.push(span);
        }
    }
    places
}

fn is_inside(places: &[Span], span: Span) -> bool {
    let end = places.partition_point(|place| (place.file, place.start) <= (span.file, span.start));
    places[..end]
        .last()
        .is_some_and(|place| place.file == span.file && span.start < place.end)
}

fn is_long(text: &str) -> bool {
    let han = text
        .chars()
        .filter(|c| ('\u{4e00}'..='\u{9fff}').contains(c))
        .count();
    han >= CHARACTERS
        || text
            .split_whitespace()
            .filter(|word| word.len() > 1)
            .count()
            >= WORDS
}
