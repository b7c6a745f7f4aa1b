//! The blocks of a Markdown text that a revision can name: `B0001` and on. What a line means is never guessed: a text
//! with a construct whose extent is not certain has no blocks.

use std::collections::BTreeSet;
use std::ops::Range;

use serde_json::json;

use crate::attest::canonical;
use crate::base::Sha256;

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkdownKind {
    /// A fenced code block.
    Fence,
    /// A heading with number signs.
    Heading,
    /// Rows of a table.
    Table,
    /// A list, loose or tight.
    List,
    /// A quotation.
    Quotation,
    /// Anything else up to an empty line.
    Plain,
}

/// A block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkdownBlock {
    /// `B0001`.
    pub id: String,
    /// What it is.
    pub kind: MarkdownKind,
    /// Its bytes in the text, marker not included.
    pub range: Range<usize>,
    /// The first 12 digits of the hash of its text.
    pub hash: String,
    /// The start of its first line.
    pub excerpt: String,
}

/// Why a text has no blocks, and on which line, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoBlocks {
    /// Why.
    pub reason: &'static str,
    /// Where.
    pub line: usize,
}

/// The hash that later steps compare: 12 digits, over the text with LF and without empty lines at its edges.
#[must_use]
pub fn short_hash(text: &str) -> String {
    let text = text.trim_matches('\n');
    Sha256::of(text.as_bytes()).short().to_owned()
}

/// The hash of the list of blocks with their hashes, bound to the text.
#[must_use]
pub fn manifest_sha256(base: &Sha256, blocks: &[MarkdownBlock]) -> Sha256 {
    let rows: Vec<_> = blocks
        .iter()
        .map(|one| {
            json!({
                "block_id": one.id,
                "old_hash": one.hash,
                "first_line_excerpt": one.excerpt,
            })
        })
        .collect();
    let manifest = json!({ "base_draft_hash": base.short(), "blocks": rows });
    Sha256::of(canonical(&manifest).as_bytes())
}

/// Cuts a text, whose lines end with LF, into blocks.
///
/// # Errors
/// [`NoBlocks`] for a construct whose extent is not certain.
pub fn blocks(text: &str) -> Result<Vec<MarkdownBlock>, NoBlocks> {
    let lines = lines(text);
    let mut found: Vec<(Option<&str>, MarkdownKind, Range<usize>)> = Vec::new();
    let mut marker: Option<(&str, usize)> = None;
    let mut at = front_matter(&lines)?;
    while let Some(line) = lines.get(at) {
        if line.is_blank() {
            at += 1;
            continue;
        }
        if let Some(id) = line.marker() {
            if let Some((_, line)) = marker.replace((id, at)) {
                return Err(no("stacked_markers", line));
            }
            at += 1;
            continue;
        }
        let (kind, end) = block(&lines, at)?;
        let range = line.start..lines.get(end - 1).map_or(line.start, |last| last.end);
        found.push((marker.take().map(|(id, _)| id), kind, range));
        at = end;
    }
    if let Some((_, line)) = marker {
        return Err(no("orphan_marker", line));
    }
    named(text, found)
}

fn no(reason: &'static str, line: usize) -> NoBlocks {
    NoBlocks {
        reason,
        line: line + 1,
    }
}

fn named(
    text: &str,
    found: Vec<(Option<&str>, MarkdownKind, Range<usize>)>,
) -> Result<Vec<MarkdownBlock>, NoBlocks> {
    let mut taken = BTreeSet::new();
    for (id, _, range) in &found {
        if let Some(id) = id
            && !taken.insert(*id)
        {
            let line = text.get(..range.start).unwrap_or("").matches('\n').count();
            return Err(no("duplicate_id", line));
        }
    }
    let number = |id: &&str| id.get(1..).and_then(|digits| digits.parse::<u64>().ok());
    let mut next = taken.iter().filter_map(number).max().unwrap_or(0);
    let mut blocks = Vec::with_capacity(found.len());
    for (id, kind, range) in found {
        let body = text.get(range.clone()).unwrap_or("");
        let id = id.map_or_else(
            || {
                next += 1;
                format!("B{next:04}")
            },
            str::to_owned,
        );
        let first = body.lines().next().unwrap_or("").trim();
        blocks.push(MarkdownBlock {
            id,
            kind,
            hash: short_hash(body),
            excerpt: first.chars().take(80).collect(),
            range,
        });
    }
    Ok(blocks)
}

