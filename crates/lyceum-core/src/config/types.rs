//! Values, where they come from, and what is said of a file.

use serde::Serialize;

use crate::base::Words;
use crate::check::ConfigWaiver;

/// A value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// Words.
    Text(String),
    /// Yes or no.
    Flag(bool),
    /// Words, in order.
    List(Vec<String>),
    /// Anything else.
    Other(serde_json::Value),
}

/// Where a value comes from. Ordered: a later one goes before an earlier one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// Nobody set it.
    Default,
    /// The user's file.
    User {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
    },
    /// The project's file.
    Project {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
    },
    /// The environment.
    Environment {
        /// The variable.
        variable: String,
    },
    /// The command line.
    Flag {
        /// The flag.
        flag: String,
    },
}

impl Origin {
    /// The words for people: `default`, `lyceum.toml:3`, `LYCEUM_LANGUAGE`, `--lang`.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Default => "default".to_owned(),
            Self::User { path, line } | Self::Project { path, line } => format!("{path}:{line}"),
            Self::Environment { variable } => variable.clone(),
            Self::Flag { flag } => flag.clone(),
        }
    }

    /// The kind of the origin, as programs read it.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::User { .. } => "user",
            Self::Project { .. } => "project",
            Self::Environment { .. } => "environment",
            Self::Flag { .. } => "flag",
        }
    }
}

/// One value of one source.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The dotted path.
    pub path: String,
    /// The value.
    pub value: Value,
    /// Its source.
    pub origin: Origin,
}

/// Something odd in a source that does not stop anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// A stable `snake_case` code: `unknown_key`, `unknown_rule`.
    pub code: &'static str,
    /// What is odd.
    pub words: Words,
    /// Where.
    pub origin: Origin,
}

/// What one source says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layer {
    /// Its settings, in order.
    pub settings: Vec<Setting>,
    /// Its waivers.
    pub waivers: Vec<ConfigWaiver>,
    /// The path and text of the file that holds the waivers.
    pub file: Option<(String, String)>,
    /// What is odd.
    pub notices: Vec<Notice>,
}
