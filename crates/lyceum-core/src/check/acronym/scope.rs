//! Which blocks belong to the body and which to an abstract.

use super::candidate::is_han;
use super::types::Scope;
use crate::text::{Block, BlockKind, Manuscript, SectionKind};

/// The scope of each section; `None` for those that are left out.
pub(super) struct Scopes {
    scopes: Vec<Option<Scope>>,
    /// Sections left out that hold text of their own kind: lists of abbreviations, key points, abstracts in other
    /// languages.
    pub(super) unread: Vec<usize>,
}

impl Scopes {
    /// The scope of a block in which acronyms are counted; headings, captions, notes, tables and the like have none.
    pub(super) fn of(&self, block: &Block) -> Option<Scope> {
        let counted = matches!(
            block.kind,
            BlockKind::Paragraph | BlockKind::ListItem | BlockKind::Quote
        );
        (counted && block.float.is_none())
            .then(|| self.scopes.get(block.section).copied().flatten())
            .flatten()
    }

    /// The scope of a section.
    pub(super) fn of_section(&self, section: usize) -> Option<Scope> {
        self.scopes.get(section).copied().flatten()
    }
}

/// Works out the scopes of a manuscript.
pub(super) fn scopes(manuscript: &Manuscript) -> Scopes {
    let mut languages: Vec<(usize, usize)> = vec![(0, 0); manuscript.sections.len()];
    for block in &manuscript.blocks {
        if block.kind != BlockKind::Paragraph {
            continue;
        }
        if let Some((han, latin)) = languages.get_mut(block.section) {
            for c in block.text.string.chars() {
                *han += usize::from(is_han(c));
                *latin += usize::from(c.is_ascii_alphabetic());
            }
        }
    }
    let mut unread = Vec::new();
    let mut body_began = false;
    let mut scopes = Vec::with_capacity(manuscript.sections.len());
    for (i, section) in manuscript.sections.iter().enumerate() {
        let kind = manuscript.kind_of(i);
        body_began |= matches!(
            kind,
            SectionKind::Introduction
                | SectionKind::Methods
                | SectionKind::Results
                | SectionKind::Discussion
                | SectionKind::Conclusion
        );
        scopes.push(match kind {
            SectionKind::References | SectionKind::Keywords | SectionKind::Contributions => None,
            SectionKind::Abbreviations => {
                unread.push(i);
                None
            }
            SectionKind::Abstract if !body_began => {
                let (han, latin) = languages[i];
                let empty_zh = han + latin == 0 && section.title.chars().any(is_han);
                Some(if han * 3 > latin || empty_zh {
                    Scope::AbstractZh
                } else {
                    Scope::AbstractEn
                })
            }
            _ if is_foreign_abstract(&section.title) || is_digest(&section.title) => {
                unread.push(i);
                None
            }
            _ => Some(Scope::Body),
        });
    }
    Scopes { scopes, unread }
}

/// Boxes beside the paper that say it again in other words.
fn is_digest(title: &str) -> bool {
    let title = title.trim().trim_end_matches([':', '：']).to_lowercase();
    matches!(
        title.as_str(),
        "key points"
            | "figure legends"
            | "figure captions"
            | "legends"
            | "highlights"
            | "author summary"
            | "lay summary"
            | "plain language summary"
            | "significance"
            | "significance statement"
            | "graphical abstract"
            | "key messages"
            | "要点"
    )
}

fn is_foreign_abstract(title: &str) -> bool {
    let title = title.trim().to_lowercase();
    matches!(
        title.as_str(),
        "résumé"
            | "zusammenfassung"
            | "resumen"
            | "resumo"
            | "sammanfattning"
            | "tiivistelmä"
            | "riassunto"
            | "samenvatting"
            | "sammendrag"
            | "streszczenie"
            | "аннотация"
            | "要旨"
            | "초록"
    )
}
