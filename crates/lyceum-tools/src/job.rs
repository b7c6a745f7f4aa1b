//! What long work needs of the world: somebody who takes a plan and gives a handle at once.

use lyceum_core::base::{Failure, Refusal};
use lyceum_core::store::{Area, Decide, Done, Join, Key, MayPurge, Stamp, Store, Stored};
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

/// No state here.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoStore;

fn no_store() -> Failure {
    Refusal::new(
        "store_unavailable",
        "nothing can be kept here",
        "Open a project.",
    )
    .into()
}

impl Store for NoStore {
    fn read(&self, _: &Key) -> Result<Option<Stored>, Failure> {
        Ok(None)
    }
    fn transact(&self, _: &Key, _: &Stamp, _: &mut Decide<'_>) -> Result<Done, Failure> {
        Err(no_store())
    }
    fn join(&self, _: &Key, _: &Stamp, _: &mut Join<'_>) -> Result<Done, Failure> {
        Err(no_store())
    }
    fn ids(&self, _: &Area) -> Result<Vec<String>, Failure> {
        Ok(Vec::new())
    }
    fn journal(&self, _: &Key) -> Result<Vec<u8>, Failure> {
        Ok(Vec::new())
    }
    fn artifact(&self, _: &Key, _: &str, _: u64) -> Result<Option<Vec<u8>>, Failure> {
        Ok(None)
    }
    fn purge(&self, _: &Key, _: &mut MayPurge<'_>) -> Result<(), Failure> {
        Err(no_store())
    }
    fn location(&self, _: &Key) -> Option<String> {
        None
    }
}
