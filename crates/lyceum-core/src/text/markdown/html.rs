//! HTML tags inside Markdown: reading one, and what it means for a reader.

use std::ops::Range;

use crate::text::model::HiddenKind;

/// The longest tag that is looked for, in bytes.
const LONGEST: usize = 4_000;

/// A tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tag {
    /// Its name in lower case.
    pub(super) name: String,
    /// `</name>`.
    pub(super) closes: bool,
    /// `<name/>`, or an element that has no content.
    pub(super) empty: bool,
    /// Attribute names in lower case, and where their values are.
    pub(super) attributes: Vec<(String, Range<usize>)>,
}

impl Tag {
    /// The value of an attribute.
    pub(super) fn value<'a>(&self, text: &'a str, name: &str) -> Option<&'a str> {
        self.range(name).and_then(|range| text.get(range))
    }

    /// The place of an attribute's value.
    pub(super) fn range(&self, name: &str) -> Option<Range<usize>> {
        self.attributes
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, range)| range.clone())
    }

    /// True for an element that stands on its own, apart from the lines around it.
    pub(super) fn is_block(&self) -> bool {
        matches!(
            self.name.as_str(),
            "address"
                | "article"
                | "aside"
                | "blockquote"
                | "body"
                | "caption"
                | "center"
                | "col"
                | "colgroup"
                | "dd"
                | "details"
                | "div"
                | "dl"
                | "dt"
                | "fieldset"
                | "figcaption"
                | "figure"
                | "footer"
                | "form"
                | "h1"
                | "h2"
                | "h3"
                | "h4"
                | "h5"
                | "h6"
                | "head"
                | "header"
                | "hr"
                | "html"
                | "iframe"
                | "li"
                | "link"
                | "main"
                | "meta"
                | "nav"
                | "ol"
                | "p"
                | "section"
                | "summary"
                | "table"
                | "tbody"
                | "td"
                | "tfoot"
                | "th"
                | "thead"
                | "title"
                | "tr"
                | "ul"
        )
    }

    /// How the element is kept from a reader, when it is.
    pub(super) fn hides(&self, text: &str) -> Option<HiddenKind> {
        if self.range("hidden").is_some() {
            return Some(HiddenKind::NotDisplayed);
        }
        if self.name == "font" {
            let color = self.value(text, "color").map(fold).unwrap_or_default();
            return is_white(&color).then_some(HiddenKind::Invisible);
        }
        let style = fold(self.value(text, "style")?);
        let mut white = false;
        let mut backed = false;
        for rule in style.split(';') {
            let (property, value) = rule.split_once(':').unwrap_or((rule, ""));
            let value = value.trim_end_matches("!important");
            match (property, value) {
                ("display", "none") | ("visibility", "hidden" | "collapse") => {
                    return Some(HiddenKind::NotDisplayed);
                }
                ("opacity", _) if value.parse::<f64>().is_ok_and(|n| n < 0.05) => {
                    return Some(HiddenKind::Invisible);
                }
                ("font-size", _) if is_tiny(value) => return Some(HiddenKind::Tiny),
                ("color", _) if value == "transparent" => return Some(HiddenKind::Invisible),
                ("color", _) => white = is_white(value),
                ("background" | "background-color", _) => backed = !is_white(value),
                _ => {}
            }
        }
        (white && !backed).then_some(HiddenKind::Invisible)
    }
}

fn fold(value: &str) -> String {
    value
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect::<String>()
        .to_ascii_lowercase()
}

fn is_white(color: &str) -> bool {
    matches!(
        color,
        "white"
            | "#fff"
            | "#ffffff"
            | "#fefefe"
            | "rgb(255,255,255)"
            | "rgba(255,255,255,1)"
            | "hsl(0,0%,100%)"
    )
}

fn is_tiny(size: &str) -> bool {
    let digits = size.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
    let unit = size.get(digits.len()..).unwrap_or("");
    digits.parse::<f64>().is_ok_and(|n| match unit {
        "em" | "rem" => n < 0.15,
        "%" => n < 15.0,
        _ => n < 2.5,
    })
}

