//! Markdown as pandoc, JOSS, Quarto, R Markdown and Manubot write it.
//!
//! CommonMark's blocks are `pulldown-cmark`'s. What it does not know is found before as islands ([`island`]) and
//! hidden from it, so that both layers keep the offsets of the source: `scan`, `block` and `tex` find islands,
//! `reader`, `page` and `environment` turn events and islands into a manuscript.

mod attribute;
mod block;
mod chunk;
mod cite;
#[cfg(test)]
mod corpus;
mod environment;
mod float;
mod formula;
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

use super::builder::Builder;
use super::model::{Label, LabelTarget};
use super::section::{SectionKind, classify_heading};
use super::source::{FileId, Span};

use reader::{Survey, survey};

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

/// Most markup characters of a text that is read as Markdown: some hundred times those of a long thesis. What has
/// more is no manuscript, and its structure would not fit into memory.
const DENSEST: usize = 1_000_000;

/// True for a text with more markup than any manuscript has.
pub(super) fn is_dense(text: &str) -> bool {
    let markup = |b: &u8| {
        matches!(
            b,
            b'[' | b']'
                | b'<'
                | b'>'
                | b'*'
                | b'_'
                | b'`'
                | b'|'
                | b'&'
                | b'\\'
                | b'!'
                | b'~'
                | b'$'
                | b'^'
                | b'{'
                | b'@'
                | b'#'
                | b'-'
                | b'\n'
        )
    };
    text.len() > DENSEST && text.bytes().filter(|b| markup(b)).count() > DENSEST
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
    let mut surveys: Vec<Survey> = texts
        .iter()
        .zip(&bodies)
        .map(|(text, &body)| survey(text, body..text.len()))
        .collect();
    let heads: Vec<Head> = surveys
        .iter_mut()
        .enumerate()
        .flat_map(|(part, survey)| {
            let heads = std::mem::take(&mut survey.heads);
            heads
                .into_iter()
                .map(move |(level, range)| Head { part, level, range })
        })
        .collect();
    let mut titled = false;
    let mut headings = Vec::new();
    let mut chunks = Vec::new();
    let mut examples: HashSet<String> = HashSet::new();
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
        if is_dense(text) {
            reader.as_one_paragraph(bodies[i]..text.len());
        } else {
            reader.blocks(bodies[i]..text.len(), std::mem::take(&mut surveys[i]));
        }
        reader.close_all(text.len());
        headings.append(&mut reader.headings);
        chunks.append(&mut reader.chunks);
        examples.extend(reader.examples.drain(..).filter(|name| !name.is_empty()));
    }
    implicit_labels(builder, &headings);
    chunk_labels(builder, chunks);
    if !examples.is_empty() {
        // `(@name)` refers to an item of an example list wherever it stands.
        for citation in &mut builder.out.citations {
            citation.keys.retain(|key| !examples.contains(&key.key));
        }
    }
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
