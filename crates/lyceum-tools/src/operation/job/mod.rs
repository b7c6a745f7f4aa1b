//! Jobs: how they stand, how they stop, and the first of them.

mod cancel;
mod status;
mod verify;

pub use cancel::CANCEL;
pub use status::{STATUS, list};
pub use verify::VERIFY;
