//! From the caller's paths to reports: which papers there are, what each rule says of them.
//!
//! Reads through a [`Folder`] and knows nothing of how a report is shown or who asked.

use super::discover::{self, Chosen};
use super::engine::{Selection, check_watched};
use super::paper::{Paper, ProfileSource, assemble};
use super::profile::detect;
use super::rule;
use super::types::{Problem, Profile, Report, Tier};
use super::waiver::ConfigWaivers;
use super::within::Within;
use crate::base::{Date, Failure, Refusal};
use crate::port::{Folder, Opened, ReadError, Target};
use crate::text::{Budget, load};

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
    /// What the project says.
    pub project: Project,
}

/// What a project's configuration says of its papers.
#[derive(Clone, Debug, Default)]
pub struct Project {
    /// Its waivers.
    pub waivers: ConfigWaivers,
    /// Short forms that need no definition.
    pub acronyms: Vec<String>,
    /// Opinions that are shown without being asked for.
    pub enabled: Vec<String>,
}

/// One paper with its report.
#[derive(Debug)]
pub struct Examined {
    /// Its main file.
    pub main: String,
    /// The parts of it that the caller named, when the whole is not meant: only problems in them are in the report.
    pub parts: Vec<String>,
    /// Other documents that were seen and not checked.
    pub also: Vec<String>,
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
    /// Opinions that are shown without being asked for.
    pub enabled: Vec<String>,
    /// Where the folder of the check is in the file system.
    pub folder: Option<String>,
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

/// Checks what was opened; a part of a text is checked with the main file that includes it, which may lie in a folder
/// above. `request.targets` are replaced by those of `opened`.
///
/// # Errors
/// As [`examine`].
pub fn examine_opened(
    opened: &Opened,
    request: &Request,
    watch: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<Checked, Failure> {
    let mut request = request.clone();
    if let Some((folder, part)) = part_of_more(opened) {
        request.targets = vec![Target::File(part)];
        return examine(&folder, &request, watch);
    }
    request.targets.clone_from(&opened.targets);
    examine(opened.folder.as_ref(), &request, watch)
}

/// The folder of the main file and the part's name in it, when the caller named a part and its main file lies above.
fn part_of_more(opened: &Opened) -> Option<(Within<'_>, String)> {
    let ([target @ Target::File(_)], Some(above)) = (opened.targets.as_slice(), &opened.above)
    else {
        return None;
    };
    let here = discover::choose(opened.folder.as_ref(), target).ok()?;
    if !here.fragment {
        return None;
    }
    let chosen = discover::choose(above.folder.as_ref(), above.targets.first()?).ok()?;
    let part = chosen.part.as_deref()?;
    let (main, _) = chosen.main().rsplit_once('/').unwrap_or(("", ""));
    let folder = Within::new(above.folder.as_ref(), main);
    let name = folder.name(part)?.to_owned();
    Some((folder, name))
}

/// Checks what the request names. `watch` is told how many rules are done of how many, and stops the run by `false`.
///
/// # Errors
/// A [`Refusal`] when nothing can be checked or the run was stopped, a [`Fault`](crate::base::Fault) when the system does not give a file.
pub fn examine(
    folder: &dyn Folder,
    request: &Request,
    watch: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<Checked, Failure> {
    let found = choose(folder, &request.targets)?;
    let mut papers = Vec::new();
    let count = found.len();
    for (nth, (chosen, parts)) in found.into_iter().enumerate() {
        let manuscript = load(folder, &chosen.parts, chosen.format, request.budget)
            .map_err(|error| discover::load_failure(&error))?;
        let (profile, profile_source) = match request.profile {
            Some(profile) => (profile, ProfileSource::Given),
            None if chosen.fragment => (Profile::Fragment, ProfileSource::Detected),
            None => (detect(&manuscript), ProfileSource::Detected),
        };
        // A bibliography that was only found says nothing about a text that cites nothing.
        let found = if manuscript.citations.is_empty() {
            &[][..]
        } else {
            &chosen.bibliography[..]
        };
        let mut paper = assemble(
            folder,
            manuscript,
            found,
            request.budget,
            profile,
            request.today,
        );
        paper.known_acronyms.clone_from(&request.project.acronyms);
        if !request.project.waivers.waivers.is_empty() {
            let mut waivers = request.project.waivers.clone();
            waivers.whole = count == 1 && chosen.also.is_empty() && parts.is_empty();
            paper.waive(waivers);
        }
        let selection = Selection {
            opinions: true,
            ..request.selection.clone()
        };
        let mut step = |done, all| watch(nth * all + done, count * all);
        let mut report = check_watched(&paper, &selection, &mut step).ok_or_else(cancelled)?;
        if !parts.is_empty() {
            let sources = &paper.manuscript.sources;
            let inside = |problem: &Problem| {
                sources
                    .get(problem.span.file.0 as usize)
                    .is_some_and(|source| parts.contains(&source.path))
            };
            report.keep(inside);
        }
        papers.push(Examined {
            main: chosen.main().to_owned(),
            parts,
            also: chosen.also,
            paper,
            profile_source,
            report,
        });
    }
    Ok(Checked {
        papers,
        enabled: request.project.enabled.clone(),
        folder: folder.location(),
    })
}

fn cancelled() -> Failure {
    Refusal::new(
        "cancelled",
        "the caller cancelled the check",
        "Ask again when you want the answer.",
    )
    .into()
}

/// The ids that name no rule, each with its index and what to do.
#[must_use]
pub fn unknown_rules(ids: &[String]) -> Vec<(usize, String)> {
    let unknown = ids.iter().enumerate();
    unknown
        .filter(|(_, id)| rule::find(id).is_none())
        .map(|(i, id)| {
            let nearest = rule::all()
                .map(|rule| (strsim::damerau_levenshtein(rule.id, id), rule.id))
                .min()
                .filter(|(distance, near)| *distance <= near.len() / 3);
            let hint =
                nearest.map_or_else(String::new, |(_, near)| format!("; did you mean {near}?"));
            (i, format!("no rule is called {id}{hint}"))
        })
        .collect()
}

/// Why a path that the caller named cannot be checked.
#[must_use]
pub fn read_failure(path: &str, error: &ReadError) -> Failure {
    match error {
        ReadError::Outside => Refusal::new(
            "outside_root",
            format!("{path}: {error}"),
            "Name a path inside the project, or have a person run lyceum check on it.",
        )
        .into(),
        other => discover::unread(path, other),
    }
}

/// The manuscripts that the targets mean, each once. A manuscript named whole and by a part of it is meant whole.
fn choose(folder: &dyn Folder, targets: &[Target]) -> Result<Vec<(Chosen, Vec<String>)>, Failure> {
    let whole = [Target::Folder(String::new())];
    let targets = if targets.is_empty() {
        &whole[..]
    } else {
        targets
    };
    let mut out: Vec<(Chosen, Vec<String>)> = Vec::new();
    for target in targets {
        let chosen = discover::choose(folder, target)?;
        let part: Vec<String> = chosen.part.clone().into_iter().collect();
        match out.iter_mut().find(|(one, _)| one.parts == chosen.parts) {
            None => out.push((chosen, part)),
            Some((_, parts)) if parts.is_empty() || part.is_empty() => parts.clear(),
            Some((_, parts)) => parts.extend(part),
        }
    }
    Ok(out)
}