/// Reads the tag that opens at `at`; returns it with the offset behind it.
pub(super) fn tag(text: &str, at: usize) -> Option<(Tag, usize)> {
    let bytes = text.as_bytes();
    let limit = bytes.len().min(at + LONGEST);
    let closes = bytes.get(at + 1) == Some(&b'/');
    let start = at + 1 + usize::from(closes);
    let mut i = start;
    if !bytes.get(i)?.is_ascii_alphabetic() {
        return None;
    }
    while i < limit && (bytes[i].is_ascii_alphanumeric() || bytes[i] == b'-') {
        i += 1;
    }
    let name = text.get(start..i)?.to_ascii_lowercase();
    let mut attributes = Vec::new();
    loop {
        let spaced = i;
        while i < limit && bytes[i].is_ascii_whitespace() {
            i += 1;
        }
        match *bytes.get(i).filter(|_| i < limit)? {
            b'>' => {
                let empty = is_void(&name);
                return Some((tag_of(name, closes, empty, attributes), i + 1));
            }
            b'/' if bytes.get(i + 1) == Some(&b'>') => {
                return Some((tag_of(name, closes, true, attributes), i + 2));
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b':' if i > spaced && !closes => {
                i = attribute(text, i, limit, &mut attributes)?;
            }
            _ => return None,
        }
    }
}

fn tag_of(name: String, closes: bool, empty: bool, attributes: Vec<(String, Range<usize>)>) -> Tag {
    Tag {
        name,
        closes,
        empty,
        attributes,
    }
}

fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

fn attribute(
    text: &str,
    at: usize,
    limit: usize,
    found: &mut Vec<(String, Range<usize>)>,
) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut i = at;
    while i < limit
        && (bytes[i].is_ascii_alphanumeric() || matches!(bytes[i], b'_' | b'-' | b':' | b'.'))
    {
        i += 1;
    }
    let name = text.get(at..i)?.to_ascii_lowercase();
    let mut after = i;
    while after < limit && bytes[after].is_ascii_whitespace() {
        after += 1;
    }
    if after >= limit || bytes[after] != b'=' {
        found.push((name, i..i));
        return Some(i);
    }
    after += 1;
    while after < limit && bytes[after].is_ascii_whitespace() {
        after += 1;
    }
    let (value, end) = match *bytes.get(after).filter(|_| after < limit)? {
        quote @ (b'"' | b'\'') => {
            let length = bytes
                .get(after + 1..limit)?
                .iter()
                .position(|&b| b == quote)?;
            (after + 1..after + 1 + length, after + length + 2)
        }
        _ => {
            let mut end = after;
            while end < limit
                && !bytes[end].is_ascii_whitespace()
                && !matches!(bytes[end], b'"' | b'\'' | b'=' | b'<' | b'>' | b'`')
            {
                end += 1;
            }
            (end > after).then_some((after..end, end))?
        }
    };
    found.push((name, value));
    Some(end)
}

/// True for an element whose inside is not for a reader.
pub(super) fn is_unseen(name: &str) -> bool {
    matches!(
        name,
        "script" | "style" | "template" | "noscript" | "title" | "head" | "svg"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read() {
        let text = r#"<IMG src="a b.png" alt='x' width=3 hidden />rest"#;
        let (read, end) = tag(text, 0).unwrap();
        assert_eq!(
            (read.name.as_str(), read.empty, &text[end..]),
            ("img", true, "rest")
        );
        assert_eq!(read.value(text, "src"), Some("a b.png"));
        assert_eq!(read.value(text, "width"), Some("3"));
        assert_eq!(read.hides(text), Some(HiddenKind::NotDisplayed));
        assert!(tag("</p >", 0).unwrap().0.closes);
        for text in [
            "< p>",
            "<3",
            "<a <b>",
            "<a b=>",
            "<http://x>",
            "<a@b.c>",
            "<p",
            "<",
        ] {
            assert!(tag(text, 0).is_none(), "{text}");
        }
    }

    #[test]
    fn hidden_styles_are_known() {
        let kind = |style: &str| {
            let text = format!("<span style=\"{style}\">");
            tag(&text, 0).unwrap().0.hides(&text)
        };
        assert_eq!(
            kind("color: red; DISPLAY : none"),
            Some(HiddenKind::NotDisplayed)
        );
        assert_eq!(
            kind("visibility:hidden!important"),
            Some(HiddenKind::NotDisplayed)
        );
        assert_eq!(kind("color:#FFF"), Some(HiddenKind::Invisible));
        assert_eq!(kind("color:white;background:black"), None);
        assert_eq!(kind("font-size: 0"), Some(HiddenKind::Tiny));
        assert_eq!(kind("font-size:1px"), Some(HiddenKind::Tiny));
        assert_eq!(kind("font-size:0.8em"), None);
        assert_eq!(kind("color:red"), None);
    }
}
