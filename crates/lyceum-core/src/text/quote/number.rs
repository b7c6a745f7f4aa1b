//! A quotation that is the text's but for its numbers.

use regex::Regex;

use super::{QuoteIndex, QuoteMatch, fold, readings};

/// A number with sign, as folded text writes it.
pub(super) const NUMBER: &str = r"[-+]?[0-9]+(?:[.,][0-9]+)*";

impl QuoteIndex<'_> {
    /// Finds a passage that is the quotation with other numbers in their places; `None` when there is no such passage,
    /// or the quotation holds no number, or little beside numbers.
    #[must_use]
    pub fn with_other_numbers(&self, quote: &str) -> Option<QuoteMatch> {
        let mut tried: Vec<String> = Vec::new();
        for reading in readings(quote) {
            let needle = fold(&reading);
            if tried.contains(&needle) {
                continue;
            }
            let found = with_any_numbers(&needle)
                .and_then(|pattern| pattern.find(&self.folded.text))
                .and_then(|found| self.place(&found.range(), quote));
            if found.is_some() {
                return found;
            }
            tried.push(needle);
        }
        self.in_source_with(&with_any_numbers(tried.first()?)?)
    }
}

/// A pattern for the words of a folded quotation with any numbers; `None` when it holds no number, or little beside.
fn with_any_numbers(needle: &str) -> Option<Regex> {
    let number = Regex::new(NUMBER).ok()?;
    let parts: Vec<&str> = number.split(needle).collect();
    let words = parts.iter().flat_map(|part| part.chars());
    let enough = parts.len() > 1 && words.filter(|c| c.is_alphabetic()).count() >= 6;
    let pattern: Vec<String> = parts.iter().map(|part| regex::escape(part)).collect();
    // Too long a pattern is no quotation.
    enough
        .then(|| Regex::new(&pattern.join(NUMBER)).ok())
        .flatten()
}
