//! Turns the block parser's events and the islands between them into a manuscript.

use std::collections::HashMap;
use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use super::attribute::Attributes;
use super::island::{Cover, Island, Mark, masked};
use super::page::{OpenTable, OpenTag};
use super::scan::{self, Caption, Mode, Opaque};
use crate::text::builder::Builder;
use crate::text::model::{Block, BlockKind, Cell, CrossReference, LabelTarget};
use crate::text::section::SectionKind;
use crate::text::source::{FileId, Span};
use crate::text::visible::InlineKind;

/// Marks within marks that are kept; deeper ones are text all the same.
const DEEPEST: usize = 64;

pub(super) const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_DEFINITION_LIST);

/// A heading with what its implicit id is made of.
#[derive(Clone, Debug)]
pub(super) struct HeadingId {
    pub(super) section: usize,
    pub(super) span: Span,
}

/// The state of reading one file.
pub(super) struct Reader<'a> {
    pub(super) builder: &'a mut Builder,
    pub(super) file: FileId,
    pub(super) text: &'a str,
    /// Subtracted from heading levels, so that the highest is 1.
    pub(super) shift: u8,
    /// The offset of the heading that is the title of the work.
    pub(super) title_at: Option<usize>,
    /// Islands of the part that is read, and the next one to be shown.
    pub(super) islands: Vec<Island>,
    pub(super) next: usize,
    /// Text before this offset was shown as part of an island.
    pub(super) done: usize,
    /// The part that is read, covered.
    pub(super) covered: String,
    pub(super) base: usize,
    /// True inside a caption or cell: blocks do not count.
    pub(super) inline: bool,
    pub(super) captions: HashMap<usize, Range<usize>>,
    pub(super) containers: Vec<BlockKind>,
    pub(super) footnotes: usize,
    /// Blocks that wait while a note inside them is read.
    pub(super) waiting: Vec<Option<Block>>,
    pub(super) marks: Vec<(usize, Option<InlineKind>)>,
    pub(super) links: Vec<(usize, String)>,
    /// Inside an image whose words are not shown.
    pub(super) muted: usize,
    pub(super) paragraph: Option<Range<usize>>,
    pub(super) figure: Option<usize>,
    pub(super) listing: Option<usize>,
    pub(super) heading: Option<Attributes>,
    pub(super) in_heading: bool,
    pub(super) last_math: usize,
    pub(super) last_float: Option<(usize, usize)>,
    pub(super) rows: Vec<Vec<Cell>>,
    pub(super) tags: Vec<OpenTag>,
    pub(super) html_tables: Vec<OpenTable>,
    /// Index of the outermost element that is hidden.
    pub(super) hidden_tag: Option<usize>,
    /// Kinds of block that elements impose, innermost last.
    pub(super) stickies: Vec<BlockKind>,
    pub(super) headings: Vec<HeadingId>,
    /// Names of code chunks, for `\@ref(fig:name)`.
    pub(super) chunks: Vec<(String, Span)>,
    /// The next visible block stands after an abstract that has no heading behind it.
    pub(super) after_abstract: bool,
    pub(super) code: Option<Range<usize>>,
    /// Inside a LaTeX environment.
    pub(super) tex: bool,
    /// Labels of example lists, `(@name)`.
    pub(super) examples: Vec<String>,
    pub(super) formulas: super::formula::Formulas,
}

impl<'a> Reader<'a> {
    pub(super) fn new(builder: &'a mut Builder, file: FileId, text: &'a str) -> Self {
        Self {
            builder,
            file,
            text,
            shift: 0,
            title_at: None,
            islands: Vec::new(),
            next: 0,
            done: 0,
            covered: String::new(),
            base: 0,
            inline: false,
            captions: HashMap::new(),
            containers: Vec::new(),
            footnotes: 0,
            waiting: Vec::new(),
            marks: Vec::new(),
            links: Vec::new(),
            muted: 0,
            paragraph: None,
            figure: None,
            listing: None,
            heading: None,
            in_heading: false,
            last_math: 0,
            last_float: None,
            rows: Vec::new(),
            tags: Vec::new(),
            html_tables: Vec::new(),
            hidden_tag: None,
            stickies: Vec::new(),
            headings: Vec::new(),
            chunks: Vec::new(),
            after_abstract: false,
            code: None,
            tex: false,
            examples: Vec::new(),
            formulas: super::formula::Formulas::default(),
        }
    }

    pub(super) fn span(&self, range: &Range<usize>) -> Span {
        Span::new(self.file, range.start, range.end)
    }

