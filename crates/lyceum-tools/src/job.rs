//! What long work needs of the world: somebody who takes a plan and gives a handle at once.

use lyceum_core::base::{Failure, Refusal};
use serde_json::Value;

/// Takes the start of long work. Starting the same work twice gives the same handle.
pub trait Jobs: Send + Sync {
    /// Stores the plan and returns the id of the job.
    ///
    /// # Errors
    /// A refusal when jobs cannot be started here, a fault when the plan cannot be stored.
    fn start(&self, operation: &str, plan: &Value) -> Result<String, Failure>;
}

/// No jobs here.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoJobs;

impl Jobs for NoJobs {
    fn start(&self, operation: &str, _: &Value) -> Result<String, Failure> {
        Err(Refusal::new(
            "jobs_unavailable",
            format!("{operation} is long work, and nothing here can take it over"),
            "Use a version of Lyceum that runs jobs.",
        )
        .into())
    }
}
