//! Works out the genre of a text, so that rules ask of it only what its genre owes.
//!
//! In doubt a text is a fragment: nothing is then missing from it.

use std::sync::LazyLock;

use regex::Regex;

use super::types::Profile;
use crate::text::{BlockKind, Format, Manuscript, SectionKind};

static CLASS: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(
        clippy::expect_used,
        reason = "a literal pattern, compiled by every test"
    )]
    Regex::new(r"(?m)^[^%\n]*\\documentclass\s*(?:\[[^\]]*\])?\s*\{([^{}]*)\}").expect("pattern")
});
/// Words that only a thesis says of itself. A bare "thesis" also means a claim.
static THESIS: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(
        clippy::expect_used,
        reason = "a literal pattern, compiled by every test"
    )]
    Regex::new(
        r"(?xi) in\ (?:this|the\ present)\ (?:ph\.?d\.?\ |doctoral\ |master'?s?\ |bachelor'?s?\ )?(?:thesis|dissertation)\b
        | \bwork\ presented\ in\ this\ (?:thesis|dissertation)\b
        | \b(?:thesis|dissertation)\ (?:is\ )?submitted\b | \bsubmitted\ (?:for|in)\ .{0,40}\bdegree\ of\b
        | \bpartial\ ful[fl]*il+ment\b .{0,60} \bdegree\b | 学位论文 | (?:申请|授予).{0,12}学位",
    )
    .expect("pattern")
});

/// How many blocks from the beginning count as title page and front part of a thesis.
const FRONT: usize = 60;
/// Fewer visible characters than this make no whole text.
const WHOLE: usize = 1_500;

/// The genre of a text.
#[must_use]
pub fn detect(manuscript: &Manuscript) -> Profile {
    if is_software(manuscript) {
        return Profile::Software;
    }
    let class = class(manuscript);
    if is_thesis(manuscript, class) {
        return Profile::Thesis;
    }
    match (manuscript.format, class) {
        (Format::Latex, None) => return Profile::Fragment,
        (_, Some(class))
            if [
                "beamer",
                "standalone",
                "letter",
                "moderncv",
                "exam",
                "ltxdoc",
            ]
            .iter()
            .any(|other| class.contains(other)) =>
        {
            return Profile::Fragment;
        }
        _ => {}
    }
    let signs = [
        has_title(manuscript),
        has_section(manuscript, SectionKind::Abstract),
        known_sections(manuscript) >= 2,
        !manuscript.citations.is_empty() || !manuscript.bib_items.is_empty(),
    ];
    if signs.iter().filter(|sign| **sign).count() >= 2
        && (is_long(manuscript) || has_title(manuscript) && class.is_some())
    {
        Profile::Article
    } else {
        Profile::Fragment
    }
}

/// The head of a JOSS paper, in Markdown or as JOSS makes LaTeX of it.
pub(crate) fn has_joss_head(manuscript: &Manuscript) -> bool {
    let front = &manuscript.front_matter;
    let all = ["title", "tags", "authors", "affiliations"]
        .iter()
        .all(|key| front.get(key).is_some());
    let named = front
        .get("journal")
        .is_some_and(|name| name == "JOSS" || name.contains("Open Source Software"));
    let made = manuscript.format == Format::Latex
        && manuscript
            .sources
            .first()
            .is_some_and(|source| source.text.contains("Journal of Open Source Software"))
        && has_section(manuscript, SectionKind::Abstract)
        && manuscript.sections.len() <= 12;
    all || named || made
}

fn is_software(manuscript: &Manuscript) -> bool {
    has_joss_head(manuscript) || has_section(manuscript, SectionKind::StatementOfNeed)
}

fn is_thesis(manuscript: &Manuscript, class: Option<&str>) -> bool {
    let class = class.unwrap_or_default().to_ascii_lowercase();
    if ["thesis", "dissertation", "phd", "msc"]
        .iter()
        .any(|word| class.contains(word))
    {
        return true;
    }
    let says = manuscript
        .blocks
        .iter()
        .take(FRONT)
        .any(|block| THESIS.is_match(&block.text.string));
    let book = ["report", "book", "memoir", "scrreprt", "ctexrep"]
        .iter()
        .any(|word| class.contains(word))
        || manuscript
            .front_matter
            .get("documentclass")
            .is_some_and(|class| class.contains("report") || class.contains("book"));
    // A paper may mention the thesis it came from once, in a footnote; a thesis has a book's shape or a
    // declaration before its first heading.
    says && (book || manuscript.format != Format::Latex)
}

