//! Waivers: problems that the author looked at and keeps, each with a reason.
//!
//! In the text, `% lyceum: allow RULE reason` or `<!-- lyceum: allow RULE reason -->`. Behind text it holds for its own
//! line; on a line of its own it holds from the next line that is neither blank nor a comment to the end of that
//! paragraph; `allow-file` holds for the whole file. In `lyceum.toml`, `[[check.waiver]]` with `rule`, `reason` and,
//! to narrow it, `path` and `quote`. A waiver without a reason does not hold.

mod apply;
mod parse;
mod scope;

#[cfg(test)]
mod tests;

pub(super) use apply::{apply, may_hold_anywhere, named_rules};
pub(super) use parse::{collect, is_waiver};

use crate::text::Span;

/// A waiver that project configuration holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigWaiver {
    /// The rule's id.
    pub rule: String,
    /// The file it holds for, or the folder; all when absent. `*` stands for any characters.
    pub path: Option<String>,
    /// Words that the problem's quote or line must hold, white space aside; any when absent.
    pub quote: Option<String>,
    /// Why.
    pub reason: String,
    /// Its place in the configuration file.
    pub span: std::ops::Range<usize>,
}

/// The waivers of a configuration file, with its text so that a stale one can be shown.
#[derive(Clone, Debug, Default)]
pub struct ConfigWaivers {
    /// Path of the file as people should see it.
    pub path: String,
    /// Its text.
    pub text: String,
    /// The waivers, in file order.
    pub waivers: Vec<ConfigWaiver>,
    /// True when this paper is all that the configuration speaks of, so that a waiver that matched nothing is stale.
    pub whole: bool,
}

/// Where a waiver holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// In these lines of the waiver's file, both included.
    Lines(u32, u32),
    /// In the waiver's whole file.
    File,
    /// Where configuration says.
    Config {
        path: Option<String>,
        quote: Option<String>,
        /// Whether it can be called stale when it matched nothing.
        judged: bool,
    },
    /// Nowhere: nothing follows it.
    Nowhere,
}

/// A waiver as found.
#[derive(Clone, Debug)]
pub(super) struct Waiver {
    pub(super) rule: String,
    pub(super) reason: String,
    pub(super) scope: Scope,
    /// Its own place.
    pub(super) span: Span,
}

/// What was found of waivers in a paper.
#[derive(Debug, Default)]
pub(super) struct Collected {
    pub(super) waivers: Vec<Waiver>,
    /// Waivers that cannot be read, with the start of the text that is wrong.
    pub(super) malformed: Vec<Span>,
}
