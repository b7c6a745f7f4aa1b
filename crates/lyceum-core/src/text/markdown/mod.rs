//! Markdown as pandoc, JOSS, Quarto, R Markdown and Manubot write it.
//!
//! CommonMark's blocks are `pulldown-cmark`'s. What it does not know is found before as islands ([`island`]) and
//! hidden from it, so that both layers keep the offsets of the source: `scan`, `block` and `tex` find islands,
//! `reader`, `page` and `environment` turn events and islands into a manuscript.

mod attribute;
mod block;
mod chunk;
mod cite;
mod environment;
mod float;
mod front;
#[cfg(test)]
mod hostile;
mod html;
mod island;
mod layout;
mod mark;
mod metadata;
mod page;
mod reader;
mod scan;
mod show;
#[cfg(test)]
mod tests;
mod tex;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Parser, Tag};

use super::builder::Builder;
use super::model::{Label, LabelTarget};
use super::section::{SectionKind, classify_heading};
use super::source::{FileId, Span};
use super::tex_text::tex_to_text;

pub use cite::is_manubot_key;
pub(super) use front::trimmed;
pub(super) use page::run_in;

/// Tabs at line ends as spaces: the block parser does not take a fence that is followed by one.
fn untabbed(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut tail = true;
    for byte in bytes.iter_mut().rev() {
        match *byte {
            b'\n' => tail = true,
            b'\t' if tail => *byte = b' ',
            b' ' => {}
            _ => tail = false,
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// A heading before anything is read: its level and place.
struct Head {
    part: usize,
    level: u8,
    range: Range<usize>,
}

/// Reads the parts of a Markdown manuscript.
pub(super) fn read(builder: &mut Builder, parts: &[FileId]) {
    let texts: Vec<String> = parts
        .iter()
        .map(|file| untabbed(&builder.out.sources[file.0 as usize].text))
        .collect();
    let fronts: Vec<_> = texts.iter().map(|text| front::find(text)).collect();
    let bodies: Vec<usize> = fronts
        .iter()
        .map(|front| front.as_ref().map_or(0, |(_, end, _)| *end))
        .collect();
    let heads = heads(&texts, &bodies);
    let mut titled = false;
    let mut headings = Vec::new();
    let mut chunks = Vec::new();
    let plan = plan(&heads, &texts);
    for (i, (&file, text)) in parts.iter().zip(&texts).enumerate() {
        let mut reader = reader::Reader::new(builder, file, text);
        if let Some((range, _, toml)) = fronts[i].clone() {
            titled |= reader.front_matter(range, toml);
        }
        let title = plan
            .title
            .filter(|_| !titled)
            .filter(|&(part, _)| part == i);
        reader.shift = if plan.title.is_some() && !titled {
            plan.shift_below
        } else {
            plan.shift
        };
        reader.title_at = title.map(|(_, at)| at);
        reader.blocks(bodies[i]..text.len());
        reader.close_all(text.len());
        headings.append(&mut reader.headings);
        chunks.append(&mut reader.chunks);
    }
    implicit_labels(builder, &headings);
    chunk_labels(builder, chunks);
}

fn heads(texts: &[String], bodies: &[usize]) -> Vec<Head> {
    let mut heads = Vec::new();
    for (part, (text, &body)) in texts.iter().zip(bodies).enumerate() {
        let source = text.get(body..).unwrap_or("");
        for (event, at) in Parser::new_ext(source, reader::OPTIONS).into_offset_iter() {
            if let Event::Start(Tag::Heading { level, .. }) = event {
                heads.push(Head {
                    part,
                    level: depth(level),
                    range: at.start + body..at.end + body,
                });
            }
        }
    }
    heads
}

/// How heading levels are counted, and which heading is the title of the work if nothing else is.
struct Plan {
    title: Option<(usize, usize)>,
    shift: u8,
    /// The shift when the title counts as a title.
    shift_below: u8,
}

fn plan(heads: &[Head], texts: &[String]) -> Plan {
    let lowest = |heads: &mut dyn Iterator<Item = &Head>| {
        heads.map(|head| head.level).min().unwrap_or(1) - 1
    };
    let shift = lowest(&mut heads.iter());
    let single = heads.iter().filter(|head| head.level == 1).count() == 1 && heads.len() > 2;
    let first = heads.first().filter(|head| single && head.level == 1);
    let title = first.filter(|head| {
        let words = texts[head.part].get(head.range.clone()).unwrap_or("");
        let words = words.trim_matches(['#', ' ', '\n']);
        head.part == 0 && classify_heading(words) == SectionKind::Other
    });
    Plan {
        title: title.map(|head| (head.part, head.range.start)),
        shift,
        shift_below: lowest(&mut heads.iter().skip(1)),
    }
}

const fn depth(level: HeadingLevel) -> u8 {
    level as u8
}

/// Headings have ids of their own, made of their words; one becomes a label only when something refers to it, so
/// that no label is there that nobody wrote.
fn implicit_labels(builder: &mut Builder, headings: &[reader::HeadingId]) {
    let known: HashSet<&str> = builder
        .out
        .labels
        .iter()
        .map(|label| label.name.as_str())
        .collect();
    let wanted: HashSet<String> = builder
        .out
        .references
        .iter()
        .filter(|reference| !known.contains(reference.name.as_str()))
        .map(|reference| reference.name.clone())
        .collect();
    if wanted.is_empty() {
        return;
    }
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut found: HashMap<String, Span> = HashMap::new();
    for heading in headings {
        let title = &builder.out.sections[heading.section].title;
        for id in [pandoc_id(title), github_id(title)] {
            let count = seen.entry(id.clone()).or_default();
            let name = if *count == 0 {
                id
            } else {
                format!("{id}-{count}")
            };
            *count += 1;
            if wanted.contains(&name) {
                found.entry(name).or_insert(heading.span);
            }
        }
    }
    let mut labels: Vec<Label> = found
        .into_iter()
        .map(|(name, span)| Label {
            name,
            target: LabelTarget::Section,
            span,
        })
        .collect();
    labels.sort_by_key(|label| label.span);
    builder.out.labels.append(&mut labels);
}

/// The id pandoc gives a heading: letters, digits, `_`, `-`, `.`; hyphens for spaces; from the first letter on.
fn pandoc_id(title: &str) -> String {
    let id = hyphenated(title, |c| matches!(c, '_' | '-' | '.'));
    let start = id.find(char::is_alphabetic).unwrap_or(id.len());
    match id.get(start..) {
        Some(id) if !id.is_empty() => id.to_owned(),
        _ => "section".to_owned(),
    }
}

/// The id GitHub gives a heading.
fn github_id(title: &str) -> String {
    hyphenated(title, |c| matches!(c, '_' | '-'))
}

fn hyphenated(title: &str, keep: impl Fn(char) -> bool) -> String {
    let kept: String = title
        .to_lowercase()
        .chars()
        .filter(|&c| c.is_alphanumeric() || c.is_whitespace() || keep(c))
        .collect();
    kept.split_whitespace().collect::<Vec<_>>().join("-")
}

/// A knitr chunk `name` can be referred to as `fig:name` or `tab:name`.
fn chunk_labels(builder: &mut Builder, chunks: Vec<(String, Span)>) {
    let chunks: HashMap<String, Span> = chunks.into_iter().collect();
    let known: HashSet<String> = builder
        .out
        .labels
        .iter()
        .map(|label| label.name.clone())
        .collect();
    let mut added = HashSet::new();
    let mut labels = Vec::new();
    for reference in &builder.out.references {
        let name = &reference.name;
        let chunk = name
            .strip_prefix("fig:")
            .or_else(|| name.strip_prefix("tab:"));
        if let Some(&span) = chunk.and_then(|chunk| chunks.get(chunk))
            && !known.contains(name)
            && added.insert(name.clone())
        {
            labels.push(Label {
                name: name.clone(),
                target: LabelTarget::Other,
                span,
            });
        }
    }
    builder.out.labels.append(&mut labels);
}

/// A formula as plain symbols.
fn math_text(tex: &str) -> String {
    let mut plain = String::with_capacity(tex.len() + 2);
    plain.push('$');
    let mut rest = tex;
    while let Some(at) = rest.find(['\\', '&', '$']) {
        plain.push_str(rest.get(..at).unwrap_or(""));
        let tail = rest.get(at..).unwrap_or("");
        let dropped = ["\\label{", "\\begin{", "\\end{", "\\tag{"]
            .iter()
            .find(|command| tail.starts_with(**command))
            .and_then(|_| tail.find('}'));
        let taken = match dropped {
            Some(close) => close + 1,
            None if tail.starts_with("\\\\") => {
                plain.push(' ');
                2
            }
            None if tail.starts_with('\\') => {
                let length = 1 + tail.chars().nth(1).map_or(0, char::len_utf8);
                plain.push_str(tail.get(..length).unwrap_or(""));
                length
            }
            None => {
                plain.push(' ');
                1
            }
        };
        rest = tail.get(taken..).unwrap_or("");
    }
    plain.push_str(rest);
    plain.push('$');
    tex_to_text(&plain)
}
