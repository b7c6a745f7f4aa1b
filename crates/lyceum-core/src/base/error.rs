//! The two failures a caller can meet: the domain says no, or the world failed (design §7).

use serde::Serialize;

use super::Language;

/// The domain says no; the caller can change something and try again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// A stable `snake_case` code, listed in the reference.
    pub code: &'static str,
    /// What blocks, as a lowercase fragment.
    pub message: String,
    /// What would unblock it, as one imperative sentence.
    pub hint: String,
    /// Operations or commands that are allowed now.
    pub allowed_now: Vec<String>,
    /// Message and hint in Chinese, where the code that refuses speaks it.
    #[serde(skip)]
    pub chinese: Option<Box<(String, String)>>,
}

impl Refusal {
    /// Builds a refusal with nothing in `allowed_now`.
    #[must_use]
    pub fn new(code: &'static str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            hint: hint.into(),
            allowed_now: Vec::new(),
            chinese: None,
        }
    }

    /// Adds message and hint in Chinese.
    #[must_use]
    pub fn in_chinese(mut self, message: impl Into<String>, hint: impl Into<String>) -> Self {
        self.chinese = Some(Box::new((message.into(), hint.into())));
        self
    }

    /// The message in one language, English where there is no other.
    #[must_use]
    pub fn message_in(&self, language: Language) -> &str {
        match (&self.chinese, language) {
            (Some(chinese), Language::Chinese) => &chinese.0,
            _ => &self.message,
        }
    }

    /// The hint in one language, English where there is no other.
    #[must_use]
    pub fn hint_in(&self, language: Language) -> &str {
        match (&self.chinese, language) {
            (Some(chinese), Language::Chinese) => &chinese.1,
            _ => &self.hint,
        }
    }
}

/// The world failed: a disk, a network, a provider, an unreadable file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{place}: {source_text}")]
pub struct Fault {
    /// A stable `snake_case` code, listed in the reference.
    pub code: &'static str,
    /// The path or address that failed.
    #[serde(rename = "where")]
    pub place: String,
    /// What the system said.
    #[serde(rename = "source")]
    pub source_text: String,
    /// True when the same call may succeed later without a change.
    pub retryable: bool,
}

/// Either of the two.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The domain says no.
    #[error(transparent)]
    Refusal(#[from] Refusal),
    /// The world failed.
    #[error(transparent)]
    Fault(#[from] Fault),
}
