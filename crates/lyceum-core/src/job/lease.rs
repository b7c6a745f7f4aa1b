//! Who works on a job, and whether that is still so.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::disk::{State, Status};
use crate::base::Timestamp;

/// How often a worker says that it is there.
pub const BEAT_SECONDS: i64 = 20;
/// How long a worker may be silent before another may take its place.
pub const EXPIRY_SECONDS: i64 = 90;
/// How long a worker that was asked for may take to claim the job.
const ASKED_SECONDS: i64 = 10;

/// A process, told apart from any other that had or will have its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its number.
    pub pid: u32,
    /// When it started, in whatever unit the system counts; `None` where it does not tell.
    pub started: Option<String>,
    /// The boot and the process namespace the number belongs to; empty where unknown.
    pub place: String,
}

/// The claim of a worker on a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lease {
    /// Drawn anew for each claim; every commit of a worker names it.
    pub worker: String,
    /// The worker's process.
    pub pid: u32,
    /// When that process started, as the system counts.
    #[serde(default)]
    pub started: Option<String>,
    /// The boot and the process namespace of the number.
    #[serde(default)]
    pub place: String,
    /// When the worker last said that it is there.
    pub heartbeat: Timestamp,
    /// Unknown fields.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// What the system says of the process of a lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// It runs.
    Running,
    /// It ended, or another process has its number.
    Gone,
    /// It cannot be told from here.
    Unknown,
}

impl Lease {
    /// The process it names.
    #[must_use]
    pub fn process(&self) -> Process {
        Process {
            pid: self.pid,
            started: self.started.clone(),
            place: self.place.clone(),
        }
    }

    /// Whether another worker may take the job. Clocks may jump: a heartbeat far in the future counts against a process
    /// that cannot be seen, since a living one would have set it right by now.
    #[must_use]
    pub fn expired(&self, life: Life, now: Timestamp) -> bool {
        let age = now.unix().saturating_sub(self.heartbeat.unix());
        match life {
            Life::Gone => true,
            Life::Running => age > EXPIRY_SECONDS,
            Life::Unknown => age.unsigned_abs() > EXPIRY_SECONDS.unsigned_abs(),
        }
    }
}

/// Whether a job waits for a worker that nobody has just asked for.
#[must_use]
pub fn needs_worker(state: &State, life: impl FnOnce(&Lease) -> Life, now: Timestamp) -> bool {
    let idle = match state.status {
        Status::Queued => true,
        Status::Running => state
            .lease
            .as_ref()
            .is_none_or(|lease| lease.expired(life(lease), now)),
        Status::Done | Status::Failed | Status::Cancelled => false,
    };
    let just_asked = state
        .asked_at
        .is_some_and(|at| now.unix().abs_diff(at.unix()) <= ASKED_SECONDS.unsigned_abs());
    idle && !just_asked
}
