//! The manuscript as data. Vectors are in reading order; relations are indices into them.

use std::ops::Range;

use super::load::Format;
use super::section::SectionKind;
use super::source::{FileId, Source, Span};
use super::visible::Text;
use crate::base::{Language, Words};

/// A whole manuscript with the files it is made of.
#[derive(Clone, Debug)]
pub struct Manuscript {
    /// The format of the main file.
    pub format: Format,
    /// The language most of the visible text is in.
    pub language: Language,
    /// Files read, the main one first; [`FileId`] indexes it. Bibliographies are added by the check.
    pub sources: Vec<Source>,
    /// Metadata at the head of a Markdown text, or `\title` and kin.
    pub front_matter: FrontMatter,
    /// Visible blocks.
    pub blocks: Vec<Block>,
    /// Sections; the first one is always [`SectionKind::Front`].
    pub sections: Vec<Section>,
    /// Citations.
    pub citations: Vec<Citation>,
    /// Labels that cross references can name.
    pub labels: Vec<Label>,
    /// Labels known only from an `.aux` file: packages that cannot be read here define them.
    pub aux_labels: Vec<String>,
    /// Cross references.
    pub references: Vec<CrossReference>,
    /// Figures, tables, listings.
    pub floats: Vec<Float>,
    /// Tables with cells, inside floats or not.
    pub tables: Vec<Table>,
    /// Comments, which the reader of the paper does not see.
    pub comments: Vec<Comment>,
    /// Other text in the source that a reader of the paper does not see.
    pub hidden: Vec<Hidden>,
    /// Bibliography files the text asks for, as written, with the place of the request.
    pub bibliographies: Vec<(String, Span)>,
    /// Items written in the text itself (`\bibitem`, `[@key]: …`): key and place.
    pub bib_items: Vec<(String, Span)>,
    /// Acronyms defined by commands (`\newacronym`, `\acro`): short form, long form, place.
    pub acronyms: Vec<(String, String, Span)>,
    /// LaTeX class and package names with options as written; empty elsewhere.
    pub packages: Vec<(String, String)>,
    /// What could not be read, or only in part.
    pub notes: Vec<Note>,
}

/// Metadata of the whole text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrontMatter {
    /// Top-level keys with their scalar values; a list or map has its raw text.
    pub fields: Vec<(String, String, Option<Span>)>,
}

impl FrontMatter {
    /// The value of a key, if there.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.fields
            .iter()
            .find(|(name, ..)| name == key)
            .map(|(_, value, _)| value.as_str())
    }
}

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// The title of the work.
    Title,
    /// Names and addresses of authors.
    Author,
    /// A heading; `section` is the section it opens.
    Heading,
    /// Running text.
    Paragraph,
    /// One item of a list.
    ListItem,
    /// A quotation set apart.
    Quote,
    /// The caption of a float.
    Caption,
    /// A footnote or endnote.
    Footnote,
    /// One cell of a table.
    Cell,
    /// Code set apart.
    Code,
    /// A formula set apart.
    Math,
    /// Keywords.
    Keywords,
    /// An entry of a reference list written in the text.
    Bibliography,
}

impl BlockKind {
    /// True for text written in sentences: paragraphs, list items, quotations, captions, footnotes.
    #[must_use]
    pub const fn is_prose(self) -> bool {
        matches!(
            self,
            Self::Paragraph | Self::ListItem | Self::Quote | Self::Caption | Self::Footnote
        )
    }
}

/// A block of visible text.
#[derive(Clone, Debug)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Index into [`Manuscript::sections`].
    pub section: usize,
    /// Index into [`Manuscript::floats`] when the block is inside one.
    pub float: Option<usize>,
    /// What a reader sees.
    pub text: Text,
    /// The whole block in its source, markup included.
    pub span: Span,
}

/// A section from its heading to the next heading.
#[derive(Clone, Debug)]
pub struct Section {
    /// 0 for the front part, 1 for the highest headings of the text.
    pub level: u8,
    /// The words of the heading; empty for the front part and for an environment without one.
    pub title: String,
    /// What the heading announces; a subsection that announces nothing has `Other`.
    pub kind: SectionKind,
    /// Index of the section around this one.
    pub parent: Option<usize>,
    /// The heading in its source.
    pub span: Span,
    /// Blocks from the heading on, its own subsections' not included.
    pub blocks: Range<usize>,
    /// True when the heading is starred or unnumbered.
    pub unnumbered: bool,
}

/// How a citation is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CitationStyle {
    /// In brackets.
    Parenthetical,
    /// As part of the sentence.
    Textual,
    /// Listed without being shown (`\nocite`).
    Silent,
}

/// One key of a citation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CitedKey {
    /// The key as written; `*` for all.
    pub key: String,
    /// Its place.
    pub span: Span,
}

