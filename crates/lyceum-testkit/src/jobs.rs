//! Processes and a clock for jobs, in memory: who lives is what the test says.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use lyceum_core::base::{Failure, Timestamp};
use lyceum_core::job::{Lease, Life, Process, Workers};
use lyceum_core::port::Clock;

/// Workers that are asked for and never start by themselves.
#[derive(Debug, Default)]
pub struct IdleWorkers {
    asked: Mutex<Vec<String>>,
    alive: Mutex<BTreeSet<u32>>,
    pid: u32,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl IdleWorkers {
    /// As seen from a process of this number, which lives.
    #[must_use]
    pub fn of(pid: u32) -> Self {
        Self {
            asked: Mutex::default(),
            alive: Mutex::new(BTreeSet::from([pid])),
            pid,
        }
    }

    /// The jobs that workers were asked for, in order.
    #[must_use]
    pub fn asked(&self) -> Vec<String> {
        lock(&self.asked).clone()
    }

    /// Ends a process.
    pub fn end(&self, pid: u32) {
        lock(&self.alive).remove(&pid);
    }
}

impl Workers for IdleWorkers {
    fn ready(&self) -> Result<(), Failure> {
        Ok(())
    }

    fn spawn(&self, id: &str) -> Result<(), Failure> {
        lock(&self.asked).push(id.to_owned());
        Ok(())
    }

    fn life(&self, lease: &Lease) -> Life {
        if lock(&self.alive).contains(&lease.pid) {
            Life::Running
        } else {
            Life::Gone
        }
    }

    fn me(&self) -> Process {
        Process {
            pid: self.pid,
            started: None,
            place: "memory".to_owned(),
        }
    }

    fn keep_alive(&self, _: &(dyn Fn() -> bool + Sync), work: &mut dyn FnMut()) {
        work();
    }

    fn pause(&self) {}
}

/// A clock that is set by hand.
#[derive(Debug)]
pub struct HandClock(AtomicI64);

impl HandClock {
    /// Set to some second since 1970.
    #[must_use]
    pub const fn at(seconds: i64) -> Self {
        Self(AtomicI64::new(seconds))
    }

    /// Moves it, backwards too.
    pub fn move_by(&self, seconds: i64) {
        self.0.fetch_add(seconds, Ordering::SeqCst);
    }
}

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_unix(self.0.load(Ordering::SeqCst))
    }
}
