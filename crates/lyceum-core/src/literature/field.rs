//! What a reader sees of a field's value.

use crate::text::tex_to_text;

/// The readable text of a field. Addresses and identifiers keep every character but the escapes BibTeX files need.
pub(super) fn field_text(name: &str, raw: &str) -> String {
    if is_verbatim(name) {
        verbatim(raw)
    } else {
        let text = tex_to_text(raw);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

fn is_verbatim(name: &str) -> bool {
    matches!(
        name,
        "doi"
            | "url"
            | "urlraw"
            | "eprint"
            | "arxivid"
            | "file"
            | "pdf"
            | "verba"
            | "verbb"
            | "verbc"
            | "bdsk-url-1"
    )
}

/// Cuts braces, `\url{…}` and the backslashes of escaped characters.
fn verbatim(raw: &str) -> String {
    let raw = raw.trim();
    let inner = raw
        .strip_prefix("\\url{")
        .or_else(|| raw.strip_prefix("\\href{"))
        .and_then(|rest| rest.split_once('}'))
        .map_or(raw, |(inner, _)| inner);
    let plain = inner
        .replace("\\textunderscore", "_")
        .replace("\\textasciitilde", "~")
        .replace("$\\sim$", "~");
    let mut out = String::with_capacity(plain.len());
    let mut chars = plain.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '{' | '}' => {}
            '\\' => {
                if let Some(&next) = chars.peek()
                    && !matches!(next, '_' | '%' | '&' | '#' | '$' | '~' | '{' | '}')
                {
                    out.push(c);
                }
            }
            _ => out.push(c),
        }
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}
