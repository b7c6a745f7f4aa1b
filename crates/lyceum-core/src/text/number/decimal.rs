//! Exact decimal numbers as they stand in a text: the written precision is part of the value.

use std::cmp::Ordering;
use std::fmt;

/// `mantissa × 10^-scale`. Two decimals are equal when they are written with the same precision; compare values with
/// [`Decimal::same_value`] or [`Decimal::compare`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decimal {
    /// The digits with the sign.
    pub mantissa: i128,
    /// Digits after the point; negative when the last written digit stands for tens, thousands and so on.
    pub scale: i32,
}

/// Most digits a [`Decimal`] holds; with it, comparisons and products with small integers cannot overflow.
const DIGITS: usize = 30;
/// Largest power of ten that is kept.
const MAX_SCALE: i32 = 400;

impl Decimal {
    /// An integer.
    #[must_use]
    pub const fn integer(value: i128) -> Self {
        Self {
            mantissa: value,
            scale: 0,
        }
    }

    /// Reads ASCII digits with at most one point and an optional `-`; `None` for anything else or too many digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let mut mantissa: i128 = 0;
        let mut count = 0;
        for byte in whole.bytes().chain(fraction.bytes()) {
            if !byte.is_ascii_digit() {
                return None;
            }
            mantissa = mantissa * 10 + i128::from(byte - b'0');
            count += usize::from(mantissa != 0);
            if count > DIGITS {
                return None;
            }
        }
        let scale = i32::try_from(fraction.len()).ok()?;
        if scale > MAX_SCALE {
            return None;
        }
        Some(Self {
            mantissa: if negative { -mantissa } else { mantissa },
            scale,
        })
    }

    /// The value times `10^power`, with the same digits.
    #[must_use]
    pub fn shifted(self, power: i32) -> Option<Self> {
        let scale = self.scale.checked_sub(power)?;
        (scale.abs() <= MAX_SCALE).then_some(Self { scale, ..self })
    }

    /// The value with its sign turned.
    #[must_use]
    pub const fn negated(self) -> Self {
        Self {
            mantissa: -self.mantissa,
            scale: self.scale,
        }
    }

    /// The value without its sign.
    #[must_use]
    pub const fn absolute(self) -> Self {
        Self {
            mantissa: self.mantissa.abs(),
            scale: self.scale,
        }
    }

    /// True for a whole number, however written.
    #[must_use]
    pub fn is_integer(self) -> bool {
        self.simplified().scale <= 0
    }

    /// The whole number it is, when it is one of a size that counts have.
    #[must_use]
    pub fn as_count(self) -> Option<u64> {
        let simple = self.simplified();
        if simple.scale > 0 || simple.scale < -18 || simple.mantissa < 0 {
            return None;
        }
        let factor = 10_i128.checked_pow(simple.scale.unsigned_abs())?;
        u64::try_from(simple.mantissa.checked_mul(factor)?).ok()
    }

    /// The nearest binary floating point number.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        // Through the decimal text, so that the result is correctly rounded.
        format!("{}e{}", self.mantissa, -self.scale)
            .parse()
            .unwrap_or(f64::NAN)
    }

    /// One unit of the last written digit.
    #[must_use]
    pub const fn unit(self) -> Self {
        Self {
            mantissa: 1,
            scale: self.scale,
        }
    }

    /// The smallest and the largest value that is rounded to this one.
    #[must_use]
    pub fn rounding_bounds(self) -> (Self, Self) {
        let at = |offset: i128| Self {
            mantissa: self.mantissa * 10 + offset,
            scale: self.scale + 1,
        };
        (at(-5), at(5))
    }

    /// Without trailing zeros; zero has scale 0.
    #[must_use]
    pub fn simplified(self) -> Self {
        if self.mantissa == 0 {
            return Self::integer(0);
        }
        let mut simple = self;
        while simple.mantissa % 10 == 0 {
            simple.mantissa /= 10;
            simple.scale -= 1;
        }
        simple
    }

    /// True when both stand for one value, whatever the precision.
    #[must_use]
    pub fn same_value(self, other: Self) -> bool {
        self.simplified() == other.simplified()
    }

    /// Compares values.
    #[must_use]
    pub fn compare(self, other: Self) -> Ordering {
        let (a, b) = (self.simplified(), other.simplified());
        let by_sign = a.mantissa.signum().cmp(&b.mantissa.signum());
        if by_sign != Ordering::Equal {
            return by_sign;
        }
        match (
            aligned(a, a.scale.max(b.scale)),
            aligned(b, a.scale.max(b.scale)),
        ) {
            (Some(a), Some(b)) => a.cmp(&b),
            // One has so many more digits before the point that it does not fit: it is the greater in size.
            (None, _) => by_size(a.mantissa > 0),
            (_, None) => by_size(a.mantissa < 0),
        }
    }

    /// Every value this one may become when it is written with `scale` digits after the point: rounded up, down, to
    /// nearest, cut off. One or two values; the value itself when it has no more digits than that.
    #[must_use]
    pub fn roundings(self, scale: i32) -> [Self; 2] {
        if self.scale <= scale {
            return [self, self];
        }
        let Some(factor) = u32::try_from(self.scale - scale)
            .ok()
            .and_then(|power| 10_i128.checked_pow(power))
        else {
            return [Self { mantissa: 0, scale }; 2];
        };
        let low = self.mantissa.div_euclid(factor);
        let high = if self.mantissa.rem_euclid(factor) == 0 {
            low
        } else {
            low + 1
        };
        [
            Self {
                mantissa: low,
                scale,
            },
            Self {
                mantissa: high,
                scale,
            },
        ]
    }

    /// True when this value, which has more digits, is written as `other` after rounding to nearest, both ways at a tie.
    #[must_use]
    pub fn rounds_to(self, other: Self) -> bool {
        let (low, high) = other.rounding_bounds();
        self.compare(low) != Ordering::Less && self.compare(high) != Ordering::Greater
    }

    /// The exact sum; `None` when it does not fit.
    #[must_use]
    pub fn plus(self, other: Self) -> Option<Self> {
        let scale = self.scale.max(other.scale);
        let mantissa = aligned(self, scale)?.checked_add(aligned(other, scale)?)?;
        Some(Self { mantissa, scale })
    }

    /// The exact difference; `None` when it does not fit.
    #[must_use]
    pub fn minus(self, other: Self) -> Option<Self> {
        self.plus(other.negated())
    }

    /// The exact product with an integer; `None` when it does not fit.
    #[must_use]
    pub fn times(self, factor: i128) -> Option<Self> {
        Some(Self {
            mantissa: self.mantissa.checked_mul(factor)?,
            scale: self.scale,
        })
    }
}

