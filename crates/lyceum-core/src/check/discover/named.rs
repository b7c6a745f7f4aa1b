//! The manuscript of a file that the caller named.

use super::folder::group;
use super::names;
use super::refuse;
use super::scan::{self, Front, Kind, Seen};
use super::tree::Tree;
use super::types::Chosen;
use crate::base::Failure;
use crate::port::Folder;
use crate::text::{Format, Source, below_root};

/// Largest main file.
const FILE_BYTES: u64 = 20 << 20;

/// Chooses the manuscript of a named file: the file, or the text it is a part of.
pub(super) fn choose(folder: &dyn Folder, path: &str) -> Result<Chosen, Failure> {
    if let Some(refusal) = refuse::by_name(path) {
        // A missing file is missing first, whatever its name.
        return Err(match folder.read(path, FILE_BYTES) {
            Err(error) => refuse::read(folder, path, &error),
            Ok(_) => refusal.into(),
        });
    }
    let bytes = folder
        .read(path, FILE_BYTES)
        .map_err(|error| refuse::read(folder, path, &error))?;
    let source = Source::from_bytes(path, bytes).map_err(|error| refuse::source(path, error))?;
    let format = Format::of(path).unwrap_or_else(|| scan::sniff(&source.text));
    let seen = scan::of_text(path, &source.text, format);
    match seen.kind {
        Kind::Empty => Err(refuse::empty(path).into()),
        Kind::Part | Kind::Subfile { .. } => Ok(part(folder, &seen)),
        Kind::Root { .. } | Kind::Template => Ok(root(folder, &seen)),
        Kind::Markdown { front } => Ok(markdown(folder, path, front)),
        Kind::Plain => Ok(Chosen::single(path, Format::Plain)),
    }
}

fn root(folder: &dyn Folder, seen: &Seen) -> Chosen {
    let tree = Tree::read(folder, names::parent(&seen.path), |format| {
        format == Format::Latex
    });
    let mut chosen = Chosen::single(&seen.path, Format::Latex);
    let own = tree.get(&seen.path).map_or(seen.own_references, |root| {
        tree.reach(root).iter().any(|one| one.own_references)
    });
    if !own {
        chosen.bibliography = tree.bibliography(&seen.path);
    }
    chosen
}

/// A part: the main file that includes it, or the part alone.
fn part(folder: &dyn Folder, seen: &Seen) -> Chosen {
    let tree = Tree::read(folder, "", |format| format == Format::Latex);
    if let Kind::Subfile { of } = &seen.kind
        && let Some(main) = below_root(names::parent(&seen.path), of)
        && let Some(main) = [main.clone(), format!("{main}.tex")]
            .into_iter()
            .find(|path| tree.get(path).is_some())
    {
        return as_part(&tree, &main, seen);
    }
    let mut roots: Vec<&Seen> = tree
        .reached_from(seen)
        .into_iter()
        .filter(|one| matches!(one.kind, Kind::Root { .. }))
        .collect();
    roots.sort_by_cached_key(|root| {
        let beside = !matches!(
            root.kind,
            Kind::Root {
                complete: true,
                beside: false
            }
        ) || names::is_beside(&root.path);
        (
            beside,
            names::rank(&root.path),
            names::depth(&root.path),
            root.path.clone(),
        )
    });
    if let Some(main) = roots.first() {
        let mut chosen = as_part(&tree, &main.path, seen);
        chosen.also = roots.iter().skip(1).map(|root| root.path.clone()).collect();
        return chosen;
    }
    let mut chosen = Chosen::single(&seen.path, Format::Latex);
    chosen.fragment = true;
    // No main file says which bibliography is meant, so one that is found proves nothing about a missing key.
    chosen
}

fn as_part(tree: &Tree, main: &str, seen: &Seen) -> Chosen {
    let mut chosen = Chosen::single(main, Format::Latex);
    chosen.part = Some(seen.path.clone());
    let own = tree
        .get(main)
        .is_none_or(|root| tree.reach(root).iter().any(|one| one.own_references));
    if !own {
        chosen.bibliography = tree.bibliography(main);
    }
    chosen
}

fn markdown(folder: &dyn Folder, path: &str, front: Front) -> Chosen {
    let here = names::parent(path);
    let tree = Tree::read(folder, here, |format| format == Format::Markdown);
    let mut chosen = Chosen::single(path, Format::Markdown);
    chosen.bibliography = tree.bibliography(path);
    if front == Front::None && names::part_number(path).is_some() {
        let parts = group(&tree, here);
        if parts.len() > 1 && parts.iter().any(|part| part == path) {
            chosen.parts = parts;
            chosen.part = Some(path.to_owned());
        }
    }
    chosen
}
