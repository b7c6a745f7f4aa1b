//! What LaTeX left behind: `.aux`, `.log`, `.bbl`, `.bcf` beside the main file, used when they are not older than it.

use std::collections::HashSet;

use super::super::builder::Builder;
use super::super::load::{Budget, add_source};
use super::super::path::below_root;
use super::super::source::{FileId, Source, Span};
use super::includes::folder_of;
use crate::port::Files;

/// Reads what is there and fresh: labels that only LaTeX knows, items of a bibliography whose source is not there, and the
/// names of bibliographies when the text gives none.
pub(super) fn read(builder: &mut Builder, main: FileId, files: &dyn Files, budget: Budget) {
    let path = builder.out.source(main).path.clone();
    let stem = path
        .rsplit_once('.')
        .map_or(path.as_str(), |(stem, _)| stem)
        .to_owned();
    let beside = Beside {
        files,
        budget,
        since: files.modified(&path),
    };
    labels(builder, &format!("{stem}.aux"), &beside);
    resolved(builder, &format!("{stem}.log"), &beside);
    if builder.out.bibliographies.is_empty() && builder.out.bib_items.is_empty() {
        data_sources(builder, &format!("{stem}.bcf"), &beside, main);
    }
    let folder = folder_of(&path).to_owned();
    let readable = builder
        .out
        .bibliographies
        .iter()
        .any(|(name, _)| below_root(&folder, name).is_some_and(|full| files.exists(&full)));
    if !readable && builder.out.bib_items.is_empty() {
        items(builder, &format!("{stem}.bbl"), &beside);
    }
}

/// Reading of files that must not be older than the main file.
struct Beside<'a> {
    files: &'a dyn Files,
    budget: Budget,
    since: Option<i64>,
}

impl Beside<'_> {
    fn source(&self, path: &str) -> Option<Source> {
        if !self.files.exists(path) {
            return None;
        }
        let stale = match (self.files.modified(path), self.since) {
            (Some(time), Some(since)) => time < since,
            _ => false,
        };
        if stale {
            return None;
        }
        let bytes = self.files.read(path, self.budget.file_bytes).ok()?;
        Source::from_bytes(path, bytes).ok()
    }
}

/// Names in `\newlabel{name}{…}` that the text does not define itself, the `.aux` files of chapters included.
fn labels(builder: &mut Builder, path: &str, beside: &Beside<'_>) {
    let mut known: HashSet<String> = builder
        .out
        .labels
        .iter()
        .map(|label| label.name.clone())
        .collect();
    let mut seen = HashSet::from([path.to_owned()]);
    let mut waiting = vec![path.to_owned()];
    let folder = folder_of(path).to_owned();
    while let Some(path) = waiting.pop() {
        let Some(source) = beside.source(&path) else {
            continue;
        };
        for line in source.text.lines() {
            if let Some(name) = braced(line, "\\newlabel{") {
                if !name.ends_with("@cref") && known.insert(name.to_owned()) {
                    builder.out.aux_labels.push(name.to_owned());
                }
            } else if let Some(name) = braced(line, "\\@input{")
                && let Some(full) = below_root(&folder, name)
                && seen.len() < beside.budget.files
                && seen.insert(full.clone())
            {
                waiting.push(full);
            }
        }
    }
}