fn by_size(greater: bool) -> Ordering {
    if greater {
        Ordering::Greater
    } else {
        Ordering::Less
    }
}

fn aligned(value: Decimal, scale: i32) -> Option<i128> {
    if value.mantissa == 0 {
        return Some(0);
    }
    let power = u32::try_from(scale.checked_sub(value.scale)?).ok()?;
    value.mantissa.checked_mul(10_i128.checked_pow(power)?)
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if (-20..0).contains(&self.scale) {
            let zeros = usize::try_from(-self.scale).unwrap_or(0);
            let zeros = if self.mantissa == 0 { 0 } else { zeros };
            return write!(f, "{}{}", self.mantissa, "0".repeat(zeros));
        }
        let Ok(scale) = usize::try_from(self.scale) else {
            return write!(f, "{}e{}", self.mantissa, -self.scale);
        };
        if scale > 40 {
            return write!(f, "{}e-{scale}", self.mantissa);
        }
        let sign = if self.mantissa < 0 { "-" } else { "" };
        let digits = format!(
            "{:0>width$}",
            self.mantissa.unsigned_abs(),
            width = scale + 1
        );
        let (whole, fraction) = digits.split_at(digits.len() - scale);
        if fraction.is_empty() {
            write!(f, "{sign}{whole}")
        } else {
            write!(f, "{sign}{whole}.{fraction}")
        }
    }
}
