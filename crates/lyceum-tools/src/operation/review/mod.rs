//! The review panel.

pub mod open;
