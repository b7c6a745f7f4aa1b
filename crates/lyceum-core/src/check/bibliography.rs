//! Finds and reads the bibliographies of a manuscript.
//!
//! Names are resolved as LaTeX and pandoc resolve them: from the folder of the main file first, with `.bib` put on when
//! it is missing. What cannot be had becomes a note, and the state says that a missing key then proves nothing.

use std::collections::HashSet;

use super::paper::BibliographyState;
use crate::base::Words;
use crate::literature::{Bibliography, Strings, parse_bibtex_with, parse_csl_json};
use crate::port::Files;
use crate::text::{Budget, FileId, Format, Manuscript, Note, Source, Span, below_root};

/// Bibliographies as they were read.
#[derive(Debug)]
pub(super) struct Read {
    pub bibliographies: Vec<Bibliography>,
    pub state: BibliographyState,
}

/// Databases of TeX distributions that hold string macros or style settings only: their absence is no gap.
const MACROS_ONLY: &[&str] = &[
    "ieeeabrv",
    "ieeefull",
    "ieeebcpat",
    "mrabbrev",
    "aasmacros",
    "acmtrans",
    "apsrev4-1control",
    "abbrv",
];

/// Reads what the manuscript asks for, or the files in `found` when it asks for none.
pub(super) fn read(
    files: &dyn Files,
    manuscript: &mut Manuscript,
    found: &[String],
    budget: Budget,
) -> Read {
    let asked = asked(manuscript, found);
    let mut out = Read {
        state: if asked.is_empty() {
            BibliographyState::None
        } else {
            BibliographyState::Complete
        },
        bibliographies: Vec::new(),
    };
    let mut strings = Strings::default();
    let mut taken = HashSet::new();
    let mut left = budget.total_bytes;
    for (name, span) in asked {
        match locate(files, manuscript, &name, span) {
            Ok(path) if !taken.insert(path.clone()) => {}
            Ok(path) => {
                let read = files
                    .read(&path, budget.bibliography_bytes.min(left))
                    .map_err(|error| error.to_string())
                    .and_then(|bytes| {
                        left = left.saturating_sub(bytes.len() as u64);
                        Source::from_bytes(&path, bytes).map_err(|error| error.to_string())
                    });
                match read {
                    Ok(source) => add(&mut out, manuscript, source, &mut strings),
                    Err(reason) => unreadable(&mut out, manuscript, &path, &reason, span),
                }
            }
            Err(_) if is_macros_only(&name) => {}
            Err(reason) => unreadable(&mut out, manuscript, &name, reason, span),
        }
    }
    out
}

/// Names asked for, one each.
fn asked(manuscript: &Manuscript, found: &[String]) -> Vec<(String, Option<Span>)> {
    let latex = manuscript.format == Format::Latex;
    let mut asked = Vec::new();
    for (names, span) in &manuscript.bibliographies {
        let parts: Vec<&str> = if latex {
            names.split(',').collect()
        } else {
            vec![names.as_str()]
        };
        for name in parts {
            let name = name.trim().trim_matches(['"', '\'']);
            if !name.is_empty() {
                asked.push((name.to_owned(), Some(*span)));
            }
        }
    }
    if asked.is_empty() {
        asked = found.iter().map(|path| (path.clone(), None)).collect();
    }
    asked
}

fn is_macros_only(name: &str) -> bool {
    let base = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
    let base = base.strip_suffix(".bib").unwrap_or(&base);
    MACROS_ONLY.contains(&base)
}

/// The path of a bibliography, or why there is none.
fn locate(
    files: &dyn Files,
    manuscript: &Manuscript,
    name: &str,
    span: Option<Span>,
) -> Result<String, &'static str> {
    if name.contains("://") {
        return Err("it is on another machine");
    }
    let main = manuscript.sources.first().map_or("", |source| &source.path);
    let stem = main.rsplit('/').next().unwrap_or(main);
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    let name = name.replace("\\jobname", stem);
    if name.contains(['\\', '#', '$']) {
        return Err("its name is made by a macro");
    }
    let asking = span
        .and_then(|span| manuscript.sources.get(span.file.0 as usize))
        .map_or("", |source| &source.path);
    let mut outside = false;
    for base in [folder(main), folder(asking), ""] {
        for ending in ["", ".bib"] {
            let Some(path) = below_root(base, &format!("{name}{ending}")) else {
                outside = true;
                continue;
            };
            let readable = ["bib", "bibtex", "json", "yaml", "yml"]
                .iter()
                .any(|known| extension(&path).eq_ignore_ascii_case(known));
            if (readable || ending.is_empty()) && files.exists(&path) {
                return Ok(path);
            }
        }
    }
    Err(if outside {
        "the path leads out of the folder"
    } else {
        "no such file"
    })
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn extension(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, extension)| extension)
}

