//! Names of people as BibTeX splits them.

/// One name, TeX markup kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name {
    /// Family name without its prefix.
    pub family: String,
    /// Given names.
    pub given: String,
    /// `von`, `de la` and kin.
    pub prefix: String,
    /// `Jr.` and kin.
    pub suffix: String,
    /// True when the whole name stands in braces: an organisation, or a name kept whole.
    pub literal: bool,
}

/// Splits a list of names at `and` and each name into its parts. `and others` yields no name.
#[must_use]
pub fn parse_names(list: &str) -> Vec<Name> {
    split_names(list)
        .into_iter()
        .filter(|name| *name != "others")
        .map(parse_name)
        .filter(|name| *name != Name::default())
        .collect()
}

/// Splits a list of names at every `and` outside of braces.
#[must_use]
pub fn split_names(list: &str) -> Vec<&str> {
    let words = words_at_depth_zero(list);
    let mut names = Vec::new();
    let mut first: Option<usize> = None;
    let mut end = 0;
    for (i, &(start, stop)) in words.iter().enumerate() {
        let word = list.get(start..stop).unwrap_or("");
        let parts_names = word.eq_ignore_ascii_case("and") && i + 1 < words.len();
        match first {
            Some(begun) if parts_names => {
                names.extend(list.get(begun..end));
                first = None;
            }
            Some(_) => {}
            None => first = Some(start),
        }
        end = stop;
    }
    if let Some(begun) = first {
        names.extend(list.get(begun..end));
    }
    names
}

/// Byte ranges of the words between white space outside of braces.
fn words_at_depth_zero(list: &str) -> Vec<(usize, usize)> {
    let mut words = Vec::new();
    let mut start = None;
    let mut depth = 0_usize;
    for (i, b) in list.bytes().enumerate() {
        match b {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && b.is_ascii_whitespace() {
            words.extend(start.take().map(|start| (start, i)));
        } else {
            start.get_or_insert(i);
        }
    }
    words.extend(start.map(|start| (start, list.len())));
    words
}

pub(super) fn parse_name(name: &str) -> Name {
    if let Some(extended) = extended(name) {
        return extended;
    }
    let mut parts = split_parts(name);
    let trailing = |words: &[String]| words.join(" ");
    if parts.len() == 1 {
        let words = parts.pop().unwrap_or_default();
        return first_von_last(&words);
    }
    let head = &parts[0];
    let von = last_lower(head, head.len().saturating_sub(1)).map_or(0, |i| i + 1);
    let given: Vec<String> = match parts.len() {
        2 => parts[1].clone(),
        _ => parts[2..].concat(),
    };
    Name {
        prefix: trailing(&head[..von]),
        family: trailing(&head[von..]),
        given: trailing(&given),
        suffix: if parts.len() > 2 {
            trailing(&parts[1])
        } else {
            String::new()
        },
        literal: false,
    }
}

fn first_von_last(words: &[String]) -> Name {
    let Some(last) = words.len().checked_sub(1) else {
        return Name::default();
    };
    let first_lower = words[..last].iter().position(|word| is_lower(word));
    let (von, family) = match first_lower {
        Some(first) => (first, last_lower(words, last).map_or(first, |i| i + 1)),
        None => (last, last),
    };
    Name {
        given: words[..von].join(" "),
        prefix: words[von..family].join(" "),
        family: words[family..].join(" "),
        suffix: String::new(),
        literal: words.len() == 1 && words[0].starts_with('{') && words[0].ends_with('}'),
    }
}

fn last_lower(words: &[String], end: usize) -> Option<usize> {
    words[..end].iter().rposition(|word| is_lower(word))
}

/// Words of a name, split at commas outside of braces. Braces that do not match are completed around their word.
fn split_parts(name: &str) -> Vec<Vec<String>> {
    let mut parts = vec![Vec::new()];
    let mut word = String::new();
    let (mut depth, mut missing) = (0_usize, 0_usize);
    let finish = |word: &mut String, missing: &mut usize, parts: &mut Vec<Vec<String>>| {
        if !word.is_empty() {
            let whole = "{".repeat(std::mem::take(missing)) + word;
            word.clear();
            if let Some(part) = parts.last_mut() {
                part.push(whole);
            }
        }
    };
    for c in name.chars() {
        match c {
            ',' if depth == 0 => {
                finish(&mut word, &mut missing, &mut parts);
                parts.push(Vec::new());
                continue;
            }
            '~' | ' ' | '\t' | '\n' | '\r' if depth == 0 => {
                finish(&mut word, &mut missing, &mut parts);
                continue;
            }
            '{' => depth += 1,
            '}' if depth == 0 => missing += 1,
            '}' => depth -= 1,
            _ => {}
        }
        word.push(c);
    }
    word.push_str(&"}".repeat(depth));
    finish(&mut word, &mut missing, &mut parts);
    while parts.len() > 1 && parts.last().is_some_and(Vec::is_empty) {
        parts.pop();
    }
    parts
}

/// True for a word BibTeX takes for a part of the prefix: its first letter outside of braces, or in a `{\…}`, is small.
fn is_lower(word: &str) -> bool {
    let mut chars = word.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_alphabetic() {
            return c.is_lowercase();
        }
        if c != '{' {
            continue;
        }
        let special = chars.peek() == Some(&'\\');
        let mut depth = 1;
        let mut command = String::new();
        let mut in_command = false;
        for c in chars.by_ref() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                '\\' => {
                    in_command = true;
                    command.clear();
                    continue;
                }
                _ if special && c.is_alphabetic() && in_command => {
                    command.push(c);
                    continue;
                }
                _ if special && c.is_alphabetic() => return c.is_lowercase(),
                _ => {}
            }
            if in_command {
                in_command = false;
                if matches!(
                    command.as_str(),
                    "aa" | "ae" | "l" | "o" | "oe" | "i" | "j" | "ss"
                ) {
                    return true;
                }
            }
            if depth == 0 {
                break;
            }
        }
    }
    false
}

/// BibLaTeX's extended format: `family=Bar, given=Foo, prefix=van`.
fn extended(name: &str) -> Option<Name> {
    if !name.contains("family") || !name.contains('=') {
        return None;
    }
    let mut out = Name::default();
    for part in name.split(',') {
        let (key, value) = part.split_once('=')?;
        let value = value.trim().trim_matches('"').to_owned();
        match key.trim() {
            "family" => out.family = value,
            "given" => out.given = value,
            "prefix" => out.prefix = value,
            "suffix" => out.suffix = value,
            _ => {}
        }
    }
    (!out.family.is_empty()).then_some(out)
}
