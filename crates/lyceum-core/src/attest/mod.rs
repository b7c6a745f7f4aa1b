//! Checkpoints and who may leave them: requests, attestations, the ladder of strengths (design §6).
//!
//! Knows no domain: a checkpoint has a name, belongs to an aggregate, and shows bytes to a person.

mod types;

pub use types::{Attestation, Request, Signature, Strength, canonical};
