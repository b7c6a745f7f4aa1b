//! Aggregates on a real disk: locks, commits, recovery. Decisions about journals are `lyceum_core::store`'s.

mod ops;

pub use ops::{Entry, FileOps, RealOps};
