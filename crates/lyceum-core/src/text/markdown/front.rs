//! The metadata at the head of a text: YAML between `---` lines, TOML between `+++` lines.
//!
//! Only as much of either language as manuscripts use: top-level keys with scalars, quoted or not, block scalars,
//! lists in brackets or with dashes. Everything else keeps its raw text.

use std::ops::Range;

/// One top-level key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    /// The key, without quotes.
    pub(super) key: String,
    /// What stands behind it.
    pub(super) value: Value,
    /// The place of the value.
    pub(super) range: Range<usize>,
}

/// A scalar and its place, without quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Scalar {
    /// The value as it is meant.
    pub(super) text: String,
    /// Its place.
    pub(super) range: Range<usize>,
}

/// The value of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// One scalar.
    Scalar(Scalar),
    /// Lines set apart by `|` or `>`.
    Block,
    /// A list of scalars.
    List(Vec<Scalar>),
    /// Anything deeper.
    Raw,
}

/// Finds the metadata block at the head of the text: its inside and the offset behind it.
pub(super) fn find(text: &str) -> Option<(Range<usize>, usize, bool)> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() {
            break;
        }
        start += line.len();
    }
    let mut lines = text.get(start..)?.split_inclusive('\n');
    let first = lines.next()?;
    let toml = match first.trim_end() {
        "---" => false,
        "+++" => true,
        _ => return None,
    };
    let inside = start + first.len();
    let mut at = inside;
    for line in lines {
        let words = line.trim_end();
        // A rule across the page is followed by a blank line, metadata is not.
        if at == inside && words.is_empty() {
            return None;
        }
        let ends = if toml {
            words == "+++"
        } else {
            words == "---" || words == "..."
        };
        if ends {
            return Some((inside..at, at + line.len(), toml));
        }
        at += line.len();
    }
    None
}

/// Reads the fields of the block under `range`.
pub(super) fn fields(text: &str, range: Range<usize>, toml: bool) -> Vec<Field> {
    let mut found: Vec<Field> = Vec::new();
    let mut at = range.start;
    let mut table = false;
    let mut pending: Option<(String, usize)> = None;
    for line in text.get(range.clone()).unwrap_or("").split_inclusive('\n') {
        let start = at;
        at += line.len();
        if toml && line.starts_with('[') {
            table = true;
        }
        if table {
            continue;
        }
        if let Some((key, from)) = key_of(line, toml) {
            if let Some((key, from)) = pending.take() {
                found.push(field(text, key, from..start));
            }
            pending = Some((key, start + from));
        }
    }
    if let Some((key, from)) = pending {
        found.push(field(text, key, from..range.end));
    }
    found
}

/// The key a line opens and where its value starts in the line.
fn key_of(line: &str, toml: bool) -> Option<(String, usize)> {
    let first = line.chars().next()?;
    if first.is_whitespace() || matches!(first, '#' | '-' | '[' | '{' | ']' | '}') {
        return None;
    }
    let mark = if toml { '=' } else { ':' };
    let (key, after) = match first {
        '"' | '\'' => {
            let close = line.get(1..)?.find(first)? + 1;
            let rest = line.get(close + 1..)?;
            let gap = rest.find(mark)?;
            if !rest.get(..gap)?.trim().is_empty() {
                return None;
            }
            (line.get(1..close)?, close + 1 + gap + 1)
        }
        _ => {
            let at = line.find(mark)?;
            (line.get(..at)?.trim_end(), at + 1)
        }
    };
    let rest = line.get(after..)?;
    if !toml && !rest.is_empty() && !rest.starts_with(char::is_whitespace) {
        return None;
    }
    (!key.is_empty()).then(|| (key.to_owned(), after))
}

fn field(text: &str, key: String, range: Range<usize>) -> Field {
    let range = trimmed(text, range);
    let source = text.get(range.clone()).unwrap_or("");
    let first_line = source.lines().next().unwrap_or("");
    let whole_line = first_line.len() == source.len();
    let value = if block_mark(first_line) && !whole_line {
        Value::Block
    } else if source.starts_with('[') {
        Value::List(inline_list(text, range.clone()))
    } else if source.starts_with("- ") || source.starts_with("-\n") {
        block_list(text, range.clone())
    } else if source.starts_with('{') || nested(source) {
        Value::Raw
    } else {
        Value::Scalar(scalar(text, range.clone()))
    };
    let range = match &value {
        Value::Scalar(scalar) => scalar.range.clone(),
        Value::Block => {
            let body = range.start + first_line.len();
            trimmed(text, body..range.end)
        }
        _ => range,
    };
    Field { key, value, range }
}

/// True for the first line of a block scalar: `|`, `>-`, `|2`.
fn block_mark(line: &str) -> bool {
    let line = line.split(" #").next().unwrap_or("").trim_end();
    line.starts_with(['|', '>'])
        && line.len() <= 3
        && line
            .chars()
            .skip(1)
            .all(|c| matches!(c, '-' | '+' | '0'..='9'))
}