    pub(super) fn slice(&self, range: Range<usize>) -> &'a str {
        self.text.get(range).unwrap_or("")
    }

    /// Reads the blocks under `range`.
    pub(super) fn blocks(&mut self, range: Range<usize>, survey: Survey) {
        let found = scan::scan(
            self.text,
            range.clone(),
            &survey.opaque,
            &survey.tables,
            Mode::Blocks,
        );
        drop(survey);
        if let Some(at) = found.unclosed {
            self.builder.note(
                "comment_unclosed",
                crate::base::Words::new(
                    "a comment is not closed; what follows is read as text",
                    "注释没有结束标记，其后的内容按正文读取",
                ),
                Some(Span::new(self.file, at, at + 4)),
            );
        }
        self.take_captions(found.captions);
        self.islands = found.islands;
        self.next = 0;
        self.done = range.start;
        self.events(range);
    }

    /// Takes a text with too much markup as it stands.
    pub(super) fn as_one_paragraph(&mut self, range: Range<usize>) {
        let place = self.span(&(range.start..range.start));
        self.builder.note(
            "markup_too_dense",
            crate::base::Words::new(
                "more markup than a manuscript has; read as plain text",
                "标记过多，不像文稿，按纯文本读取",
            ),
            Some(place),
        );
        self.begin(BlockKind::Paragraph, &range);
        let text = self.text.get(range.clone()).unwrap_or("");
        self.builder.literal(text, self.file, range.start);
        self.builder.end();
    }

    pub(super) fn take_captions(&mut self, captions: Vec<Caption>) {
        self.captions = captions
            .into_iter()
            .map(|caption| (caption.target, caption.range))
            .collect();
    }

    /// Reads the words under `range` into the open block.
    pub(super) fn inlines(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let found = if self.tex {
            scan::scan(self.text, range.clone(), &[], &[], Mode::Tex)
        } else {
            let Survey { opaque, .. } = survey(self.text, range.clone());
            scan::scan(self.text, range.clone(), &opaque, &[], Mode::Words)
        };
        let islands = std::mem::replace(&mut self.islands, found.islands);
        let covered = std::mem::take(&mut self.covered);
        let marks = std::mem::take(&mut self.marks);
        let (next, done, base, inline) = (self.next, self.done, self.base, self.inline);
        self.next = 0;
        self.done = range.start;
        self.inline = true;
        self.events(range);
        self.islands = islands;
        self.covered = covered;
        self.marks = marks;
        (self.next, self.done, self.base, self.inline) = (next, done, base, inline);
    }

    pub(super) fn events(&mut self, range: Range<usize>) {
        let covered = masked(self.text, range.clone(), &self.islands);
        self.base = range.start;
        self.covered.clone_from(&covered);
        for (event, at) in Parser::new_ext(&covered, OPTIONS).into_offset_iter() {
            let at = at.start + range.start..at.end + range.start;
            self.event(event, at);
        }
        self.flush(range.end);
        if !self.inline {
            while !self.waiting.is_empty() {
                self.close_note();
            }
            self.builder.end();
        }
    }

    pub(super) fn event(&mut self, event: Event<'_>, at: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, at),
            Event::End(tag) => self.finish(tag, at),
            Event::Text(words) => self.words(&words, at),
            Event::Code(words) => self.code_span(&words, at),
            Event::SoftBreak | Event::HardBreak => {
                self.flush(at.start);
                if at.start >= self.done {
                    self.line_break(at);
                }
            }
            Event::FootnoteReference(_) => {
                self.flush(at.start);
                self.done = self.done.max(at.end);
            }
            Event::Rule => {
                self.flush(at.start);
            }
            _ => self.flush(at.start),
        }
    }

    /// Shows every island that starts before `until`.
    pub(super) fn flush(&mut self, until: usize) {
        while self
            .islands
            .get(self.next)
            .is_some_and(|island| island.range.start < until)
        {
            self.show_next();
        }
    }

    pub(super) fn show_next(&mut self) {
        let Some(slot) = self.islands.get_mut(self.next) else {
            return;
        };
        let island = std::mem::replace(
            slot,
            Island {
                range: slot.range.clone(),
                cover: slot.cover,
                mark: Mark::Nothing,
            },
        );
        self.next += 1;
        // An island inside one that was shown already.
        if island.range.start < self.done
            && island.range.end <= self.done
            && !island.is_silent()
            && island.cover == Cover::Inert
        {
            return;
        }
        self.done = self.done.max(island.range.end);
        self.island(island);
    }

    /// Text of the block parser: islands in it are shown in their place.
    pub(super) fn words(&mut self, words: &str, at: Range<usize>) {
        self.flush(at.start);
        if self.code.is_some() {
            return;
        }
        let start = at.start.max(self.done);
        let same = self
            .covered
            .get(at.start - self.base..at.end - self.base)
            .is_some_and(|source| source == words);
        if !same {
            if start == at.start {
                self.replaced(words, &at);
                self.done = self.done.max(at.end);
            }
            return;
        }
        let mut from = start;
        while let Some(island) = self.islands.get(self.next)
            && island.range.start < at.end
        {
            let begin = island.range.start;
            if begin > from {
                self.literal(from..begin);
            }
            self.show_next();
            from = from.max(self.done);
        }
        if from < at.end {
            self.literal(from..at.end);
        }
    }

    pub(super) fn code_span(&mut self, words: &str, at: Range<usize>) {
        self.flush(at.start);
        if at.start < self.done {
            return;
        }
        self.done = at.end;
        let start = self.builder.at();
        let source = self.slice(at.clone());
        let ticks = source.len() - source.trim_start_matches('`').len();
        let inner = super::front::trimmed(
            self.text,
            at.start + ticks..at.end.saturating_sub(ticks).max(at.start + ticks),
        );
        if self.slice(inner.clone()) == words {
            self.literal(inner);
        } else {
            self.replaced(words, &at);
        }
        self.mark(start, InlineKind::Code);
    }

    pub(super) fn line_break(&mut self, at: Range<usize>) {
        // Between Chinese characters a line end is not a space.
        let before = self
            .text
            .get(..at.start)
            .and_then(|text| text.trim_end().chars().next_back());
        let after = self
            .text
            .get(at.end..)
            .and_then(|text| text.trim_start().chars().next());
        let joins = |c: Option<char>| c.is_some_and(crate::text::sentence::is_cjk_text);
        if !(joins(before) && joins(after)) {
            self.space(&at);
        }
    }

    pub(super) fn space(&mut self, at: &Range<usize>) {
        if let Some(hidden) = self.hidden() {
            hidden.push(' ');
        } else if self.muted == 0 {
            let span = Span::new(self.file, at.start, at.end);
            self.builder.space(span);
        }
    }

    /// Shows source text as it stands.
    pub(super) fn literal(&mut self, range: Range<usize>) {
        self.done = self.done.max(range.end);
        let text = self.slice(range.clone());
        if self.muted > 0 {
            return;
        }
        if let Some(hidden) = self.hidden() {
            hidden.push_str(text);
            return;
        }
        if text.trim().is_empty() {
            self.space(&range);
            return;
        }
        self.open(&range);
        let mut from = range.start;
        for (i, _) in text.match_indices('\u{a0}') {
            let at = range.start + i;
            self.builder
                .literal(self.text.get(from..at).unwrap_or(""), self.file, from);
            self.builder.space(Span::new(self.file, at, at + 2));
            from = at + 2;
        }
        self.builder.literal(
            self.text.get(from..range.end).unwrap_or(""),
            self.file,
            from,
        );
    }

    /// Shows words that the source writes in another way.
    pub(super) fn replaced(&mut self, words: &str, range: &Range<usize>) {
        let words = words.replace('\u{a0}', " ");
        if self.muted > 0 {
            return;
        }
        if let Some(hidden) = self.hidden() {
            hidden.push_str(&words);
            return;
        }
        if words.trim().is_empty() {
            self.space(range);
            return;
        }
        self.open(range);
        let span = self.span(range);
        self.builder.replaced(&words, span);
    }

    /// Opens a block of the kind that stands here unless one is open.
    pub(super) fn open(&mut self, range: &Range<usize>) {
        if self.builder.open_kind().is_none() {
            self.begin(self.kind(), range);
        }
    }

    pub(super) fn begin(&mut self, kind: BlockKind, range: &Range<usize>) {
        if self.after_abstract && kind != BlockKind::Heading {
            self.after_abstract = false;
            let span = self.span(&(range.start..range.start));
            self.builder.section(1, Some(""), span, true);
        }
        let span = self.span(range);
        self.builder.begin(kind, span);
    }

    /// What running text is at this place.
    pub(super) fn kind(&self) -> BlockKind {
        if let Some(kind) = self.sticky() {
            return kind;
        }
        if self.footnotes > 0 {
            return BlockKind::Footnote;
        }
        if self.section_kind() == SectionKind::References {
            return BlockKind::Bibliography;
        }
        self.containers
            .last()
            .copied()
            .unwrap_or(BlockKind::Paragraph)
    }

    pub(super) fn section_kind(&self) -> SectionKind {
        self.builder
            .out
            .sections
            .last()
            .map_or(SectionKind::Front, |section| section.kind)
    }

    pub(super) fn mark(&mut self, start: usize, kind: InlineKind) {
        if self.muted == 0 && start < self.builder.at() && self.marks.len() < DEEPEST {
            self.builder.mark(start, kind);
        }
    }

    pub(super) fn push_mark(&mut self, kind: Option<InlineKind>) {
        let at = self.builder.at();
        self.marks.push((at, kind));
    }

    pub(super) fn pop_mark(&mut self) {
        if let Some((start, Some(kind))) = self.marks.pop() {
            self.mark(start, kind);
        }
    }

    pub(super) fn start(&mut self, tag: Tag<'_>, at: Range<usize>) {
        self.flush(at.start);
        match tag {
            Tag::Emphasis => self.push_mark(Some(InlineKind::Emphasis)),
            Tag::Strong => self.push_mark(Some(InlineKind::Strong)),
            Tag::Strikethrough => self.push_mark(Some(InlineKind::Change)),
            Tag::Link {
                link_type,
                dest_url,
                ..
            } => self.link(link_type, &dest_url),
            Tag::Image { dest_url, .. } => self.image(&dest_url, at),
            _ if self.inline => {}
            Tag::Paragraph => self.start_paragraph(at),
            Tag::Heading { .. } => self.start_heading(&at),
            Tag::BlockQuote(_) => self.enter(BlockKind::Quote),
            Tag::Item | Tag::DefinitionListDefinition | Tag::DefinitionListTitle => {
                self.enter(BlockKind::ListItem);
            }
            Tag::FootnoteDefinition(_) => {
                self.builder.end();
                self.footnotes += 1;
            }
            Tag::CodeBlock(_) => self.start_code(&at),
            Tag::Table(_) => self.start_table(&at),
            Tag::TableHead | Tag::TableRow => self.rows.push(Vec::new()),
            Tag::TableCell => self.begin(BlockKind::Cell, &at),
            _ => {}
        }
    }

    pub(super) fn finish(&mut self, tag: TagEnd, at: Range<usize>) {
        match tag {
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {
                self.flush(at.end);
                self.pop_mark();
            }
            TagEnd::Link => {
                self.flush(at.end);
                self.end_link(at);
            }
            TagEnd::Image => self.end_image(at),
            _ if self.inline => {}
            TagEnd::Paragraph => self.end_paragraph(at.end),
            TagEnd::Heading(level) => self.end_heading(level as u8, at),
            TagEnd::BlockQuote(_)
            | TagEnd::Item
            | TagEnd::DefinitionListDefinition
            | TagEnd::DefinitionListTitle => {
                self.end_block();
                self.containers.pop();
            }
            TagEnd::FootnoteDefinition => {
                self.builder.end();
                self.footnotes = self.footnotes.saturating_sub(1);
            }
            TagEnd::CodeBlock => self.end_code(at),
            TagEnd::TableCell => {
                self.flush(at.end);
                self.end_cell();
            }
            TagEnd::TableHead | TagEnd::TableRow => {
                // A cell too many is not printed.
                self.muted += 1;
                self.flush(at.end);
                self.muted -= 1;
            }
            TagEnd::Table => self.end_table(at),
            _ => {}
        }
    }

    pub(super) fn enter(&mut self, kind: BlockKind) {
        self.end_block();
        self.containers.push(kind);
    }

    pub(super) fn end_block(&mut self) {
        if self.sticky().is_none() {
            self.builder.end();
        }
    }

    pub(super) fn start_paragraph(&mut self, at: Range<usize>) {
        self.marks.clear();
        self.links.clear();
        if self.sticky().is_some() && self.builder.open_kind().is_some() {
            self.space(&(at.start..at.start));
            return;
        }
        self.paragraph = Some(at.clone());
        if let Some(next) = self.run_in(&at) {
            self.done = self.done.max(next);
            return;
        }
        let kind = if self.is_formula(&at) {
            BlockKind::Math
        } else {
            self.kind()
        };
        self.builder.end();
        // Opened when its first words come, so that a paragraph without any leaves nothing.
        if kind == BlockKind::Math {
            self.begin(kind, &at);
        }
    }

    pub(super) fn end_paragraph(&mut self, end: usize) {
        self.flush(end);
        while !self.waiting.is_empty() {
            self.close_note();
        }
        self.paragraph = None;
        if let Some(float) = self.figure.take() {
            let span = self.builder.out.floats[float].span;
            self.builder.end_float(span);
            return;
        }
        self.end_block();
    }

    /// True when a paragraph is one formula set apart, labels aside.
    pub(super) fn is_formula(&self, at: &Range<usize>) -> bool {
        let first = self.islands.get(self.next);
        first.is_some_and(|island| {
            island.range.start == at.start
                && matches!(island.mark, Mark::Math { display: true, .. })
                && self.is_bare(island.range.end..at.end, self.next + 1)
        })
    }

    /// True when a range holds nothing visible; `first` is the first island that can lie in it.
    pub(super) fn is_bare(&self, range: Range<usize>, first: usize) -> bool {
        let mut at = range.start;
        for island in self.islands.get(first..).unwrap_or(&[]) {
            if island.range.end <= at {
                continue;
            }
            if island.range.start >= range.end {
                break;
            }
            if !island.is_silent()
                || self
                    .text
                    .get(at..island.range.start)
                    .is_none_or(|gap| !gap.trim().is_empty())
            {
                return false;
            }
            at = island.range.end;
        }
        at >= range.end
            || self
                .text
                .get(at..range.end)
                .is_some_and(|gap| gap.trim().is_empty())
    }

    pub(super) fn start_heading(&mut self, at: &Range<usize>) {
        if !self.stickies.is_empty() {
            self.close_all(at.start);
        }
        self.builder.end();
        self.marks.clear();
        self.after_abstract = false;
        self.in_heading = true;
        self.heading = None;
        let kind = if self.title_at == Some(at.start) {
            BlockKind::Title
        } else if self.in_titled_div() {
            // The name of a theorem or callout.
            BlockKind::Paragraph
        } else {
            BlockKind::Heading
        };
        self.begin(kind, at);
    }

    pub(super) fn end_heading(&mut self, level: u8, at: Range<usize>) {
        self.flush(at.end);
        self.in_heading = false;
        let list = self.heading.take().unwrap_or_default();
        if self.builder.open_kind() != Some(BlockKind::Heading) {
            self.builder.end();
            return;
        }
        let span = self.span(&super::front::trimmed(self.text, at));
        let unnumbered = list.dash || list.has_class(self.text, "unnumbered");
        let level = level.saturating_sub(self.shift).max(1);
        let section = self.builder.section(level, None, span, unnumbered);
        self.headings.push(HeadingId { section, span });
        if let Some(id) = list.id {
            let name = self.slice(id.clone()).to_owned();
            let span = self.span(&id);
            self.builder.label(name, LabelTarget::Section, span);
        }
    }

    pub(super) fn link(&mut self, kind: LinkType, target: &str) {
        let start = self.builder.at();
        let target = match kind {
            LinkType::Autolink | LinkType::Email => "<>".to_owned(),
            _ if target.starts_with('#') && target.len() > 1 => target.to_owned(),
            _ => String::new(),
        };
        self.links.push((start, target));
    }

    pub(super) fn end_link(&mut self, at: Range<usize>) {
        let Some((start, target)) = self.links.pop() else {
            return;
        };
        if target == "<>" {
            self.mark(start, InlineKind::Url);
            return;
        }
        let Some(name) = target.strip_prefix('#') else {
            return;
        };
        if self.muted > 0 || self.hidden().is_some() {
            return;
        }
        if self.builder.at() <= start {
            self.replaced(&target.clone(), &at);
        }
        let index = self.builder.out.references.len();
        self.mark(start, InlineKind::Reference(index));
        let span = self.span(&at);
        self.builder.out.references.push(CrossReference {
            name: name.to_owned(),
            command: "link".to_owned(),
            span,
            block: None,
        });
    }
}