/// References that the last complete run did resolve: the log would name them otherwise. Only a log that is newer than every
/// file of the text counts, since an edited chapter may hold a new reference.
fn resolved(builder: &mut Builder, path: &str, beside: &Beside<'_>) {
    let newest = builder
        .out
        .sources
        .iter()
        .filter_map(|source| beside.files.modified(&source.path))
        .max();
    if let (Some(log), Some(newest)) = (beside.files.modified(path), newest)
        && log < newest
    {
        return;
    }
    let Some(source) = beside.source(path) else {
        return;
    };
    let text = unwrapped(&source.text);
    if !text.contains("Output written on ") {
        return;
    }
    let broken: HashSet<&str> = text
        .split("LaTeX Warning: Reference `")
        .skip(1)
        .filter_map(|rest| rest.split('\'').next())
        .collect();
    let known: HashSet<&str> = builder
        .out
        .labels
        .iter()
        .map(|label| label.name.as_str())
        .chain(builder.out.aux_labels.iter().map(String::as_str))
        .collect();
    let new: Vec<String> = builder
        .out
        .references
        .iter()
        .filter(|reference| {
            !known.contains(reference.name.as_str()) && !broken.contains(reference.name.as_str())
        })
        .map(|reference| reference.name.clone())
        .collect();
    builder.out.aux_labels.extend(new);
}

/// A log with the lines joined that TeX broke at 79 characters.
fn unwrapped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        out.push_str(line);
        if line.chars().count() != 79 {
            out.push('\n');
        }
    }
    out
}

/// What stands in the braces after a line's beginning.
fn braced<'a>(line: &'a str, start: &str) -> Option<&'a str> {
    let rest = line.trim_start().strip_prefix(start)?;
    rest.split('}').next()
}

/// `\bibitem[…]{key}` and biblatex's `\entry{key}{…}`.
fn items(builder: &mut Builder, path: &str, beside: &Beside<'_>) {
    let Some(source) = beside.source(path) else {
        return;
    };
    let mut found = Vec::new();
    let text = &source.text;
    for (at, _) in text
        .match_indices("\\entry{")
        .chain(text.match_indices("\\bibitem"))
    {
        if let Some(key) = item_key(text, at) {
            found.push(key);
        }
    }
    if found.is_empty() {
        return;
    }
    let keys: Vec<(String, std::ops::Range<usize>)> = found
        .into_iter()
        .map(|range| (text.get(range.clone()).unwrap_or("").to_owned(), range))
        .collect();
    let file = add_source(builder, source);
    for (key, range) in keys {
        builder
            .out
            .bib_items
            .push((key, Span::new(file, range.start, range.end)));
    }
}

/// The key of the item that begins at `at`.
fn item_key(text: &str, at: usize) -> Option<std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let mut pos = at
        + text
            .get(at + 1..)?
            .bytes()
            .take_while(u8::is_ascii_alphabetic)
            .count()
        + 1;
    let mut depth = 0_usize;
    // An optional argument may go over lines and hold braces, but no more than a long author list.
    let limit = pos + 4_000;
    if bytes.get(pos) == Some(&b'[') {
        while pos < limit {
            match bytes.get(pos)? {
                b'{' => depth += 1,
                b'}' => depth = depth.saturating_sub(1),
                b']' if depth == 0 => break,
                _ => {}
            }
            pos += 1;
        }
        pos += 1;
    }
    while bytes
        .get(pos)
        .is_some_and(|b| b.is_ascii_whitespace() || *b == b'%')
    {
        pos += 1;
    }
    if bytes.get(pos) != Some(&b'{') {
        return None;
    }
    let length = bytes
        .get(pos + 1..)?
        .iter()
        .take(400)
        .position(|&b| b == b'}')?;
    (length > 0).then_some(pos + 1..pos + 1 + length)
}

/// `<bcf:datasource …>refs.bib</bcf:datasource>`
fn data_sources(builder: &mut Builder, path: &str, beside: &Beside<'_>, main: FileId) {
    let Some(source) = beside.source(path) else {
        return;
    };
    for line in source.text.lines() {
        let Some((_, rest)) = line.split_once("<bcf:datasource") else {
            continue;
        };
        let name = rest
            .split_once('>')
            .and_then(|(_, rest)| rest.split_once('<'))
            .map_or("", |(name, _)| name.trim());
        if !name.is_empty() {
            builder
                .out
                .bibliographies
                .push((name.to_owned(), Span::new(main, 0, 0)));
        }
    }
}
