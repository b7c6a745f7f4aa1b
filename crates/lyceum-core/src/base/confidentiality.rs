//! How far a project's text may travel (design §5).

use serde::{Deserialize, Serialize};

/// The class of a project or paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confidentiality {
    /// No restriction beyond the user's own settings.
    #[default]
    Open,
    /// Unpublished: named models only, after a consent.
    Embargo,
    /// Somebody else's manuscript under review: nothing leaves the machine.
    Referee,
    /// Data about people: nothing leaves the machine.
    HumanData,
}

impl Confidentiality {
    /// All classes, in the order of the documentation.
    pub const ALL: [Self; 4] = [Self::Open, Self::Embargo, Self::Referee, Self::HumanData];

    /// The spelling in configuration and messages.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Embargo => "embargo",
            Self::Referee => "referee",
            Self::HumanData => "human-data",
        }
    }

    /// True when no text, title or derived text may leave the machine.
    #[must_use]
    pub const fn stays_here(self) -> bool {
        matches!(self, Self::Referee | Self::HumanData)
    }
}
