//! An instant with the offset it was told in: RFC 3339, whole seconds, compared by instant.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Date;

/// An instant, as RFC 3339 with a numeric offset writes it. Two are equal when they name the same second, whatever
/// their offsets.
#[derive(Clone, Copy, Debug)]
pub struct Timestamp {
    seconds: i64,
    offset: i16,
}

const DAY: i64 = 86_400;

impl Timestamp {
    /// The instant of a number of seconds since 1970, told in UTC.
    #[must_use]
    pub const fn from_unix(seconds: i64) -> Self {
        Self { seconds, offset: 0 }
    }

    /// Seconds since 1970.
    #[must_use]
    pub const fn unix(self) -> i64 {
        self.seconds
    }

    /// The calendar day where it was told.
    #[must_use]
    pub fn date(self) -> Date {
        day((self.seconds + i64::from(self.offset) * 60).div_euclid(DAY))
    }

    /// The same instant a number of seconds later.
    #[must_use]
    pub const fn plus(self, seconds: i64) -> Self {
        Self {
            seconds: self.seconds.saturating_add(seconds),
            offset: self.offset,
        }
    }
}

/// The calendar day of a number of days since 1970, in years that start in March so that the leap day comes last.
fn day(since_1970: i64) -> Date {
    let days = since_1970.saturating_add(719_468);
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march = (5 * of_year + 2) / 153;
    let month = if march < 10 { march + 3 } else { march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    Date {
        year: i32::try_from(year).unwrap_or(i32::MAX),
        month: u8::try_from(month).unwrap_or(12),
        day: u8::try_from(of_year - (153 * march + 2) / 5 + 1).unwrap_or(31),
    }
}

/// Days since 1970 of a calendar day.
fn days(date: Date) -> i64 {
    let (month, year) = (
        i64::from(date.month),
        i64::from(date.year) - i64::from(date.month <= 2),
    );
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let march = (month + 9) % 12;
    let of_year = (153 * march + 2) / 5 + i64::from(date.day) - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

impl PartialEq for Timestamp {
    fn eq(&self, other: &Self) -> bool {
        self.seconds == other.seconds
    }
}

impl Eq for Timestamp {}

impl PartialOrd for Timestamp {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Timestamp {
    fn cmp(&self, other: &Self) -> Ordering {
        self.seconds.cmp(&other.seconds)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let local = self.seconds + i64::from(self.offset) * 60;
        let (date, second) = (day(local.div_euclid(DAY)), local.rem_euclid(DAY));
        let (hour, minute) = (second / 3_600, second / 60 % 60);
        let sign = if self.offset < 0 { '-' } else { '+' };
        let offset = self.offset.unsigned_abs();
        write!(
            f,
            "{:04}-{:02}-{:02}T{hour:02}:{minute:02}:{:02}{sign}{:02}:{:02}",
            date.year,
            date.month,
            date.day,
            second % 60,
            offset / 60,
            offset % 60
        )
    }
}

/// The text is no RFC 3339 date and time with an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an RFC 3339 time with an offset")]
pub struct NotATime;

impl FromStr for Timestamp {
    type Err = NotATime;

    fn from_str(text: &str) -> Result<Self, NotATime> {
        let number = |range: std::ops::Range<usize>| -> Result<i64, NotATime> {
            let digits = text.get(range).ok_or(NotATime)?;
            if !digits.bytes().all(|b| b.is_ascii_digit()) {
                return Err(NotATime);
            }
            digits.parse().map_err(|_| NotATime)
        };
        let sign = |at: usize, allowed: &[u8]| -> Result<u8, NotATime> {
            let found = text.as_bytes().get(at).copied().ok_or(NotATime)?;
            allowed.contains(&found).then_some(found).ok_or(NotATime)
        };
        let (year, month, date) = (number(0..4)?, number(5..7)?, number(8..10)?);
        let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
        for (at, allowed) in [
            (4, &b"-"[..]),
            (7, b"-"),
            (10, b"Tt "),
            (13, b":"),
            (16, b":"),
        ] {
            sign(at, allowed)?;
        }
        // Fractions of a second are read and dropped.
        let mut at = 19;
        if text.as_bytes().get(at) == Some(&b'.') {
            at += 1;
            while text.as_bytes().get(at).is_some_and(u8::is_ascii_digit) {
                at += 1;
            }
        }
        let offset = match sign(at, b"Zz+-")? {
            b'Z' | b'z' if text.len() == at + 1 => 0,
            mark @ (b'+' | b'-') if text.len() == at + 6 => {
                sign(at + 3, b":")?;
                let minutes = number(at + 1..at + 3)? * 60 + number(at + 4..at + 6)?;
                if mark == b'-' { -minutes } else { minutes }
            }
            _ => return Err(NotATime),
        };
        let day = Date {
            year: i32::try_from(year).map_err(|_| NotATime)?,
            month: u8::try_from(month).map_err(|_| NotATime)?,
            day: u8::try_from(date).map_err(|_| NotATime)?,
        };
        let valid = (1..=12).contains(&month)
            && self::day(days(day)) == day
            && hour < 24
            && minute < 60
            && second <= 60
            && offset.abs() < 24 * 60;
        if !valid {
            return Err(NotATime);
        }
        Ok(Self {
            seconds: days(day) * DAY + hour * 3_600 + minute * 60 + second - offset * 60,
            offset: i16::try_from(offset).map_err(|_| NotATime)?,
        })
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_instants() {
        let told: Timestamp = "2026-10-27T10:00:00+08:00".parse().unwrap();
        assert_eq!(told.unix(), 1_793_066_400);
        assert_eq!(told.to_string(), "2026-10-27T10:00:00+08:00");
        assert_eq!(told, "2026-10-27T02:00:00Z".parse().unwrap());
        assert_eq!(
            told.date(),
            Date {
                year: 2026,
                month: 10,
                day: 27
            }
        );
        assert_eq!(
            Timestamp::from_unix(0).to_string(),
            "1970-01-01T00:00:00+00:00"
        );
        assert_eq!(
            "2026-10-27T10:00:00.25-03:30"
                .parse::<Timestamp>()
                .unwrap()
                .to_string(),
            "2026-10-27T10:00:00-03:30"
        );
    }

    #[test]
    fn what_is_no_time() {
        for text in [
            "",
            "2026",
            "2026-10-27",
            "2026-10-27T10:00:00",
            "2026-02-30T10:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-10-27T24:00:00Z",
            "2026-10-27T10:00:00+8:00",
            "2026-10-27T10:00:00Zx",
            "２０２６-10-27T10:00:00Z",
        ] {
            assert_eq!(text.parse::<Timestamp>(), Err(NotATime), "{text}");
        }
    }

    proptest! {
        #[test]
        fn written_and_read_is_the_same(seconds in -62_000_000_000i64..250_000_000_000) {
            let time = Timestamp::from_unix(seconds);
            prop_assert_eq!(time.to_string().parse::<Timestamp>().unwrap().unix(), seconds);
        }
    }
}
