//! Recalculating reported statistics: p-values from test statistics, and means, deviations and proportions that integer
//! data can give.
//!
//! Pure calculation and recognition over plain text; it knows no manuscript and reports no problem. The comparison of
//! p-values follows the rule published with *statcheck* (Nuijten et al., 2016), GRIM follows Brown and Heathers (2017),
//! GRIMMER Allard (2018), DEBIT Heathers and Brown (2019).

mod compare;
mod distribution;
mod extract;
mod granularity;

#[cfg(test)]
mod corpus_tests;
#[cfg(test)]
mod tests;

pub use compare::{Reported, Side, Verdict, compare, significance_differs};
pub use distribution::{Family, Interval, Statistic, p_interval};
pub use extract::{TestReport, test_reports};
pub use granularity::{debit, grim, grim_percent, grimmer, share_fits};
