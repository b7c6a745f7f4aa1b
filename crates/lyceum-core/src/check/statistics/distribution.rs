//! Two-tailed p-values of test statistics, as an interval that the rounding of the report leaves open.

use statrs::distribution::{ChiSquared, ContinuousCDF, FisherSnedecor, Normal, StudentsT};

use crate::text::number::Decimal;

/// Degrees of freedom up to which the distributions are evaluated; beyond, the limit for infinitely many bounds the rest.
const FREEDOM: f64 = 10_000.0;

/// A family of test statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Student's t, with `df2`.
    T,
    /// Fisher's F, with `df1` and `df2`.
    F,
    /// χ², with `df1`.
    ChiSquared,
    /// The standard normal z.
    Z,
    /// Pearson's r, with `df2`.
    R,
}

/// A reported test statistic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statistic {
    /// Its family.
    pub family: Family,
    /// First degrees of freedom.
    pub df1: Option<Decimal>,
    /// Second degrees of freedom, or the only ones of t and r.
    pub df2: Option<Decimal>,
    /// The value as reported.
    pub value: Decimal,
}

/// A closed interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Both ends halved: the one-tailed reading of a two-tailed p.
    #[must_use]
    pub fn halved(self) -> Self {
        Self {
            low: self.low / 2.0,
            high: self.high / 2.0,
        }
    }

    fn cover(self, p: f64) -> Self {
        Self {
            low: self.low.min(p),
            high: self.high.max(p),
        }
    }
}

/// The two-tailed p-values that a reported statistic allows, given how far it and decimal degrees of freedom are rounded.
/// `None` when there can be no such statistic.
#[must_use]
pub fn p_interval(statistic: &Statistic) -> Option<Interval> {
    let size = statistic.value.absolute();
    let signed_only = matches!(statistic.family, Family::F | Family::ChiSquared);
    if signed_only && statistic.value.mantissa < 0 {
        return None;
    }
    let (low, high) = size.rounding_bounds();
    let values = [low.to_f64().max(0.0), size.to_f64(), high.to_f64()];
    let first = freedom(statistic.df1)?;
    let second = freedom(statistic.df2)?;
    let mut interval: Option<Interval> = None;
    for value in values {
        for &df1 in &first {
            for &df2 in &second {
                let p = p_value(statistic.family, value, df1, df2)?;
                let start = interval.unwrap_or(Interval { low: p, high: p });
                interval = Some(start.cover(p));
            }
        }
    }
    interval
}

/// The degrees of freedom a report allows; 0 stands for none given.
fn freedom(reported: Option<Decimal>) -> Option<Vec<f64>> {
    let Some(reported) = reported else {
        return Some(vec![0.0]);
    };
    let value = reported.to_f64();
    if value <= 0.0 || !value.is_finite() {
        return None;
    }
    if value > FREEDOM {
        return Some(vec![FREEDOM, f64::INFINITY]);
    }
    if reported.scale <= 0 {
        return Some(vec![value]);
    }
    let (low, high) = reported.rounding_bounds();
    Some(vec![low.to_f64().max(f64::MIN_POSITIVE), high.to_f64()])
}

fn p_value(family: Family, value: f64, df1: f64, df2: f64) -> Option<f64> {
    let p = match family {
        Family::Z => normal(value)?,
        Family::T => student(value, df2)?,
        Family::R => {
            if value >= 1.0 {
                return Some(0.0);
            }
            if df2.is_infinite() {
                return None;
            }
            student(value * (df2 / (1.0 - value * value)).sqrt(), df2)?
        }
        Family::ChiSquared => chi(value, df1)?,
        Family::F => {
            if df1.is_infinite() {
                return None;
            }
            if df2.is_infinite() {
                chi(value * df1, df1)?
            } else {
                FisherSnedecor::new(df1, df2).ok()?.sf(value)
            }
        }
    };
    (0.0..=1.0 + 1e-9).contains(&p).then(|| p.min(1.0))
}

fn normal(value: f64) -> Option<f64> {
    Some(2.0 * Normal::new(0.0, 1.0).ok()?.sf(value))
}

fn student(value: f64, freedom: f64) -> Option<f64> {
    if freedom.is_infinite() {
        return normal(value);
    }
    Some(2.0 * StudentsT::new(0.0, 1.0, freedom).ok()?.sf(value))
}

fn chi(value: f64, freedom: f64) -> Option<f64> {
    if freedom.is_infinite() {
        return None;
    }
    if value <= 0.0 {
        return Some(1.0);
    }
    Some(ChiSquared::new(freedom).ok()?.sf(value))
}
