//! The decisions of a review, one file each: a state, a command and facts give a whole new state with what happened, or a
//! refusal that changes nothing.

mod conflict;
mod create;

pub use conflict::{allowed, conflict};
pub use create::{check_mode, create};
