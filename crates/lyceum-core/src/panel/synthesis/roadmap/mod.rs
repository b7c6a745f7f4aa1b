//! What the author is asked to do: one item for every finding, in the order of the seats, without rank, effort or odds.

mod build;
mod markdown;
mod targets;
mod types;

pub(super) use build::{build, found_at};
pub(super) use markdown::render;
pub(super) use types::given_by_nobody;
pub use types::{Item, Obligation, Roadmap, SCHEMA, Target};