/// A line without its LF.
#[derive(Clone, Copy)]
struct Line<'a> {
    text: &'a str,
    start: usize,
    end: usize,
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let mut start = 0;
    text.split('\n')
        .map(|line| {
            let this = Line {
                text: line,
                start,
                end: start + line.len(),
            };
            start += line.len() + 1;
            this
        })
        .collect()
}

impl<'a> Line<'a> {
    fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    fn indent(&self) -> usize {
        let spaces = self.text.len() - self.text.trim_start_matches(' ').len();
        if self.text.trim_start_matches(' ').starts_with('\t') {
            spaces + 4
        } else {
            spaces
        }
    }

    fn body(&self) -> &'a str {
        self.text.trim()
    }

    /// The id of a marker that stands alone on the line.
    fn marker(&self) -> Option<&'a str> {
        let id = self
            .text
            .trim_end()
            .strip_prefix("<!--block:")?
            .strip_suffix("-->")?;
        let digits = id.strip_prefix('B')?;
        let valid = digits.len() >= 4 && digits.bytes().all(|b| b.is_ascii_digit());
        valid.then_some(id)
    }

    fn is_heading(&self) -> bool {
        let signs = self.body().bytes().take_while(|b| *b == b'#').count();
        let after = self.body().get(signs..).unwrap_or("");
        self.indent() < 4
            && (1..=6).contains(&signs)
            && (after.is_empty() || after.starts_with([' ', '\t']))
    }

    /// The mark and length of a fence that opens here.
    fn fence(&self) -> Option<(char, usize)> {
        let body = self.body();
        let mark = body.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let length = body.chars().take_while(|c| *c == mark).count();
        let info = body.get(length..).unwrap_or("");
        (length >= 3 && !(mark == '`' && info.contains('`'))).then_some((mark, length))
    }

    fn closes(&self, (mark, length): (char, usize)) -> bool {
        let body = self.body();
        body.chars().all(|c| c == mark) && body.chars().count() >= length
    }

    fn is_quotation(&self) -> bool {
        self.indent() < 4 && self.body().starts_with('>')
    }

    fn is_table(&self) -> bool {
        self.indent() < 4 && self.body().starts_with('|')
    }

    fn is_item(&self) -> bool {
        let body = self.text.trim_start();
        let digits = body.bytes().take_while(u8::is_ascii_digit).count();
        let after = match body.chars().next() {
            Some('-' | '+' | '*') => body.get(1..),
            _ if (1..=9).contains(&digits) => body
                .get(digits..)
                .and_then(|rest| rest.strip_prefix(['.', ')'])),
            _ => None,
        };
        after.is_some_and(|after| after.starts_with([' ', '\t']) && !after.trim().is_empty())
            && !self.is_rule()
    }

    /// `* * *`, `- - -`, `___`.
    fn is_rule(&self) -> bool {
        let bare: String = self.body().chars().filter(|c| !c.is_whitespace()).collect();
        let first = bare.chars().next();
        bare.len() >= 3
            && matches!(first, Some('-' | '*' | '_'))
            && bare.chars().all(|c| Some(c) == first)
    }

    /// A line of equals signs or hyphens, which makes a heading of the line above.
    fn underlines(&self) -> bool {
        let body = self.body();
        self.indent() < 4
            && !body.is_empty()
            && (body.bytes().all(|b| b == b'=') || body.bytes().all(|b| b == b'-'))
    }

    fn is_html(&self) -> bool {
        let Some(rest) = self.body().strip_prefix('<').filter(|_| self.indent() < 4) else {
            return false;
        };
        if rest.starts_with(['/', '!', '?']) {
            return true;
        }
        let name: &str = rest
            .split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '.' | '-')))
            .next()
            .unwrap_or("");
        let after = rest.get(name.len()..).unwrap_or("");
        // `<https://…>` and `<a@b.c>` are links.
        rest.starts_with(|c: char| c.is_ascii_alphabetic()) && !after.starts_with([':', '@'])
    }

    fn is_note(&self) -> bool {
        let rest = self.body().strip_prefix("[^");
        self.indent() < 4 && rest.is_some_and(|rest| rest.contains("]:"))
    }
}

