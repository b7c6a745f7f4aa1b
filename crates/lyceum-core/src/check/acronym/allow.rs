//! Acronyms that need no definition.

use super::types::Allowlist;

/// Those most journals accept.
pub const DEFAULT_ALLOWLIST: [&str; 29] = [
    "AIDS", "DNA", "HIV", "IQ", "RNA", "mRNA", "EU", "UK", "UN", "US", "USA", "BA", "BSc", "MA",
    "MD", "MSc", "PhD", "AM", "PM", "DOI", "ISBN", "ISSN", "ORCID", "PDF", "URL", "GHz", "GPa",
    "MHz", "MPa",
];

/// The list in use.
pub(super) fn allowlist(user: &[String]) -> Allowlist {
    Allowlist {
        default: DEFAULT_ALLOWLIST.iter().map(ToString::to_string).collect(),
        user: user.to_vec(),
    }
}

/// Reads a user's list: acronyms separated by white space, commas or line ends; `#` starts a comment.
#[must_use]
pub fn parse_allowlist(text: &str) -> Vec<String> {
    text.lines()
        .map(|line| line.split('#').next().unwrap_or(""))
        .flat_map(|line| line.split(|c: char| c.is_whitespace() || matches!(c, ',' | '，' | ';')))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}