pub(super) fn line_start(text: &str, at: usize) -> usize {
    text.get(..at)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |i| i + 1)
}

/// What the block parser sees in a text before its islands are known.
#[derive(Debug, Default)]
pub(super) struct Survey {
    opaque: Vec<Opaque>,
    tables: Vec<usize>,
    /// Levels and places of headings.
    pub(super) heads: Vec<(u8, Range<usize>)>,
}

/// Looks where code, tables and headings are.
pub(super) fn survey(text: &str, range: Range<usize>) -> Survey {
    let mut found = Survey::default();
    if super::is_dense(text) {
        return found;
    }
    let source = text.get(range.clone()).unwrap_or("");
    for (event, at) in Parser::new_ext(source, OPTIONS).into_offset_iter() {
        let at = at.start + range.start..at.end + range.start;
        match event {
            Event::Code(_) => found.opaque.push(Opaque {
                range: at,
                block: false,
            }),
            Event::Start(Tag::CodeBlock(_)) => found.opaque.push(Opaque {
                range: at,
                block: true,
            }),
            Event::Start(Tag::Table(_)) => found.tables.push(line_start(text, at.start)),
            Event::Start(Tag::Heading { level, .. }) => found.heads.push((level as u8, at)),
            _ => {}
        }
    }
    found
}
