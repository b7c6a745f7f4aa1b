//! The review panel.

mod brief;
mod confirm;
mod create;
pub mod open;
mod status;
mod submit;

pub use brief::BRIEF;
pub use confirm::CONFIRM;
pub use create::CREATE;
pub use status::STATUS;
pub use submit::SUBMIT;

#[cfg(test)]
mod brief_tests;
#[cfg(test)]
pub(crate) mod tests;
