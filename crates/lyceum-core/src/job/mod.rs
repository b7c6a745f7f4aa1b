//! Long work that survives whoever started it: a job's state, who works on it, what each step may do.
//!
//! Decisions are functions over the state; [`Keeper`] carries them out through the store port, and [`Workers`] is what they
//! ask of the world of processes. Nothing here knows what a job does.

mod amount;
mod decide;
mod disk;
mod lease;
mod page;
mod port;
mod view;

#[cfg(test)]
mod tests;

pub use amount::Amount;
pub use decide::{
    Change, Claimant, Start, TRIES, ask, beat, begin, cancel, claim, done, fail, finish, id, plan,
    start, stop,
};
pub use disk::{Open, SCHEMA_VERSION, Spend, State, Status, Steps, Trouble};
pub use lease::{BEAT_SECONDS, EXPIRY_SECONDS, Lease, Life, Process, needs_worker};
pub use page::page;
pub use port::{Keeper, STEPS_FILE, Workers, draw_worker, key};
pub use view::{row, view};
