//! Whether a name of a label or an entry stands in a text where no reader of this program knows it: in an argument of a
//! macro or an attribute. A rule that says “nowhere” asks here first.

use std::collections::HashSet;

use crate::check::Paper;
use crate::text::{Format, Manuscript, Span};

/// True when every part of the text was read, so that what is absent is truly absent.
pub(super) fn is_whole(text: &Manuscript) -> bool {
    text.notes.iter().all(|note| {
        note.unreadable.is_none() && !matches!(note.code, "budget_exhausted" | "include_missing")
    })
}

/// True for slides and posters, where labels and captions follow other habits.
pub(super) fn is_slides(text: &Manuscript) -> bool {
    text.packages.iter().any(|(name, _)| {
        matches!(
            name.strip_prefix("documentclass:").unwrap_or(name),
            "beamer" | "beamerarticle" | "beamerposter" | "tikzposter"
        )
    })
}

/// Names that cross references use.
pub(super) fn referred(text: &Manuscript) -> HashSet<&str> {
    text.references
        .iter()
        .map(|reference| reference.name.as_str())
        .collect()
}

/// Places of the sources that are no use of a name by themselves, in ascending order.
pub(super) fn known_places(paper: &Paper, with_labels: bool) -> Vec<Span> {
    let text = &paper.manuscript;
    let labels = text.labels.iter().map(|label| label.span);
    let mut places: Vec<Span> = text
        .references
        .iter()
        .map(|reference| reference.span)
        .chain(text.comments.iter().map(|comment| comment.span))
        .chain(text.hidden.iter().map(|hidden| hidden.span))
        .chain(text.citations.iter().map(|citation| citation.span))
        .chain(labels.filter(|_| with_labels))
        .collect();
    places.sort_unstable();
    places
}

/// How a name has to stand to count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// As the argument of a command, or one of a list in it.
    Argument,
    /// In Markdown as any word, since attributes and code blocks name things in many ways; else as an argument.
    Word,
}

/// True when a name stands somewhere in the text outside of `known` places, bibliographies not counted: a macro of the
/// text's own, or of a package, may define or use it there.
pub(super) fn occurs_elsewhere(paper: &Paper, name: &str, known: &[Span], how: Use) -> bool {
    let text = &paper.manuscript;
    let word = how == Use::Word && text.format != Format::Latex;
    let counts = |head: &str, tail: &str| {
        let (before, after) = (head.chars().next_back(), tail.chars().next());
        if word {
            return !is_part(after) && !is_part(before) && before != Some('@');
        }
        let opens = match before {
            Some(' ') => head.trim_end().ends_with(','),
            before => matches!(before, Some('{' | '=' | ',' | '[')),
        };
        opens && matches!(after, Some('}' | ']' | ','))
    };
    text.sources.iter().enumerate().any(|(file, source)| {
        let is_bibliography = paper
            .bibliographies
            .iter()
            .any(|bib| bib.file.0 as usize == file);
        !is_bibliography
            && source.text.match_indices(name).any(|(at, _)| {
                let head = source.text.get(..at).unwrap_or("");
                let tail = source.text.get(at + name.len()..).unwrap_or("");
                counts(head, tail) && !is_known(known, file, at)
            })
    })
}

fn is_part(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '.'))
}

/// How many names may be looked for with [`occurs_elsewhere`] in a text of this size, at most `most`.
pub(super) fn affordable(text: &Manuscript, most: usize) -> usize {
    let bytes: usize = text.sources.iter().map(|source| source.text.len()).sum();
    most.min((200 << 20) / bytes.max(1))
}

fn is_known(known: &[Span], file: usize, at: usize) -> bool {
    let (file, at) = (
        u32::try_from(file).unwrap_or(u32::MAX),
        u32::try_from(at).unwrap_or(u32::MAX),
    );
    // Places nest rarely and shallowly; a few before the nearest one are enough.
    let end = known.partition_point(|span| (span.file.0, span.start) <= (file, at));
    known[end.saturating_sub(8)..end]
        .iter()
        .any(|span| span.file.0 == file && span.start <= at && at <= span.end)
}
