//! From the caller's paths to reports: which papers there are, what each rule says of them.
//!
//! Reads through a [`Folder`] and knows nothing of how a report is shown or who asked.

use super::engine::{Selection, check_watched};
use super::paper::{Paper, ProfileSource, assemble};
use super::profile::detect;
use super::rule;
use super::types::{Profile, Report, Tier};
use crate::base::{Date, Failure, Fault, Refusal};
use crate::port::{Folder, ReadError, Target};
use crate::text::{Budget, Format, LoadError, SourceError, load};

/// Most files looked at to find the manuscript of a folder.
const LIST_LIMIT: usize = 20_000;

/// What to check, and how.
#[derive(Clone, Debug)]
pub struct Request {
    /// What the caller named, as names in the folder; none for the folder itself.
    pub targets: Vec<Target>,
    /// The genre, when the caller names it.
    pub profile: Option<Profile>,
    /// Which rules.
    pub selection: Selection,
    /// Today.
    pub today: Date,
    /// How much may be read.
    pub budget: Budget,
}

/// One paper with its report.
#[derive(Debug)]
pub struct Examined {
    /// Its main file.
    pub main: String,
    /// The paper as the rules saw it.
    pub paper: Paper,
    /// Whether its genre was given or worked out.
    pub profile_source: ProfileSource,
    /// What was found. Opinions are in it, whether or not they are to be shown.
    pub report: Report,
}

impl Examined {
    /// The bibliography files that were read.
    #[must_use]
    pub fn bibliography(&self) -> Vec<&str> {
        self.paper
            .bibliographies
            .iter()
            .map(|b| self.paper.manuscript.source(b.file).path.as_str())
            .collect()
    }
}

/// What a run found.
#[derive(Debug)]
pub struct Checked {
    /// Every paper, in the order they were named or found; at least one.
    pub papers: Vec<Examined>,
}

impl Checked {
    /// How many problems of a tier there are in all papers.
    #[must_use]
    pub fn count(&self, tier: Tier) -> usize {
        self.papers
            .iter()
            .map(|paper| paper.report.count(tier))
            .sum()
    }

    /// True when a whole file, include or bibliography could not be read.
    #[must_use]
    pub fn has_gap(&self) -> bool {
        self.papers
            .iter()
            .any(|paper| paper.report.coverage.has_gap())
    }
}

