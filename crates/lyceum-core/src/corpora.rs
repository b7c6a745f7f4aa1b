//! Where the shared real-world test data are; test builds only.

use std::path::PathBuf;

use crate::base::Date;
use crate::check::{Paper, assemble, detect};
use crate::port::{Files, ReadError};
use crate::text::{Budget, Format, load};

/// The folder of the corpora: `LYCEUM_CORPORA`, or `shared/corpora` beside the project; `None`, said on standard error,
/// where they are absent.
pub(crate) fn corpora() -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    let folder = std::env::var_os("LYCEUM_CORPORA").map_or_else(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: corpora absent");
    None
}

/// A folder on disk.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Files for Folder {
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        let bytes = std::fs::read(self.0.join(path)).map_err(|_| ReadError::Missing)?;
        if bytes.len() as u64 > limit {
            return Err(ReadError::TooLarge { limit });
        }
        Ok(bytes)
    }

    fn exists(&self, path: &str) -> bool {
        self.0.join(path).is_file()
    }

    fn modified(&self, _: &str) -> Option<i64> {
        None
    }
}

/// Every manuscript of the corpora with its name, read as `check` reads it; none where the corpora are absent.
pub(crate) fn manuscripts() -> Vec<(String, Paper)> {
    let Some(root) = corpora() else {
        return Vec::new();
    };
    let root = root.join("manuscripts");
    let parts = |folder: &str, ending: &str| -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(root.join(folder))
            .into_iter()
            .flatten()
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| name.ends_with(ending))
            .collect();
        names.sort();
        names
    };
    let mut folders: Vec<(String, Vec<String>)> = Vec::new();
    for name in parts("", "") {
        if name.starts_with("joss_") {
            folders.push((name, vec!["paper.md".to_owned()]));
        } else if name.starts_with("latex_") {
            let main = ["paper.tex", "main.tex", "ms.tex", "thesis.tex"]
                .iter()
                .find(|main| root.join(&name).join(main).is_file());
            folders.extend(main.map(|main| (name, vec![(*main).to_owned()])));
        }
    }
    folders.push(("joss_emcee".to_owned(), vec!["paper.tex".to_owned()]));
    for folder in [
        "manubot_test-manuscripts/example/content",
        "manubot_test-manuscripts/variables/content",
        "manubot_test-manuscripts/citation-rendering/content",
        "thesis_markdown/source",
    ] {
        folders.push((folder.to_owned(), parts(folder, ".md")));
    }
    let scihub = [
        "00.front-matter.md",
        "01.abstract.md",
        "02.manuscript.md",
        "90.back-matter.md",
    ];
    folders.push((
        "manubot_scihub".to_owned(),
        scihub.map(str::to_owned).to_vec(),
    ));
    folders
        .into_iter()
        .filter(|(_, files)| !files.is_empty())
        .map(|(folder, files)| {
            let format = Format::of(&files[0]).unwrap_or(Format::Plain);
            let disk = Folder(root.join(&folder));
            let budget = Budget::default();
            let manuscript = load(&disk, &files, format, budget).unwrap();
            let bibs = parts(&folder, ".bib");
            let profile = detect(&manuscript);
            let today = Date {
                year: 2026,
                month: 11,
                day: 30,
            };
            let paper = assemble(&disk, manuscript, &bibs, budget, profile, today);
            (format!("{folder}/{}", files[0]), paper)
        })
        .collect()
}
