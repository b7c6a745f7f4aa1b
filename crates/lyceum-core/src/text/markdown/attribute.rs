//! Attribute lists as pandoc and Quarto write them: `{#id .class key=value}`.

use std::ops::Range;

/// The longest list that is looked for, in bytes.
const LONGEST: usize = 2_000;

/// What a list says, as byte ranges of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Attributes {
    /// `#id`, without the mark.
    pub(super) id: Option<Range<usize>>,
    /// `.class`, without the point.
    pub(super) classes: Vec<Range<usize>>,
    /// `key=value`, without quotes.
    pub(super) pairs: Vec<(Range<usize>, Range<usize>)>,
    /// `-`: unnumbered.
    pub(super) dash: bool,
}

impl Attributes {
    /// True when one of the classes is `name`.
    pub(super) fn has_class(&self, text: &str, name: &str) -> bool {
        self.classes
            .iter()
            .any(|class| text.get(class.clone()) == Some(name))
    }

    /// The value of a key.
    pub(super) fn value(&self, text: &str, name: &str) -> Option<Range<usize>> {
        self.pairs
            .iter()
            .find(|(key, _)| text.get(key.clone()) == Some(name))
            .map(|(_, value)| value.clone())
    }

    /// True when the list names an id or a class, which no set in a formula does.
    pub(super) fn is_marked(&self) -> bool {
        self.id.is_some() || !self.classes.is_empty()
    }
}

/// Reads the list whose brace opens at `at`, and returns it with the offset behind its closing brace.
pub(super) fn parse(text: &str, at: usize) -> Option<(Attributes, usize)> {
    let bytes = text.as_bytes();
    if bytes.get(at) != Some(&b'{') {
        return None;
    }
    let limit = bytes.len().min(at + LONGEST);
    let mut found = Attributes::default();
    let mut i = at + 1;
    if bytes.get(i) == Some(&b':') {
        i += 1;
    }
    loop {
        i = spaces(bytes, i, limit)?;
        let first = *bytes.get(i).filter(|_| i < limit)?;
        match first {
            b'}' => return Some((found, i + 1)),
            b'#' => {
                let end = word(bytes, i + 1, limit)?;
                found.id = Some(i + 1..end);
                i = end;
            }
            b'.' => {
                let end = word(bytes, i + 1, limit)?;
                found.classes.push(i + 1..end);
                i = end;
            }
            b'=' => {
                let end = word(bytes, i + 1, limit)?;
                found.classes.push(i..end);
                i = end;
            }
            b'-' => {
                found.dash = true;
                i += 1;
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => i = pair(bytes, i, limit, &mut found)?,
            _ => return None,
        }
    }
}

/// Passes over white space, but not over a blank line.
fn spaces(bytes: &[u8], mut i: usize, limit: usize) -> Option<usize> {
    let mut lines = 0;
    while i < limit && bytes[i].is_ascii_whitespace() {
        lines += usize::from(bytes[i] == b'\n');
        if lines > 1 {
            return None;
        }
        i += 1;
    }
    Some(i)
}

/// The end of a word that is not empty.
fn word(bytes: &[u8], start: usize, limit: usize) -> Option<usize> {
    let mut i = start;
    while i < limit && !bytes[i].is_ascii_whitespace() && !matches!(bytes[i], b'}' | b'{') {
        i += 1;
    }
    (i > start).then_some(i)
}

fn pair(bytes: &[u8], start: usize, limit: usize, found: &mut Attributes) -> Option<usize> {
    let mut i = start;
    while i < limit
        && (bytes[i].is_ascii_alphanumeric() || matches!(bytes[i], b'_' | b'-' | b':' | b'.'))
    {
        i += 1;
    }
    if i >= limit || bytes[i] != b'=' {
        return None;
    }
    let key = start..i;
    i += 1;
    let value = match bytes.get(i) {
        Some(&quote @ (b'"' | b'\'')) => {
            let from = i + 1;
            let length = bytes.get(from..limit)?.iter().position(|&b| b == quote)?;
            i = from + length + 1;
            from..from + length
        }
        _ => {
            let end = word(bytes, i, limit)?;
            let value = i..end;
            i = end;
            value
        }
    };
    found.pairs.push((key, value));
    Some(i)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read() {
        let text = "{#fig:x .a .b-c width=50% k=\"two words\" -}tail";
        let (list, end) = parse(text, 0).unwrap();
        assert_eq!(&text[end..], "tail");
        assert_eq!(&text[list.id.clone().unwrap()], "fig:x");
        assert!(list.has_class(text, "a") && list.has_class(text, "b-c") && list.dash);
        assert_eq!(&text[list.value(text, "k").unwrap()], "two words");
    }

    #[test]
    fn other_braces_are_not() {
        for text in [
            "{a, b}", "{1}", "{#", "{.a\n\n}", "{\"x\"}", "{r echo}", "{变}",
        ] {
            assert!(parse(text, 0).is_none(), "{text}");
        }
    }
}
