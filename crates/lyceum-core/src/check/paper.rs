//! What a rule sees: the manuscript with its bibliographies, and the circumstances.

use std::collections::HashMap;

use super::types::Profile;
use super::waiver::ConfigWaivers;
use crate::base::{Date, Words};
use crate::literature::{Bibliography, Entry, parse_bibtex};
use crate::port::Files;
use crate::text::{Budget, FileId, Manuscript, Note, Source};

/// Where the bibliography of a paper is, as far as the check could tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BibliographyState {
    /// Every bibliography the text asks for was read.
    Complete,
    /// One or more could not be read, so a missing key proves nothing.
    Incomplete,
    /// The text asks for none and none was found.
    None,
}

/// Where the profile came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProfileSource {
    /// The caller named it.
    Given,
    /// Worked out from the text.
    Detected,
}

/// A paper under check.
#[derive(Debug)]
pub struct Paper {
    /// The text.
    pub manuscript: Manuscript,
    /// Its bibliographies, in the order the text asks for them.
    pub bibliographies: Vec<Bibliography>,
    /// Whether all of them could be read.
    pub bibliography_state: BibliographyState,
    /// Its genre.
    pub profile: Profile,
    /// Today.
    pub today: Date,
    /// Waivers of the project's configuration, and the source that holds its text.
    pub waivers: Option<(FileId, ConfigWaivers)>,
    /// Short forms that need no definition, as the project says.
    pub known_acronyms: Vec<String>,
    keys: HashMap<String, (usize, usize)>,
}

impl Paper {
    /// Puts a paper together; later entries with a key that exists are not reachable by [`Paper::entry`].
    #[must_use]
    pub fn new(
        manuscript: Manuscript,
        bibliographies: Vec<Bibliography>,
        bibliography_state: BibliographyState,
        profile: Profile,
        today: Date,
    ) -> Self {
        let mut keys = HashMap::new();
        for (b, bibliography) in bibliographies.iter().enumerate() {
            for (e, entry) in bibliography.entries.iter().enumerate() {
                keys.entry(entry.key.clone()).or_insert((b, e));
            }
        }
        Self {
            manuscript,
            bibliographies,
            bibliography_state,
            profile,
            today,
            waivers: None,
            known_acronyms: Vec::new(),
            keys,
        }
    }

    /// Adds the waivers of the project's configuration; its text joins the sources.
    pub fn waive(&mut self, waivers: ConfigWaivers) {
        let file = FileId(u32::try_from(self.manuscript.sources.len()).unwrap_or(u32::MAX));
        self.manuscript
            .sources
            .push(Source::new(&waivers.path, &waivers.text));
        self.waivers = Some((file, waivers));
    }

    /// All entries of all bibliographies, in order.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.bibliographies
            .iter()
            .flat_map(|bibliography| &bibliography.entries)
    }

    /// The entry of a key.
    #[must_use]
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        let &(b, e) = self.keys.get(key)?;
        Some(&self.bibliographies[b].entries[e])
    }
}

/// Reads the bibliographies a manuscript asks for, or those in `found` when it asks for none, and completes the paper.
#[must_use]
pub fn assemble(
    files: &dyn Files,
    mut manuscript: Manuscript,
    found: &[String],
    budget: Budget,
    profile: Profile,
    today: Date,
) -> Paper {
    let mut asked: Vec<(String, Option<crate::text::Span>)> = manuscript
        .bibliographies
        .iter()
        .map(|(path, span)| (path.clone(), Some(*span)))
        .collect();
    if asked.is_empty() {
        asked = found.iter().map(|path| (path.clone(), None)).collect();
    }
    let mut state = if asked.is_empty() {
        BibliographyState::None
    } else {
        BibliographyState::Complete
    };
    let mut bibliographies = Vec::new();
    for (path, span) in asked {
        let read = files
            .read(&path, budget.file_bytes)
            .map_err(|error| error.to_string())
            .and_then(|bytes| Source::from_bytes(&path, bytes).map_err(|error| error.to_string()));
        match read {
            Ok(source) => {
                let file = FileId(u32::try_from(manuscript.sources.len()).unwrap_or(u32::MAX));
                bibliographies.push(parse_bibtex(file, &source));
                manuscript.sources.push(source);
            }
            Err(reason) => {
                state = BibliographyState::Incomplete;
                manuscript.notes.push(Note {
                    code: "bibliography_unreadable",
                    words: Words::new(
                        format!("bibliography {path} could not be read: {reason}"),
                        format!("参考文献库 {path} 无法读取：{reason}"),
                    ),
                    span,
                    unreadable: Some(path),
                });
            }
        }
    }
    Paper::new(manuscript, bibliographies, state, profile, today)
}
