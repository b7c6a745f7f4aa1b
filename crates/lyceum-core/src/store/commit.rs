//! What a commit becomes: the events of its line, and whether its files may be written.

use serde_json::{Value, json};

use super::journal::{Written, next_line};
use super::types::{Commit, Event, Head, Key, Stamp};
use crate::base::{Refusal, Sha256};

/// The kind of event that lists the files that came with a line.
pub const FILES_WRITTEN: &str = "files_written";
/// The kind of event that holds an effect on another aggregate.
pub const OUTBOX: &str = "outbox";

/// True when a commit says anything that is not so already.
#[must_use]
pub fn changes(present: Option<&[u8]>, commit: &Commit) -> bool {
    present != Some(commit.state.as_slice())
        || !commit.events.is_empty()
        || !commit.files.is_empty()
        || !commit.outbox.is_empty()
}

/// The line of a commit.
#[must_use]
pub fn line(
    last: Option<&Head>,
    stamp: &Stamp,
    present: Option<&[u8]>,
    commit: &Commit,
) -> Written {
    let mut events = commit.events.clone();
    if !commit.files.is_empty() {
        let files: Vec<Value> = commit
            .files
            .iter()
            .map(|file| {
                json!({"path": file.path, "sha256": Sha256::of(&file.bytes), "bytes": file.bytes.len()})
            })
            .collect();
        events.push(Event::new(FILES_WRITTEN, json!({"files": files})));
    }
    for out in &commit.outbox {
        events.push(Event::new(
            OUTBOX,
            json!({"area": out.area, "id": out.id, "event": out.event}),
        ));
    }
    next_line(
        last,
        stamp,
        &events,
        present.map(Sha256::of).as_ref(),
        &Sha256::of(&commit.state),
    )
}

/// Checks that a path names a file inside of the aggregate's folder that is none of the store's own.
///
/// # Errors
/// `invalid_path`.
pub fn own_path(key: &Key, path: &str) -> Result<(), Refusal> {
    let plain = !path.is_empty()
        && path.len() <= 512
        && path.split('/').all(|part| {
            !part.is_empty()
                && part != "."
                && part != ".."
                && part.len() <= 200
                && !part.contains(['\\', ':', '\0'])
                && !part.chars().any(char::is_control)
        });
    let full = format!("{}/{path}", key.folder());
    let ours = [key.state(), key.journal(), key.lock()].contains(&full)
        || path.ends_with(".next")
        || key.is_kept(&full);
    if plain && !ours {
        return Ok(());
    }
    let shown: String = path.chars().take(80).collect();
    Err(Refusal::new(
        "invalid_path",
        format!("{shown:?} is no name for a file of a {}", key.area().name),
        "Name a file inside of its folder.",
    )
    .in_chinese(
        format!("{shown:?} 不能作为该文件夹中的文件名"),
        "请使用该文件夹内的文件名。",
    ))
}

/// The refusal of a file that would replace another.
#[must_use]
pub fn path_taken(key: &Key, path: &str) -> Refusal {
    let full = format!("{}/{path}", key.folder());
    Refusal::new(
        "path_taken",
        format!("{full} is there already with other content, and files are never overwritten"),
        "Move the file away, then try again.",
    )
    .in_chinese(
        format!("{full} 已存在且内容不同，而文件绝不会被覆盖"),
        "请先移走该文件，然后重试。",
    )
}
