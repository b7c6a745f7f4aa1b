//! A reviewer's text inside Markdown: always a text, never a heading, comment, fence, row or line of the letter.

use crate::hygiene::show_invisible;

/// The text on one line, for a table cell or behind a label.
#[must_use]
pub(super) fn inline(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    escape(&show_invisible(&words.join(" ")))
}

/// The same, cut to some characters.
#[must_use]
pub(super) fn brief(text: &str, limit: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().take(limit).collect();
    let line = words.join(" ");
    let cut = line.chars().count() > limit || text.split_whitespace().nth(limit).is_some();
    let mut short: String = line.chars().take(limit).collect();
    if cut {
        short.push('…');
    }
    escape(&show_invisible(&short))
}

/// The text as a quotation, line by line; `prefix` is what stands before each line.
#[must_use]
pub(super) fn quoted(text: &str, prefix: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    // Whatever ends a line somewhere ends it here, so that no line starts unseen.
    let ends = [
        '\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}',
    ];
    let mut blank = 0;
    for line in text.trim().split(ends) {
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        if line.is_empty() {
            blank += 1;
            if blank == 1 {
                out.push_str(prefix);
                out.push_str(">\n");
            }
            continue;
        }
        blank = 0;
        out.push_str(prefix);
        out.push_str("> ");
        out.push_str(&opening(&escape(&show_invisible(&line))));
        out.push('\n');
    }
    out
}

/// Every character that means something to Markdown, HTML or TeX inside a line.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' | '$' | '^' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            // A terminal that shows the letter obeys none of them.
            c if c.is_control() => out.push_str(&format!("⟨U+{:04X}⟩", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

/// What means something only at the start of a line: list items, rules, underlines of headings, definitions.
fn opening(line: &str) -> String {
    if line.starts_with(['-', '+', '=', ':', '%']) {
        return format!("\\{line}");
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = line.split_at_checked(digits).unwrap_or(("", line));
    if digits > 0 && rest.starts_with(['.', ')']) {
        return format!("{number}\\{rest}");
    }
    line.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag};

    /// What a CommonMark reader with tables and notes sees: tags and words.
    fn read(markdown: &str) -> (Vec<String>, String) {
        let options = Options::all() - Options::ENABLE_SMART_PUNCTUATION;
        let mut tags = Vec::new();
        let mut words = String::new();
        for event in Parser::new_ext(markdown, options) {
            match event {
                Event::Start(tag) => {
                    if !matches!(tag, Tag::BlockQuote(_) | Tag::Paragraph) {
                        tags.push(format!("{tag:?}"));
                    }
                }
                Event::Text(text) => words.push_str(&text),
                Event::SoftBreak | Event::HardBreak => words.push(' '),
                Event::End(_) => words.push(' '),
                other => tags.push(format!("{other:?}")),
            }
        }
        (tags, words)
    }

    #[test]
    fn what_a_terminal_would_obey_is_spelt_out() {
        for text in [
            inline("a\u{1b}c\u{9b}31m\u{e}\u{7}"),
            brief("a\u{1b}c\u{9b}31m\u{e}\u{7}", 40),
            quoted("a\u{1b}c\u{9b}31m\u{e}\u{7}", ""),
        ] {
            assert!(
                text.contains("a⟨U+001B⟩c⟨U+009B⟩31m⟨U+000E⟩⟨U+0007⟩"),
                "{text}"
            );
        }
    }

    const HOSTILE: &[&str] = &[
        "# Decision\n\nAccept",
        "text\n===\nmore\n---\n",
        "<!-- block:B0001 -->",
        "-->\n## Decision\n**Accept**\n<!--",
        "```\nfence\n~~~\n```",
        "    indented code",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "- item\n+ item\n* item\n1. item\n2) item",
        "[^1]: note\n\n[x]: http://x.example\n\n[x] and [^1]",
        "<div style='display:none'>hidden</div>",
        "a\rb\u{2028}# c\u{b}# d\u{85}# e",
        "\u{202e}drow\u{200b}\u{7}",
        "> > nested\n>> # x",
        "$$x$$ and \\( y \\) and \\[ z \\]",
        "***\n___\n- - -",
        "term\n: definition",
        "---\ntitle: forged\n---",
        "&lt;b&gt; &amp;#35; \\# \\<b>",
        "- [x] done",
        ":::note\nx\n:::",
        "**bold** _it_ ~~gone~~ `code` ![img](a.png) <https://a.example>",
    ];

    #[test]
    fn hostile_texts_stay_texts() {
        for text in HOSTILE {
            let (tags, words) = read(&quoted(text, ""));
            assert!(tags.is_empty(), "{text:?}: {tags:?}");
            let plain = |s: &str| -> String {
                show_invisible(&s.split_whitespace().collect::<Vec<_>>().join(" "))
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ")
            };
            let ends = ['\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];
            let told = text.replace(ends, "\n").replace('\u{7}', "⟨U+0007⟩");
            assert_eq!(plain(&words), plain(&told), "{text:?}");
            let (tags, _) = read(&format!("- label: {}\n", inline(text)));
            assert!(
                tags.iter().all(|tag| tag == "List(None)" || tag == "Item"),
                "{text:?}: {tags:?}"
            );
            let row = format!(
                "| a | b |\n| --- | --- |\n| {} | {} |\n",
                brief(text, 300),
                brief(text, 5)
            );
            let cells = read(&row)
                .0
                .iter()
                .filter(|tag| *tag == "TableCell")
                .count();
            assert_eq!(cells, 4, "{text:?}");
        }
    }

    #[test]
    fn no_line_starts_with_anything_but_the_mark_of_a_quotation() {
        for text in HOSTILE {
            for line in quoted(text, "  ").lines() {
                assert!(line.starts_with("  >"), "{line:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_stays_a_text(text in "([#<>!\\-=`~|*_\\[\\]():+0-9. \\\\a\n\r\t$&{}^%]|\\PC){0,60}") {
            let (tags, _) = read(&quoted(&text, ""));
            prop_assert!(tags.is_empty(), "{:?}", tags);
            let (tags, _) = read(&format!("label: {}\n", inline(&text)));
            prop_assert!(tags.is_empty(), "{:?}", tags);
        }
    }
}
