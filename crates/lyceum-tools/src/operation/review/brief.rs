//! `academic_review_brief`: what a seat is given, with the token it hands in.

use lyceum_core::base::Sha256;
use lyceum_core::check::{self, Checked, Project, Request, Selection};
use lyceum_core::panel::brief::{self, Brief, Cursor, Order, PAGE_BYTES, invalid_cursor, page};
use lyceum_core::panel::disk::State;
use lyceum_core::panel::{SeatId, decide};
use lyceum_core::port::Target;
use lyceum_core::store::Key;
use lyceum_core::text::Budget;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::open::{Opened, commit, facts, folder, open, unchanged};
use crate::error::ToolError;
use crate::operation::{Answer, Carries, Effect, Kind, Operation, Standing, Toolset};
use crate::schema;
use crate::world::{Call, World};

/// Most bytes of a brief that is read back: every file of a paper and what is written around it.
const STORED_BYTES: u64 = 512 * 1024 * 1024;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    review_id: String,
    seat_id: String,
    cursor: Option<String>,
}

/// See the module.
pub static BRIEF: Operation = Operation {
    name: "academic_review_brief",
    toolset: Toolset::Review,
    title: "Get a seat's brief",
    description: "What one seat reads, and its token. Give each seat only its own, in a fresh context.",
    arguments: schema::of::<Args>,
    result: "`{review_id, seat_id, role_marker, token, brief, sha256, path}`, and `more {cursor, remaining}` when cut: `brief` is a \
             page then, `remaining` counts the bytes behind it, and the pages put together are the file at `path` (relative to \
             the root, write-once, private), which a host that reads files gives its seat instead. `sha256` is of the whole \
             brief. Without `cursor` a seat that has not submitted gets a new brief and a new token, and the old token no longer \
             counts; with one the token stays. The token is in no file: it goes back as `token` of `academic_review_submit`",
    effect: Effect::Appends,
    carries: Carries::Text,
    checkpoint: None,
    examples: &[],
    kind: Kind::Decide(run),
};

fn run(world: &World<'_>, args: Value, call: &Call<'_>) -> Result<Answer, ToolError> {
    let args: Args = schema::parse(args)?;
    let opened = open(world, &args.review_id)?;
    let seat = decide::seat_of(&opened.state, &args.seat_id)?;
    decide::open_seat(&opened.state, seat)?;
    let given = match args.cursor.as_deref() {
        Some(cursor) => again(world, call, &opened, seat, cursor)?,
        None => dispatch(world, call, &opened, seat)?,
    };
    Ok(Answer {
        value: object(&opened.key, seat, &given)?,
        standing: Standing::Good,
    })
}

/// A brief and where its page begins.
struct Given {
    text: String,
    at: Cursor,
}

/// Writes a new brief and gives it out.
fn dispatch(
    world: &World<'_>,
    call: &Call<'_>,
    opened: &Opened,
    seat: SeatId,
) -> Result<Given, ToolError> {
    let pinned = unchanged(world, call, &opened.state)?;
    let facts = facts(world)?;
    let checked = checked(world, &opened.state);
    let order = Order {
        examined: checked.as_ref().and_then(|checked| checked.papers.first()),
        max_bytes: world.settings.review_bytes,
        ..Order::new(&opened.state, &pinned.manuscript, seat)
    };
    let brief = brief::write(&order, &facts);
    commit(world, call, &opened.key, BRIEF.name, None, &mut |now| {
        let state = now.unwrap_or(&opened.state);
        let mut change = decide::dispatch(state, seat, &brief.sha256, &brief.token_sha256, &facts)?;
        change.files.push(brief.file());
        Ok(change)
    })?;
    Ok(Given {
        at: Cursor {
            token: brief.token,
            sha256: brief.sha256,
            at: 0,
        },
        text: brief.text,
    })
}

/// What the rules find in the paper, whatever its author waived; `None` when they cannot be run.
fn checked(world: &World<'_>, state: &State) -> Option<Checked> {
    let (folder, main) = folder(world, state)?;
    let request = Request {
        targets: vec![Target::File(main)],
        profile: None,
        selection: Selection {
            unwaived: true,
            ..Selection::default()
        },
        today: world.clock.today(),
        budget: Budget::default(),
        project: Project::default(),
    };
    check::examine(folder.as_ref(), &request, &mut |_, _| true).ok()
}

/// A further page of the last brief of a seat.
fn again(
    world: &World<'_>,
    call: &Call<'_>,
    opened: &Opened,
    seat: SeatId,
    cursor: &str,
) -> Result<Given, ToolError> {
    let at = Cursor::parse(cursor)?;
    let added = opened.state.lyceum.seats.get(&seat);
    let last = added.is_some_and(|added| {
        added.brief_sha256.as_ref() == Some(&at.sha256)
            && added.token_sha256 == Some(Sha256::of(at.token.as_bytes()))
    });
    if !last {
        return Err(invalid_cursor().into());
    }
    unchanged(world, call, &opened.state)?;
    let path = Brief::path(seat, &at.sha256);
    let bytes = world.store.artifact(&opened.key, &path, STORED_BYTES)?;
    let text = bytes
        .filter(|bytes| Sha256::of(bytes) == at.sha256)
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .ok_or_else(invalid_cursor)?;
    Ok(Given { text, at })
}

fn object(key: &Key, seat: SeatId, given: &Given) -> Result<Value, ToolError> {
    let page = page(&given.text, given.at.at, PAGE_BYTES).ok_or_else(invalid_cursor)?;
    let mut value = json!({
        "review_id": key.id(),
        "seat_id": seat,
        "role_marker": seat.marker(),
        "token": given.at.token,
        "brief": page.text,
        "sha256": given.at.sha256,
        "path": format!("{}/{}", key.folder(), Brief::path(seat, &given.at.sha256)),
    });
    if let Some(next) = page.next {
        let cursor = Cursor {
            at: next,
            ..given.at.clone()
        };
        value["more"] = json!({"cursor": cursor.text(), "remaining": page.remaining});
    }
    Ok(value)
}
