//! Ids of reviews: `rev-YYYYMMDD-` and eight hexadecimal digits.

use super::types::Facts;
use crate::base::Sha256;

/// A new id, from the day where the clock told it and the random bytes of the call.
#[must_use]
pub fn review_id(facts: &Facts) -> String {
    let date = facts.now.date();
    // Hashed, so that an id gives away nothing of the bytes it was made from.
    let hash = Sha256::of(&facts.random);
    let random = hash.as_str().get(..8).unwrap_or_default();
    format!(
        "rev-{:04}{:02}{:02}-{random}",
        date.year, date.month, date.day
    )
}

/// True when a text has the shape of an id.
#[must_use]
pub fn is_review_id(text: &str) -> bool {
    let Some((day, random)) = text
        .strip_prefix("rev-")
        .and_then(|rest| rest.split_once('-'))
    else {
        return false;
    };
    day.len() == 8
        && day.bytes().all(|b| b.is_ascii_digit())
        && random.len() == 8
        && random
            .bytes()
            .all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Timestamp;

    #[test]
    fn the_day_and_four_random_bytes() {
        let facts = Facts {
            now: Timestamp::from_unix(1_793_066_400),
            random: [0xab; 32],
        };
        assert!(review_id(&facts).starts_with("rev-20261027-"));
        assert!(is_review_id(&review_id(&facts)));
        for text in [
            "",
            "rev-20261027",
            "rev-2026102-abababab",
            "rev-20261027-ABABABAB",
            "../x",
        ] {
            assert!(!is_review_id(text), "{text}");
        }
    }
}
