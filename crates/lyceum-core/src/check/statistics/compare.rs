//! Whether a reported p-value follows from the recalculated one.

use super::distribution::Interval;
use crate::text::number::Decimal;

/// The level at which a result counts as significant.
const ALPHA: f64 = 0.05;
/// What floating point may be off at a rounding border.
const SLACK: f64 = 1e-9;

/// A p-value as a text reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reported {
    /// `p = .03`
    Equal(Decimal),
    /// `p < .05`
    Less(Decimal),
    /// `p ≤ .05`
    AtMost(Decimal),
    /// `p > .05`
    Greater(Decimal),
    /// `p ≥ .05`
    AtLeast(Decimal),
    /// `ns`
    NotSignificant,
}

/// On which side a reported p-value misses the recalculated one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The report is smaller than what follows.
    TooSmall,
    /// The report is larger than what follows.
    TooLarge,
}

/// The outcome of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The report follows from the statistic.
    Consistent,
    /// It does not.
    Inconsistent(Side),
}

/// Compares a reported p-value with the recalculated interval: `=` after rounding both ends to the reported decimals,
/// inequalities as they stand, `ns` at .05. So `p = .000` is consistent as long as the p-value may be below .0005.
#[must_use]
pub fn compare(reported: Reported, computed: Interval) -> Verdict {
    let too_small = Verdict::Inconsistent(Side::TooSmall);
    let too_large = Verdict::Inconsistent(Side::TooLarge);
    let wrong = match reported {
        Reported::Equal(p) => {
            let unit = p.unit().to_f64();
            let steps = (p.to_f64() / unit).round();
            let lowest = (computed.low / unit + 0.5 - SLACK).floor();
            let highest = (computed.high / unit + 0.5 + SLACK).floor();
            if steps < lowest {
                Some(too_small)
            } else {
                (steps > highest).then_some(too_large)
            }
        }
        Reported::Less(p) => (computed.low >= p.to_f64() + SLACK).then_some(too_small),
        Reported::AtMost(p) => (computed.low > p.to_f64() + SLACK).then_some(too_small),
        Reported::Greater(p) => (computed.high + SLACK <= p.to_f64()).then_some(too_large),
        Reported::AtLeast(p) => (computed.high + SLACK < p.to_f64()).then_some(too_large),
        Reported::NotSignificant => (computed.high + SLACK <= ALPHA).then_some(too_large),
    };
    wrong.unwrap_or(Verdict::Consistent)
}

/// True when the report says significant at .05 and the recalculation not, or the other way round, for certain.
#[must_use]
pub fn significance_differs(reported: Reported, computed: Interval) -> bool {
    let said = match reported {
        Reported::Equal(p) => Some(p.to_f64() <= ALPHA),
        Reported::Less(p) | Reported::AtMost(p) => (p.to_f64() <= ALPHA).then_some(true),
        Reported::Greater(p) | Reported::AtLeast(p) => (p.to_f64() >= ALPHA).then_some(false),
        Reported::NotSignificant => Some(false),
    };
    match said {
        Some(true) => computed.low > ALPHA,
        Some(false) => computed.high <= ALPHA,
        None => false,
    }
}
