//! What a rule sees: the manuscript with its bibliographies, and the circumstances.

use std::collections::{HashMap, HashSet};

use super::bibliography;
use super::types::Profile;
use super::waiver::ConfigWaivers;
use crate::base::Date;
use crate::literature::{Bibliography, Entry, Field, inherited};
use crate::port::Files;
use crate::text::{Budget, FileId, Format, Manuscript, Source};

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
    /// First entries by key and alias.
    keys: HashMap<String, (usize, usize)>,
    /// Keys of items written in the text itself.
    items: HashSet<String>,
    /// All keys in lower case, when case does not matter.
    folded: HashSet<String>,
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
        let all = || {
            let each = bibliographies.iter().enumerate();
            each.flat_map(|(b, bib)| bib.entries.iter().enumerate().map(move |(e, x)| (b, e, x)))
        };
        for (b, e, entry) in all().filter(|(.., entry)| !entry.key.is_empty()) {
            keys.entry(entry.key.clone()).or_insert((b, e));
        }
        for (b, e, entry) in all() {
            for alias in entry.aliases() {
                keys.entry(alias.to_owned()).or_insert((b, e));
            }
        }
        let items = manuscript
            .bib_items
            .iter()
            .map(|(key, _)| key.clone())
            .collect();
        let mut folded = HashSet::new();
        if reads_like_bibtex(&manuscript) {
            folded.extend(keys.keys().map(|key| key.to_lowercase()));
            let commented = bibliographies.iter().flat_map(|bib| &bib.commented);
            folded.extend(commented.map(|key| key.to_lowercase()));
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
            items,
            folded,
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

    /// The entry of a key or alias as written.
    #[must_use]
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        let &(b, e) = self.keys.get(key)?;
        Some(&self.bibliographies[b].entries[e])
    }

    /// True when a citation of this key finds an entry, in a bibliography or in the text itself. BibTeX takes keys in
    /// whatever case, and entries in comments too.
    #[must_use]
    pub fn is_defined(&self, key: &str) -> bool {
        self.keys.contains_key(key)
            || self.items.contains(key)
            || (!self.folded.is_empty() && self.folded.contains(&key.to_lowercase()))
    }

    /// A field of an entry, or of the entries, in whichever bibliography, that it names by `crossref` or `xdata`.
    #[must_use]
    pub fn inherited<'a>(&'a self, entry: &'a Entry, name: &str) -> Option<&'a Field> {
        inherited(entry, name, &|key| {
            self.bibliographies.iter().find_map(|bib| bib.find(key))
        })
    }

    /// True when BibLaTeX prints the references, in whose own fields and types entries may then be written.
    #[must_use]
    pub fn uses_biblatex(&self) -> bool {
        biblatex(&self.manuscript).is_some()
    }
}

/// The options of BibLaTeX, when it is loaded.
fn biblatex(manuscript: &Manuscript) -> Option<&str> {
    manuscript
        .packages
        .iter()
        .find(|(name, _)| name.starts_with("biblatex"))
        .map(|(_, options)| options.as_str())
}

/// True when BibTeX itself reads the bibliography, which takes keys in any case.
fn reads_like_bibtex(manuscript: &Manuscript) -> bool {
    let biber = biblatex(manuscript).is_some_and(|options| !options.contains("bibtex"));
    manuscript.format == Format::Latex && !biber
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
    let read = bibliography::read(files, &mut manuscript, found, budget);
    Paper::new(manuscript, read.bibliographies, read.state, profile, today)
}
