//! The system's source of randomness.

use lyceum_core::base::Fault;
use lyceum_core::port::Entropy;

/// Random bytes of the system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), Fault> {
        getrandom::fill(bytes).map_err(|error| Fault {
            code: "no_randomness",
            place: "the system's source of randomness".to_owned(),
            source_text: error.to_string(),
            retryable: true,
        })
    }
}
