//! What every text target does: read the bytes as one file, check the paper with every rule, and look at all places.

use std::collections::BTreeMap;

use lyceum_core::base::Date;
use lyceum_core::check::{Profile, Selection, assemble, check};
use lyceum_core::port::{Files, ReadError};
use lyceum_core::text::{Budget, Format, load};

struct Memory(BTreeMap<String, Vec<u8>>);

impl Files for Memory {
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        let bytes = self.0.get(path).ok_or(ReadError::Missing)?;
        if bytes.len() as u64 > limit {
            return Err(ReadError::TooLarge { limit });
        }
        Ok(bytes.clone())
    }
    fn exists(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }
    fn modified(&self, _: &str) -> Option<i64> {
        None
    }
}

/// Reads and checks; panics when a place does not fit its file.
pub fn run(main: &str, format: Format, data: &[u8], bib: &[u8]) {
    let files = Memory(BTreeMap::from([
        (main.to_owned(), data.to_vec()),
        ("refs.bib".to_owned(), bib.to_vec()),
        // A file that includes itself and the main one, for loops.
        ("part.tex".to_owned(), b"\\input{part}\\input{paper} words".to_vec()),
    ]));
    let budget = Budget { expansions: 2_000, ..Budget::default() };
    let Ok(manuscript) = load(&files, &[main.to_owned()], format, budget) else { return };
    for block in &manuscript.blocks {
        for (at, _) in block.text.string.char_indices() {
            if let Some(span) = block.text.span(at..block.text.len()) {
                let text = &manuscript.sources[span.file.0 as usize].text;
                assert!(text.get(span.range()).is_some(), "a span off its file");
            }
        }
        for inline in &block.text.inlines {
            assert!(block.text.string.get(inline.range.clone()).is_some(), "an inline off its text");
        }
    }
    let today = Date { year: 2026, month: 11, day: 30 };
    let paper = assemble(&files, manuscript, &["refs.bib".to_owned()], budget, Profile::Article, today);
    let report = check(&paper, &Selection { opinions: true, ..Selection::default() });
    for problem in &report.problems {
        let source = &paper.manuscript.sources[problem.span.file.0 as usize];
        assert!(source.text.get(problem.span.range()).is_some(), "{} off its file", problem.rule);
    }
}
