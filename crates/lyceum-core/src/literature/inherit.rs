//! Fields an entry takes from others, by BibTeX's and BibLaTeX's rules.

use super::types::{Entry, Field};

/// Parents above parents, at most; BibTeX itself allows one.
const DEPTH: usize = 6;

/// A field of an entry or, when it has none, of the entries it names by `xdata` or `crossref`. `find` looks a key up.
pub fn inherited<'a>(
    entry: &'a Entry,
    name: &str,
    find: &dyn Fn(&str) -> Option<&'a Entry>,
) -> Option<&'a Field> {
    let mut at = entry;
    for _ in 0..DEPTH {
        let own = at.field(name);
        if own.is_some() {
            return own;
        }
        // BibLaTeX's xdata give their fields as they are; a handful of them at most are looked into.
        let lent = at
            .list("xdata")
            .take(DEPTH)
            .filter_map(find)
            .find_map(|lender| lender.field(name));
        if lent.is_some() {
            return lent;
        }
        let parent = at.list("crossref").next().and_then(find)?;
        if std::ptr::eq(parent, at) {
            return None;
        }
        let given = renamed(&at.kind, name).and_then(|other| parent.field(other));
        if given.is_some() {
            return given;
        }
        if !passes(name) {
            return None;
        }
        at = parent;
    }
    None
}

/// What a child takes from a field of another name, by BibLaTeX's default inheritance.
fn renamed(kind: &str, name: &str) -> Option<&'static str> {
    match name {
        "booktitle" => Some("title"),
        "booksubtitle" => Some("subtitle"),
        "maintitle" if kind != "article" => Some("title"),
        "journal" | "journaltitle" => Some("title"),
        "bookauthor" => Some("author"),
        _ => None,
    }
}

/// Fields that only ever belong to one entry.
fn passes(name: &str) -> bool {
    !matches!(
        name,
        "ids" | "crossref" | "xref" | "entryset" | "label" | "sortkey" | "options" | "execute"
    )
}
