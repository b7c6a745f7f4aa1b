//! What a seat is given: its role, its card, what to hand in, what the rules found, and the paper inside a fence.
//!
//! A brief is made from the pinned paper, the card of this seat and the check alone. It is never handed the reports,
//! drafts or adjudications of a state, so that nothing a peer wrote can reach another seat.

mod chunk;
mod fence;
mod page;
mod protocol;
mod write;

#[cfg(test)]
mod tests;

pub use chunk::{Chunk, chunks};
pub use page::{Cursor, PAGE_BYTES, Page, invalid_cursor, page};
pub(crate) use protocol::eligible;
pub use write::{Brief, Order, write};

/// The largest paper that is given as one piece, unless the configuration says otherwise.
pub const MAX_BYTES: u64 = 1_000_000;
