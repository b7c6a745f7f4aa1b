//! The reader on small texts, on several files, on hostile texts and on the corpora.

mod corpus;
mod files;
mod hostile;
mod structure;
mod words;

use std::collections::BTreeMap;

use crate::port::{Files, ReadError};
use crate::text::{BlockKind, Budget, Format, LabelTarget, Manuscript, load};

/// A folder in memory with times of change.
#[derive(Default)]
struct Memory(BTreeMap<String, (Vec<u8>, i64)>);

impl Memory {
    fn of(files: &[(&str, &str)]) -> Self {
        let mut memory = Self::default();
        for (path, text) in files {
            memory
                .0
                .insert((*path).to_owned(), (text.as_bytes().to_vec(), 1));
        }
        memory
    }
}

impl Files for Memory {
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        let (bytes, _) = self.0.get(path).ok_or(ReadError::Missing)?;
        if bytes.len() as u64 > limit {
            return Err(ReadError::TooLarge { limit });
        }
        Ok(bytes.clone())
    }

    fn exists(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    fn modified(&self, path: &str) -> Option<i64> {
        self.0.get(path).map(|(_, time)| *time)
    }
}

fn read_from(files: &dyn Files, main: &str) -> Manuscript {
    load(files, &[main.to_owned()], Format::Latex, Budget::default()).unwrap()
}

/// Reads one text.
fn read(text: &str) -> Manuscript {
    read_from(&Memory::of(&[("main.tex", text)]), "main.tex")
}

/// The visible text of all blocks.
fn shown(text: &str) -> Vec<String> {
    read(text)
        .blocks
        .into_iter()
        .map(|block| block.text.string)
        .collect()
}

/// Kind and visible text of all blocks.
fn blocks(text: &str) -> Vec<(BlockKind, String)> {
    read(text)
        .blocks
        .into_iter()
        .map(|block| (block.kind, block.text.string))
        .collect()
}

/// Labels with their targets.
fn labels(m: &Manuscript) -> Vec<(&str, LabelTarget)> {
    m.labels
        .iter()
        .map(|label| (label.name.as_str(), label.target))
        .collect()
}

/// Cited keys with the source under their places.
fn keys(m: &Manuscript) -> Vec<(&str, &str)> {
    m.citations
        .iter()
        .flat_map(|citation| &citation.keys)
        .map(|key| (key.key.as_str(), m.slice(key.span)))
        .collect()
}

/// Names of references with the source under their places.
fn references(m: &Manuscript) -> Vec<(&str, &str)> {
    m.references
        .iter()
        .map(|reference| (reference.name.as_str(), m.slice(reference.span)))
        .collect()
}

/// Codes of the notes.
fn notes(m: &Manuscript) -> Vec<&str> {
    m.notes.iter().map(|note| note.code).collect()
}
