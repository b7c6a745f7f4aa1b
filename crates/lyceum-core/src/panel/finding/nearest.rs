//! The passage of a paper that shares the most words with a quotation that is not in it.

use std::collections::HashSet;

use super::short;
use crate::text::{Manuscript, Span, sentences, words};

/// Words of a quotation that are looked at.
const WORDS: usize = 200;

/// File and line of a place, for people.
pub(super) fn line(manuscript: &Manuscript, span: Span) -> String {
    let source = manuscript.source(span.file);
    format!("{}:{}", source.path, source.place(span.start).line)
}

/// Place and words of the nearest sentence; `None` when none shares a third of the words.
pub(super) fn nearest(manuscript: &Manuscript, quote: &str) -> Option<(String, String)> {
    let lower = quote.to_lowercase();
    let wanted: HashSet<&str> = words(&lower).map(|(_, word)| word).take(WORDS).collect();
    let mut best: Option<(usize, usize, Span, String)> = None;
    for block in &manuscript.blocks {
        let text = &block.text.string;
        for range in sentences(text) {
            let Some(sentence) = text.get(range.clone()) else {
                continue;
            };
            let lower = sentence.to_lowercase();
            let shared: HashSet<&str> = words(&lower)
                .map(|(_, word)| word)
                .filter(|word| wanted.contains(word))
                .collect();
            let (count, length) = (shared.len(), sentence.len());
            let better = best.as_ref().is_none_or(|(most, shortest, ..)| {
                count > *most || (count == *most && length < *shortest)
            });
            if count > 0
                && better
                && let Some(span) = block.text.span(range)
            {
                best = Some((count, length, span, short(sentence, 240)));
            }
        }
    }
    let (count, _, span, passage) = best?;
    (count * 3 >= wanted.len()).then(|| (line(manuscript, span), passage))
}
