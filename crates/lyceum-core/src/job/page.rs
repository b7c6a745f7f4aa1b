//! A long list in answers of bounded size.

use serde_json::{Value, json};

use crate::base::{Refusal, Sha256};

/// Most bytes of a page as compact JSON.
const PAGE_BYTES: usize = 7_000;

/// Puts as many items under `name` into the frame as fit, from where the cursor says, and a cursor for the rest.
///
/// # Errors
/// `invalid_cursor` for one that is not of this very list.
pub fn page(
    mut frame: Value,
    name: &str,
    items: Vec<Value>,
    cursor: Option<&str>,
) -> Result<Value, Refusal> {
    let total = items.len();
    let mark = Sha256::of(json!(items).to_string().as_bytes());
    let mark = mark.short();
    let start = match cursor {
        None => 0,
        Some(cursor) => cursor
            .split_once('-')
            .and_then(|(at, of)| Some((at.parse().ok()?, of)))
            .filter(|(at, of): &(usize, _)| *of == mark && *at < total)
            .map(|(at, _)| at)
            .ok_or_else(invalid)?,
    };
    let mut room = PAGE_BYTES.saturating_sub(frame.to_string().len());
    let mut taken = Vec::new();
    for item in items.into_iter().skip(start) {
        let cost = item.to_string().len() + 1;
        // One item always goes in, so that following cursors ends.
        if cost > room && !taken.is_empty() {
            break;
        }
        room = room.saturating_sub(cost);
        taken.push(item);
    }
    let next = start + taken.len();
    frame[name] = Value::Array(taken);
    if next < total {
        frame["more"] = json!({"cursor": format!("{next}-{mark}"), "remaining": total - next});
    }
    Ok(frame)
}

fn invalid() -> Refusal {
    Refusal::new(
        "invalid_cursor",
        "the cursor is not one of this answer, or the list changed since",
        "Ask again without a cursor.",
    )
    .in_chinese("游标不属于这个列表，或列表已经改变", "请不带游标重新查询。")
}
