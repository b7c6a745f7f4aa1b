//! Anchors: heads of journals written down where whoever can write the journals cannot write.
//!
//! A chain shows that a line was changed, not that the whole was written anew; an anchor shows that too. Its text is
//! lines that a git commit, a tag or a file can hold: `lyceum-anchor: <area>/<id> <seq> <hash>`.

use super::journal::lines;
use super::types::{Head, Key};
use crate::base::Sha256;

const WORD: &str = "lyceum-anchor:";

/// One head, as written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// `area/id`, as [`Key::name`] gives it.
    pub name: String,
    /// The number of the line.
    pub seq: u64,
    /// Its hash.
    pub hash: Sha256,
}

impl Anchor {
    /// The anchor of a head.
    #[must_use]
    pub fn of(key: &Key, head: &Head) -> Self {
        Self {
            name: key.name(),
            seq: head.seq,
            hash: head.hash.clone(),
        }
    }

    /// Its line, without a line feed.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{WORD} {} {} {}", self.name, self.seq, self.hash)
    }
}

/// The anchors in a text, other lines passed over.
///
/// # Errors
/// The first line that begins as an anchor and is none.
pub fn parse(text: &str) -> Result<Vec<Anchor>, String> {
    let mut out = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for line in text.lines().map(str::trim) {
        // Git writes trailers with a capital where somebody's settings say so.
        let is_anchor = line
            .get(..WORD.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(WORD));
        if !is_anchor {
            continue;
        }
        let mut parts = line
            .get(WORD.len()..)
            .unwrap_or_default()
            .split_whitespace();
        let anchor = (|| {
            let anchor = Anchor {
                name: parts.next()?.to_owned(),
                seq: parts.next()?.parse().ok()?,
                hash: Sha256::parse(parts.next()?)?,
            };
            parts.next().is_none().then_some(anchor)
        })();
        let anchor = anchor.ok_or_else(|| line.chars().take(200).collect::<String>())?;
        // A tag and its commit may hold the same.
        if seen.insert(anchor.text()) {
            out.push(anchor);
        }
    }
    Ok(out)
}

/// How a journal stands to an anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The line is in it.
    Holds,
    /// It ends before that line: its end was cut off, or it is an older copy.
    Behind,
    /// It has another line in that place: it was written anew.
    Rewritten,
    /// There is no such journal.
    Missing,
}

/// Compares a journal with an anchor. Whether the journal itself holds together is another question.
#[must_use]
pub fn compare(anchor: &Anchor, journal: &[u8]) -> Standing {
    let mut highest = None;
    for line in lines(journal).map_while(Result::ok) {
        if line.hash == anchor.hash && line.seq == anchor.seq {
            return Standing::Holds;
        }
        highest = highest.max(Some(line.seq));
    }
    match highest {
        None => Standing::Missing,
        Some(seq) if seq < anchor.seq => Standing::Behind,
        Some(_) => Standing::Rewritten,
    }
}
