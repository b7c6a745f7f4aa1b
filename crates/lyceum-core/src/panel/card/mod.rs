//! What a person fills in before the seats read: the field analysis and the cards, proposed from the text where the text
//! tells, asked where it does not.

mod form;
mod propose;

#[cfg(test)]
mod tests;

pub use form::{Misread, parse, template};
pub use propose::{Guess, Guesses, cards, guess};
