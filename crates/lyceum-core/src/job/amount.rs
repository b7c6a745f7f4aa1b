//! Money, as the decimal string it is stored as.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Digits after the point.
const PLACES: usize = 9;
const ONE: u128 = 1_000_000_000;

/// An amount of money that is not negative, exact to nine decimals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(u128);

impl Amount {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// The sum; the largest amount there is when it would be more.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

/// The text is no amount: digits, perhaps a point and at most nine more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an amount such as 1.50")]
pub struct NotAnAmount;

impl FromStr for Amount {
    type Err = NotAnAmount;

    fn from_str(text: &str) -> Result<Self, NotAnAmount> {
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |text: &str, most: usize| {
            !text.is_empty() && text.len() <= most && text.bytes().all(|b| b.is_ascii_digit())
        };
        if !digits(whole, 18) || !digits(part, PLACES) {
            return Err(NotAnAmount);
        }
        let whole: u128 = whole.parse().map_err(|_| NotAnAmount)?;
        let part: u128 = format!("{part:0<PLACES$}")
            .parse()
            .map_err(|_| NotAnAmount)?;
        Ok(Self(whole * ONE + part))
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0 / ONE, self.0 % ONE);
        if part == 0 {
            return write!(f, "{whole}");
        }
        let digits = format!("{part:0PLACES$}");
        write!(f, "{whole}.{}", digits.trim_end_matches('0'))
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_and_read() {
        for (text, back) in [
            ("0", "0"),
            ("1.50", "1.5"),
            ("0.000000001", "0.000000001"),
            ("12", "12"),
        ] {
            assert_eq!(text.parse::<Amount>().unwrap().to_string(), back);
        }
        for wrong in [
            "",
            ".",
            "-1",
            "1.",
            ".5",
            "1e3",
            "0.0000000001",
            "１",
            "1,5",
        ] {
            assert_eq!(wrong.parse::<Amount>(), Err(NotAnAmount), "{wrong}");
        }
    }

    #[test]
    fn tenths_add_up() {
        let tenth: Amount = "0.1".parse().unwrap();
        let three = tenth.plus(tenth).plus(tenth);
        assert_eq!(three, "0.3".parse().unwrap());
    }
}
