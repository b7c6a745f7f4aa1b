//! What is left of an aggregate that was removed: which it was and when, by hashes; none of its text.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::types::{Commit, Event};
use crate::base::{Refusal, Sha256, Timestamp};

/// The id of the one aggregate of receipts.
pub const RECEIPTS: &str = "receipts";

/// A receipt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// The area, such as `review`.
    pub kind: String,
    /// The id.
    pub id: String,
    /// When it was removed.
    pub purged_at: Timestamp,
    /// The hash of its state file.
    pub state_sha256: Sha256,
    /// The hash of the last line of its journal.
    pub journal_head: Option<Sha256>,
    /// The hashes of what it was about, such as the pinned paper.
    #[serde(default)]
    pub about: Vec<Sha256>,
    /// Unknown fields, kept.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

#[derive(Serialize, Deserialize)]
struct File {
    schema_version: String,
    receipts: Vec<Receipt>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// The receipts with one more; the same one twice is once.
///
/// # Errors
/// `receipts_unreadable` when the file is there and is not ours to extend.
pub fn receipt(present: Option<&[u8]>, receipt: &Receipt) -> Result<Commit, Refusal> {
    let mut file = match present {
        None => File {
            schema_version: "1".to_owned(),
            receipts: Vec::new(),
            rest: Map::new(),
        },
        Some(bytes) => read(bytes)?,
    };
    let same = |one: &Receipt| {
        (&one.kind, &one.id, &one.state_sha256)
            == (&receipt.kind, &receipt.id, &receipt.state_sha256)
    };
    let mut events = Vec::new();
    if !file.receipts.iter().any(same) {
        file.receipts.push(receipt.clone());
        events.push(Event::new("purged", json!(receipt)));
    }
    let mut state = serde_json::to_vec_pretty(&file).unwrap_or_default();
    state.push(b'\n');
    Ok(Commit {
        state,
        events,
        ..Commit::default()
    })
}

fn read(bytes: &[u8]) -> Result<File, Refusal> {
    let wrong = |what: String| {
        Refusal::new(
            "receipts_unreadable",
            format!("the list of receipts cannot be extended: {what}"),
            "Move .lyceum/receipts.json and its journal away, and keep them.",
        )
        .in_chinese(
            format!("无法在收据列表中添加记录：{what}"),
            "请将 .lyceum/receipts.json 及其日志移到别处保存。",
        )
    };
    let file: File = serde_json::from_slice(bytes).map_err(|error| wrong(error.to_string()))?;
    if file.schema_version == "1" {
        Ok(file)
    } else {
        Err(wrong(format!("schema version {:?}", file.schema_version)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(id: &str) -> Receipt {
        Receipt {
            kind: "review".to_owned(),
            id: id.to_owned(),
            purged_at: Timestamp::from_unix(1_764_547_200),
            state_sha256: Sha256::of(id.as_bytes()),
            journal_head: None,
            about: Vec::new(),
            rest: Map::new(),
        }
    }

    #[test]
    fn receipts_add_up_and_one_counts_once() {
        let first = receipt(None, &one("a")).unwrap();
        let second = receipt(Some(&first.state), &one("b")).unwrap();
        assert_eq!(read(&second.state).unwrap().receipts.len(), 2);
        let again = receipt(Some(&second.state), &one("a")).unwrap();
        assert_eq!((again.events.len(), again.state), (0, second.state));
    }

    #[test]
    fn what_is_not_ours_is_not_extended() {
        for bytes in ["{", "{\"schema_version\": \"2\", \"receipts\": []}", "[]"] {
            let refusal = receipt(Some(bytes.as_bytes()), &one("a")).unwrap_err();
            assert_eq!(refusal.code, "receipts_unreadable");
        }
    }
}
