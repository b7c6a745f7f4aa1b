//! What jobs ask of the world: processes that work, and the store, wrapped so that a decision on a job is one call.

use super::decide::Change;
use super::disk::State;
use super::lease::{Lease, Life, Process};
use crate::base::{Failure, Fault, Refusal};
use crate::port::{Clock, Entropy};
use crate::store::{Area, Key, Stamp, Store};

/// The names of the steps, in the folder of a job.
pub const STEPS_FILE: &str = "steps.json";

/// Processes that work on jobs.
pub trait Workers: Send + Sync {
    /// Whether workers can be had here at all.
    ///
    /// # Errors
    /// `jobs_unavailable`.
    fn ready(&self) -> Result<(), Failure>;

    /// Starts a worker for a job that lives on without this process.
    ///
    /// # Errors
    /// A fault when no process can be started.
    fn spawn(&self, id: &str) -> Result<(), Failure>;

    /// What became of the process of a lease.
    fn life(&self, lease: &Lease) -> Life;

    /// This process.
    fn me(&self) -> Process;

    /// Does the work while `beat` is called now and then from elsewhere, until it says that it need not be.
    fn keep_alive(&self, beat: &(dyn Fn() -> bool + Sync), work: &mut dyn FnMut());

    /// Waits a moment for another worker.
    fn pause(&self);
}

/// One job in a store.
#[derive(Clone, Copy)]
pub struct Keeper<'a> {
    /// The store.
    pub store: &'a dyn Store,
    /// The time.
    pub clock: &'a dyn Clock,
    /// Which job.
    pub key: &'a Key,
    /// Who decides, for the journal.
    pub actor: &'a serde_json::Value,
    /// Which operation or command.
    pub cause: &'a str,
}

impl Keeper<'_> {
    /// The state as it is now.
    ///
    /// # Errors
    /// `job_not_found`; `state_unreadable` and `state_newer`; faults of reading.
    pub fn read(&self) -> Result<State, Failure> {
        let stored = self.store.read(self.key)?;
        let stored = stored.ok_or_else(|| not_found(self.key.id()))?;
        Ok(State::parse(&stored.bytes, &self.key.state())?)
    }

    /// Decides on the present state, which may not be there, and commits.
    ///
    /// # Errors
    /// What the decision and the store say.
    pub fn decide(
        &self,
        decide: &mut dyn FnMut(Option<&State>) -> Result<Change, Refusal>,
    ) -> Result<Change, Failure> {
        let stamp = Stamp {
            at: self.clock.now(),
            actor: self.actor.clone(),
            cause: self.cause.to_owned(),
        };
        let mut unreadable: Option<Fault> = None;
        let mut change = None;
        let committed = self.store.transact(self.key, &stamp, &mut |bytes| {
            let present = bytes.map(|bytes| State::parse(bytes, &self.key.state()));
            let present = present.transpose().map_err(|fault| {
                let refusal = Refusal::new(fault.code, fault.source_text.clone(), "Mend the file.");
                unreadable = Some(fault);
                refusal
            })?;
            let decided = decide(present.as_ref())?;
            let commit = decided.commit();
            change = Some(decided);
            Ok(commit)
        });
        if let Some(fault) = unreadable {
            return Err(fault.into());
        }
        committed?;
        change.ok_or_else(|| not_found(self.key.id()).into())
    }

    /// The same for a job that must be there.
    ///
    /// # Errors
    /// `job_not_found`, and as [`Keeper::decide`].
    pub fn change(
        &self,
        decide: &mut dyn FnMut(&State) -> Result<Change, Refusal>,
    ) -> Result<Change, Failure> {
        self.decide(&mut |present| match present {
            Some(state) => decide(state),
            None => Err(not_found(self.key.id())),
        })
    }

    /// The names of the steps, as they were listed.
    ///
    /// # Errors
    /// `state_unreadable` when the list is missing or no list of names.
    pub fn steps(&self) -> Result<Vec<String>, Failure> {
        let bytes = self.store.artifact(self.key, STEPS_FILE, STEPS_BYTES)?;
        let names = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        names.ok_or_else(|| {
            Failure::Fault(Fault {
                code: "state_unreadable",
                place: format!("{}/{STEPS_FILE}", self.key.folder()),
                source_text: "the list of steps is missing or damaged".to_owned(),
                retryable: false,
            })
        })
    }
}

/// Most bytes of a list of steps.
const STEPS_BYTES: u64 = 64 << 20;

fn not_found(id: &str) -> Refusal {
    Refusal::new(
        "job_not_found",
        format!(
            "there is no job {}",
            id.chars().take(80).collect::<String>()
        ),
        "Take an id from lyceum jobs, or from job_status without arguments.",
    )
    .in_chinese(
        "没有这个任务",
        "请从 lyceum jobs 或不带参数的 job_status 中取一个编号。",
    )
}

/// The key of a job.
///
/// # Errors
/// `job_not_found` for what cannot be an id.
pub fn key(id: &str) -> Result<Key, Refusal> {
    Area::JOBS.key(id).map_err(|_| not_found(id))
}

/// A name for a claim.
///
/// # Errors
/// A fault when the system has no randomness to give.
pub fn draw_worker(entropy: &dyn Entropy) -> Result<String, Fault> {
    let mut bytes = [0; 8];
    entropy.fill(&mut bytes)?;
    Ok(crate::base::hex(&bytes))
}