/// Checks what the request names. `watch` is told how many rules are done of how many, and stops the run by `false`.
///
/// # Errors
/// A [`Refusal`] when nothing can be checked or the run was stopped, a [`Fault`] when the system does not give a file.
pub fn run(
    folder: &dyn Folder,
    request: &Request,
    watch: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<Checked, Failure> {
    known_rules(&request.selection.rules)?;
    let found = discover(folder, &request.targets)?;
    let mut papers = Vec::new();
    let count = found.len();
    for (nth, part) in found.into_iter().enumerate() {
        let manuscript = load(folder, &part.files, part.format, request.budget)
            .map_err(|error| load_failure(&error))?;
        let (profile, profile_source) = match request.profile {
            Some(profile) => (profile, ProfileSource::Given),
            None => (detect(&manuscript), ProfileSource::Detected),
        };
        let paper = assemble(
            folder,
            manuscript,
            &part.bibliography,
            request.budget,
            profile,
            request.today,
        );
        let selection = Selection {
            opinions: true,
            ..request.selection.clone()
        };
        let mut step = |done, all| watch(nth * all + done, count * all);
        let report = check_watched(&paper, &selection, &mut step).ok_or_else(cancelled)?;
        papers.push(Examined {
            main: part.files.first().cloned().unwrap_or_default(),
            paper,
            profile_source,
            report,
        });
    }
    Ok(Checked { papers })
}

fn cancelled() -> Failure {
    Refusal::new(
        "cancelled",
        "the caller cancelled the check",
        "Ask again when you want the answer.",
    )
    .into()
}

fn known_rules(ids: &[String]) -> Result<(), Refusal> {
    for id in ids {
        if rule::find(id).is_none() {
            let nearest = rule::all()
                .map(|rule| (strsim::damerau_levenshtein(rule.id, id), rule.id))
                .min()
                .filter(|(distance, near)| *distance <= near.len() / 3);
            let hint = match nearest {
                Some((_, near)) => format!("Did you mean {near}?"),
                None => "Take an id from check_rules.".to_owned(),
            };
            return Err(Refusal::new(
                "unknown_rule",
                format!("no rule is called {id}"),
                hint,
            ));
        }
    }
    Ok(())
}

/// Why a path that the caller named cannot be checked.
#[must_use]
pub fn read_failure(path: &str, error: &ReadError) -> Failure {
    let refuse = |code, hint: &str| Refusal::new(code, format!("{path}: {error}"), hint).into();
    match error {
        ReadError::Missing => refuse("path_missing", "Name a file or folder that exists."),
        ReadError::Outside => refuse(
            "outside_root",
            "Name a path inside the project, or have a person run lyceum check on it.",
        ),
        ReadError::NotAFile => refuse("not_a_file", "Name a regular file or a folder."),
        ReadError::TooLarge { .. } => refuse("too_large", "Split the text or check a part of it."),
        ReadError::Io(text) => Fault {
            code: "unreadable",
            place: path.to_owned(),
            source_text: text.clone(),
            retryable: false,
        }
        .into(),
    }
}

fn load_failure(error: &LoadError) -> Failure {
    match error {
        LoadError::Read { path, error } => read_failure(path, error),
        LoadError::Source { path, error } => source_failure(path, *error),
    }
}

fn source_failure(path: &str, error: SourceError) -> Failure {
    let (code, hint) = match error {
        SourceError::Pdf => (
            "pdf_unsupported",
            "Check the LaTeX or Markdown source, or convert the PDF to text first (pdftotext).",
        ),
        SourceError::Archive => (
            "not_a_text",
            "Convert the document to Markdown first, for example with pandoc.",
        ),
        SourceError::Binary => ("not_a_text", "Name a Markdown, LaTeX or plain text file."),
        SourceError::TooLarge => ("too_large", "Split the text or check a part of it."),
    };
    Refusal::new(code, format!("{path}: {error}"), hint).into()
}

// Stand-ins until `check::discover` exists.

/// One manuscript to read.
struct Found {
    files: Vec<String>,
    format: Format,
    bibliography: Vec<String>,
}

fn discover(folder: &dyn Folder, targets: &[Target]) -> Result<Vec<Found>, Failure> {
    let whole = [Target::Folder(String::new())];
    let targets = if targets.is_empty() {
        &whole[..]
    } else {
        targets
    };
    let mut found = Vec::new();
    for target in targets {
        let (main, under) = match target {
            Target::File(path) => (path.clone(), parent(path)),
            Target::Folder(under) => {
                let listing = folder.list(under, LIST_LIMIT);
                let main = listing
                    .files
                    .iter()
                    .filter(|path| Format::of(path).is_some())
                    .min_by_key(|path| (path.matches('/').count(), rank(path)))
                    .ok_or_else(|| {
                        Refusal::new(
                            "no_manuscript",
                            "no Markdown, LaTeX or plain text file in the folder",
                            "Name the manuscript: lyceum check PATH.",
                        )
                    })?;
                (main.clone(), parent(main))
            }
        };
        let bibliography = folder
            .list(&under, LIST_LIMIT)
            .files
            .into_iter()
            .filter(|path| path.to_ascii_lowercase().ends_with(".bib"))
            .collect();
        found.push(Found {
            format: Format::of(&main).unwrap_or(Format::Plain),
            files: vec![main],
            bibliography,
        });
    }
    Ok(found)
}

fn parent(path: &str) -> String {
    path.rsplit_once('/')
        .map_or_else(String::new, |(folder, _)| folder.to_owned())
}

fn rank(path: &str) -> usize {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    let names = ["main", "paper", "manuscript", "article", "thesis"];
    let known = names
        .iter()
        .position(|name| *name == stem)
        .unwrap_or(names.len());
    known * 2 + usize::from(stem == "readme")
}
