//! The one way through a checkpoint: what an operation calls between showing and committing.
//!
//! An agent's request never becomes an approval here; it is stored and refused as `approval_required`, unless the user's
//! own configuration opened a weaker channel and the aggregate asks for no more (design §6).

use lyceum_core::attest::{Attestation, Request, Signature, Strength};
use lyceum_core::base::{Failure, Sha256};
use serde_json::Value;

use crate::error::ToolError;
use crate::world::{Call, World};

/// What a call brings to a checkpoint.
#[derive(Clone, Copy, Default)]
pub enum Approval<'a> {
    /// Nothing: nobody was asked.
    #[default]
    None,
    /// A person was shown the bytes and said yes, on a surface only a person has.
    Given(&'a Given<'a>),
    /// The host can put a question to its user.
    Ask(&'a dyn Ask),
}

/// A person's yes, as the surface that heard it saw it.
pub struct Given<'a> {
    /// The hash of what was shown.
    pub shown_sha256: Sha256,
    /// `terminal` or `web`.
    pub channel: &'static str,
    /// Who, as far as the surface knows.
    pub who: String,
    /// Their own words.
    pub words: String,
    /// The programs above the process, nearest first.
    pub ancestry: Vec<String>,
    /// Seconds from question to answer.
    pub seconds: u64,
    /// Signs the payload, for `signed` and `presence`; `None` for `local`.
    pub signer: Option<&'a dyn Signer>,
}

/// Signs with the person's key.
pub trait Signer: Sync {
    /// The strength a signature of this key has.
    fn strength(&self) -> Strength;
    /// Signs bytes; may ask the person for a passphrase or a touch.
    ///
    /// # Errors
    /// A refusal when the person declines, a fault when the key cannot be used.
    fn sign(&self, payload: &[u8]) -> Result<Signature, Failure>;
}

/// What a host's user answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answered {
    /// Yes, with the person's words, after some seconds.
    Yes {
        /// The words; may be empty.
        words: String,
        /// Seconds from question to answer.
        seconds: u64,
    },
    /// No.
    No,
    /// The host gave no answer.
    Nothing,
}

/// A host that can ask its user (MCP elicitation).
pub trait Ask: Sync {
    /// Shows the text and waits for yes or no.
    fn ask(&self, request: &Request, shown: &str) -> Answered;
    /// The host's name.
    fn host(&self) -> &str;
}

/// A checkpoint as an operation meets it.
pub struct Question<'a> {
    /// The checkpoint, such as `panel` or `report`.
    pub checkpoint: &'static str,
    /// The aggregate, such as `review:rev-…`.
    pub subject: String,
    /// The operation that asks.
    pub operation: &'static str,
    /// Its arguments.
    pub proposal: &'a Value,
    /// Exactly what a person is shown and attests.
    pub shown: &'a str,
    /// The weakest answer that counts, from the aggregate.
    pub require: Strength,
    /// The head of the aggregate's journal.
    pub head: Option<Sha256>,
}

/// Passes a checkpoint or says why not.
///
/// # Errors
/// `approval_required` (with the request stored), `approval_declined`, `checkpoint_changed`, `approval_too_weak`.
pub fn pass(
    _world: &World<'_>,
    _call: &Call<'_>,
    _question: &Question<'_>,
) -> Result<Attestation, ToolError> {
    Err(lyceum_core::base::Refusal::new(
        "approval_required",
        "a person has to approve this",
        "Stop and tell the user.",
    )
    .into())
}