/// A citation command or bracket.
#[derive(Clone, Debug)]
pub struct Citation {
    /// The keys, in order.
    pub keys: Vec<CitedKey>,
    /// How it is written.
    pub style: CitationStyle,
    /// The whole citation.
    pub span: Span,
    /// Index of the block it stands in, when it is visible.
    pub block: Option<usize>,
}

/// What a label is attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelTarget {
    /// A section.
    Section,
    /// A figure, table or other float; index into [`Manuscript::floats`].
    Float(usize),
    /// A formula.
    Equation,
    /// Something else, or not known.
    Other,
}

/// A name that cross references can use.
#[derive(Clone, Debug)]
pub struct Label {
    /// The name.
    pub name: String,
    /// What it names.
    pub target: LabelTarget,
    /// Its place.
    pub span: Span,
}

/// A cross reference to a label.
#[derive(Clone, Debug)]
pub struct CrossReference {
    /// The label's name.
    pub name: String,
    /// The command or mark that was used, without backslash: `ref`, `cref`, `@fig`.
    pub command: String,
    /// Its place.
    pub span: Span,
    /// Index of the block it stands in.
    pub block: Option<usize>,
}

/// The kind of a float.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatKind {
    /// A figure.
    Figure,
    /// A table.
    Table,
    /// A listing.
    Listing,
    /// An algorithm.
    Algorithm,
}

/// A figure, table, listing or algorithm.
#[derive(Clone, Debug)]
pub struct Float {
    /// What it is.
    pub kind: FloatKind,
    /// Indices into [`Manuscript::labels`].
    pub labels: Vec<usize>,
    /// Index of the caption's block.
    pub caption: Option<usize>,
    /// Image files, as written.
    pub graphics: Vec<String>,
    /// True for a part of another float (`subfigure`).
    pub part: bool,
    /// The whole float.
    pub span: Span,
}

/// A table as rows of cells.
#[derive(Clone, Debug)]
pub struct Table {
    /// Rows in order; `header_rows` of them first.
    pub rows: Vec<Vec<Cell>>,
    /// How many rows are headings.
    pub header_rows: usize,
    /// Index into [`Manuscript::floats`] of the float around it.
    pub float: Option<usize>,
    /// The whole table.
    pub span: Span,
}

/// One cell.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Index of its block.
    pub block: usize,
    /// Columns it covers.
    pub columns: u32,
}

/// How a comment is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentKind {
    /// `<!-- … -->`
    Html,
    /// `% …` in LaTeX.
    Percent,
}

/// A comment: not for the reader of the paper.
#[derive(Clone, Debug)]
pub struct Comment {
    /// How it is written.
    pub kind: CommentKind,
    /// The words without the comment marks. Adjacent `%` lines are separate comments.
    pub text: String,
    /// Its place, marks included.
    pub span: Span,
}

/// How text is kept from a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HiddenKind {
    /// `\iffalse … \fi`, the comment environment.
    Disabled,
    /// HTML `display:none`, `visibility:hidden`, `hidden`.
    NotDisplayed,
    /// White on white, or fully transparent.
    Invisible,
    /// A font size no one can read.
    Tiny,
}

/// Text in the source that a reader of the paper does not see, other than comments.
#[derive(Clone, Debug)]
pub struct Hidden {
    /// How it is kept from the reader.
    pub kind: HiddenKind,
    /// The words.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// Something that could not be read, or only in part: coverage, not a problem of the paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// A stable `snake_case` code: `include_missing`, `include_loop`, `unbalanced_group`, ….
    pub code: &'static str,
    /// What happened.
    pub words: Words,
    /// Where, when it has a place.
    pub span: Option<Span>,
    /// The file it speaks of when that file could not be read at all.
    pub unreadable: Option<String>,
}

impl Manuscript {
    /// The source of a file.
    #[must_use]
    pub fn source(&self, file: FileId) -> &Source {
        &self.sources[file.0 as usize]
    }

    /// The source text under a span.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.sources
            .get(span.file.0 as usize)
            .map_or("", |source| source.slice(span))
    }

    /// The kind of a block's section, or of the nearest section around it that announces one.
    #[must_use]
    pub fn kind_of(&self, section: usize) -> SectionKind {
        let mut at = Some(section);
        while let Some(i) = at {
            let here = &self.sections[i];
            // The front part is around every section, but what follows a heading is not the front any more.
            if here.kind == SectionKind::Front && i != section {
                break;
            }
            if here.kind != SectionKind::Other {
                return here.kind;
            }
            at = here.parent;
        }
        SectionKind::Other
    }

    /// Blocks with their index, in reading order, whose nearest announcing section is of `kind`.
    pub fn blocks_in(&self, kind: SectionKind) -> impl Iterator<Item = (usize, &Block)> {
        self.blocks
            .iter()
            .enumerate()
            .filter(move |(_, block)| self.kind_of(block.section) == kind)
    }
}
