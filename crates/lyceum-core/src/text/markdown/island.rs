//! Islands: the parts of a Markdown source that CommonMark does not know (citations, formulas, attributes, raw
//! TeX and HTML, …), found before the block parser runs and hidden from it under characters without meaning.

use std::ops::Range;

use super::attribute::Attributes;
use super::html::Tag;
use super::layout::LaidOut;
use crate::text::visible::InlineKind;

/// What an island holds, as byte ranges of the text.
#[derive(Clone, Debug)]
pub(super) enum Mark {
    /// Markup that a reader does not see.
    Nothing,
    /// Words that stand for the source.
    Words(String),
    /// Text that is visible as it stands.
    Literal,
    /// A bare address.
    Url,
    /// A formula and its inside.
    Math { inner: Range<usize>, display: bool },
    /// An attribute list.
    Attributes(Attributes),
    /// Keys; those of the text's own labels apart.
    Citation {
        keys: Vec<Range<usize>>,
        style: crate::text::CitationStyle,
    },
    /// Names of labels, with the command or mark.
    References {
        names: Vec<Range<usize>>,
        command: String,
    },
    /// A label.
    Label(Range<usize>),
    /// Where marked words begin.
    Open(InlineKind),
    /// Where they end.
    Close,
    /// `^[` or `\footnote{`.
    NoteOpen,
    /// Its end.
    NoteClose,
    /// The end of a span in brackets, with its attributes.
    SpanClose(Attributes),
    /// A comment and its inside.
    Comment(Range<usize>),
    /// An HTML tag.
    Tag(Tag),
    /// Preformatted HTML: the inside of `<pre>`.
    Preformatted(Range<usize>),
    /// A `:::` line that opens a div.
    DivOpen(Attributes),
    /// A `:::` line that closes one.
    DivClose,
    /// The path of an image.
    Graphics(Range<usize>),
    /// A LaTeX environment: its name and its inside.
    Environment {
        name: Range<usize>,
        inner: Range<usize>,
    },
    /// A table that is laid out with spaces or drawn with lines.
    Table(LaidOut),
    /// `(@name)` at the head of an item: the name.
    Example(Range<usize>),
    /// `[@tag:x]: …`: the key that is defined.
    Definition(Range<usize>),
}

/// How an island is hidden from the block parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cover {
    /// Under spaces: whole lines that are not there.
    Blank,
    /// Under letters and apostrophes, so that what stands around it is parsed as before.
    Inert,
    /// As `Inert`, spaces too, so that an indentation does not count.
    Solid,
}

/// A part of the source with a meaning of its own.
#[derive(Clone, Debug)]
pub(super) struct Island {
    /// Where it is.
    pub(super) range: Range<usize>,
    /// How it is hidden.
    pub(super) cover: Cover,
    /// What it holds.
    pub(super) mark: Mark,
}

impl Island {
    /// True for markup that leaves no visible trace.
    pub(super) fn is_silent(&self) -> bool {
        matches!(
            self.mark,
            Mark::Nothing | Mark::Attributes(_) | Mark::Comment(_) | Mark::Label(_)
        )
    }
}

/// The text under `range` with every island covered; as long as the original, line ends in place.
pub(super) fn masked(text: &str, range: Range<usize>, islands: &[Island]) -> String {
    let source = text.get(range.clone()).unwrap_or("");
    let mut bytes = source.as_bytes().to_vec();
    for island in islands {
        let start = island.range.start.max(range.start);
        let end = island.range.end.min(range.end);
        let Some(part) = text.get(start..end) else {
            continue;
        };
        for (i, c) in part.char_indices() {
            let at = start - range.start + i;
            let cover = match c {
                '\n' => b'\n',
                _ if island.cover == Cover::Blank => b' ',
                ' ' | '\t' if island.cover == Cover::Inert => b' ',
                _ if c.is_alphanumeric() => b'x',
                _ => b'\'',
            };
            if let Some(slot) = bytes.get_mut(at..at + c.len_utf8()) {
                slot.fill(cover);
            }
        }
    }
    // Only whole characters were exchanged for ASCII, so this is UTF-8 and as long as before.
    String::from_utf8(bytes).unwrap_or_else(|_| " ".repeat(source.len()))
}
