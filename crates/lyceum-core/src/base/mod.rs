//! Words shared by every domain: two-language texts, dates, actors, confidentiality, errors.

mod actor;
mod confidentiality;
mod date;
mod error;
mod words;

pub use actor::Actor;
pub use confidentiality::Confidentiality;
pub use date::Date;
pub use error::{Failure, Fault, Refusal};
pub use words::{Language, Say, Words};
