//! The state file of a job, as serde reads and writes it, unknown fields kept.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::amount::Amount;
use super::lease::Lease;
use crate::base::{Fault, Timestamp};

/// The version this code writes.
pub const SCHEMA_VERSION: &str = "1";

/// Where a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// No worker has begun.
    Queued,
    /// A worker has it, or had it and another will go on.
    Running,
    /// All steps are done.
    Done,
    /// It ended with an error.
    Failed,
    /// Somebody cancelled it.
    Cancelled,
}

impl Status {
    /// The spelling.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// True when nothing more will happen by itself.
    #[must_use]
    pub const fn ended(self) -> bool {
        matches!(self, Self::Done | Self::Failed | Self::Cancelled)
    }
}

/// `job.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// `1`.
    pub schema_version: String,
    /// `<operation>-<12 hex>`, with `-<n>` from the second round on.
    pub job_id: String,
    /// The operation that started it.
    pub operation: String,
    /// When it was started.
    pub created_at: Timestamp,
    /// When it last changed; never told earlier than before.
    pub updated_at: Timestamp,
    /// Where it stands.
    pub status: Status,
    /// What is to be done; together with the operation this is what makes it the same job.
    pub plan: Value,
    /// What it may cost and has cost.
    pub spend: Spend,
    /// How far it is.
    pub steps: Steps,
    /// What the steps so far add up to.
    pub tally: Value,
    /// Who works on it.
    #[serde(default)]
    pub lease: Option<Lease>,
    /// When a worker was last asked for that has not claimed it yet.
    #[serde(default)]
    pub asked_at: Option<Timestamp>,
    /// Workers that claimed it since a step was last done.
    #[serde(default)]
    pub tries: u32,
    /// Somebody wants it to stop.
    #[serde(default)]
    pub cancel_requested: bool,
    /// The result, when it is done.
    #[serde(default)]
    pub result: Option<Value>,
    /// Why it failed.
    #[serde(default)]
    pub error: Option<Trouble>,
    /// Unknown fields.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// Money.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spend {
    /// The most it may cost; `None` for a job that must not pay at all.
    pub cap: Option<Amount>,
    /// What the steps that are done have cost.
    pub spent: Amount,
    /// Unknown fields.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// Steps, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Steps {
    /// How many there are, once a worker has listed them in `steps.json`.
    pub all: Option<u64>,
    /// How many are done, from the first on.
    pub done: u64,
    /// The one that has begun to pay and is not done.
    pub open: Option<Open>,
    /// Unknown fields.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// A step that may have paid already.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Open {
    /// Its number, from 0.
    pub step: u64,
    /// The idempotency key under which it pays, however often it is tried.
    pub key: String,
    /// What it may cost.
    pub estimate: Amount,
    /// Unknown fields.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// Why a job failed, in the words of the refusal, the fault or the bug.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trouble {
    /// A code of the reference.
    pub code: String,
    /// What happened.
    pub message: String,
    /// What to do.
    pub hint: String,
}

impl State {
    /// Reads a state file.
    ///
    /// # Errors
    /// `state_newer` for a version this code does not know, `state_unreadable` with what is wrong.
    pub fn parse(bytes: &[u8], place: &str) -> Result<Self, Fault> {
        let fault = |code, what: String| Fault {
            code,
            place: place.to_owned(),
            source_text: what,
            retryable: false,
        };
        let unreadable = |what| fault("state_unreadable", what);
        let value: Value =
            serde_json::from_slice(bytes).map_err(|error| unreadable(error.to_string()))?;
        let version = match value.get("schema_version") {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            _ => return Err(unreadable("no schema_version".to_owned())),
        };
        if version.parse::<u64>().is_ok_and(|version| version > 1) {
            let words = format!("schema version {version} is newer than {SCHEMA_VERSION}");
            return Err(fault("state_newer", words));
        }
        serde_json::from_value(value).map_err(|error| unreadable(error.to_string()))
    }

    /// Writes it: two spaces, LF, a final newline.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        // A struct with string keys and no floats of ours always serialises.
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }
}
