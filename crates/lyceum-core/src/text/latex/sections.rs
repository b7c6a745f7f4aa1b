//! Headings, and the levels of all sections once the whole text is known.

use super::super::builder::Builder;
use super::super::model::BlockKind;
use super::super::section::SectionKind;
use super::super::source::Span;
use super::Reader;
use super::lexer::Kind;
use super::state::Action;

/// While the text is read, levels are these; [`settle`] turns them into levels from 1.
const VIRTUAL: u8 = 10;
const PART: u8 = 11;
const CHAPTER: u8 = 12;

/// The level of a heading command.
pub(super) fn level(name: &str) -> Option<u8> {
    Some(match name {
        "part" => PART,
        "chapter" | "addchap" => CHAPTER,
        "section" | "addsec" => 13,
        "subsection" => 14,
        "subsubsection" => 15,
        "paragraph" => 16,
        "subparagraph" => 17,
        _ => return None,
    })
}

impl Reader<'_> {
    pub(super) fn heading(&mut self, raw: u8, span: Span) {
        self.close_arguments(span);
        let starred = self.input.take(Kind::Star).is_some();
        let _ = self.input.optional();
        if self.state.muted {
            return;
        }
        self.front_again = false;
        self.begin_block(BlockKind::Heading, span);
        if self.argument_group(Action::Section { raw, starred, span }) {
            self.state.kind = BlockKind::Heading;
            self.state.inline = true;
            self.state.target = super::super::model::LabelTarget::Section;
        } else {
            self.end_block();
        }
    }

    pub(super) fn end_heading(&mut self, raw: u8, starred: bool, span: Span) {
        let title = (self.builder.open_kind() != Some(BlockKind::Heading)).then_some("");
        let index = self.builder.section(raw, title, span, starred);
        self.serial += 1;
        if self.appendix
            && let Some(section) = self.builder.out.sections.get_mut(index)
            && !keeps_its_kind(section.kind)
        {
            section.kind = SectionKind::Appendix;
        }
    }

    /// Opens a section that has no heading in the text. An empty `title` announces nothing.
    pub(super) fn virtual_section(&mut self, title: &str, kind: SectionKind, span: Span) {
        self.end_block();
        let index = self.builder.section(VIRTUAL, Some(title), span, true);
        if let Some(section) = self.builder.out.sections.get_mut(index) {
            section.kind = kind;
        }
        self.front_again = false;
    }

    /// What follows is in no section until the next heading.
    pub(super) fn end_virtual_section(&mut self) {
        self.end_block();
        self.front_again = true;
    }
}

/// Statements keep their kind when they stand behind `\appendix`.
fn keeps_its_kind(kind: SectionKind) -> bool {
    matches!(
        kind,
        SectionKind::DataAvailability
            | SectionKind::CodeAvailability
            | SectionKind::Ethics
            | SectionKind::Funding
            | SectionKind::Conflicts
            | SectionKind::Contributions
            | SectionKind::Acknowledgements
            | SectionKind::References
            | SectionKind::Abbreviations
    )
}

/// Gives every section its level from 1 and its parent.
pub(super) fn settle(builder: &mut Builder) {
    builder.end();
    let book = builder.out.packages.iter().any(|(name, _)| is_book(name));
    let sections = &mut builder.out.sections;
    let highest = sections
        .iter()
        .map(|section| section.level)
        .filter(|&level| level >= PART)
        .min()
        .unwrap_or(CHAPTER);
    let base = if book { highest.min(CHAPTER) } else { highest };
    let mut around: Vec<(u8, usize)> = Vec::new();
    for (i, section) in sections.iter_mut().enumerate() {
        section.level = match section.level {
            VIRTUAL => 1,
            raw if raw >= PART => raw - base + 1,
            other => other,
        };
        while around
            .last()
            .is_some_and(|&(level, _)| level >= section.level && level > 0)
        {
            around.pop();
        }
        section.parent = around.last().map(|&(_, index)| index);
        around.push((section.level, i));
    }
}

/// Document classes whose highest heading is a chapter.
fn is_book(package: &str) -> bool {
    package.strip_prefix("documentclass:").is_some_and(|class| {
        let class = class.to_ascii_lowercase();
        [
            "book",
            "report",
            "thesis",
            "memoir",
            "scrbook",
            "scrreprt",
            "dissertation",
        ]
        .iter()
        .any(|part| class.contains(part))
            || class.ends_with("rep")
    })
}
