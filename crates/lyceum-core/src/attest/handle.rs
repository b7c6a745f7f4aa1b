//! A handle that a client holds between a question and its answer: authenticated, expiring, bound to what was asked.
//!
//! A handle is no secret and proves no person; it only makes sure that an answer belongs to the very question that was
//! put, once.

use serde::{Deserialize, Serialize};
use sha2::Digest as _;

use super::types::{Request, canonical};
use crate::base::{Refusal, Sha256, Timestamp, hex};

/// How long an answer may take, in seconds.
pub const HANDLE_SECONDS: i64 = 3_600;
/// Most bytes of a handle that is looked at.
const BYTES: usize = 4_096;
const PREFIX: &str = "lyh1.";
/// Bytes of a block of the hash.
const BLOCK: usize = 64;

/// What a handle is bound to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Handle {
    /// The request that was put.
    pub request_id: String,
    /// The operation.
    pub operation: String,
    /// The hash of its arguments, as canonical JSON.
    pub arguments_sha256: Sha256,
    /// The hash of what was shown.
    pub shown_sha256: Sha256,
    /// When it was put.
    pub asked_at: Timestamp,
    /// When it stops being good.
    pub expires_at: Timestamp,
    /// What makes it one of a kind.
    pub nonce: String,
}

impl Handle {
    /// A handle for a question that is put now.
    #[must_use]
    pub fn new(request: &Request, now: Timestamp, random: &[u8; 16]) -> Self {
        Self {
            request_id: request.request_id.clone(),
            operation: request.operation.clone(),
            arguments_sha256: Sha256::of(canonical(&request.proposal).as_bytes()),
            shown_sha256: request.shown_sha256.clone(),
            asked_at: now,
            expires_at: now.plus(HANDLE_SECONDS),
            nonce: hex(random),
        }
    }

    /// The text that a client carries.
    #[must_use]
    pub fn seal(&self, key: &[u8; 32]) -> String {
        let body = hex(&serde_json::to_vec(self).unwrap_or_default());
        let mac = hex(&mac(key, body.as_bytes()));
        format!("{PREFIX}{body}.{mac}")
    }

    /// Reads what a client brought back.
    ///
    /// # Errors
    /// `handle_invalid` when it is not one of ours, was altered, or has expired.
    pub fn open(text: &str, key: &[u8; 32], now: Timestamp) -> Result<Self, Refusal> {
        let parts = text
            .strip_prefix(PREFIX)
            .filter(|rest| rest.len() <= BYTES)
            .and_then(|rest| rest.split_once('.'));
        let (body, given) = parts.ok_or_else(|| invalid("it is none of Lyceum's"))?;
        // Hashes are compared, so that the time tells nothing.
        let right = Sha256::of(hex(&mac(key, body.as_bytes())).as_bytes());
        if Sha256::of(given.as_bytes()) != right {
            return Err(invalid("it was altered"));
        }
        let handle: Self = unhex(body)
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .ok_or_else(|| invalid("it cannot be read"))?;
        if now < handle.asked_at || now >= handle.expires_at {
            return Err(invalid("it has expired"));
        }
        Ok(handle)
    }

    /// Whether an operation is called again with exactly what the question was about.
    ///
    /// # Errors
    /// `handle_invalid`.
    pub fn fits(&self, operation: &str, arguments: &serde_json::Value) -> Result<(), Refusal> {
        let hash = Sha256::of(canonical(arguments).as_bytes());
        if self.operation == operation && self.arguments_sha256 == hash {
            Ok(())
        } else {
            Err(invalid("it belongs to a call with other arguments"))
        }
    }

    /// Whether the question that would be put now is the one that was answered.
    #[must_use]
    pub fn answers(&self, request: &Request) -> bool {
        self.request_id == request.request_id && self.shown_sha256 == request.shown_sha256
    }
}

/// The refusal of an answer that belongs to no open question.
#[must_use]
pub fn invalid(why: &str) -> Refusal {
    Refusal::new(
        "handle_invalid",
        format!("the answer does not belong to a question that is open: {why}"),
        "Call again without it.",
    )
    .in_chinese("该答复不属于任何未决的问题", "请不带该句柄重新调用。")
}

/// HMAC-SHA-256 (RFC 2104); the key is shorter than a block.
fn mac(key: &[u8; 32], message: &[u8]) -> Vec<u8> {
    let pad = |with: u8| {
        let mut block = [with; BLOCK];
        for (byte, key) in block.iter_mut().zip(key) {
            *byte ^= key;
        }
        block
    };
    let inner = sha2::Sha256::new()
        .chain_update(pad(0x36))
        .chain_update(message)
        .finalize();
    let outer = sha2::Sha256::new()
        .chain_update(pad(0x5c))
        .chain_update(inner)
        .finalize();
    outer.to_vec()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| match pair {
            [high, low] => u8::try_from(digit(*high)? * 16 + digit(*low)?).ok(),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::attest::{Asked, Strength, request};

    const KEY: [u8; 32] = [7; 32];

    fn asked() -> Request {
        let (proposal, shown) = (json!({"a": 1}), Sha256::of(b"shown"));
        request(
            &Asked {
                checkpoint: "panel",
                subject: "review:rev-1",
                operation: "fake",
                proposal: &proposal,
                shown_sha256: &shown,
                require: Strength::HostRelayed,
            },
            json!({}),
            Timestamp::from_unix(1_000),
        )
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_unix(second)
    }

    #[test]
    fn the_published_vector() {
        // RFC 4231, test case 2 has a shorter key: padded with zeros it is the same.
        let mut key = [0; 32];
        key[..4].copy_from_slice(b"Jefe");
        assert_eq!(
            hex(&mac(&key, b"what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }

    #[test]
    fn a_handle_comes_back_whole_or_not_at_all() {
        let handle = Handle::new(&asked(), at(1_000), &[1; 16]);
        let sealed = handle.seal(&KEY);
        assert_eq!(Handle::open(&sealed, &KEY, at(1_100)), Ok(handle));
        let code = |text: &str, key, now| Handle::open(text, key, at(now)).unwrap_err().code;
        assert_eq!(code(&sealed, &[8; 32], 1_100), "handle_invalid");
        assert_eq!(
            code(&sealed, &KEY, 1_000 + HANDLE_SECONDS),
            "handle_invalid"
        );
        assert_eq!(code(&sealed, &KEY, 999), "handle_invalid");
        for text in ["", "lyh1.", "lyh1.00.00", &"x".repeat(10_000)] {
            assert_eq!(code(text, &KEY, 1_100), "handle_invalid");
        }
        for at in 0..sealed.len() {
            let mut altered = sealed.clone().into_bytes();
            altered[at] = if altered[at] == b'0' { b'1' } else { b'0' };
            let altered = String::from_utf8(altered).unwrap();
            assert_eq!(code(&altered, &KEY, 1_100), "handle_invalid", "{at}");
        }
    }

    #[test]
    fn it_is_bound_to_call_and_question() {
        let first = asked();
        let handle = Handle::new(&first, at(0), &[1; 16]);
        assert!(handle.fits("fake", &json!({"a": 1})).is_ok());
        for (name, arguments) in [("fake", json!({"a": 2})), ("other", json!({"a": 1}))] {
            assert!(handle.fits(name, &arguments).is_err());
        }
        assert!(handle.answers(&first));
        let other = Request {
            shown_sha256: Sha256::of(b"other"),
            ..first
        };
        assert!(!handle.answers(&other));
    }
}
