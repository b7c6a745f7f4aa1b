//! A brief in pages: a cursor names the dispatch, by its token and the hash of its brief, and a place in the text.

use crate::base::{Refusal, Sha256};

/// Most bytes of the text of a page as it stands in JSON.
pub const PAGE_BYTES: usize = 6_900;

/// Where the next page begins. It carries the token, which is nowhere on disk, so that every page of a dispatch gives
/// the same one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The token of the dispatch.
    pub token: String,
    /// The hash of the whole brief.
    pub sha256: Sha256,
    /// The offset in bytes.
    pub at: usize,
}

impl Cursor {
    /// The word for it: `<offset>.<hash of the brief>.<token>`.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{}.{}.{}", self.at, self.sha256, self.token)
    }

    /// Reads the word.
    ///
    /// # Errors
    /// `invalid_cursor`.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let mut parts = text.splitn(3, '.');
        let mut part = || parts.next().unwrap_or("");
        let (at, sha256, token) = (part(), part(), part());
        match (at.parse(), Sha256::parse(sha256), token.len()) {
            (Ok(at), Some(sha256), 1..=100) => Ok(Self {
                token: token.to_owned(),
                sha256,
                at,
            }),
            _ => Err(invalid_cursor()),
        }
    }
}

/// A cursor that belongs to no brief that holds now.
#[must_use]
pub fn invalid_cursor() -> Refusal {
    Refusal::new(
        "invalid_cursor",
        "the cursor is not one of the last brief of this seat",
        "Ask for the brief without a cursor; that gives a new token, and the old one no longer counts.",
    )
    .in_chinese(
        "该游标不属于此席位最近一次的任务书",
        "请不带游标重新获取任务书；届时会发放新令牌，旧令牌失效。",
    )
}

/// A page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<'a> {
    /// Its text.
    pub text: &'a str,
    /// Where the next one begins, when there is one.
    pub next: Option<usize>,
    /// Bytes behind this page.
    pub remaining: usize,
}

/// The page that begins at an offset; `None` for an offset that is none.
#[must_use]
pub fn page(brief: &str, at: usize, most: usize) -> Option<Page<'_>> {
    let rest = brief.get(at..)?;
    if rest.is_empty() && at > 0 {
        return None;
    }
    let mut bytes = 0;
    let mut end = rest.len();
    for (i, c) in rest.char_indices() {
        bytes += in_json(c);
        if bytes > most && i > 0 {
            end = i;
            break;
        }
    }
    // Between lines, where that costs less than half a page.
    if end < rest.len() {
        let window = rest.get(..end).unwrap_or(rest);
        end = match window.rfind('\n') {
            Some(line) if line + 1 > end / 2 => line + 1,
            _ => end,
        };
    }
    let remaining = rest.len() - end;
    Some(Page {
        text: rest.get(..end).unwrap_or(rest),
        next: (remaining > 0).then_some(at + end),
        remaining,
    })
}

/// The bytes a character takes in a JSON string.
const fn in_json(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        c => c.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_put_together_are_the_brief() {
        let text = "Zeile eins\n\n\"quoted\"\ttext 中文 \u{1f600}\\\n".repeat(700);
        let (mut at, mut all, mut pages) = (0, String::new(), 0);
        loop {
            let page = page(&text, at, PAGE_BYTES).unwrap();
            assert!(serde_json::to_string(page.text).unwrap().len() <= PAGE_BYTES + 2);
            all.push_str(page.text);
            pages += 1;
            match page.next {
                Some(next) => at = next,
                None => break,
            }
        }
        assert_eq!(all, text);
        assert!(pages > 3);
        assert_eq!(page("", 0, 10).unwrap().text, "");
        assert!(page("abc", 3, 10).is_none());
        assert!(page("abc", 9, 10).is_none());
        assert!(page("中文", 1, 10).is_none());
        assert_eq!(page("中文", 0, 1).unwrap().text, "中");
    }

    #[test]
    fn a_cursor_is_read_as_it_is_written() {
        let cursor = Cursor {
            token: "seat-00".to_owned(),
            sha256: Sha256::of(b"x"),
            at: 17,
        };
        assert_eq!(Cursor::parse(&cursor.text()).unwrap(), cursor);
        for wrong in ["", "17", "17.abc.seat-00", "-1.x.y", &"9".repeat(200)] {
            assert_eq!(Cursor::parse(wrong).unwrap_err().code, "invalid_cursor");
        }
    }
}
