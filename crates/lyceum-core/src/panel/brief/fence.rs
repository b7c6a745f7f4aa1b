//! The fence around text from outside: a marker that nobody could know when the text was written, and lines that cannot be
//! imitated inside.

use crate::base::{Sha256, hex};

/// Hexadecimal digits of a marker.
const DIGITS: usize = 32;

/// A marker of this brief.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fence(String);

impl Fence {
    /// A marker from random bytes that occurs in none of the texts.
    pub(super) fn new(random: &[u8; 32], texts: &[&str]) -> Self {
        let mut seed = Sha256::of(format!("lyceum fence\n{}", hex(random)).as_bytes());
        loop {
            let marker: String = seed.as_str().chars().take(DIGITS).collect();
            if !texts.iter().any(|text| text.contains(&marker)) {
                return Self(marker);
            }
            // Each text holds finitely many strings of 32 digits, and the seeds never repeat in practice.
            seed = Sha256::of(seed.as_str().as_bytes());
        }
    }

    pub(super) fn marker(&self) -> &str {
        &self.0
    }

    /// The line that opens a piece.
    pub(super) fn open(&self, what: &str) -> String {
        format!("<<<BEGIN {} {}>>>", self.0, line(what))
    }

    /// The line that closes it.
    pub(super) fn close(&self) -> String {
        format!("<<<END {}>>>", self.0)
    }

    /// A text between the two lines. Its bytes are kept, control characters excepted; one line end is added when it has
    /// none at its end.
    pub(super) fn around(&self, what: &str, text: &str) -> String {
        let shown = visible(text);
        let end = if shown.ends_with('\n') { "" } else { "\n" };
        format!("{}\n{shown}{end}{}\n", self.open(what), self.close())
    }
}

/// True for a character that could steer a terminal.
fn steers(c: char) -> bool {
    c.is_control() && c != '\n' && c != '\t'
}

/// True when some character of a text is shown as a picture.
pub(super) fn has_controls(text: &str) -> bool {
    text.chars().any(steers)
}

/// A text with its control characters as pictures, so that reading it does nothing to a terminal.
pub(super) fn visible(text: &str) -> std::borrow::Cow<'_, str> {
    if !has_controls(text) {
        return std::borrow::Cow::Borrowed(text);
    }
    let picture = |c: char| match u32::from(c) {
        code @ 0..=0x1f => char::from_u32(0x2400 + code).unwrap_or('\u{fffd}'),
        0x7f => '\u{2421}',
        _ => '\u{fffd}',
    };
    std::borrow::Cow::Owned(
        text.chars()
            .map(|c| if steers(c) { picture(c) } else { c })
            .collect(),
    )
}

/// A text as one line: white space collapsed, control characters as pictures.
pub(super) fn line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    visible(&words.join(" ")).into_owned()
}
