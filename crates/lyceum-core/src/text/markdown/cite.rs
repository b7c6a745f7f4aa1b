//! Citation keys and brackets by pandoc's rules, and what sets cross references and Manubot's keys apart.

use std::ops::Range;

/// Prefixes of keys that Manubot resolves by itself.
const MANUBOT: &[&str] = &[
    "doi",
    "pmid",
    "pmcid",
    "pubmed",
    "pmc",
    "arxiv",
    "isbn",
    "url",
    "http",
    "https",
    "wikidata",
    "tag",
    "raw",
    "shortdoi",
    "clinicaltrials",
    "biorxiv",
];

/// Prefixes of labels in pandoc-crossref and pandoc-xnos, before `:`.
const CROSSREF: &[&str] = &["fig", "tbl", "tab", "eq", "eqn", "sec", "lst", "thm", "alg"];

/// Prefixes of labels in Quarto, before `-`.
const QUARTO: &[&str] = &[
    "fig", "tbl", "eq", "sec", "lst", "thm", "lem", "cor", "prp", "cnj", "def", "exm", "exr",
    "sol", "rem", "alg", "tip", "nte", "wrn", "imp", "cau", "supptbl", "suppfig",
];

/// True for a key that Manubot resolves without a bibliography: `doi:10.1/x`, `pmid:1`, `url:https://…`.
#[must_use]
pub fn is_manubot_key(key: &str) -> bool {
    key.split_once(':').is_some_and(|(prefix, rest)| {
        !rest.is_empty() && MANUBOT.contains(&prefix.to_ascii_lowercase().as_str())
    })
}

/// True for a key that names a figure, table, formula, section or listing of the text itself.
pub(super) fn is_cross_reference(key: &str) -> bool {
    let named = |mark: char, prefixes: &[&str]| {
        key.split_once(mark).is_some_and(|(prefix, rest)| {
            !rest.is_empty() && prefixes.contains(&prefix.to_ascii_lowercase().as_str())
        })
    };
    named(':', CROSSREF) || named('-', QUARTO)
}

/// Reads the key of the `@` at `at` by pandoc's rules; returns the key's range and the offset behind it.
pub(super) fn key(text: &str, at: usize) -> Option<(Range<usize>, usize)> {
    let start = at + 1;
    let rest = text.get(start..)?;
    if rest.starts_with('{') {
        let length = rest
            .bytes()
            .enumerate()
            .take(2_000)
            .position(|(i, b)| i > 0 && matches!(b, b'{' | b'}' | b'\n'))?;
        let ends = rest.as_bytes().get(length) == Some(&b'}') && length > 1;
        return ends.then_some((start + 1..start + length, start + length + 1));
    }
    let mut chars = rest.char_indices().peekable();
    let (_, first) = chars.next()?;
    if !is_word(first) {
        return None;
    }
    let mut end = start + first.len_utf8();
    while let Some((i, c)) = chars.next() {
        let after = chars.peek().map(|&(_, c)| c);
        let inner = matches!(
            c,
            ':' | '.' | '#' | '$' | '%' | '&' | '-' | '+' | '?' | '<' | '>' | '~' | '/'
        );
        let goes_on = is_word(c)
            || inner && after.is_some_and(is_word)
            || matches!(c, ':' | '/') && after == Some('/');
        if !goes_on {
            break;
        }
        end = start + i + c.len_utf8();
    }
    // `https:/` and kin: a slash that was taken only because another one followed.
    Some((start..end, end))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// True when the `@` at `at` may open a key: no word and no backslash before it.
pub(super) fn may_open(text: &str, at: usize) -> bool {
    text.get(..at).is_some_and(|before| {
        before
            .chars()
            .next_back()
            .is_none_or(|c| !c.is_alphanumeric() && c != '\\')
    })
}

/// The keys of a bracket whose content is `range`: one in each part between semicolons, or it is no citation. The
/// flag says that the author is suppressed (`-@key`).
pub(super) fn bracket(text: &str, range: Range<usize>) -> Option<Vec<(Range<usize>, bool)>> {
    let mut keys = Vec::new();
    let mut at = range.start;
    let mut found: Option<(Range<usize>, bool)> = None;
    while at < range.end {
        let c = text.get(at..range.end)?.chars().next()?;
        match c {
            '\\' => at += 1 + text.get(at + 1..)?.chars().next().map_or(0, char::len_utf8),
            ';' => {
                keys.push(found.take()?);
                at += 1;
            }
            '@' if may_open(text, at) => match key(text, at) {
                Some((name, end)) if end <= range.end => {
                    let suppressed = text.get(..at).is_some_and(|before| before.ends_with('-'));
                    // A second key without a semicolon between is part of the suffix, but it is cited all the same.
                    if let Some(first) = found.replace((name, suppressed)) {
                        keys.push(first);
                    }
                    at = end;
                }
                _ => at += 1,
            },
            _ => at += c.len_utf8(),
        }
    }
    match found {
        Some(last) => keys.push(last),
        // A semicolon at the end is forgiven.
        None if !keys.is_empty() && text.get(range)?.trim_end().ends_with(';') => {}
        None => return None,
    }
    Some(keys)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<&str> {
        key(text, 0).map(|(range, _)| &text[range])
    }

    #[test]
    fn keys_follow_pandoc() {
        for (text, expected) in [
            ("@smith2020.", "smith2020"),
            ("@smith2020: text", "smith2020"),
            (
                "@a:b.c#d$e%f&g-h+i?j<k>l~m/n,",
                "a:b.c#d$e%f&g-h+i?j<k>l~m/n",
            ),
            ("@url:https://a.b/c_d/;", "url:https://a.b/c_d"),
            ("@{url:https://a.b/c/?x=1}", "url:https://a.b/c/?x=1"),
            ("@doi:10.7717/peerj.705]", "doi:10.7717/peerj.705"),
            ("@Müller_1999's", "Müller_1999"),
        ] {
            assert_eq!(read(text), Some(expected), "{text}");
        }
        for text in ["@", "@ a", "@.a", "@{", "@{}", "@{a\n}", "@{{a}}"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn brackets_need_a_key_in_each_part() {
        let names = |text: &str| {
            bracket(text, 0..text.len()).map(|keys| {
                keys.into_iter()
                    .map(|(range, suppressed)| (text[range].to_owned(), suppressed))
                    .collect::<Vec<_>>()
            })
        };
        let pair = |name: &str, suppressed| (name.to_owned(), suppressed);
        assert_eq!(
            names("see @a, p. 3; and -@b, *passim*"),
            Some(vec![pair("a", false), pair("b", true)])
        );
        assert_eq!(names("me@example.org"), None);
        assert_eq!(names("@a; none"), None);
        assert_eq!(names(r"\@a"), None);
        assert_eq!(names("plain"), None);
    }

    #[test]
    fn kinds_of_keys_are_told_apart() {
        assert!(
            is_manubot_key("doi:10.1/x") && is_manubot_key("PMID:1") && is_manubot_key("tag:x")
        );
        assert!(!is_manubot_key("smith:2020") && !is_manubot_key("doi:") && !is_manubot_key("doi"));
        assert!(
            is_cross_reference("fig:x")
                && is_cross_reference("Sec:x")
                && is_cross_reference("tbl-x")
        );
        assert!(
            !is_cross_reference("figure")
                && !is_cross_reference("fig:")
                && !is_cross_reference("smith-fig")
        );
    }
}
