//! Places in LaTeX and Markdown sources that hold words no page shows, and that are no comments: titles of links,
//! replacement text, metadata of the PDF, invisible print, phantoms.
//!
//! Looks at the raw source, so it also sees what a reader of the format passes over.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// Words that a source carries past the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carrier {
    /// Where the words stand.
    pub range: Range<usize>,
    /// True when nobody sees them; false for what a viewer shows on request, such as the title of a link.
    pub unseen: bool,
}

static MARKUP: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r#"(?im)^ {0,3}\[[^\]\n]{1,200}\]:[ \t]*\S+[ \t]+(?:"(?P<a>[^"\n]+)"|\((?P<b>[^()\n]+)\)|'(?P<c>[^'\n]+)')[ \t]*$|\]\([^()\s]*[ \t]+"(?P<d>[^"\n]+)"\)|\b(?:alt|title|aria-label|content)[ \t]*=[ \t]*"(?P<e>[^"\n]+)""#,
    )
});
static ACTUAL: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"(?P<unseen>\bActualText[ \t]*=?[ \t]*[{(]|\btext[ \t]+opacity[ \t]*=[ \t]*0(?:\.0+)?[ \t]*[],]|[\[,][ \t]*opacity[ \t]*=[ \t]*0(?:\.0+)?[ \t]*[],]|\\[hv]?phantom[ \t]*\{|\\(?:text)?transparent[ \t]*\{[ \t]*0(?:\.0+)?[ \t]*\}|\b[37][ \t]+Tr[ \t]*\})|\bpdf(?:keywords|subject|title|author)[ \t]*=[ \t]*\{|\b[Aa]lt[ \t]*=[ \t]*\{|\\pdfinfo[ \t]*\{",
    )
});

/// The longest run of words taken from one carrier, in bytes.
const LONGEST: usize = 2_000;

/// The carriers of a Markdown or HTML source.
#[must_use]
pub fn markup_carriers(text: &str) -> Vec<Carrier> {
    MARKUP
        .captures_iter(text)
        .filter_map(|found| {
            let words = ["a", "b", "c", "d", "e"]
                .iter()
                .find_map(|name| found.name(name))?;
            Some(Carrier {
                range: words.range(),
                unseen: false,
            })
        })
        .collect()
}

/// The carriers of a LaTeX source.
#[must_use]
pub fn tex_carriers(text: &str) -> Vec<Carrier> {
    let mut seen = 0;
    ACTUAL
        .captures_iter(text)
        .filter_map(|found| {
            let whole = found.get(0)?;
            // What stands inside another carrier has been taken with it.
            if whole.start() < seen {
                return None;
            }
            let rest = window(text, whole.end());
            let range = if whole.as_str().contains("Tr") {
                // Print is invisible from here to the next literal.
                0..rest.find("\\pdfliteral").unwrap_or(rest.len())
            } else if whole.as_str().ends_with(['{', '(']) {
                0..closing(rest)
            } else {
                let open = rest.find('{').filter(|at| *at < 300)? + 1;
                open..open + closing(rest.get(open..)?)
            };
            seen = whole.end() + range.end;
            Some(Carrier {
                range: whole.end() + range.start..whole.end() + range.end,
                unseen: found.name("unseen").is_some(),
            })
        })
        .collect()
}

fn window(text: &str, start: usize) -> &str {
    let mut end = (start + LONGEST).min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[start..end]
}

/// Where the group that is open at the start of `rest` closes.
fn closing(rest: &str) -> usize {
    let mut depth = 0_usize;
    for (i, b) in rest.bytes().enumerate() {
        match b {
            b'{' | b'(' => depth += 1,
            b'}' | b')' if depth == 0 => return i,
            b'}' | b')' => depth -= 1,
            _ => {}
        }
    }
    rest.len()
}

fn compile(source: &str) -> Regex {
    #[expect(
        clippy::expect_used,
        reason = "literal patterns, compiled by every test"
    )]
    Regex::new(source).expect("pattern")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, found: Vec<Carrier>) -> Vec<String> {
        found
            .into_iter()
            .map(|one| text[one.range].to_owned())
            .collect()
    }

    #[test]
    fn titles_and_definitions_of_markup() {
        let text = "[//]: # (one two)\n\n[f](a.png \"three\") <img alt=\"four\">\n\n[x]: y \"five\"\n\nA [b](c) (d).";
        assert_eq!(
            words(text, markup_carriers(text)),
            ["one two", "three", "four", "five"]
        );
    }

    #[test]
    fn carriers_of_tex() {
        let text = r"\BeginAccSupp{method=plain,ActualText={one (a) two}}. \node[opacity=0]{three}; \phantom{four}
            \pdfliteral direct {3 Tr}five\pdfliteral direct {0 Tr} \hypersetup{pdfkeywords={six}} \node[opacity=0.5]{no};";
        assert_eq!(
            words(text, tex_carriers(text)),
            ["one (a) two", "three", "four", "five", "six"]
        );
    }

    #[test]
    fn hostile_repetition_ends() {
        let text = r"\phantom{".repeat(20_000);
        assert!(tex_carriers(&text).len() < 200);
    }
}
