//! Capability tokens: what proves a role.

use crate::base::{Refusal, Sha256, hex};

/// A new token of random bytes, and what is kept of it.
#[must_use]
pub fn issue(random: &[u8; 32]) -> (String, Sha256) {
    let token = hex(random);
    let kept = Sha256::of(token.as_bytes());
    (token, kept)
}

/// Whether a report proves its role: true with the right token, false without any.
///
/// # Errors
/// `token_invalid` for a wrong token, one that was used, and one where none was issued.
pub fn proved(given: Option<&str>, issued: Option<&Sha256>, used: bool) -> Result<bool, Refusal> {
    let Some(given) = given else { return Ok(false) };
    // Hashes are compared, so that the time tells nothing of the token.
    if !used && issued == Some(&Sha256::of(given.as_bytes())) {
        return Ok(true);
    }
    Err(Refusal::new(
        "token_invalid",
        "the token is not the one of this seat's last brief, or was used already",
        "Send the token of the brief, or none: the report then counts as declared.",
    )
    .in_chinese(
        "该令牌不是此席位最近一次简报的令牌，或已被使用",
        "请使用简报中的令牌，或不提供：报告来源将记为 declared。",
    ))
}
