//! Long work: how an operation defines it, how it is started, and the loop that a worker runs.
//!
//! The work goes step by step; after each one the job's state is committed, so that any later process can go on. Knows
//! the store and processes as ports only.

mod start;
mod step;
mod work;

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::codes;

use lyceum_core::base::{Failure, Refusal};
use lyceum_core::job::{Amount, Lease, Life, Process, Workers};
use lyceum_core::store::{Area, Decide, Done, Join, Key, MayPurge, Stamp, Store, Stored};
use serde_json::Value;

pub use start::{attach, start, tend};
pub use step::Step;
pub use work::work;

use crate::error::ToolError;
use crate::operation::Run;
use crate::world::World;

/// Long work, as an operation defines it: a fold over steps.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// What is to be done, made of the arguments: the same plan is the same job.
    pub plan: Run<Value>,
    /// The most it may cost; `None` for work that does not pay.
    pub cap: fn(&World<'_>, &Value) -> Result<Option<Amount>, ToolError>,
    /// True when the result is about the moment, so that a job that is done does not answer for a later start.
    pub of_the_moment: bool,
    /// The names of the steps, asked once.
    pub steps: fn(&World<'_>, &Value) -> Result<Vec<String>, ToolError>,
    /// Does one step.
    pub step: fn(&mut Step<'_>) -> Result<Value, ToolError>,
    /// Adds the result of a step to what the steps before it came to (null at first). What it gives is written with
    /// every step: it stays small.
    pub tally: fn(Value, &str, &Value) -> Value,
    /// Makes the result of the last tally: an object.
    pub result: fn(Value) -> Value,
    /// The field of the result that is a list and may be long.
    pub list: &'static str,
}

/// No jobs here.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoJobs;

fn no_jobs() -> Failure {
    Refusal::new(
        "jobs_unavailable",
        "this is long work, and nothing here can take it over",
        "Use a version of Lyceum that runs jobs.",
    )
    .into()
}

impl Workers for NoJobs {
    fn ready(&self) -> Result<(), Failure> {
        Err(no_jobs())
    }
    fn spawn(&self, _: &str) -> Result<(), Failure> {
        Err(no_jobs())
    }
    fn life(&self, _: &Lease) -> Life {
        Life::Unknown
    }
    fn me(&self) -> Process {
        Process {
            pid: 0,
            started: None,
            place: String::new(),
        }
    }
    fn keep_alive(&self, _: &(dyn Fn() -> bool + Sync), work: &mut dyn FnMut()) {
        work();
    }
    fn pause(&self) {}
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