fn class(manuscript: &Manuscript) -> Option<&str> {
    let source = manuscript.sources.first()?;
    Some(CLASS.captures(&source.text)?.get(1)?.as_str().trim())
}

fn has_section(manuscript: &Manuscript, kind: SectionKind) -> bool {
    manuscript
        .sections
        .iter()
        .any(|section| section.kind == kind)
}

fn known_sections(manuscript: &Manuscript) -> usize {
    use SectionKind as S;
    [
        S::Introduction,
        S::Methods,
        S::Results,
        S::Discussion,
        S::Conclusion,
    ]
    .iter()
    .filter(|kind| has_section(manuscript, **kind))
    .count()
}

fn has_title(manuscript: &Manuscript) -> bool {
    let named = |key| {
        manuscript
            .front_matter
            .get(key)
            .is_some_and(|title| !title.trim().is_empty())
    };
    // In Markdown the only heading of the first level is the title.
    let mut first_level = manuscript
        .sections
        .iter()
        .filter(|section| section.level == 1);
    let heading = manuscript.format == Format::Markdown
        && first_level.next().is_some()
        && first_level.next().is_none();
    heading
        || named("title")
        || manuscript
            .blocks
            .iter()
            .any(|block| block.kind == BlockKind::Title)
}

fn is_long(manuscript: &Manuscript) -> bool {
    let mut length = 0;
    manuscript.blocks.iter().any(|block| {
        // A Chinese character says as much as two or three Latin letters, and has three bytes.
        length += block.text.len();
        length >= WHOLE
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::tests::MemoryFiles;
    use crate::text::{Budget, load};

    fn of(format: Format, text: &str) -> Profile {
        detect(&read(format, text))
    }

    fn read(format: Format, text: &str) -> Manuscript {
        let mut files = MemoryFiles::default();
        files.0.insert("a".to_owned(), text.as_bytes().to_vec());
        load(&files, &["a".to_owned()], format, Budget::default()).unwrap()
    }

    fn long(text: &str) -> String {
        format!(
            "{text}\n\n{}\n",
            "These words fill a paragraph. ".repeat(80)
        )
    }

    #[test]
    fn a_statement_of_need_makes_a_software_paper() {
        let text = "# Summary\n\nA tool.\n\n# Statement of need\n\nNeeded.\n";
        assert_eq!(of(Format::Markdown, text), Profile::Software);
    }

    #[test]
    fn a_joss_head_makes_a_software_paper() {
        let mut manuscript = read(Format::Markdown, "# Summary\n\nA tool.\n");
        for key in ["title", "tags", "authors", "affiliations"] {
            manuscript
                .front_matter
                .fields
                .push((key.to_owned(), "x".to_owned(), None));
        }
        assert_eq!(detect(&manuscript), Profile::Software);
    }

    #[test]
    fn a_paper_is_an_article_and_a_part_of_one_is_not() {
        let paper = long("# A title\n\n## Abstract\n\nWe show.\n\n## Introduction\n\nWords.");
        assert_eq!(of(Format::Markdown, &paper), Profile::Article);
        assert_eq!(
            of(Format::Markdown, "# Notes\n\nA few words.\n"),
            Profile::Fragment
        );
        assert_eq!(
            of(Format::Latex, &long("\\section{Results}\nWords.")),
            Profile::Fragment
        );
        assert_eq!(of(Format::Plain, "A few words.\n"), Profile::Fragment);
    }

    #[test]
    fn a_thesis_says_so() {
        let text = long(
            "I confirm that the work presented in this thesis is my own.\n\n# Introduction\n\nWords.",
        );
        assert_eq!(of(Format::Markdown, &text), Profile::Thesis);
        assert_eq!(
            of(
                Format::Latex,
                "\\documentclass[a4paper,\n12pt]{PhDThesisPSnPDF}\n\\begin{document}x\\end{document}"
            ),
            Profile::Thesis
        );
        let philosophy =
            long("# A title\n\n## Abstract\n\nThis thesis is false.\n\n## Introduction\n\nWords.");
        assert_eq!(of(Format::Markdown, &philosophy), Profile::Article);
    }

    #[test]
    fn a_class_in_a_comment_does_not_count() {
        assert_eq!(
            of(Format::Latex, "% \\documentclass{mythesis}\nWords."),
            Profile::Fragment
        );
    }
}
