//! Markdown as pandoc, JOSS, Quarto and Manubot write it, over the block structure of `pulldown-cmark`.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::builder::Builder;
use super::model::{BlockKind, CitationStyle, CitedKey, Comment, CommentKind};
use super::source::{FileId, Span};
use super::visible::InlineKind;

static CITATION: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(
        clippy::expect_used,
        reason = "a literal pattern, compiled by every test"
    )]
    Regex::new(r"\[[^\[\]]*-?@[A-Za-z0-9_][^\[\]]*\]|@[A-Za-z0-9_][A-Za-z0-9_:.#$%&+?<>~/-]*")
        .expect("pattern")
});
static KEY: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(
        clippy::expect_used,
        reason = "a literal pattern, compiled by every test"
    )]
    Regex::new(r"@([A-Za-z0-9_](?:[A-Za-z0-9_:.#$%&+?<>~/-]*[A-Za-z0-9_])?)").expect("pattern")
});

/// Reads the parts of a Markdown manuscript.
pub(super) fn read(builder: &mut Builder, parts: &[FileId]) {
    for &file in parts {
        let text = builder.out.sources[file.0 as usize].text.clone();
        let options = Options::ENABLE_TABLES
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_MATH
            | Options::ENABLE_HEADING_ATTRIBUTES
            | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
        let mut code = false;
        for (event, range) in Parser::new_ext(&text, options).into_offset_iter() {
            let span = Span::new(file, range.start, range.end);
            match event {
                Event::Start(Tag::Paragraph) => builder.begin(BlockKind::Paragraph, span),
                Event::Start(Tag::Heading { .. }) => builder.begin(BlockKind::Heading, span),
                Event::End(TagEnd::Heading(level)) => {
                    builder.section(depth(level), None, span, false);
                }
                Event::Start(Tag::CodeBlock(_) | Tag::MetadataBlock(_)) => {
                    builder.begin(BlockKind::Code, span);
                    code = true;
                }
                Event::End(TagEnd::MetadataBlock(_)) => {
                    builder.suspend();
                    code = false;
                }
                Event::End(TagEnd::CodeBlock) => {
                    builder.end();
                    code = false;
                }
                Event::Start(Tag::Item) => builder.begin(BlockKind::ListItem, span),
                Event::End(TagEnd::Paragraph | TagEnd::Item) => {
                    builder.end();
                }
                Event::Text(_) if code => builder.literal(&text[range.clone()], file, range.start),
                Event::Text(_) => words(builder, &text, file, range),
                Event::Code(_) => marked(builder, &text, file, range, InlineKind::Code),
                Event::InlineMath(_) | Event::DisplayMath(_) => {
                    marked(builder, &text, file, range, InlineKind::Math)
                }
                Event::SoftBreak | Event::HardBreak => builder.space(span),
                Event::Html(html) | Event::InlineHtml(html) => {
                    if let Some(comment) = html.trim().strip_prefix("<!--") {
                        let words = comment.trim_end().trim_end_matches("-->").trim().to_owned();
                        builder.out.comments.push(Comment {
                            kind: CommentKind::Html,
                            text: words,
                            span,
                        });
                    }
                }
                _ => {}
            }
        }
    }
}

fn marked(builder: &mut Builder, text: &str, file: FileId, range: Range<usize>, kind: InlineKind) {
    let inner = text[range.clone()].trim_matches(['`', '$']);
    let start = builder.at();
    builder.replaced(inner, Span::new(file, range.start, range.end));
    builder.mark(start, kind);
}

fn words(builder: &mut Builder, text: &str, file: FileId, range: Range<usize>) {
    let part = &text[range.clone()];
    let mut at = 0;
    for found in CITATION.find_iter(part) {
        builder.literal(&part[at..found.start()], file, range.start + at);
        let base = range.start + found.start();
        let keys: Vec<CitedKey> = KEY
            .captures_iter(found.as_str())
            .filter_map(|captures| captures.get(1))
            .map(|key| CitedKey {
                key: key.as_str().to_owned(),
                span: Span::new(file, base + key.start(), base + key.end()),
            })
            .collect();
        let style = if found.as_str().starts_with('[') {
            CitationStyle::Parenthetical
        } else {
            CitationStyle::Textual
        };
        builder.cite(
            keys,
            style,
            found.as_str(),
            Span::new(file, base, base + found.len()),
        );
        at = found.end();
    }
    builder.literal(&part[at..], file, range.start + at);
}

fn depth(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}
