//! The system's clock.

use std::time::{SystemTime, UNIX_EPOCH};

use lyceum_core::base::Date;
use lyceum_core::port::Clock;

/// The clock of the system, in UTC.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn today(&self) -> Date {
        let seconds = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_secs());
        day(seconds / 86_400)
    }
}

/// The calendar day of a number of days since 1970, in years that start in March so that the leap day comes last.
fn day(since_1970: u64) -> Date {
    let days = since_1970 + 719_468;
    let era = days / 146_097;
    let of_era = days % 146_097;
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march = (5 * of_year + 2) / 153;
    let month = if march < 10 { march + 3 } else { march - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    Date {
        year: i32::try_from(year).unwrap_or(i32::MAX),
        month: u8::try_from(month).unwrap_or(12),
        day: u8::try_from(of_year - (153 * march + 2) / 5 + 1).unwrap_or(31),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        let show = |days| {
            let Date { year, month, day } = day(days);
            format!("{year:04}-{month:02}-{day:02}")
        };
        assert_eq!(show(0), "1970-01-01");
        assert_eq!(show(11_016), "2000-02-29");
        assert_eq!(show(20_787), "2026-11-30");
        assert_eq!(show(47_540), "2100-02-28");
        assert_eq!(show(47_541), "2100-03-01");
    }
}
