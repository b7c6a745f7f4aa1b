//! What integer data can give: GRIM, GRIMMER, DEBIT, and percentages of counts. All exact except DEBIT.

use std::cmp::Ordering;

use crate::text::number::Decimal;

/// Most sums that are tried for one mean.
const SUMS: i128 = 100_000;

/// The integers `k` for which `k / total` is rounded to `mean`, ties both ways; `None` when the numbers are too large.
fn sums(mean: Decimal, total: u64) -> Option<(i128, i128)> {
    let (low, high) = mean.rounding_bounds();
    let (low, high) = (
        low.times(i128::from(total))?,
        high.times(i128::from(total))?,
    );
    let divisor = 10_i128.checked_pow(u32::try_from(low.scale.max(0)).ok()?)?;
    let factor = 10_i128.checked_pow(u32::try_from((-low.scale).max(0)).ok()?)?;
    let low = low.mantissa.checked_mul(factor)?;
    let high = high.mantissa.checked_mul(factor)?;
    Some((-((-low).div_euclid(divisor)), high.div_euclid(divisor)))
}

/// GRIM: true when some sum of `n × items` integers has this mean after rounding to its decimals.
#[must_use]
pub fn grim(mean: Decimal, n: u64, items: u64) -> Option<bool> {
    let total = n.checked_mul(items).filter(|total| *total > 0)?;
    let (first, last) = sums(mean, total)?;
    Some(first <= last)
}

/// GRIM for a percentage of `n` things.
#[must_use]
pub fn grim_percent(percent: Decimal, n: u64) -> Option<bool> {
    grim(percent.shifted(-2)?, n, 1)
}

/// GRIMMER: true when some `n × items` integers have this mean and this standard deviation (of `n` values, over `n − 1`)
/// after rounding. Tests the sum of squares for its bounds and its parity, for every sum that GRIM admits.
#[must_use]
pub fn grimmer(mean: Decimal, sd: Decimal, n: u64, items: u64) -> Option<bool> {
    if n < 2 || sd.mantissa < 0 {
        return Some(false);
    }
    let (first, last) = sums(mean, n.checked_mul(items)?)?;
    if last - first > SUMS {
        return None;
    }
    for sum in first..=last {
        if has_squares(sum, sd, n, items)? {
            return Some(true);
        }
    }
    Some(false)
}

/// True when an integer sum of squares `q`, of the parity of `sum`, gives the deviation:
/// `low² ≤ (n·q − sum²) / (n·(n−1)·items²) ≤ high²`.
fn has_squares(sum: i128, sd: Decimal, n: u64, items: u64) -> Option<bool> {
    let (n, items) = (i128::from(n), i128::from(items));
    let (low, high) = sd.rounding_bounds();
    let unit = 10_i128.checked_pow(u32::try_from(low.scale).ok()?)?;
    let unit = unit.checked_mul(unit)?;
    let spread = n
        .checked_mul(n - 1)?
        .checked_mul(items.checked_mul(items)?)?;
    let squared = |bound: Decimal| -> Option<i128> {
        let size = bound.mantissa.max(0);
        spread.checked_mul(size.checked_mul(size)?)
    };
    let base = sum.checked_mul(sum)?.checked_mul(unit)?;
    let step = n.checked_mul(unit)?;
    let lowest = squared(low)?.checked_add(base)?;
    let highest = squared(high)?.checked_add(base)?;
    let first = -((-lowest).div_euclid(step));
    let last = highest.div_euclid(step);
    let first = if (first - sum).rem_euclid(2) == 0 {
        first
    } else {
        first + 1
    };
    // The mean cannot spread less than the nearest integers allow: n values that sum to `sum` have a least sum of squares.
    let whole = sum.div_euclid(n);
    let rest = sum.rem_euclid(n);
    let least = whole
        .checked_mul(whole)?
        .checked_mul(n - rest)?
        .checked_add((whole + 1).checked_mul(whole + 1)?.checked_mul(rest)?)?;
    Some(first.max(least) <= last)
}

/// DEBIT: true when 0/1 data of size `n` can have this mean and this standard deviation after rounding.
#[must_use]
pub fn debit(mean: Decimal, sd: Decimal, n: u64) -> bool {
    if n < 2 {
        return false;
    }
    #[expect(
        clippy::cast_precision_loss,
        reason = "sample sizes are far below 2^52"
    )]
    let n = n as f64;
    let deviation = |mean: f64| (n / (n - 1.0) * mean * (1.0 - mean)).max(0.0).sqrt();
    let (low, high) = mean.rounding_bounds();
    let (low, high) = (low.to_f64().max(0.0), high.to_f64().min(1.0));
    if low > high {
        return false;
    }
    let (a, b) = (deviation(low), deviation(high));
    let top = if (low..=high).contains(&0.5) {
        deviation(0.5)
    } else {
        a.max(b)
    };
    let (sd_low, sd_high) = sd.rounding_bounds();
    a.min(b) <= sd_high.to_f64() + 1e-9 && sd_low.to_f64() <= top + 1e-9
}

/// True when `count` of `total` may be written as `percent`: rounded to nearest, up, down or cut off. Exact.
#[must_use]
pub fn share_fits(count: u64, total: u64, percent: Decimal) -> Option<bool> {
    let total = i128::from(total);
    let exact = Decimal::integer(i128::from(count).checked_mul(100)?);
    let unit = percent.unit();
    let above = percent.plus(unit)?.times(total)?;
    let below = percent.minus(unit)?.times(total)?;
    Some(exact.compare(above) == Ordering::Less && exact.compare(below) == Ordering::Greater)
}
