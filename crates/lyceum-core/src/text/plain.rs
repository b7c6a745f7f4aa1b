//! Plain text: paragraphs between blank lines, headings by their shape.

use super::builder::Builder;
use super::model::BlockKind;
use super::section::{SectionKind, classify_heading};
use super::source::{FileId, Span};

/// Reads the parts of a plain text.
pub(super) fn read(builder: &mut Builder, parts: &[FileId]) {
    for &file in parts {
        let text = builder.out.sources[file.0 as usize].text.clone();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let words = line.trim();
            let span = Span::new(file, at, at + line.trim_end().len());
            if words.is_empty() {
                builder.end();
            } else if builder.open_kind().is_none() && is_heading(words) {
                builder.begin(BlockKind::Heading, span);
                builder.literal(line, file, at);
                builder.section(1, None, span, true);
            } else {
                builder.literal(line, file, at);
            }
            at += line.len();
        }
        builder.end();
    }
}

/// A short line of its own that names a part of a paper, or is numbered like a heading.
fn is_heading(line: &str) -> bool {
    line.chars().count() <= 60
        && !line.ends_with(['.', ',', ';', '。', '，'])
        && classify_heading(line) != SectionKind::Other
}
