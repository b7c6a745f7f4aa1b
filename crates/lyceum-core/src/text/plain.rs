//! Plain text: a title line, headings by their shape, paragraphs between blank lines, lists, numbered references.

use std::ops::Range;

use super::builder::Builder;
use super::markdown::run_in;
use super::model::BlockKind;
use super::section::{SectionKind, classify_heading};
use super::sentence::is_cjk;
use super::source::{FileId, Span};

/// Reads the parts of a plain text.
pub(super) fn read(builder: &mut Builder, parts: &[FileId]) {
    for (part, &file) in parts.iter().enumerate() {
        let text = builder.out.sources[file.0 as usize].text.clone();
        let mut reader = Reader {
            builder,
            file,
            text: &text,
            any: part > 0,
        };
        if super::markdown::is_dense(&text) {
            // Millions of lines are no manuscript; blocks of them would not fit into memory.
            reader.builder.note(
                "markup_too_dense",
                crate::base::Words::new(
                    "more lines than a manuscript has; read as one paragraph",
                    "行数过多，不像文稿，按一个段落读取",
                ),
                Some(Span::new(file, 0, 0)),
            );
            reader.builder.literal(&text, file, 0);
            reader.builder.end();
        } else {
            reader.read();
        }
    }
}

struct Reader<'a, 't> {
    builder: &'a mut Builder,
    file: FileId,
    text: &'t str,
    /// Something was read before.
    any: bool,
}

impl<'t> Reader<'_, 't> {
    fn read(&mut self) {
        let text = self.text;
        let mut lines = Vec::new();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            lines.push(at..at + line.len());
            at += line.len();
        }
        for (i, range) in lines.iter().enumerate() {
            let next = lines.get(i + 1).map_or("", |next| self.slice(next));
            let words = self.slice(range).trim();
            if words.is_empty() {
                self.builder.end();
                continue;
            }
            if is_rule(words) {
                if self.builder.open_kind() != Some(BlockKind::Paragraph) {
                    self.builder.end();
                }
                continue;
            }
            self.line(range, words, next.trim());
            self.any = true;
        }
        self.builder.end();
    }

    fn slice(&self, range: &Range<usize>) -> &'t str {
        self.text.get(range.clone()).unwrap_or("")
    }

    fn line(&mut self, range: &Range<usize>, words: &str, next: &str) {
        let inner = super::markdown::trimmed(self.text, range.clone());
        let span = Span::new(self.file, inner.start, inner.end);
        if self.builder.open_kind().is_none() {
            let alone = next.is_empty() || is_rule(next);
            if let Some(level) = heading(words, alone) {
                self.builder.begin(BlockKind::Heading, span);
                self.literal(range);
                self.builder
                    .section(level, None, span, !starts_numbered(words));
                return;
            }
            if self.part_of_front(&inner, span) {
                return;
            }
            if !self.any && next.is_empty() && is_title(words) {
                self.builder.begin(BlockKind::Title, span);
                self.literal(range);
                self.builder.end();
                return;
            }
        }
        let references = self.in_references();
        if item(words) || references && numbered_reference(words) {
            let kind = if references {
                BlockKind::Bibliography
            } else {
                BlockKind::ListItem
            };
            self.builder.begin(kind, span);
        } else if self.builder.open_kind().is_none() {
            let kind = if references {
                BlockKind::Bibliography
            } else {
                BlockKind::Paragraph
            };
            self.builder.begin(kind, span);
        } else if self.joins_chinese(range) {
            self.builder.literal(words, self.file, inner.start);
            return;
        } else {
            self.builder
                .space(Span::new(self.file, range.start, range.start));
        }
        self.literal(range);
    }

    /// Between Chinese characters a line end is not a space; the line before left none.
    fn joins_chinese(&self, range: &Range<usize>) -> bool {
        let before = self
            .text
            .get(..range.start)
            .and_then(|text| text.trim_end().chars().next_back());
        let after = self.slice(range).trim_start().chars().next();
        before.is_some_and(super::sentence::is_cjk_text)
            && after.is_some_and(super::sentence::is_cjk_text)
    }

    fn literal(&mut self, range: &Range<usize>) {
        let inner = super::markdown::trimmed(self.text, range.clone());
        let words = self.text.get(inner.clone()).unwrap_or("");
        self.builder.literal(words, self.file, inner.start);
    }

    /// `Abstract: …` and `Keywords: …` open their parts.
    fn part_of_front(&mut self, inner: &Range<usize>, span: Span) -> bool {
        let Some((kind, length)) = run_in(self.slice(inner)) else {
            return false;
        };
        let body = super::markdown::trimmed(self.text, inner.start + length..inner.end);
        match kind {
            SectionKind::Abstract => {
                let head = super::markdown::trimmed(self.text, inner.start..inner.start + length);
                let title = self
                    .slice(&head)
                    .trim_matches(|c: char| !c.is_alphanumeric())
                    .to_owned();
                let place = Span::new(self.file, head.start, head.end);
                self.builder.section(1, Some(&title), place, true);
                self.builder.begin(BlockKind::Paragraph, span);
            }
            _ => self.builder.begin(BlockKind::Keywords, span),
        }
        let words = self.text.get(body.clone()).unwrap_or("");
        self.builder.literal(words, self.file, body.start);
        true
    }

    fn in_references(&self) -> bool {
        self.builder
            .out
            .sections
            .last()
            .is_some_and(|section| section.kind == SectionKind::References)
    }
}

