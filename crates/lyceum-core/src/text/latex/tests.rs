//! The reader on small texts, on hostile ones, and on the corpora.

use std::collections::{BTreeMap, HashSet};

use crate::corpora::Folder;
use crate::port::{Files, ReadError};
use crate::text::{Budget, Format, Manuscript, load};

/// A folder in memory with times of change.
#[derive(Default)]
struct Memory(BTreeMap<String, (Vec<u8>, i64)>);

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

fn read_all(files: &dyn Files, main: &str) -> Manuscript {
    load(files, &[main.to_owned()], Format::Latex, Budget::default()).unwrap()
}

/// Reads one text.
fn read(text: &str) -> Manuscript {
    let mut files = Memory::default();
    files
        .0
        .insert("main.tex".to_owned(), (text.as_bytes().to_vec(), 1));
    read_all(&files, "main.tex")
}

/// The visible text of all blocks.
fn shown(text: &str) -> Vec<String> {
    read(text)
        .blocks
        .into_iter()
        .map(|block| block.text.string)
        .collect()
}

#[test]
fn macros_are_opened_at_their_call() {
    let m = read(
        r"\newcommand{\Fig}[1]{Figure~\ref{fig:#1}}\newcommand{\this}{emcee}See \Fig{a} of \this\ now.",
    );
    assert_eq!(m.blocks[0].text.string, "See Figure fig:a of emcee now.");
    assert_eq!(m.references[0].name, "fig:a");
    assert_eq!(m.slice(m.references[0].span), r"\Fig{a}");
}

#[test]
fn the_emcee_paper_is_read_whole() {
    let Some(corpora) = crate::corpora() else {
        return;
    };
    let m = read_all(
        &Folder(corpora.join("manuscripts/latex_emcee-paper")),
        "ms.tex",
    );
    let labels: HashSet<&str> = m.labels.iter().map(|label| label.name.as_str()).collect();
    assert!(
        m.references
            .iter()
            .all(|reference| labels.contains(reference.name.as_str()))
    );
    assert_eq!(
        (
            m.sections.len(),
            m.floats.len(),
            m.labels.len(),
            m.references.len()
        ),
        (16, 3, 15, 22)
    );
    assert_eq!(shown(r"$p < .05$"), ["p < .05"]);
}
