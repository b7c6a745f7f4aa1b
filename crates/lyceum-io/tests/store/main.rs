//! The proof of the store: every crash state, every fault, every flipped byte, racing and dying processes.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]
#![expect(
    clippy::print_stdout,
    reason = "the tests tell how much they looked at; children tell their parents"
)]

mod child;
mod crash;
mod damage;
mod explore;
mod faults;
mod join;
mod model;
mod processes;
mod rights;
mod scenario;
mod traced;
