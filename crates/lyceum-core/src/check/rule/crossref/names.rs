//! What the rules of this group know of names: which are referred to, and whether one occurs outside of references.

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
            name.as_str(),
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

/// True when a name stands somewhere in the text as an argument of a command or as an attribute outside of `known`
/// places: a macro of the text's own, or of a package, may define or use it there.
pub(super) fn occurs_elsewhere(text: &Manuscript, name: &str, known: &[Span]) -> bool {
    let is_part = |c: Option<char>| {
        c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '.'))
    };
    text.sources.iter().enumerate().any(|(file, source)| {
        source.text.match_indices(name).any(|(at, _)| {
            let before = source
                .text
                .get(..at)
                .and_then(|head| head.chars().next_back());
            let after = source
                .text
                .get(at + name.len()..)
                .and_then(|tail| tail.chars().next());
            let argument = match text.format {
                Format::Latex => {
                    matches!(before, Some('{' | '=' | ',' | '[' | ' '))
                        && matches!(after, Some('}' | ']' | ',' | ' '))
                }
                _ => !is_part(after) && !matches!(before, Some('@')),
            };
            argument && !is_part(before) && !is_known(known, file, at)
        })
    })
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
