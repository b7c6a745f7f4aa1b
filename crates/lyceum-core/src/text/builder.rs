//! Puts a manuscript together for the format readers: open block, section stack, floats.

use super::load::Format;
use super::model::{
    Block, BlockKind, Citation, CitationStyle, CitedKey, CrossReference, Float, FloatKind,
    FrontMatter, Label, LabelTarget, Manuscript, Note, Section,
};
use super::section::{SectionKind, classify_heading};
use super::source::{FileId, Source, Span};
use super::visible::{InlineKind, Text};
use crate::base::{Language, Words};

/// Collects a manuscript. White space in pushed text is collapsed while it is added.
#[derive(Debug)]
pub struct Builder {
    /// The manuscript so far; readers add citations, labels, tables and so on through it directly.
    pub out: Manuscript,
    open: Option<Block>,
    /// Open floats, innermost last.
    floats: Vec<usize>,
}

impl Builder {
    /// Starts an empty manuscript.
    #[must_use]
    pub fn new(format: Format) -> Self {
        let nowhere = Span::new(FileId(0), 0, 0);
        let front = Section {
            level: 0,
            title: String::new(),
            kind: SectionKind::Front,
            parent: None,
            span: nowhere,
            blocks: 0..0,
            unnumbered: true,
        };
        Self {
            out: Manuscript {
                format,
                language: Language::English,
                sources: Vec::new(),
                front_matter: FrontMatter::default(),
                blocks: Vec::new(),
                sections: vec![front],
                citations: Vec::new(),
                labels: Vec::new(),
                aux_labels: Vec::new(),
                references: Vec::new(),
                floats: Vec::new(),
                tables: Vec::new(),
                comments: Vec::new(),
                hidden: Vec::new(),
                bibliographies: Vec::new(),
                bib_items: Vec::new(),
                acronyms: Vec::new(),
                packages: Vec::new(),
                notes: Vec::new(),
            },
            open: None,
            floats: Vec::new(),
        }
    }

    /// Adds a file and returns its id.
    pub fn add_source(&mut self, source: Source) -> FileId {
        self.out.sources.push(source);
        FileId(u32::try_from(self.out.sources.len() - 1).unwrap_or(u32::MAX))
    }

    /// Opens a block; one that is open is closed first.
    pub fn begin(&mut self, kind: BlockKind, span: Span) {
        self.end();
        self.open = Some(Block {
            kind,
            section: self.out.sections.len() - 1,
            float: self.floats.last().copied(),
            text: Text::default(),
            span,
        });
    }

    /// The kind of the open block.
    #[must_use]
    pub fn open_kind(&self) -> Option<BlockKind> {
        self.open.as_ref().map(|block| block.kind)
    }

    /// Closes the open block, and keeps it when a reader sees anything in it. Returns its index.
    pub fn end(&mut self) -> Option<usize> {
        let mut block = self.open.take()?;
        trim_end(&mut block.text);
        block.text.order_marks();
        if block.text.is_empty() && block.kind != BlockKind::Cell {
            return None;
        }
        let index = self.out.blocks.len();
        for inline in &block.text.inlines {
            match inline.kind {
                InlineKind::Citation(i) => self.out.citations[i].block = Some(index),
                InlineKind::Reference(i) => self.out.references[i].block = Some(index),
                _ => {}
            }
        }
        self.out.blocks.push(block);
        Some(index)
    }

    /// Takes the open block's place so that another block (a footnote, a caption) can be written inside it; give
    /// it back with [`Builder::resume`].
    pub fn suspend(&mut self) -> Option<Block> {
        self.open.take()
    }

    /// Goes on with a suspended block after closing the one inside it.
    pub fn resume(&mut self, block: Option<Block>) {
        self.end();
        self.open = block;
    }

    /// Visible length of the open block, to be handed to [`Builder::mark`] later.
    #[must_use]
    pub fn at(&self) -> usize {
        self.open.as_ref().map_or(0, |block| block.text.len())
    }

