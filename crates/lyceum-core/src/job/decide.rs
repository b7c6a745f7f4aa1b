//! Decisions on a job: each takes the state and gives the next one with what happened.

use serde_json::{Value, json};

use super::amount::Amount;
use super::disk::{Open, SCHEMA_VERSION, Spend, State, Status, Steps, Trouble};
use super::lease::{Lease, Life, Process, needs_worker};
use super::port::STEPS_FILE;
use crate::base::{Refusal, Sha256, Timestamp};
use crate::store::{Commit, Event, NewFile};

/// How many workers may lose their lives on one step.
pub const TRIES: u32 = 5;

/// A new state and what happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The state that holds then.
    pub state: State,
    /// What happened; empty when nothing did.
    pub events: Vec<Event>,
    /// Files that come with it.
    pub files: Vec<NewFile>,
}

impl Change {
    fn none(state: &State) -> Self {
        Self {
            state: state.clone(),
            events: Vec::new(),
            files: Vec::new(),
        }
    }

    fn of(mut state: State, now: Timestamp, kind: &str, data: Value) -> Self {
        state.updated_at = state.updated_at.max(now);
        Self {
            state,
            events: vec![Event::new(kind, data)],
            files: Vec::new(),
        }
    }

    /// The commit that makes it so.
    #[must_use]
    pub fn commit(&self) -> Commit {
        Commit {
            state: self.state.bytes(),
            events: self.events.clone(),
            files: self.files.clone(),
            outbox: Vec::new(),
        }
    }
}

/// What is to be started.
#[derive(Clone, Debug, PartialEq)]
pub struct Start<'a> {
    /// The operation.
    pub operation: &'a str,
    /// What is to be done.
    pub plan: &'a Value,
    /// The most it may cost; `None` when it does not pay.
    pub cap: Option<Amount>,
}

/// The id of a job: the same operation with the same plan is the same job. Rounds count from 1 and are for work whose
/// result is about the moment, so that a finished job does not answer for a later one.
#[must_use]
pub fn id(operation: &str, plan: &Value, round: u64) -> String {
    let content = json!({"operation": operation, "plan": sorted(plan)}).to_string();
    let hash = Sha256::of(content.as_bytes());
    match round {
        0 | 1 => format!("{operation}-{}", hash.short()),
        n => format!("{operation}-{}-{n}", hash.short()),
    }
}

/// The order of arguments makes no other job. Plans are arguments that were read by the schema, so they nest little.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut keys: Vec<&String> = map.keys().collect();
            keys.sort_unstable();
            keys.into_iter()
                .map(|key| (key.clone(), sorted(&map[key])))
                .collect()
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        other => other.clone(),
    }
}

/// Starts a job, or finds it started. One that failed or was cancelled is queued again and goes on where it stood.
#[must_use]
pub fn start(present: Option<&State>, id: &str, start: &Start<'_>, now: Timestamp) -> Change {
    let Some(state) = present else {
        let state = State {
            schema_version: SCHEMA_VERSION.to_owned(),
            job_id: id.to_owned(),
            operation: start.operation.to_owned(),
            created_at: now,
            updated_at: now,
            status: Status::Queued,
            plan: start.plan.clone(),
            spend: Spend {
                cap: start.cap,
                ..Spend::default()
            },
            steps: Steps::default(),
            tally: Value::Null,
            lease: None,
            asked_at: None,
            tries: 0,
            cancel_requested: false,
            result: None,
            error: None,
            rest: serde_json::Map::new(),
        };
        let data = json!({"operation": start.operation, "plan": start.plan, "cap": start.cap});
        return Change::of(state, now, "job_started", data);
    };
    if !matches!(state.status, Status::Failed | Status::Cancelled) {
        return Change::none(state);
    }
    let mut next = state.clone();
    next.status = Status::Queued;
    next.spend.cap = start.cap;
    (next.lease, next.asked_at, next.error) = (None, None, None);
    (next.tries, next.cancel_requested) = (0, false);
    Change::of(next, now, "job_queued_again", json!({"cap": start.cap}))
}