/// A line of one mark: `=====`, `-----`, `* * *`.
fn is_rule(line: &str) -> bool {
    line.len() > 2
        && line
            .chars()
            .all(|c| matches!(c, '=' | '-' | '*' | '_' | '~' | '#' | ' '))
}

/// The first line alone, short and without a stop, is the title.
fn is_title(line: &str) -> bool {
    line.chars().count() <= 200 && !line.ends_with(['.', '。', ';', '；', ',', '，', ':', '：'])
}

/// The level of a heading, when the line has the shape of one; `alone` when a blank line or rule follows.
fn heading(line: &str, alone: bool) -> Option<u8> {
    let length = line.chars().count();
    if length > 90
        || line.ends_with(['.', ',', ';', '。', '，', '；', '、']) && !line.ends_with("..")
    {
        return None;
    }
    if let Some((level, rest)) = numbered(line) {
        let title = rest
            .chars()
            .next()
            .is_some_and(|c| c.is_uppercase() || is_cjk(c));
        let known = classify_heading(rest) != SectionKind::Other;
        let short = rest.split_whitespace().count() <= 12;
        return (title && short && (alone || known)).then_some(level);
    }
    if let Some(level) = chinese_numbered(line) {
        return (length <= 40 && (alone || classify_heading(line) != SectionKind::Other))
            .then_some(level);
    }
    if classify_heading(line) != SectionKind::Other && length <= 60 {
        // A heading of that kind stands alone or is nothing but the name of its part.
        let words = line.split_whitespace().count();
        return (alone || words <= 3).then_some(1);
    }
    let letters = line.chars().filter(|c| c.is_alphabetic()).count();
    let capitals = letters > 3 && line.chars().all(|c| !c.is_lowercase()) && line.is_ascii();
    (capitals && alone && length <= 60).then_some(1)
}

fn starts_numbered(line: &str) -> bool {
    numbered(line).is_some() || chinese_numbered(line).is_some()
}

/// `2.1 Data` and `2. Data`: how deep the number is, and the words behind it.
fn numbered(line: &str) -> Option<(u8, &str)> {
    let number = line
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .filter(|&end| end > 0 && line.starts_with(|c: char| c.is_ascii_digit()))?;
    let (number, rest) = line.split_at(number);
    let number = number.trim_end_matches('.');
    let parts: Vec<&str> = number.split('.').collect();
    let plain = parts.len() <= 5 && parts.iter().all(|part| (1..=2).contains(&part.len()));
    let rest = rest.trim_start_matches(['、', ' ', '\t', '\u{3000}']);
    (plain && !rest.is_empty()).then(|| (u8::try_from(parts.len()).unwrap_or(5), rest))
}

/// `第三章 方法`, `一、引言`, `（二）数据`.
fn chinese_numbered(line: &str) -> Option<u8> {
    const DIGITS: &str = "一二三四五六七八九十百零〇";
    let digits = |text: &str| text.chars().take_while(|c| DIGITS.contains(*c)).count();
    if let Some(rest) = line.strip_prefix('第') {
        let count = rest
            .chars()
            .take_while(|c| DIGITS.contains(*c) || c.is_ascii_digit())
            .count();
        return match rest.chars().nth(count) {
            Some('章' | '部') if count > 0 => Some(1),
            Some('节') if count > 0 => Some(2),
            _ => None,
        };
    }
    if let Some(rest) = line.strip_prefix(['（', '(']) {
        let count = digits(rest);
        return (count > 0 && matches!(rest.chars().nth(count), Some('）' | ')'))).then_some(2);
    }
    let count = digits(line);
    (count > 0 && line.chars().nth(count) == Some('、')).then_some(1)
}

