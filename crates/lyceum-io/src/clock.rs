//! The system's clock.

use std::time::{SystemTime, UNIX_EPOCH};

use lyceum_core::base::Timestamp;
use lyceum_core::port::Clock;

/// The clock of the system, in UTC.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let seconds = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_secs());
        Timestamp::from_unix(i64::try_from(seconds).unwrap_or(i64::MAX))
    }
}