/// Notes that a worker is being started, so that others need not. The events are empty when none is needed.
#[must_use]
pub fn ask(state: &State, life: impl FnOnce(&Lease) -> Life, now: Timestamp) -> Change {
    if !needs_worker(state, life, now) {
        return Change::none(state);
    }
    let mut next = state.clone();
    next.asked_at = Some(now);
    Change::of(next, now, "worker_asked", Value::Null)
}

/// A worker that wants the job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimant {
    /// Its name, drawn for this claim.
    pub worker: String,
    /// Its process.
    pub process: Process,
}

/// Gives the job to a worker, when nobody alive has it. One whose workers keep dying fails.
///
/// # Errors
/// `job_taken` when another worker has it or it has ended.
pub fn claim(
    state: &State,
    claimant: &Claimant,
    life: impl FnOnce(&Lease) -> Life,
    now: Timestamp,
) -> Result<Change, Refusal> {
    let held = state.lease.as_ref().filter(|_| !state.status.ended());
    if state.status.ended() || held.is_some_and(|lease| !lease.expired(life(lease), now)) {
        return Err(Refusal::new(
            "job_taken",
            format!("the job {} has a worker or has ended", state.job_id),
            "Ask for job_status.",
        ));
    }
    let mut next = state.clone();
    next.asked_at = None;
    if state.tries >= TRIES {
        let trouble = Trouble {
            code: "worker_lost".to_owned(),
            message: format!("{TRIES} workers ended in step {}", state.steps.done + 1),
            hint: "Find out what ends them, such as a lack of memory, then start the job again."
                .to_owned(),
        };
        return Ok(failed(next, trouble, now));
    }
    next.tries += 1;
    next.status = Status::Running;
    next.lease = Some(Lease {
        worker: claimant.worker.clone(),
        pid: claimant.process.pid,
        started: claimant.process.started.clone(),
        place: claimant.process.place.clone(),
        heartbeat: now,
        rest: serde_json::Map::new(),
    });
    let data = match held {
        Some(lease) => json!({"worker": claimant.worker, "from": lease.worker}),
        None => json!({"worker": claimant.worker}),
    };
    let kind = if held.is_some() {
        "job_adopted"
    } else {
        "job_claimed"
    };
    Ok(Change::of(next, now, kind, data))
}

/// The state for a worker that still has the job, its heartbeat renewed.
fn held(state: &State, worker: &str, now: Timestamp) -> Result<State, Refusal> {
    let mut next = state.clone();
    match &mut next.lease {
        Some(lease) if lease.worker == worker && next.status == Status::Running => {
            lease.heartbeat = now;
            Ok(next)
        }
        _ => Err(Refusal::new(
            "lease_lost",
            format!("another worker has gone on with the job {}", state.job_id),
            "Stop; the other one does the work.",
        )),
    }
}

/// Says that the worker is there.
///
/// # Errors
/// `lease_lost`.
pub fn beat(state: &State, worker: &str, now: Timestamp) -> Result<Change, Refusal> {
    let next = held(state, worker, now)?;
    Ok(Change::of(next, now, "heartbeat", Value::Null))
}

/// Lists the steps, once.
///
/// # Errors
/// `lease_lost`.
pub fn plan(
    state: &State,
    worker: &str,
    steps: &[String],
    now: Timestamp,
) -> Result<Change, Refusal> {
    let mut next = held(state, worker, now)?;
    let mut bytes = serde_json::to_vec_pretty(steps).unwrap_or_default();
    bytes.push(b'\n');
    next.steps.all = Some(steps.len() as u64);
    let mut change = Change::of(next, now, "steps_listed", json!({"all": steps.len()}));
    change.files.push(NewFile {
        path: STEPS_FILE.to_owned(),
        bytes,
    });
    Ok(change)
}

