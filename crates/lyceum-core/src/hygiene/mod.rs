//! What a text hides from its reader: characters that are not shown, words in disguise, orders to whoever judges it.
//!
//! Pure functions over strings. Nothing here knows a manuscript, a file or a rule; `check::rule::hygiene` decides what
//! is a problem of a paper. Every function is linear in its input, whatever the input.

mod carrier;
mod decode;
mod fold;
mod instruction;
mod pattern;
mod unicode;

pub use carrier::{Carrier, markup_carriers, tex_carriers};
pub use decode::{Decoded, decoded};
pub use fold::{fold, unfold};
pub use instruction::{Exposure, Instruction, find_instruction, speaks_of_prompts};
pub use unicode::{Oddity, Run, odd_runs, show_invisible};
