//! Finding one's way in a bibliography file: where entries can begin, which braces match.

/// Longest word after `@`, and longest key, by which a line is known to begin an entry.
const WORD: usize = 64;
const KEY: usize = 256;

/// The next line start at or after `from` that begins an entry; `indented` lines count too when asked for.
pub(super) fn next_start(bytes: &[u8], from: usize, indented: bool) -> usize {
    let mut at = from;
    loop {
        if at == 0 || bytes.get(at - 1) == Some(&b'\n') {
            let first = if indented { skip_blank(bytes, at) } else { at };
            if begins_entry(bytes, first) {
                return first;
            }
        }
        match find(bytes, at, b'\n') {
            Some(end) => at = end + 1,
            None => return bytes.len(),
        }
    }
}

/// True when `@word{key,` or a `@string`, `@preamble` or `@comment` stands at `at`.
pub(super) fn begins_entry(bytes: &[u8], at: usize) -> bool {
    if bytes.get(at) != Some(&b'@') {
        return false;
    }
    let word = at + 1;
    let mut end = word;
    while end - word < WORD && bytes.get(end).is_some_and(u8::is_ascii_alphanumeric) {
        end += 1;
    }
    if !bytes.get(word).is_some_and(u8::is_ascii_alphabetic) {
        return false;
    }
    let open = skip_space(bytes, end, end + WORD);
    if !matches!(bytes.get(open), Some(b'{' | b'(')) {
        return false;
    }
    let name = bytes.get(word..end).unwrap_or_default();
    if is_special(name) {
        return true;
    }
    let key = skip_space(bytes, open + 1, open + WORD);
    bytes
        .iter()
        .skip(key)
        .take(KEY)
        .take_while(|&&b| b != b'\n')
        .find(|&&b| matches!(b, b',' | b'{' | b'}' | b'"' | b'=' | b'\\'))
        .is_none_or(|&b| matches!(b, b',' | b'}' | b'='))
}

/// True for the words after `@` that open no entry.
pub(super) fn is_special(name: &[u8]) -> bool {
    [&b"comment"[..], b"string", b"preamble"]
        .iter()
        .any(|word| name.eq_ignore_ascii_case(word))
}

/// The first offset at or after `at`, below `end`, that is no white space.
pub(super) fn skip_space(bytes: &[u8], at: usize, end: usize) -> usize {
    let end = end.min(bytes.len());
    let mut at = at;
    while at < end && bytes[at].is_ascii_whitespace() {
        at += 1;
    }
    at
}

/// Like [`skip_space`], but over comments to the end of the line too, as Biber reads them.
pub(super) fn skip_blank_and_comments(bytes: &[u8], at: usize, end: usize) -> usize {
    let end = end.min(bytes.len());
    let mut at = skip_space(bytes, at, end);
    while at < end && bytes[at] == b'%' {
        at = find(bytes, at, b'\n').map_or(end, |line_end| line_end.min(end));
        at = skip_space(bytes, at, end);
    }
    at
}

/// The closing brace for the opening one at `open`, below `end`.
pub(super) fn braced(bytes: &[u8], open: usize, end: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (i, &b) in bytes.get(open..end)?.iter().enumerate() {
        match b {
            b'{' => depth += 1,
            b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(open + i);
                }
            }
            _ => {}
        }
    }
    None
}

/// The first `wanted` at or after `from`.
pub(super) fn find(bytes: &[u8], from: usize, wanted: u8) -> Option<usize> {
    let found = bytes.get(from..)?.iter().position(|&b| b == wanted)?;
    Some(from + found)
}

fn skip_blank(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    while matches!(bytes.get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    at
}

/// Closing braces and brackets of a whole file, worked out once, for blocks whose content is not read.
#[derive(Debug)]
pub(super) struct Matches(Vec<(usize, usize)>);

impl Matches {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut open = Vec::new();
        let mut pairs = Vec::new();
        for (i, &b) in bytes.iter().enumerate() {
            match b {
                b'{' => open.push(i),
                b'}' => {
                    if let Some(start) = open.pop() {
                        pairs.push((start, i));
                    }
                }
                _ => {}
            }
        }
        pairs.sort_unstable();
        Self(pairs)
    }

    pub(super) fn close(&self, open: usize) -> Option<usize> {
        let i = self.0.binary_search_by_key(&open, |pair| pair.0).ok()?;
        Some(self.0[i].1)
    }
}
