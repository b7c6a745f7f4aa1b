//! HTML elements, fenced divs and words that open a part of a paper in running text.

use std::ops::Range;

use super::attribute::Attributes;
use super::front::trimmed;
use super::html::Tag;
use super::reader::Reader;
use crate::text::model::{BlockKind, Cell, FloatKind, Hidden, HiddenKind, LabelTarget};
use crate::text::section::SectionKind;
use crate::text::visible::InlineKind;

/// How far down a closing tag looks for its opening one.
const REACH: usize = 64;

/// An element that is open.
#[derive(Clone, Debug)]
pub(super) struct OpenTag {
    name: String,
    start: usize,
    hidden: Option<(HiddenKind, String)>,
    mark: Option<(usize, InlineKind)>,
    float: Option<usize>,
    is_abstract: bool,
    /// A heading in it is its own title, not a section's.
    titled: bool,
}

/// An HTML table that is open.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenTable {
    rows: Vec<Vec<Cell>>,
    header_rows: usize,
    start: usize,
}

impl Reader<'_> {
    /// Where the words go that a reader does not see.
    pub(super) fn hidden(&mut self) -> Option<&mut String> {
        let index = self.hidden_tag?;
        let (_, words) = self.tags.get_mut(index)?.hidden.as_mut()?;
        Some(words)
    }

    /// The kind of block that an element around this place imposes.
    pub(super) fn sticky(&self) -> Option<BlockKind> {
        self.stickies.last().copied()
    }

    /// Takes a tag in its place.
    pub(super) fn tag(&mut self, tag: Tag, at: &Range<usize>) {
        if tag.closes {
            self.close_tag(&tag.name, at.end);
            return;
        }
        if self.hidden_tag.is_some() {
            if !tag.empty {
                self.push_tag(&tag.name, at);
            }
            return;
        }
        if tag.empty {
            self.empty_element(&tag, at);
            return;
        }
        if let Some(kind) = tag.hides(self.text) {
            self.hidden_tag = Some(self.tags.len());
            self.push_tag(&tag.name, at);
            if let Some(open) = self.tags.last_mut() {
                open.hidden = Some((kind, String::new()));
            }
            return;
        }
        if tag.is_block() {
            self.before_block(&tag.name, at.start);
        }
        self.push_tag(&tag.name, at);
        self.element(&tag, at);
        self.element_label(&tag);
    }

    fn push_tag(&mut self, name: &str, at: &Range<usize>) {
        self.tags.push(OpenTag {
            name: name.to_owned(),
            start: at.start,
            hidden: None,
            mark: None,
            float: None,
            is_abstract: false,
            titled: false,
        });
    }

    /// Closes what the new element ends by itself: a cell ends the cell before it.
    fn before_block(&mut self, name: &str, at: usize) {
        let ends: &[&str] = match name {
            "td" | "th" => &["td", "th"],
            "tr" => &["td", "th", "tr"],
            "li" => &["li"],
            _ => &[],
        };
        while self
            .tags
            .last()
            .is_some_and(|open| ends.contains(&open.name.as_str()))
        {
            self.pop_tag(at);
        }
        if self.sticky().is_none() {
            self.builder.end();
        }
    }

    fn empty_element(&mut self, tag: &Tag, at: &Range<usize>) {
        match tag.name.as_str() {
            "br" => self.space(at),
            "img" => {
                let path = tag.value(self.text, "src").unwrap_or("").to_owned();
                if let Some(float) = self.builder.float() {
                    self.builder.out.floats[float].graphics.push(path);
                }
                self.element_label(tag);
            }
            _ if tag.is_block() && self.sticky().is_none() => {
                self.builder.end();
            }
            _ => self.element_label(tag),
        }
    }

    fn element_label(&mut self, tag: &Tag) {
        let id = tag
            .range("id")
            .or_else(|| tag.range("name").filter(|_| tag.name == "a"));
        let Some(id) = id.filter(|id| !id.is_empty()) else {
            return;
        };
        let target = match self.builder.float() {
            Some(float) => LabelTarget::Float(float),
            None => LabelTarget::Other,
        };
        let span = self.span(&id);
        self.builder.label(self.slice(id).to_owned(), target, span);
    }

    fn element(&mut self, tag: &Tag, at: &Range<usize>) {
        let mark = match tag.name.as_str() {
            "b" | "strong" => Some(InlineKind::Strong),
            "i" | "em" | "cite" | "dfn" => Some(InlineKind::Emphasis),
            "code" | "kbd" | "samp" | "tt" => Some(InlineKind::Code),
            "del" | "ins" | "s" | "strike" => Some(InlineKind::Change),
            _ => None,
        };
        let start = self.builder.at();
        let mut float = None;
        match tag.name.as_str() {
            "figure" => float = Some(FloatKind::Figure),
            "table" => {
                self.html_tables.push(OpenTable {
                    start: at.start,
                    ..OpenTable::default()
                });
                let soon = self.slice(at.end..self.text.len().min(at.end + 400));
                if soon.contains("<caption") && self.builder.float().is_none() {
                    float = Some(FloatKind::Table);
                }
            }
            "tr" => {
                if let Some(table) = self.html_tables.last_mut() {
                    table.rows.push(Vec::new());
                }
            }
            "td" | "th" if !self.html_tables.is_empty() => self.stick(BlockKind::Cell, at),
            "figcaption" | "caption" if self.builder.float().is_some() => {
                self.stick(BlockKind::Caption, at)
            }
            "li" | "dd" => self.stick(BlockKind::ListItem, at),
            "blockquote" => self.stick(BlockKind::Quote, at),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.stick(BlockKind::Heading, at),
            _ => {}
        }
        let opened = float.map(|kind| {
            let span = self.span(at);
            self.builder.begin_float(kind, span)
        });
        if let Some(open) = self.tags.last_mut() {
            open.mark = mark.map(|kind| (start, kind));
            open.float = opened;
        }
    }

    fn stick(&mut self, kind: BlockKind, at: &Range<usize>) {
        self.stickies.push(kind);
        self.begin(kind, at);
    }

    fn close_tag(&mut self, name: &str, end: usize) {
        let depth = self
            .tags
            .iter()
            .rev()
            .take(REACH)
            .position(|open| open.name == name);
        if let Some(depth) = depth {
            for _ in 0..=depth {
                self.pop_tag(end);
            }
        } else if name == "p" && self.sticky().is_none() && self.hidden_tag.is_none() {
            self.builder.end();
        }
    }

    /// Closes every element, at the end of a file or where a heading shows that one was forgotten.
    pub(super) fn close_all(&mut self, end: usize) {
        while !self.tags.is_empty() {
            self.pop_tag(end);
        }
        self.stickies.clear();
    }

    fn pop_tag(&mut self, end: usize) {
        let Some(open) = self.tags.pop() else {
            return;
        };
        if let Some((kind, words)) = open.hidden {
            self.hidden_tag = None;
            let text = words.split_whitespace().collect::<Vec<_>>().join(" ");
            if !text.is_empty() {
                let span = self.span(&(open.start..end));
                self.builder.out.hidden.push(Hidden { kind, text, span });
            }
            return;
        }
        if self.hidden_tag.is_some() {
            return;
        }
        if let Some((start, kind)) = open.mark {
            self.mark(start, kind);
        }
        let range = open.start..end;
        match open.name.as_str() {
            "td" | "th" => self.unstick_cell(open.name == "th"),
            "figcaption" | "caption" => {
                if let Some(caption) = self.unstick()
                    && let Some(float) = self.builder.float()
                {
                    self.builder.out.floats[float].caption = Some(caption);
                }
            }
            "li" | "dd" | "blockquote" => {
                self.unstick();
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.html_heading(&open.name, &range),
            "table" => {
                if let Some(table) = self.html_tables.pop() {
                    self.add_table(table.rows, table.header_rows, &(table.start..end));
                }
            }
            ":::" => self.end_div(&open),
            name if Self::is_paragraph(name) && self.sticky().is_none() => {
                self.builder.end();
            }
            _ => {}
        }
        if open.float.is_some() {
            let span = self.span(&range);
            self.builder.end_float(span);
        }
    }

    fn is_paragraph(name: &str) -> bool {
        matches!(
            name,
            "p" | "div"
                | "section"
                | "article"
                | "center"
                | "dt"
                | "details"
                | "summary"
                | "header"
                | "footer"
                | "ul"
                | "ol"
                | "dl"
                | "aside"
                | "figure"
        )
    }

    fn unstick(&mut self) -> Option<usize> {
        self.stickies.pop()?;
        self.builder.end()
    }

    fn unstick_cell(&mut self, heading: bool) {
        if let Some(block) = self.unstick()
            && let Some(table) = self.html_tables.last_mut()
        {
            let first = table.rows.len() <= 1;
            if table.rows.is_empty() {
                table.rows.push(Vec::new());
            }
            if heading && first {
                table.header_rows = 1;
            }
            if let Some(row) = table.rows.last_mut() {
                row.push(Cell { block, columns: 1 });
            }
        }
    }

    fn html_heading(&mut self, name: &str, at: &Range<usize>) {
        if self.stickies.pop().is_none() || self.builder.open_kind() != Some(BlockKind::Heading) {
            return;
        }
        let level = name
            .get(1..)
            .and_then(|digit| digit.parse::<u8>().ok())
            .unwrap_or(1);
        let level = level.saturating_sub(self.shift).max(1);
        let span = self.span(at);
        self.builder.section(level, None, span, false);
    }

    /// Opens a fenced div.
    pub(super) fn open_div(&mut self, list: &Attributes, at: &Range<usize>) {
        self.push_tag(":::", at);
        if self.hidden_tag.is_some() {
            return;
        }
        let style = Tag {
            name: "div".to_owned(),
            closes: false,
            empty: false,
            attributes: list
                .pairs
                .iter()
                .map(|(key, value)| (self.slice(key.clone()).to_owned(), value.clone()))
                .collect(),
        };
        if let Some(kind) = style.hides(self.text) {
            self.hidden_tag = Some(self.tags.len() - 1);
            if let Some(open) = self.tags.last_mut() {
                open.hidden = Some((kind, String::new()));
            }
            return;
        }
        if self.sticky().is_none() {
            self.builder.end();
        }
        let mut float = None;
        if let Some(id) = list.id.clone() {
            let name = self.slice(id.clone()).to_owned();
            let kind = match name.get(..4) {
                Some("fig-" | "fig:") => Some(FloatKind::Figure),
                Some("tbl-" | "tbl:") => Some(FloatKind::Table),
                Some("lst-" | "lst:") => Some(FloatKind::Listing),
                _ => None,
            };
            let span = self.span(at);
            float = kind.map(|kind| self.builder.begin_float(kind, span));
            let target = float.map_or(LabelTarget::Other, LabelTarget::Float);
            let span = self.span(&id);
            self.builder.label(name, target, span);
        }
        let titled = self.is_titled(list);
        let is_abstract = list.has_class(self.text, "abstract");
        if is_abstract {
            let span = self.span(at);
            self.builder.section(1, Some("Abstract"), span, true);
        }
        if let Some(open) = self.tags.last_mut() {
            open.float = float;
            open.is_abstract = is_abstract;
            open.titled = titled;
        }
    }

    /// True for a theorem, a proof or a callout.
    fn is_titled(&self, list: &Attributes) -> bool {
        const PREFIXES: [&str; 14] = [
            "thm-", "lem-", "cor-", "prp-", "cnj-", "def-", "exm-", "exr-", "sol-", "rem-", "tip-",
            "nte-", "wrn-", "imp-",
        ];
        let id = list.id.clone().map_or("", |id| self.slice(id));
        PREFIXES.iter().any(|prefix| id.starts_with(prefix))
            || list.classes.iter().any(|class| {
                let class = self.slice(class.clone());
                class.starts_with("callout")
                    || matches!(class, "proof" | "theorem" | "remark" | "solution")
            })
    }

    /// True inside a div whose headings are no sections.
    pub(super) fn in_titled_div(&self) -> bool {
        self.tags.iter().rev().take(REACH).any(|open| open.titled)
    }

    /// Closes the innermost fenced div.
    pub(super) fn close_div(&mut self, at: &Range<usize>) {
        self.close_tag(":::", at.end);
    }

    fn end_div(&mut self, open: &OpenTag) {
        if self.sticky().is_none() {
            self.builder.end();
        }
        self.after_abstract |= open.is_abstract;
        // The last paragraph of a figure's div is its caption.
        if let Some(float) = open.float
            && self.builder.out.floats[float].caption.is_none()
            && let Some(index) = self.builder.out.blocks.len().checked_sub(1)
        {
            let block = &mut self.builder.out.blocks[index];
            if block.float == Some(float) && block.kind == BlockKind::Paragraph {
                block.kind = BlockKind::Caption;
                self.builder.out.floats[float].caption = Some(index);
            }
        }
    }

    /// A paragraph that starts with `Abstract:` or `Keywords:` opens that part; returns where its words begin.
    pub(super) fn run_in(&mut self, at: &Range<usize>) -> Option<usize> {
        let source = self.slice(at.clone());
        let (kind, length) = run_in(source)?;
        let current = self
            .builder
            .out
            .sections
            .last()
            .map_or(SectionKind::Front, |section| section.kind);
        let front = matches!(current, SectionKind::Front | SectionKind::Abstract);
        let next = trimmed(self.text, at.start + length..at.end).start;
        match kind {
            SectionKind::Abstract
                if front
                    && !self
                        .builder
                        .out
                        .sections
                        .iter()
                        .any(|s| s.kind == SectionKind::Abstract) =>
            {
                let head = trimmed(self.text, at.start..at.start + length);
                let words = self.slice(head.clone());
                let title = words
                    .trim_matches(|c: char| !c.is_alphanumeric())
                    .to_owned();
                let span = self.span(&head);
                self.builder.section(1, Some(&title), span, true);
                Some(next)
            }
            SectionKind::Keywords if front => {
                self.after_abstract = false;
                self.begin(BlockKind::Keywords, at);
                self.after_abstract = current == SectionKind::Abstract;
                Some(next)
            }
            _ => None,
        }
    }
}