    /// Marks what was added to the open block since `start`.
    pub fn mark(&mut self, start: usize, kind: InlineKind) {
        if let Some(block) = &mut self.open {
            block.text.mark(start, kind);
        }
    }

    /// Adds source text that is visible as it stands, starting at byte `start` of `file`. Opens a paragraph when
    /// nothing is open.
    pub fn literal(&mut self, text: &str, file: FileId, start: usize) {
        let whole = Span::new(file, start, start + text.len());
        if text.trim().is_empty() {
            if !text.is_empty() {
                self.space(whole);
            }
            return;
        }
        let block = self.ensure(whole);
        block.span = block.span.join(whole);
        let mut run = 0;
        let mut spacing = false;
        for (i, c) in text.char_indices() {
            let is_space = c.is_ascii_whitespace();
            if is_space == spacing && i > 0 {
                continue;
            }
            flush(&mut block.text, text, run..i, spacing, file, start);
            run = i;
            spacing = is_space;
        }
        flush(&mut block.text, text, run..text.len(), spacing, file, start);
    }

    /// Adds visible text that stands for the source under `span`.
    pub fn replaced(&mut self, text: &str, span: Span) {
        if text.trim().is_empty() {
            if !text.is_empty() {
                self.space(span);
            }
            return;
        }
        let block = self.ensure(span);
        block.span = block.span.join(span);
        block.text.push_replaced(text, span);
    }

    /// Adds one space unless there is one, or nothing, before it.
    pub fn space(&mut self, span: Span) {
        if let Some(block) = &mut self.open
            && !block.text.string.is_empty()
            && !block.text.string.ends_with(' ')
        {
            block.text.push_replaced(" ", span);
        }
    }

    fn ensure(&mut self, span: Span) -> &mut Block {
        let section = self.out.sections.len() - 1;
        let float = self.floats.last().copied();
        self.open.get_or_insert_with(|| Block {
            kind: BlockKind::Paragraph,
            section,
            float,
            text: Text::default(),
            span,
        })
    }

    /// Opens a section whose heading is the open [`BlockKind::Heading`] block, or that has no heading (`title` says
    /// then what it is: `Abstract`).
    pub fn section(
        &mut self,
        level: u8,
        title: Option<&str>,
        span: Span,
        unnumbered: bool,
    ) -> usize {
        let index = self.out.sections.len();
        let words = match (title, &self.open) {
            (Some(title), _) => title.to_owned(),
            (None, Some(block)) => block.text.string.trim().to_owned(),
            (None, None) => String::new(),
        };
        let mut parent = Some(index - 1);
        while let Some(i) = parent
            && self.out.sections[i].level >= level
        {
            parent = self.out.sections[i].parent;
        }
        self.out.sections.push(Section {
            level,
            kind: classify_heading(&words),
            title: words,
            parent,
            span,
            blocks: 0..0,
            unnumbered,
        });
        if let Some(block) = &mut self.open {
            block.section = index;
        }
        self.end();
        index
    }

    /// Opens a float; blocks until [`Builder::end_float`] belong to it.
    pub fn begin_float(&mut self, kind: FloatKind, span: Span) -> usize {
        self.end();
        let index = self.out.floats.len();
        let part = !self.floats.is_empty();
        self.out.floats.push(Float {
            kind,
            labels: Vec::new(),
            caption: None,
            graphics: Vec::new(),
            part,
            span,
        });
        self.floats.push(index);
        index
    }

    /// The innermost open float.
    #[must_use]
    pub fn float(&self) -> Option<usize> {
        self.floats.last().copied()
    }

    /// Closes the innermost float and gives it its full span.
    pub fn end_float(&mut self, span: Span) {
        self.end();
        if let Some(index) = self.floats.pop() {
            self.out.floats[index].span = self.out.floats[index].span.join(span);
        }
    }

    /// Adds a citation, shown in the open block as `shown` (its keys, usually), and marks it.
    pub fn cite(&mut self, keys: Vec<CitedKey>, style: CitationStyle, shown: &str, span: Span) {
        let index = self.out.citations.len();
        let visible = style != CitationStyle::Silent;
        if visible {
            let start = self.at();
            self.replaced(shown, span);
            self.mark(start, InlineKind::Citation(index));
        }
        self.out.citations.push(Citation {
            keys,
            style,
            span,
            block: None,
        });
    }

