//! How a review ends without a report: a person gives it up, or removes it and keeps a receipt. Neither is an operation
//! that an agent has: both leave a checkpoint behind.

use lyceum_core::base::{Actor, Failure, Refusal, Sha256};
use lyceum_core::panel::decide;
use lyceum_core::panel::disk::State;
use lyceum_core::store::{Area, RECEIPTS, Receipt, Stamp, receipt};
use serde_json::Map;

use super::open::{commit, facts, not_found, open};
use crate::approval;
use crate::error::ToolError;
use crate::world::{Call, World};

/// Gives a review up. What was written stays.
///
/// # Errors
/// `person_required`, `review_not_found`, `state_conflict`, `reason_missing`.
pub fn abandon(
    world: &World<'_>,
    call: &Call<'_>,
    id: &str,
    reason: &str,
) -> Result<State, ToolError> {
    person(call, "gives a review up", "放弃评审")?;
    let opened = open(world, id)?;
    let facts = facts(world)?;
    let state = commit(
        world,
        call,
        &opened.key,
        "review abandon",
        None,
        &mut |state| decide::abandon(state.unwrap_or(&opened.state), reason, &facts),
    )?;
    for request in requests_of(world, id)? {
        if let Ok(request) = &request.request {
            let end = lyceum_core::attest::End::Superseded;
            approval::close(world, call, "review abandon", request, end, "")?;
        }
    }
    Ok(state)
}

/// Removes a review, its journal and its requests, and leaves a receipt without any of their text. Works on one that
/// cannot be read, too.
///
/// # Errors
/// `person_required`, `review_not_found`, `state_conflict` when it changes meanwhile, `receipts_unreadable`.
pub fn purge(world: &World<'_>, call: &Call<'_>, id: &str) -> Result<Receipt, ToolError> {
    person(call, "removes a review", "删除评审")?;
    let key = Area::REVIEWS.key(id)?;
    let stored = world.store.read(&key)?.ok_or_else(|| not_found(id))?;
    let about = State::parse(&stored.bytes, &key.state())
        .map_or_else(|_| Vec::new(), |state| vec![state.paper.sha256]);
    let now = world.clock.now();
    let left = Receipt {
        kind: Area::REVIEWS.name.to_owned(),
        id: id.to_owned(),
        purged_at: now,
        state_sha256: Sha256::of(&stored.bytes),
        journal_head: stored.head.map(|head| head.hash),
        about,
        rest: Map::new(),
    };
    let stamp = Stamp {
        at: now,
        actor: call.actor.record(None),
        cause: "review purge".to_owned(),
    };
    // The receipt comes first: a death in between leaves both, and the next purge takes the rest.
    world
        .store
        .transact(&Area::RECEIPTS.key(RECEIPTS)?, &stamp, &mut |present| {
            receipt(present, &left)
        })?;
    for request in requests_of(world, id)? {
        world
            .store
            .purge(&Area::REQUESTS.key(&request.id)?, &mut |_| Ok(()))?;
    }
    world.store.purge(&key, &mut |bytes| match bytes {
        Some(bytes) if Sha256::of(bytes) != left.state_sha256 => Err(changed(id)),
        _ => Ok(()),
    })?;
    Ok(left)
}

fn changed(id: &str) -> Refusal {
    Refusal::new(
        "state_conflict",
        format!("{id} changed while it was removed"),
        "Look at it, and remove it again if it may still go.",
    )
    .in_chinese(
        format!("{id} 在删除过程中发生了变化"),
        "请先查看，确认无误后再次删除。",
    )
}

/// Every stored request of a review, closed ones too.
fn requests_of(world: &World<'_>, id: &str) -> Result<Vec<approval::Waiting>, ToolError> {
    let subject = format!("{}:{id}", Area::REVIEWS.name);
    let mut found = Vec::new();
    for name in world.store.ids(&Area::REQUESTS)? {
        let request = approval::stored(world, &name);
        if matches!(&request, Ok(request) if request.subject == subject) {
            found.push(approval::Waiting { id: name, request });
        }
    }
    Ok(found)
}

fn person(call: &Call<'_>, does: &str, does_zh: &str) -> Result<(), Failure> {
    match call.actor {
        Actor::Human { .. } => Ok(()),
        Actor::Agent { .. } | Actor::Tool { .. } => Err(Refusal::new(
            "person_required",
            format!("only a person {does}"),
            "Stop and tell the user: they can do it in a terminal of their own.",
        )
        .in_chinese(
            format!("只能由人{does_zh}"),
            "请停止并告知用户：可在自己的终端中操作。",
        )
        .into()),
    }
}