/// An item of a list.
fn item(line: &str) -> bool {
    let marked = line
        .strip_prefix(['-', '*', '•', '·', '+'])
        .is_some_and(|rest| rest.starts_with([' ', '\t']));
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    let rest = line.get(digits..).unwrap_or("");
    let enumerated =
        (1..=3).contains(&digits) && (rest.starts_with(". ") || rest.starts_with(") "));
    let bracketed =
        line.starts_with('(') && line.find(')').is_some_and(|i| (2..=4).contains(&i)) && {
            let inner = line.get(1..line.find(')').unwrap_or(1)).unwrap_or("");
            inner.chars().all(|c| c.is_ascii_digit())
                || inner.len() == 1 && inner.chars().all(char::is_alphabetic)
        };
    marked || enumerated || bracketed
}

/// `[12] Author, …` and `12. Author, …`.
fn numbered_reference(line: &str) -> bool {
    let inner = line.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    inner.is_some_and(|(number, _)| {
        !number.is_empty() && number.len() <= 4 && number.chars().all(|c| c.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::super::load::Format;
    use super::super::model::Manuscript;
    use super::*;
    use crate::text::Source;

    fn read_text(text: &str) -> Manuscript {
        let mut builder = Builder::new(Format::Plain);
        let file = builder.add_source(Source::new("a.txt", text));
        read(&mut builder, &[file]);
        builder.finish()
    }

    type Shape = (Vec<(u8, String)>, Vec<(BlockKind, String)>);

    fn shape(text: &str) -> Shape {
        let out = read_text(text);
        let sections = out
            .sections
            .iter()
            .skip(1)
            .map(|s| (s.level, s.title.clone()))
            .collect();
        let blocks = out
            .blocks
            .iter()
            .filter(|block| block.kind != BlockKind::Heading)
            .map(|block| (block.kind, block.text.string.clone()))
            .collect();
        (sections, blocks)
    }

    #[test]
    fn english_text_is_read() {
        let (sections, blocks) = shape(
            "A title of some kind\n\nAbstract: We do\nthings.\n\nKeywords: a, b\n\n1. Introduction\nText one\ntwo.\n\n\
             2.1 Data\n\n- item one\n- item two\n\nRESULTS\n\nMore text.\n\nReferences\n[1] A. B. 2001.\n[2] C. D.\n  2002.\n",
        );
        let titles: Vec<(u8, &str)> = sections
            .iter()
            .map(|(level, title)| (*level, title.as_str()))
            .collect();
        assert_eq!(
            titles,
            [
                (1, "Abstract"),
                (1, "1. Introduction"),
                (2, "2.1 Data"),
                (1, "RESULTS"),
                (1, "References")
            ]
        );
        let shown: Vec<(BlockKind, &str)> = blocks
            .iter()
            .map(|(kind, words)| (*kind, words.as_str()))
            .collect();
        assert_eq!(
            shown,
            [
                (BlockKind::Title, "A title of some kind"),
                (BlockKind::Paragraph, "We do things."),
                (BlockKind::Keywords, "a, b"),
                (BlockKind::Paragraph, "Text one two."),
                (BlockKind::ListItem, "- item one"),
                (BlockKind::ListItem, "- item two"),
                (BlockKind::Paragraph, "More text."),
                (BlockKind::Bibliography, "[1] A. B. 2001."),
                (BlockKind::Bibliography, "[2] C. D. 2002."),
            ]
        );
    }

    #[test]
    fn chinese_text_is_read() {
        let (sections, blocks) = shape(
            "题目\n\n摘要：本文\n研究。\n\n第一章 引言\n\n正文。\n\n二、方法\n\n正文二。\n\n参考文献\n[1] 甲。\n",
        );
        let titles: Vec<&str> = sections.iter().map(|(_, title)| title.as_str()).collect();
        assert_eq!(titles, ["摘要", "第一章 引言", "二、方法", "参考文献"]);
        assert_eq!(blocks[1], (BlockKind::Paragraph, "本文研究。".to_owned()));
        assert_eq!(blocks.last().unwrap().0, BlockKind::Bibliography);
    }

    #[test]
    fn sentences_are_no_headings() {
        let (sections, _) = shape(
            "x\n\n3 patients came\n\nThe results were clear\nand good.\n\n12 Angry Men is a film.\n",
        );
        assert!(sections.is_empty(), "{sections:?}");
    }
}
