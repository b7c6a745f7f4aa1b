//! `@string` macros. One table serves all bibliographies of a paper, as in BibTeX.

use std::collections::HashMap;

/// Bytes that macros may add to one value, and to all values together: a bomb fizzles.
const ONE: usize = 64 << 10;
const ALL: usize = 16 << 20;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// String macros defined so far, months included.
#[derive(Clone, Debug)]
pub struct Strings {
    known: HashMap<String, String>,
    spent: usize,
}

impl Default for Strings {
    fn default() -> Self {
        let known = MONTHS
            .iter()
            .filter_map(|month| Some((month.get(..3)?.to_lowercase(), (*month).to_owned())))
            .collect();
        Self { known, spent: 0 }
    }
}

impl Strings {
    /// Defines a macro; a later definition wins.
    pub(super) fn define(&mut self, name: &str, value: &str) {
        self.known.insert(name.to_lowercase(), value.to_owned());
    }

    /// Appends what a macro stands for, or its own name when it is unknown (styles define macros too) or the budget is
    /// spent.
    pub(super) fn expand(&mut self, name: &str, into: &mut String) {
        match self.known.get(&name.to_lowercase()) {
            Some(value) if into.len() + value.len() <= ONE && self.spent + value.len() <= ALL => {
                self.spent += value.len();
                into.push_str(value);
            }
            _ => into.push_str(name),
        }
    }
}
