//! Effects on other aggregates: written with the commit that causes them, delivered after it, taken once.
//!
//! The journal of the cause holds what is to be told, the journal of the other holds a receipt; what has no receipt is
//! still to be delivered, whoever died in between.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::commit::OUTBOX;
use super::journal::lines;
use super::port::Store;
use super::types::{Area, Commit, Event, Key, Outbound, Stamp};
use crate::base::{Failure, Refusal, Sha256};

/// The kind of event that is the receipt.
pub const DELIVERED: &str = "delivered";

/// One effect, by its place in the journal that causes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Letter {
    /// The line it stands on.
    pub line: Sha256,
    /// Which of the line's effects, from 0.
    pub index: usize,
    /// Whom it goes to, and what it says.
    pub out: Outbound,
}

/// How the other takes a letter: its key, what it is told, its present bytes.
pub type Apply<'a> = dyn FnMut(&Key, &Event, Option<&[u8]>) -> Result<Commit, Refusal> + 'a;

/// What became of the letters.
#[derive(Debug, Default)]
pub struct Post {
    /// How many were taken now.
    pub delivered: usize,
    /// Those that were not, and stay to be delivered.
    pub kept: Vec<(Letter, Failure)>,
}

/// Every effect in a journal, delivered or not.
#[must_use]
pub fn letters(journal: &[u8]) -> Vec<Letter> {
    let mut out = Vec::new();
    for line in lines(journal).map_while(Result::ok) {
        let effects = line.events_of(OUTBOX).enumerate();
        out.extend(effects.filter_map(|(index, event)| {
            let text = |name: &str| Some(event.data.get(name)?.as_str()?.to_owned());
            Some(Letter {
                line: line.hash.clone(),
                index,
                out: Outbound {
                    area: text("area")?,
                    id: text("id")?,
                    event: serde_json::from_value(event.data.get("event")?.clone()).ok()?,
                },
            })
        }));
    }
    out
}

/// The receipts in a journal for letters of one cause.
#[must_use]
pub fn receipts(journal: &[u8], from: &Key) -> HashSet<(Sha256, usize)> {
    let from = from.name();
    lines(journal)
        .map_while(Result::ok)
        .flat_map(|line| line.events)
        .filter(|event| event.kind == DELIVERED)
        .filter(|event| event.data.get("from").and_then(Value::as_str) == Some(from.as_str()))
        .filter_map(|event| {
            let line = Sha256::parse(event.data.get("line")?.as_str()?)?;
            let index = usize::try_from(event.data.get("index")?.as_u64()?).ok()?;
            Some((line, index))
        })
        .collect()
}

/// The receipt of a letter.
#[must_use]
pub fn receipt(from: &Key, letter: &Letter) -> Event {
    Event::new(
        DELIVERED,
        json!({"from": from.name(), "line": letter.line, "index": letter.index}),
    )
}

/// Delivers what one aggregate still has to tell. A letter that another process delivers at the same time is taken once.
///
/// # Errors
/// Only when the journal of the cause cannot be read; a letter that is not taken is told in [`Post::kept`].
pub fn deliver(
    store: &dyn Store,
    from: &Key,
    areas: &[Area],
    stamp: &Stamp,
    apply: &mut Apply<'_>,
) -> Result<Post, Failure> {
    let mut post = Post::default();
    for letter in letters(&store.journal(from)?) {
        match deliver_one(store, from, &letter, areas, stamp, apply) {
            Ok(true) => post.delivered += 1,
            Ok(false) => {}
            Err(failure) => post.kept.push((letter, failure)),
        }
    }
    Ok(post)
}

/// Delivers what the aggregates of an area still have to tell: after a crash, or now and then.
///
/// # Errors
/// When the area or a journal in it cannot be read.
pub fn deliver_all(
    store: &dyn Store,
    area: &Area,
    areas: &[Area],
    stamp: &Stamp,
    apply: &mut Apply<'_>,
) -> Result<Post, Failure> {
    let mut post = Post::default();
    for id in store.ids(area)? {
        let one = deliver(store, &area.key(&id)?, areas, stamp, apply)?;
        post.delivered += one.delivered;
        post.kept.extend(one.kept);
    }
    Ok(post)
}

fn deliver_one(
    store: &dyn Store,
    from: &Key,
    letter: &Letter,
    areas: &[Area],
    stamp: &Stamp,
    apply: &mut Apply<'_>,
) -> Result<bool, Failure> {
    let place = (letter.line.clone(), letter.index);
    let area = areas.iter().find(|area| area.name == letter.out.area);
    let to = area
        .ok_or_else(|| {
            Refusal::new(
                "invalid_id",
                format!(
                    "{:?} is no kind of thing that is kept here",
                    letter.out.area
                ),
                "Use the version of Lyceum that wrote it.",
            )
        })?
        .key(&letter.out.id)?;
    if receipts(&store.journal(&to)?, from).contains(&place) {
        return Ok(false);
    }
    let mut taken = false;
    store.transact(&to, stamp, &mut |now| {
        // Now that nobody else writes there, look again.
        let there = store.journal(&to).unwrap_or_default();
        if receipts(&there, from).contains(&place) {
            let state = now.unwrap_or_default().to_vec();
            return Ok(Commit {
                state,
                ..Commit::default()
            });
        }
        let mut commit = apply(&to, &letter.out.event, now)?;
        commit.events.push(receipt(from, letter));
        taken = true;
        Ok(commit)
    })?;
    Ok(taken)
}
