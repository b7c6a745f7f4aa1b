//! How far a verdict may be leaned on, computed from who made a thing and who judged it.

use serde::{Deserialize, Serialize};

/// The two levels. It may drive; it never acquits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Judged by a deterministic verifier of the very property, or by known families other than the maker's.
    Accepted,
    /// Anything less.
    Provisional,
}

/// A level and why, in plain words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assurance {
    /// The level.
    pub level: Level,
    /// Why.
    pub reason: String,
}

/// The assurance of a judgement of `winners` on a thing that `executor` made; families are `None` when unknown.
/// `Accepted` needs the winners from known families other than a known executor's to be a strict majority of `judges`.
#[must_use]
pub fn of_judges(executor: Option<&str>, winners: &[Option<&str>], judges: usize) -> Assurance {
    let provisional = |reason: &str| Assurance {
        level: Level::Provisional,
        reason: reason.to_owned(),
    };
    let Some(executor) = executor else {
        return provisional("it is not known which model family made the text");
    };
    if winners.iter().any(Option::is_none) {
        return provisional("the model family of a judge is not known");
    }
    let others = winners
        .iter()
        .flatten()
        .filter(|family| **family != executor)
        .count();
    if others * 2 > judges {
        return Assurance {
            level: Level::Accepted,
            reason: "judged by other model families than the one that made the text".to_owned(),
        };
    }
    provisional("judged by the same model family that made the text")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_strict_majority_of_other_known_families_is_accepted() {
        let level =
            |executor, winners: &[Option<&str>], judges| of_judges(executor, winners, judges).level;
        assert_eq!(level(None, &[Some("a"); 5], 5), Level::Provisional);
        assert_eq!(
            level(Some("b"), &[Some("a"), None, Some("a")], 3),
            Level::Provisional
        );
        assert_eq!(
            level(Some("b"), &[Some("a"), Some("a")], 4),
            Level::Provisional
        );
        assert_eq!(
            level(Some("b"), &[Some("a"), Some("c"), Some("b")], 3),
            Level::Accepted
        );
        assert_eq!(level(Some("a"), &[Some("a"); 3], 3), Level::Provisional);
    }
}
