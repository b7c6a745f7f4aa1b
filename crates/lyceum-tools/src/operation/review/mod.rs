//! The review panel.

mod confirm;
mod create;
pub mod open;
mod status;
mod submit;

pub use confirm::CONFIRM;
pub use create::CREATE;
pub use status::STATUS;
pub use submit::SUBMIT;

#[cfg(test)]
pub(crate) mod tests;