/// Behind the front matter.
fn front_matter(lines: &[Line<'_>]) -> Result<usize, NoBlocks> {
    if lines
        .first()
        .is_none_or(|first| first.text.trim_end() != "---")
    {
        return Ok(0);
    }
    let close = lines
        .iter()
        .skip(1)
        .position(|line| matches!(line.text.trim_end(), "---" | "..."));
    close
        .map(|close| close + 2)
        .ok_or_else(|| no("unterminated_front_matter", 0))
}

/// The block that starts on a line, and the line behind it.
fn block(lines: &[Line<'_>], at: usize) -> Result<(MarkdownKind, usize), NoBlocks> {
    let Some(line) = lines.get(at) else {
        return Ok((MarkdownKind::Plain, at + 1));
    };
    if line.indent() < 4 {
        if let Some(fence) = line.fence() {
            return Ok((MarkdownKind::Fence, fenced(lines, at, fence)?));
        }
        if line.is_heading() {
            return Ok((MarkdownKind::Heading, at + 1));
        }
        if line.is_html() {
            return Err(no("raw_html", at));
        }
        if line.is_note() {
            return Err(no("footnote_definition", at));
        }
        if line.is_table() {
            return Ok((MarkdownKind::Table, run(lines, at, |line| line.is_table())));
        }
        if line.is_item() {
            return Ok((MarkdownKind::List, list(lines, at)?));
        }
        if line.is_quotation() {
            return Ok((
                MarkdownKind::Quotation,
                run(lines, at, |line| line.is_quotation() || !starts_other(line)),
            ));
        }
    }
    plain(lines, at).map(|end| (MarkdownKind::Plain, end))
}

fn fenced(lines: &[Line<'_>], at: usize, fence: (char, usize)) -> Result<usize, NoBlocks> {
    let close = lines
        .iter()
        .skip(at + 1)
        .position(|line| line.closes(fence));
    close
        .map(|close| at + close + 2)
        .ok_or_else(|| no("unterminated_fence", at))
}

/// Behind the lines from `at` on that are not empty and pass.
fn run(lines: &[Line<'_>], at: usize, mut passes: impl FnMut(&Line<'_>) -> bool) -> usize {
    let more = lines
        .iter()
        .skip(at + 1)
        .take_while(|line| !line.is_blank() && line.marker().is_none() && passes(line))
        .count();
    at + 1 + more
}

/// True for a line that ends a text above it without an empty line between.
fn starts_other(line: &Line<'_>) -> bool {
    line.indent() < 4
        && (line.is_heading()
            || line.fence().is_some()
            || line.is_quotation()
            || line.is_table()
            || line.is_item())
}

/// A list goes on over an empty line with an item or an indented line.
fn list(lines: &[Line<'_>], at: usize) -> Result<usize, NoBlocks> {
    let mut end = at + 1;
    let mut next = at + 1;
    while let Some(line) = lines.get(next) {
        let after_gap = next > end;
        if line.is_blank() {
            next += 1;
            continue;
        }
        if line.marker().is_some() {
            break;
        }
        let inside = line.indent() >= 2;
        if let Some(fence) = line.fence().filter(|_| inside) {
            next = fenced(lines, next, fence)?;
            end = next;
            continue;
        }
        let goes_on = line.is_item() || inside || (!after_gap && !starts_other(line));
        if !goes_on {
            break;
        }
        if !inside && line.is_html() {
            return Err(no("raw_html", next));
        }
        next += 1;
        end = next;
    }
    Ok(end)
}

fn plain(lines: &[Line<'_>], at: usize) -> Result<usize, NoBlocks> {
    let end = run(lines, at, |line| !starts_other(line));
    for (i, line) in lines.iter().enumerate().take(end).skip(at + 1) {
        if line.underlines() {
            return Err(no("setext_underline", i));
        }
        if line.is_html() {
            return Err(no("raw_html", i));
        }
        if line.is_note() {
            return Err(no("footnote_definition", i));
        }
    }
    Ok(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<(String, MarkdownKind, &str)> {
        blocks(text)
            .unwrap()
            .into_iter()
            .map(|one| (one.id, one.kind, &text[one.range]))
            .collect()
    }

    fn fails(text: &str) -> (&'static str, usize) {
        let error = blocks(text).unwrap_err();
        (error.reason, error.line)
    }

    #[test]
    fn every_kind_of_block_is_cut() {
        use MarkdownKind::{Fence, Heading, List, Plain, Quotation, Table};
        let text = "---\ntitle: x\n---\n\n# One\nText of\ntwo lines\n\n```r\na\n\n# b\n```\n\n| a |\n|---|\n| 1 |\n\n- one\n\n  more\n- two\nlazy\n\nEnd <https://a.example>\n> said\n> so\n\n***\n\n    code\n";
        let got = cut(text);
        let id = |n: usize| format!("B{n:04}");
        assert_eq!(
            got,
            [
                (id(1), Heading, "# One"),
                (id(2), Plain, "Text of\ntwo lines"),
                (id(3), Fence, "```r\na\n\n# b\n```"),
                (id(4), Table, "| a |\n|---|\n| 1 |"),
                (id(5), List, "- one\n\n  more\n- two\nlazy"),
                (id(6), Plain, "End <https://a.example>"),
                (id(7), Quotation, "> said\n> so"),
                (id(8), Plain, "***"),
                (id(9), Plain, "    code"),
            ]
        );
    }

    #[test]
    fn markers_name_the_next_block_and_new_ones_count_on() {
        let text = "<!--block:B0007-->\nOne\n\nTwo\n\n<!--block:B0002-->\n# Three\n";
        let got: Vec<_> = cut(text).into_iter().map(|(id, ..)| id).collect();
        assert_eq!(got, ["B0007", "B0008", "B0002"]);
        assert_eq!(fails("a\n\n<!--block:B0001-->\n"), ("orphan_marker", 3));
        assert_eq!(
            fails("<!--block:B0001-->\n<!--block:B0002-->\na"),
            ("stacked_markers", 1)
        );
        assert_eq!(
            fails("<!--block:B0001-->\na\n\n<!--block:B0001-->\nb"),
            ("duplicate_id", 5)
        );
    }

    #[test]
    fn what_is_not_certain_is_refused() {
        assert_eq!(fails("---\ntitle: x\n"), ("unterminated_front_matter", 1));
        assert_eq!(fails("a\n\n```\nb\n"), ("unterminated_fence", 3));
        assert_eq!(fails("Title\n=====\n"), ("setext_underline", 2));
        assert_eq!(fails("a\n\n<div>\nb\n</div>\n"), ("raw_html", 3));
        assert_eq!(fails("a\n<!-- x -->\n"), ("raw_html", 2));
        assert_eq!(fails("a[^1]\n\n[^1]: note\n"), ("footnote_definition", 3));
        assert_eq!(fails("- a\n  ```\n  b\n"), ("unterminated_fence", 2));
    }

    #[test]
    fn hashes_leave_the_edges_out_and_bind_the_text() {
        assert_eq!(short_hash("\n\na\nb\n"), short_hash("a\nb"));
        assert_ne!(short_hash("a\nb"), short_hash("a\n b"));
        let one = blocks("a\n\nb").unwrap();
        let two = blocks("a\n\nc").unwrap();
        let base = Sha256::of(b"x");
        assert_ne!(manifest_sha256(&base, &one), manifest_sha256(&base, &two));
        assert_ne!(
            manifest_sha256(&base, &one),
            manifest_sha256(&Sha256::of(b"y"), &one)
        );
    }

    #[test]
    fn blocks_lie_in_order_inside_of_the_text() {
        use proptest::prelude::*;
        proptest!(|(text in "([-+*#>|`~=<a1. \n]|\\PC){0,80}")| {
            if let Ok(found) = blocks(&text) {
                let mut end = 0;
                for one in found {
                    prop_assert!(one.range.start >= end);
                    prop_assert!(text.get(one.range.clone()).is_some_and(|body| !body.trim().is_empty()));
                    end = one.range.end;
                }
            }
        });
    }
}