/// What a line opens that starts with the name of a part, and the length of that start with its marks.
pub(in crate::text) fn run_in(source: &str) -> Option<(SectionKind, usize)> {
    const NAMES: [(&str, SectionKind); 13] = [
        ("abstract", SectionKind::Abstract),
        ("summary", SectionKind::Abstract),
        ("摘要", SectionKind::Abstract),
        ("摘 要", SectionKind::Abstract),
        ("内容摘要", SectionKind::Abstract),
        ("中文摘要", SectionKind::Abstract),
        ("keywords", SectionKind::Keywords),
        ("key words", SectionKind::Keywords),
        ("keyword", SectionKind::Keywords),
        ("index terms", SectionKind::Keywords),
        ("关键词", SectionKind::Keywords),
        ("关键字", SectionKind::Keywords),
        ("关 键 词", SectionKind::Keywords),
    ];
    let body = source.trim_start_matches(['*', '_', ' ', '【', '[']);
    let marked = source.trim_start().starts_with(['*', '_', '【']);
    let lead = source.len() - body.len();
    let (name, kind) = NAMES.iter().find(|(name, _)| {
        body.get(..name.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(name))
    })?;
    let rest = body.get(name.len()..)?;
    let tail = rest.trim_start_matches([
        '*', '_', ':', '：', '.', '。', '—', '–', '-', ' ', '\u{3000}', '】', ']', '\n',
    ]);
    let between = rest.get(..rest.len() - tail.len())?;
    let colon = between.contains([':', '：', '—', '】']);
    let closed = marked && between.contains(['*', '_']);
    // `Abstract. We show …` opens an abstract, `Summary statistics …` does not.
    let stop = *name == "abstract" && between.starts_with('.');
    (colon && (*name != "summary" || marked) || closed || stop)
        .then_some((*kind, lead + name.len() + between.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_in_names_are_told_from_words() {
        for (text, rest) in [
            ("Abstract: We show", "We show"),
            ("**Abstract.** We show", "We show"),
            ("**Abstract**\nWe show", "We show"),
            ("ABSTRACT — We show", "We show"),
            ("摘要：本文", "本文"),
            ("**关键词：**甲；乙", "甲；乙"),
            ("*Keywords:* a, b", "a, b"),
        ] {
            let (_, length) = run_in(text).unwrap();
            assert_eq!(&text[length..], rest, "{text}");
        }
        for text in [
            "Abstract ideas are",
            "Summary: the end",
            "Abstractly: x",
            "Keywords are",
            "",
            "摘要是",
        ] {
            assert!(run_in(text).is_none(), "{text}");
        }
    }
}
