//! An address that leads nowhere as it is written.

use std::sync::LazyLock;

use regex::Regex;

use super::cited::printed;
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::Format;

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "bib-malformed-url",
    tier: Tier::Warning,
    title: Say::new("malformed address", "网址格式错误"),
    rationale: Say::new(
        "An address with white space inside, with a broken or doubled scheme (`http//`, `https://https://`), without a \
         host, or that is none at all. Only the url field of entries that are cited is looked at. Silent for an address \
         without scheme (`www.example.org`), for other schemes (`ftp:`, `file:`, `urn:`), for an empty field and for one \
         that holds a macro.",
        "网址中含有空白、协议写错或重复（`http//`、`https://https://`）、没有主机名，或根本不是网址。只检查被引用条目的 url 字段。没有协议的网址\
         （`www.example.org`）、其他协议（`ftp:`、`file:`、`urn:`）、空字段和含有宏的字段不报告。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@a; @b; @c; @d].\n",
            bib: Some(
                "@misc{a, url={https://a.org/one two}}\n@misc{b, url={https://https://a.org}}\n@misc{c, url={http//a.org}}\n@misc{d, url={http://}}\n",
            ),
            finds: &[
                "https://a.org/one two",
                "https://https://a.org",
                "http//a.org",
                "http://",
            ],
        },
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@a; @b; @c; @d; @e].\n",
            bib: Some(
                "@misc{a, url={https://web.archive.org/web/2020/https://a.org/x\\_y}}\n@misc{b, url={www.a.org}}\n@misc{c, url={\\url{http://a.org/~me}}}\n@misc{d, url={}}\n@misc{e, url={ftp://a.org}}\n",
            ),
            finds: &[],
        },
    ],
    check,
};

static BROKEN: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(
        clippy::expect_used,
        reason = "a literal pattern, compiled by every test"
    )]
    Regex::new(r"(?i)^(?:https?//|https?:/?[^/\s]|https?:/$|https?$|htt?ps?://https?:|hht?tps?:|htps?:|http?s?:///|https?://(?:$|[/?#]))")
        .expect("pattern")
});

fn check(paper: &Paper, found: &mut Found) {
    for (_, entry) in printed(paper) {
        let Some(field) = entry.field("url") else {
            continue;
        };
        let Some((en, zh)) = fault(&field.text) else {
            continue;
        };
        found.push(
            field.span,
            Words::new(
                format!("{}: {en}: {}", entry.key, field.text),
                format!("{}：{zh}：{}", entry.key, field.text),
            ),
            Words::new("Write one whole address.", "请写出一个完整的网址。"),
        );
    }
}

fn fault(url: &str) -> Option<(&'static str, &'static str)> {
    if url.is_empty() || url.contains('\\') {
        return None;
    }
    if !url.contains(['.', ':', '/']) {
        return Some(("not an address", "不是网址"));
    }
    if BROKEN.is_match(url) {
        return Some(("broken scheme or host", "协议或主机名有误"));
    }
    url.contains(char::is_whitespace)
        .then_some(("white space in the address", "网址中有空白"))
}