/// True for a map: its first line is a comment or a key of its own.
fn nested(source: &str) -> bool {
    let quoted = source.starts_with(['"', '\'']);
    !quoted
        && source.contains('\n')
        && source
            .lines()
            .find(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
            .and_then(|line| key_of(line.trim_start(), false))
            .is_some_and(|(key, _)| !key.contains(' '))
}

/// The scalar under `range` without quotes and without a comment behind it.
fn scalar(text: &str, range: Range<usize>) -> Scalar {
    let range = trimmed(text, range);
    let source = text.get(range.clone()).unwrap_or("");
    for (quote, escape) in [('"', "\\\""), ('\'', "''")] {
        if let Some(body) = source.strip_prefix(quote) {
            let end = closing(body, quote);
            let inner = range.start + 1..range.start + 1 + end;
            let words = body
                .get(..end)
                .unwrap_or("")
                .replace(escape, &quote.to_string());
            return Scalar {
                text: collapse(&words),
                range: inner,
            };
        }
    }
    let end = source
        .find(" #")
        .or_else(|| source.starts_with('#').then_some(0))
        .unwrap_or(source.len());
    let range = trimmed(text, range.start..range.start + end);
    Scalar {
        text: collapse(text.get(range.clone()).unwrap_or("")),
        range,
    }
}

/// Where the quoted scalar ends whose inside is `body`.
fn closing(body: &str, quote: char) -> usize {
    let bytes = body.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        if quote == '"' && bytes[i] == b'\\' {
            i += 2;
        } else if bytes[i] == quote as u8 {
            if quote == '\'' && bytes.get(i + 1) == Some(&b'\'') {
                i += 2;
                continue;
            }
            return i;
        } else {
            i += 1;
        }
    }
    body.len()
}

fn collapse(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn inline_list(text: &str, range: Range<usize>) -> Vec<Scalar> {
    let source = text.get(range.clone()).unwrap_or("");
    let end = source.rfind(']').unwrap_or(source.len());
    let mut items = Vec::new();
    let mut start = 1;
    let mut quote = None;
    for (i, c) in source.char_indices().skip(1) {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'')
                && source.get(start..i).is_some_and(|s| s.trim().is_empty()) =>
            {
                quote = Some(c);
            }
            None if c == ',' || i == end => {
                items.push(scalar(text, range.start + start..range.start + i));
                start = i + 1;
            }
            None => {}
        }
        if i >= end {
            break;
        }
    }
    items.retain(|item| !item.text.is_empty());
    items
}

/// A list with dashes; raw when an item is itself a list or a map.
fn block_list(text: &str, range: Range<usize>) -> Value {
    let mut items = Vec::new();
    let mut at = range.start;
    for line in text.get(range.clone()).unwrap_or("").split_inclusive('\n') {
        let start = at;
        at += line.len();
        let indent = line.len() - line.trim_start().len();
        let Some(body) = line.trim_start().strip_prefix('-') else {
            if line.trim().is_empty() || line.trim_start().starts_with('#') {
                continue;
            }
            return Value::Raw;
        };
        let quoted = body.trim_start().starts_with(['"', '\'']);
        if !quoted && key_of(body.trim_start(), false).is_some_and(|(key, _)| !key.contains(' ')) {
            return Value::Raw;
        }
        items.push(scalar(text, start + indent + 1..at));
    }
    items.retain(|item| !item.text.is_empty());
    Value::List(items)
}

/// The range without white space at its ends.
pub(in crate::text) fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let source = text.get(range.clone()).unwrap_or("");
    let start = range.start + (source.len() - source.trim_start().len());
    start..start + source.trim().len()
}

/// The values of `name:` keys inside a raw value, as YAML lists of authors and affiliations have them.
pub(super) fn names(text: &str, range: Range<usize>) -> Vec<Scalar> {
    let mut found = Vec::new();
    let mut at = range.start;
    for line in text.get(range.clone()).unwrap_or("").split_inclusive('\n') {
        let start = at;
        at += line.len();
        let body = line.trim_start_matches([' ', '\t', '-']);
        let skipped = line.len() - body.len();
        if let Some(value) = body.strip_prefix("name:") {
            let from = start + skipped + (body.len() - value.len());
            let name = scalar(text, from..at);
            if !name.text.is_empty() {
                found.push(name);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Field> {
        let (range, _, toml) = find(text).unwrap();
        fields(text, range, toml)
    }

    #[test]
    fn scalars_lists_and_blocks_are_read() {
        let text = "---\n# note\ntitle: 'It''s: a \"title\"'\ndate: 1 May # today\nbibliography:\n  - a.bib\n  - \"b.bib\"\n\
                    tags: [x, 'y, z']\nauthors:\n  - name: A\n    id: 1\nabstract: |\n  One\n\n  two.\nempty:\n---\nbody\n";
        let all = read(text);
        let get = |key: &str| all.iter().find(|field| field.key == key).unwrap();
        assert!(matches!(&get("title").value, Value::Scalar(s) if s.text == "It's: a \"title\""));
        assert!(
            matches!(&get("date").value, Value::Scalar(s) if s.text == "1 May" && &text[s.range.clone()] == "1 May")
        );
        let list = |key: &str| match &get(key).value {
            Value::List(items) => items
                .iter()
                .map(|item| item.text.clone())
                .collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        };
        assert_eq!(list("bibliography"), ["a.bib", "b.bib"]);
        assert_eq!(list("tags"), ["x", "y, z"]);
        assert_eq!(get("authors").value, Value::Raw);
        assert_eq!(names(text, get("authors").range.clone())[0].text, "A");
        assert_eq!(get("abstract").value, Value::Block);
        assert_eq!(&text[get("abstract").range.clone()], "One\n\n  two.");
        assert_eq!(all.len(), 7);
    }

    #[test]
    fn toml_is_read_and_other_heads_are_not_metadata() {
        let all = read(
            "+++\ntitle = \"A = b\"\nbibliography = [\"x.bib\"]\n[extra]\ntitle = \"no\"\n+++\n",
        );
        assert_eq!(all.len(), 2);
        assert!(matches!(&all[0].value, Value::Scalar(s) if s.text == "A = b"));
        for text in [
            "---\n\ntext\n---\n",
            "---\ntitle: x\n",
            "text\n---\na: b\n---\n",
            "",
        ] {
            assert!(find(text).is_none(), "{text}");
        }
    }
}
