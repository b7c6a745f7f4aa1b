//! Which entries a text cites, for the rules of this group.

use std::collections::{HashMap, HashSet};

use crate::check::{BibliographyState, Paper};
use crate::literature::{Bibliography, BibliographyFormat, Entry};
use crate::text::{CitedKey, Format};

/// The keys a text cites.
pub(super) struct Cited<'a> {
    keys: HashSet<&'a str>,
    /// Keys in lower case, where case does not matter.
    folded: HashSet<String>,
    /// True for `\nocite{*}`: every entry is printed.
    pub everything: bool,
}

impl Cited<'_> {
    /// True when the text cites the entry, by its key or an alias.
    pub(super) fn has(&self, entry: &Entry) -> bool {
        self.everything
            || self.has_key(&entry.key)
            || entry.aliases().any(|alias| self.has_key(alias))
    }

    fn has_key(&self, key: &str) -> bool {
        self.keys.contains(key)
            || (!self.folded.is_empty() && self.folded.contains(&key.to_lowercase()))
    }
}

/// Collects what the text cites.
pub(super) fn cited(paper: &Paper) -> Cited<'_> {
    // REVTeX joins references by a star before the key.
    let keys: HashSet<&str> = all_keys(paper)
        .map(|key| match key.key.strip_prefix('*') {
            Some(rest) if !rest.is_empty() => rest,
            _ => key.key.as_str(),
        })
        .collect();
    let folded = if paper.manuscript.format == Format::Latex {
        keys.iter().map(|key| key.to_lowercase()).collect()
    } else {
        HashSet::new()
    };
    Cited {
        everything: keys.contains("*"),
        keys,
        folded,
    }
}

/// Every cited key in reading order.
pub(super) fn all_keys(paper: &Paper) -> impl Iterator<Item = &CitedKey> {
    paper
        .manuscript
        .citations
        .iter()
        .flat_map(|citation| &citation.keys)
}

/// Entries that a reader of the paper sees, with their bibliographies: those that are cited, all after `\nocite{*}`.
pub(super) fn printed(paper: &Paper) -> Vec<(&Bibliography, &Entry)> {
    let cited = cited(paper);
    paper
        .bibliographies
        .iter()
        .flat_map(|bib| bib.entries.iter().map(move |entry| (bib, entry)))
        .filter(|(_, entry)| !entry.key.is_empty() && !is_auxiliary(entry) && cited.has(entry))
        .collect()
}

/// Entries of BibTeX files that a reader of the paper sees.
pub(super) fn printed_bibtex(paper: &Paper) -> impl Iterator<Item = &Entry> {
    printed(paper)
        .into_iter()
        .filter(|(bib, _)| bib.format == BibliographyFormat::Bibtex)
        .map(|(_, entry)| entry)
}

/// Entries that are no works: shared data, sets, settings of a style.
pub(super) fn is_auxiliary(entry: &Entry) -> bool {
    matches!(
        entry.kind.as_str(),
        "xdata" | "set" | "control" | "ieeetranbstctl" | "bibnote" | "customa" | "string"
    )
}

/// True when every part of the text and every bibliography was read, so that what is absent is truly absent.
pub(super) fn is_whole(paper: &Paper) -> bool {
    paper.bibliography_state == BibliographyState::Complete
        && paper
            .manuscript
            .notes
            .iter()
            .all(|note| note.unreadable.is_none())
}

/// How often and where first each key is cited, in reading order.
pub(super) fn first_places(paper: &Paper) -> Vec<(&CitedKey, usize)> {
    let mut order: Vec<(&CitedKey, usize)> = Vec::new();
    let mut index: HashMap<&str, usize> = HashMap::new();
    for key in all_keys(paper) {
        let at = *index.entry(&key.key).or_insert_with(|| {
            order.push((key, 0));
            order.len() - 1
        });
        order[at].1 += 1;
    }
    order
}