fn add(out: &mut Read, manuscript: &mut Manuscript, source: Source, strings: &mut Strings) {
    let file = FileId(u32::try_from(manuscript.sources.len()).unwrap_or(u32::MAX));
    let bibliography = match extension(&source.path).to_ascii_lowercase().as_str() {
        "json" => parse_csl_json(file, &source),
        "yaml" | "yml" | "ris" | "nbib" | "enl" | "xml" => {
            unreadable(
                out,
                manuscript,
                &source.path,
                "this format is not read",
                None,
            );
            return;
        }
        _ => parse_bibtex_with(file, &source, strings),
    };
    let gap = bibliography
        .notes
        .iter()
        .any(|note| note.unreadable.is_some() || note.code == "bib_too_many_entries");
    if gap {
        out.state = BibliographyState::Incomplete;
    }
    out.bibliographies.push(bibliography);
    manuscript.sources.push(source);
}

fn unreadable(
    out: &mut Read,
    manuscript: &mut Manuscript,
    path: &str,
    reason: &str,
    span: Option<Span>,
) {
    out.state = BibliographyState::Incomplete;
    let chinese = match reason {
        "no such file" => "没有这个文件",
        "it is on another machine" => "它在另一台机器上",
        "its name is made by a macro" => "文件名由宏生成",
        "the path leads out of the folder" => "路径超出了检查的文件夹",
        "this format is not read" => "不读取这种格式",
        other => other,
    };
    manuscript.notes.push(Note {
        code: "bibliography_unreadable",
        words: Words::new(
            format!("bibliography {path} could not be read: {reason}"),
            format!("参考文献库 {path} 无法读取：{chinese}"),
        ),
        span,
        unreadable: Some(path.to_owned()),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Date;
    use crate::check::tests::MemoryFiles;
    use crate::check::{Paper, Profile, assemble};
    use crate::text::load;

    fn paper(main: &str, asks: &[&str], there: &[(&str, &str)]) -> Paper {
        let mut files = MemoryFiles::default();
        files.0.insert(main.to_owned(), b"Words.\n".to_vec());
        for (path, text) in there {
            files.0.insert((*path).to_owned(), text.as_bytes().to_vec());
        }
        let budget = Budget::default();
        let format = Format::of(main).unwrap();
        let mut manuscript = load(&files, &[main.to_owned()], format, budget).unwrap();
        manuscript.bibliographies = asks
            .iter()
            .map(|name| ((*name).to_owned(), Span::new(FileId(0), 0, 1)))
            .collect();
        manuscript
            .bib_items
            .push(("item".to_owned(), Span::new(FileId(0), 0, 1)));
        let today = Date {
            year: 2026,
            month: 11,
            day: 30,
        };
        assemble(&files, manuscript, &[], budget, Profile::Article, today)
    }

    #[test]
    fn names_are_resolved_from_the_main_file_and_completed() {
        let bib = "@book{One, title={T}, ids={alias, other}}\n% @book{two, title={T}}";
        for (asks, path) in [
            ("refs", "text/refs.bib"),
            ("refs.bib", "text/refs.bib"),
            ("../bib/refs", "bib/refs.bib"),
            ("bib/refs", "bib/refs.bib"),
            ("./refs,IEEEabrv,refs", "text/refs.bib"),
            ("\\jobname", "text/paper.bib"),
        ] {
            let paper = paper("text/paper.tex", &[asks], &[(path, bib)]);
            assert_eq!(paper.bibliographies.len(), 1, "{asks}");
            assert_eq!(paper.bibliography_state, BibliographyState::Complete);
            for key in ["One", "one", "alias", "item", "two"] {
                assert!(paper.is_defined(key), "{key}");
            }
            assert!(!paper.is_defined("three"));
        }
    }

    #[test]
    fn what_cannot_be_had_is_a_gap() {
        for asks in [
            "gone",
            "https://a.org/x.bib",
            "../../x",
            "\\mybib",
            "/etc/x.bib",
        ] {
            let paper = paper("text/paper.tex", &[asks, "refs"], &[("text/refs.bib", "")]);
            assert_eq!(
                paper.bibliography_state,
                BibliographyState::Incomplete,
                "{asks}"
            );
            assert_eq!(paper.bibliographies.len(), 1, "{asks}");
            assert!(
                paper
                    .manuscript
                    .notes
                    .iter()
                    .any(|note| note.unreadable.is_some())
            );
        }
    }

    #[test]
    fn case_counts_where_bibtex_does_not_read() {
        let paper = paper(
            "paper.md",
            &["a.json"],
            &[("a.json", "[{\"id\":\"One\",\"type\":\"book\"}]")],
        );
        assert!(paper.is_defined("One") && !paper.is_defined("one"));
    }
}
