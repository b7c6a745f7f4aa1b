//! What the reader remembers: the state a group restores, open groups, and what closing one does.

use std::rc::Rc;

use super::super::model::{Block, BlockKind, CitationStyle, HiddenKind, LabelTarget};
use super::super::source::Span;
use super::super::visible::InlineKind;
use super::lexer::Token;

/// Whether a formula is being read, and what ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Math {
    /// Text.
    No,
    /// `$ … $`
    Dollar,
    /// `$$ … $$`
    DoubleDollar,
    /// `\( … \)`
    Parenthesis,
    /// `\[ … \]`
    Bracket,
    /// An environment, or a command's argument.
    Other,
}

/// State that the end of a group restores.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) math: Math,
    /// Nothing is visible here: the preamble, drawings.
    pub(super) muted: bool,
    /// The kind of block that text opens.
    pub(super) kind: BlockKind,
    /// A paragraph cannot end here: headings, captions, cells.
    pub(super) inline: bool,
    /// How text is kept from the reader here.
    pub(super) hidden: Option<HiddenKind>,
    /// The background is not white, so white text is no trick.
    pub(super) coloured: bool,
    /// What a label here is attached to.
    pub(super) target: LabelTarget,
    /// Commands are units (`\kilo\metre`).
    pub(super) units: bool,
    /// Verbatim characters: no ligatures.
    pub(super) typewriter: bool,
}

/// What the end of a group does.
#[derive(Debug)]
pub(super) enum Action {
    Nothing,
    /// Restores the state that the command changed.
    Scope,
    /// Marks what was shown.
    Mark {
        start: usize,
        serial: usize,
        kind: InlineKind,
    },
    /// Turns the open heading into a section.
    Section {
        raw: u8,
        starred: bool,
        span: Span,
    },
    /// Ends a block of the front part and keeps its words under a name.
    Front {
        field: &'static str,
        span: Span,
    },
    /// Ends a block that stands inside another one.
    Inner {
        outer: Outer,
    },
    Caption {
        float: usize,
        outer: Outer,
        /// The caption opened the float (`\captionof`) and closes it.
        whole: bool,
    },
    /// Ends a float that a command opened.
    Float {
        outer: Outer,
    },
    Abstract,
    /// Shows a text.
    Show(&'static str),
    /// Begins the unit of `\SI`.
    Unit,
}

/// A block set aside while another is written.
#[derive(Debug)]
pub(super) struct Outer {
    pub(super) block: Option<Box<Block>>,
    pub(super) serial: usize,
}

/// What an environment is to the reader.
#[derive(Debug)]
pub(super) enum Environment {
    Document,
    Transparent,
    /// Paragraphs of a kind: quotations, list items, theorems.
    Blocks,
    Float {
        outer: Outer,
    },
    Formula {
        display: bool,
        start: usize,
        serial: usize,
    },
    Table,
    /// A float that is a table (`longtable`).
    FloatTable {
        outer: Outer,
    },
    /// A table inside a cell or a formula.
    FlatTable,
    /// The abstract, acknowledgements.
    Section,
    Appendix {
        before: bool,
    },
    /// Defined in the text; what its end does.
    User {
        end: Rc<[Token]>,
        arguments: Rc<[Rc<[Token]>]>,
    },
}

#[derive(Debug)]
pub(super) enum GroupKind {
    Brace(Action),
    Math { start: usize, serial: usize },
    Environment { name: Rc<str>, kind: Environment },
}

#[derive(Debug)]
pub(super) struct Group {
    pub(super) kind: GroupKind,
    pub(super) saved: State,
    pub(super) open: Span,
}

/// Work put off until its token comes.
#[derive(Debug)]
pub(super) enum Deferred {
    Cite {
        keys: Vec<super::super::model::CitedKey>,
        style: CitationStyle,
        shown: String,
        span: Span,
        /// Words stand before the keys, or after them.
        before: bool,
        after: bool,
    },
    /// The end of a package.
    EndPackage {
        groups: usize,
        at_is_letter: bool,
        class: bool,
    },
    /// Closes an environment that the text defined, after its end code.
    CloseEnvironment { name: Rc<str>, span: Span },
}
