//! Numbers in visible text: exact value, written precision, unit, and what each one is.
//!
//! A number that is no quantity (a year, a version, a part of a name, a label such as *Table 3*) is found too and says so
//! in its [`NumberKind`]; whoever compares quantities leaves those out. Nothing here knows a manuscript or a rule.

mod context;
mod decimal;
mod scan;
mod unit;
mod words;

#[cfg(test)]
mod tests;

use std::ops::Range;

pub use decimal::Decimal;
pub use scan::{numbers, numbers_and_words};
pub use unit::{factor_to_base, unit_at};

/// What a number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberKind {
    /// A count, a measurement, a share.
    Quantity,
    /// A quantity written as a word: `three`, `三`.
    Word,
    /// A year, or a number that may be one.
    Year,
    /// A part of a date or time.
    Date,
    /// `3rd`, `第三`.
    Ordinal,
    /// The number of a section, table, figure, study, type, grade.
    Label,
    /// A version: `3.11.2`, `version 2.1`.
    Version,
    /// A part of a name or code: `H2O`, `COVID-19`, `v2`.
    Identifier,
    /// Part of a bare list in square brackets, as numeric citations are.
    Citation,
}

/// How a number is bound to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Link {
    /// `3–5`, `3 to 5`: from here to the next.
    Range,
    /// `3/17`: this one over the next.
    Fraction,
    /// `3 of 17`, `3 out of 17`.
    Of,
    /// `3.2 ± 0.4`: the next one is the spread of this one.
    Spread,
}

/// A number in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// Bytes of the sign, the digits and the exponent.
    pub range: Range<usize>,
    /// Bytes of all that and the unit.
    pub extent: Range<usize>,
    /// The text under `range`.
    pub raw: String,
    /// The value, multiplied out (`1.2万` is 12000) and with its written precision; for an identifier its first digits.
    pub value: Decimal,
    /// What it is.
    pub kind: NumberKind,
    /// The unit as a symbol: `%`, `ms`, `mg/kg`.
    pub unit: Option<String>,
    /// How it is bound to the next number.
    pub link: Option<Link>,
}

impl Number {
    /// True for a count, a measurement or a share.
    #[must_use]
    pub const fn is_quantity(&self) -> bool {
        matches!(self.kind, NumberKind::Quantity | NumberKind::Word)
    }

    /// True when the unit is the per cent sign or word.
    #[must_use]
    pub fn is_percent(&self) -> bool {
        self.unit.as_deref() == Some("%")
    }

    /// The count it is, when it is a quantity and a whole number without a unit or decimals.
    #[must_use]
    pub fn count(&self) -> Option<u64> {
        (self.is_quantity() && self.unit.is_none() && self.value.scale <= 0)
            .then(|| self.value.as_count())
            .flatten()
    }
}