    /// Adds a cross reference, shown in the open block as `shown`, and marks it.
    pub fn refer(&mut self, name: String, command: String, shown: &str, span: Span) {
        let index = self.out.references.len();
        let start = self.at();
        self.replaced(shown, span);
        self.mark(start, InlineKind::Reference(index));
        self.out.references.push(CrossReference {
            name,
            command,
            span,
            block: None,
        });
    }

    /// Adds a label; `Float` targets are entered in the float too.
    pub fn label(&mut self, name: String, target: LabelTarget, span: Span) {
        let index = self.out.labels.len();
        if let LabelTarget::Float(float) = target {
            self.out.floats[float].labels.push(index);
        }
        self.out.labels.push(Label { name, target, span });
    }

    /// Records what could not be read in full.
    pub fn note(&mut self, code: &'static str, words: Words, span: Option<Span>) {
        self.out.notes.push(Note {
            code,
            words,
            span,
            unreadable: None,
        });
    }

    /// Closes everything and works out what depends on the whole: block ranges of sections and the language.
    #[must_use]
    pub fn finish(mut self) -> Manuscript {
        self.end();
        let mut out = self.out;
        settle_summaries(&mut out.sections);
        for (i, block) in out.blocks.iter().enumerate() {
            let range = &mut out.sections[block.section].blocks;
            if range.start == range.end {
                *range = i..i + 1;
            } else {
                range.end = i + 1;
            }
        }
        let (mut han, mut latin) = (0_usize, 0_usize);
        for c in out
            .blocks
            .iter()
            .flat_map(|block| block.text.string.chars())
        {
            if ('\u{4e00}'..='\u{9fff}').contains(&c) {
                han += 1;
            } else if c.is_ascii_alphabetic() {
                latin += 1;
            }
        }
        // One Chinese character carries about as much as three Latin letters.
        if han * 3 > latin {
            out.language = Language::Chinese;
        }
        out
    }
}

/// A summary stands for the abstract only near the start of a text that has no other, and without subsections: a
/// chapter may end with one, and some software papers are one long summary.
fn settle_summaries(sections: &mut [Section]) {
    let is_summary = |section: &Section| {
        section.kind == SectionKind::Abstract && section.title.to_lowercase().ends_with("summary")
    };
    let other = sections
        .iter()
        .any(|section| section.kind == SectionKind::Abstract && !is_summary(section));
    let divided: Vec<bool> = (0..sections.len())
        .map(|i| {
            sections
                .get(i + 1)
                .is_some_and(|next| next.parent == Some(i))
        })
        .collect();
    let mut top = 0;
    let mut taken = other;
    for (section, divided) in sections.iter_mut().zip(divided) {
        top += usize::from(section.level == 1);
        if is_summary(section) {
            if taken || divided || section.level > 1 || top > 3 {
                section.kind = SectionKind::Other;
            } else {
                taken = true;
            }
        }
    }
}

fn flush(
    text: &mut Text,
    source: &str,
    run: std::ops::Range<usize>,
    spacing: bool,
    file: FileId,
    base: usize,
) {
    if run.is_empty() {
        return;
    }
    let span = Span::new(file, base + run.start, base + run.end);
    let single = source.get(run.clone()) == Some(" ")
        && !text.string.is_empty()
        && !text.string.ends_with(' ');
    if !spacing || single {
        text.push_literal(&source[run], span);
    } else if !text.string.is_empty() && !text.string.ends_with(' ') {
        text.push_replaced(" ", span);
    }
}

fn trim_end(text: &mut Text) {
    let kept = text.string.trim_end().len();
    text.string.truncate(kept);
    for inline in &mut text.inlines {
        inline.range.end = inline.range.end.min(kept);
        inline.range.start = inline.range.start.min(kept);
    }
}