/// Records the key under which a step pays, before it does. A step that is tried again keeps its key.
///
/// # Errors
/// `lease_lost`; `spend_cap` when the step may cost more than is left.
pub fn begin(
    state: &State,
    worker: &str,
    step: u64,
    estimate: Amount,
    now: Timestamp,
) -> Result<Change, Refusal> {
    let mut next = held(state, worker, now)?;
    if next
        .steps
        .open
        .as_ref()
        .is_some_and(|open| open.step == step)
    {
        // What may be paid already is asked for again under its key, whatever the cap says now.
        return Ok(Change::none(state));
    }
    let would = state.spend.spent.plus(estimate);
    let cap = state.spend.cap.unwrap_or(Amount::ZERO);
    if would > cap {
        return Err(Refusal::new(
            "spend_cap",
            format!(
                "step {} may cost {estimate}; {} of {cap} is spent",
                step + 1,
                state.spend.spent
            ),
            "Tell the user; start the job again with a higher cap to go on where it stands.",
        ));
    }
    let open = Open {
        step,
        key: format!("{}.{step}", state.job_id),
        estimate,
        rest: serde_json::Map::new(),
    };
    let data = json!({"step": step, "key": open.key, "estimate": estimate});
    next.steps.open = Some(open);
    Ok(Change::of(next, now, "step_begun", data))
}

/// Records a step that is done, with its result, what it cost and what the steps now add up to.
///
/// # Errors
/// `lease_lost`.
pub fn done(
    state: &State,
    worker: &str,
    (name, result): (&str, &Value),
    cost: Amount,
    tally: Value,
    now: Timestamp,
) -> Result<Change, Refusal> {
    let mut next = held(state, worker, now)?;
    let step = next.steps.done;
    next.steps.done += 1;
    next.steps.open = None;
    next.spend.spent = next.spend.spent.plus(cost);
    next.tally = tally;
    next.tries = 0;
    let data = json!({"step": step, "name": name, "cost": cost, "result": result});
    Ok(Change::of(next, now, "step_done", data))
}

/// Ends a job whose steps are all done.
///
/// # Errors
/// `lease_lost`.
pub fn finish(
    state: &State,
    worker: &str,
    result: Value,
    now: Timestamp,
) -> Result<Change, Refusal> {
    let mut next = held(state, worker, now)?;
    next.status = Status::Done;
    next.lease = None;
    next.result = Some(result);
    Ok(Change::of(next, now, "job_done", Value::Null))
}

/// Ends a job that cannot go on.
///
/// # Errors
/// `lease_lost`.
pub fn fail(
    state: &State,
    worker: &str,
    trouble: Trouble,
    now: Timestamp,
) -> Result<Change, Refusal> {
    Ok(failed(held(state, worker, now)?, trouble, now))
}

fn failed(mut state: State, trouble: Trouble, now: Timestamp) -> Change {
    state.status = Status::Failed;
    state.lease = None;
    let data = json!({"code": trouble.code, "message": trouble.message});
    state.error = Some(trouble);
    Change::of(state, now, "job_failed", data)
}

/// Ends a job that somebody cancelled, by its worker.
///
/// # Errors
/// `lease_lost`.
pub fn stop(state: &State, worker: &str, now: Timestamp) -> Result<Change, Refusal> {
    Ok(stopped(held(state, worker, now)?, now))
}

fn stopped(mut state: State, now: Timestamp) -> Change {
    state.status = Status::Cancelled;
    state.cancel_requested = true;
    (state.lease, state.asked_at) = (None, None);
    Change::of(state, now, "job_cancelled", Value::Null)
}

/// Asks a job to stop: its worker ends it after the step it is in; without a worker it has ended at once.
#[must_use]
pub fn cancel(state: &State, life: impl FnOnce(&Lease) -> Life, now: Timestamp) -> Change {
    if state.status.ended() {
        return Change::none(state);
    }
    let worked = state
        .lease
        .as_ref()
        .is_some_and(|lease| !lease.expired(life(lease), now));
    if !worked {
        return stopped(state.clone(), now);
    }
    if state.cancel_requested {
        return Change::none(state);
    }
    let mut next = state.clone();
    next.cancel_requested = true;
    Change::of(next, now, "cancel_requested", Value::Null)
}
