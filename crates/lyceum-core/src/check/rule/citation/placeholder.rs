//! A name or title that was never filled in.

use std::sync::LazyLock;

use regex::Regex;

use super::cited::printed;
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::literature::{Field, split_names};
use crate::text::{Format, tex_to_text};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "bib-placeholder",
    tier: Tier::Warning,
    title: Say::new("placeholder in an entry", "条目中有占位内容"),
    rationale: Say::new(
        "An author such as “Firstname Lastname” or “Author, A.”, a title or journal such as “Title of the paper”, TODO, \
         ??? or lorem ipsum. Only entries that are cited are looked at. Silent for Anonymous, Unknown, n.d., and for \
         real words that merely hold such a part.",
        "“Firstname Lastname”“Author, A.” 之类的作者，“Title of the paper” 之类的题名或期刊，TODO、??? 或 lorem ipsum。只检查被引用的条目。\
         Anonymous、Unknown、n.d. 以及只是包含这些字样的真实内容不报告。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@a; @b; @c; @d].\n",
            bib: Some(
                "@book{a, author={Firstname Lastname}}\n@book{b, author={Ann Bo and Author, A.}}\n@book{c, title={TODO}}\n@book{d, title={Title of the paper}, year={????}}\n",
            ),
            finds: &[
                "Firstname Lastname",
                "Ann Bo and Author, A.",
                "TODO",
                "Title of the paper",
                "????",
            ],
        },
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@a; @b; @c].\n",
            bib: Some(
                "@book{a, author={Anonymous}, title={What is a title?}}\n@book{b, author={Author, Bernard and Todor Mihaylov and Todoroki, Keita}, title={Todo sobre mi madre}, year={n.d.}}\n@book{c, author={Doe, John and others}, title={The unknown author}, journal={Title}}\n@book{d, title={TODO}}\n",
            ),
            finds: &[],
        },
    ],
    check,
};

fn pattern(words: &str) -> Regex {
    #[expect(
        clippy::expect_used,
        reason = "a literal pattern, compiled by every test"
    )]
    Regex::new(&format!("(?i)^(?:{words})$")).expect("pattern")
}

static ANY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"todo(?:[:.!].{0,60})?|fixme|tbd|tba\?|\?{2,}|x{3,}|y{4}|lorem ipsum.*|\[?insert .{1,40} here\]?|placeholder|待补充|待定|待填",
    )
});
static NAME: LazyLock<Regex> = LazyLock::new(|| {
    let first = r"(?:first[ -]?names?|given[ -]?names?|forenames?|first)";
    let last = r"(?:last[ -]?names?|family[ -]?names?|surnames?|last)";
    pattern(&format!(
        r"{first}(?: m\.?| middle| middle ?name)? {last}|{last}, ?{first}|authors?, ?[a-z1-9]\.?(?: ?[a-z]\.)?|(?:first|second|third|another|some) author|author(?: ?names?| one| two| three| [1-9])|names? of (?:the )?authors?|your names?|authors?|作者|姓名|张三|李四"
    ))
});
static TITLE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"title|(?:paper|article|book|journal|conference|your|chapter|thesis|full) (?:title|name)(?: here)?|(?:title|name) of (?:the |a |this |your )?(?:paper|article|book|journal|conference|chapter|thesis|work|proceedings)|your (?:paper|title)(?: title)? here|标题|题目|期刊名",
    )
});

fn check(paper: &Paper, found: &mut Found) {
    for (_, entry) in printed(paper) {
        for field in &entry.fields {
            if !is_placeholder(field) {
                continue;
            }
            found.push(
                field.span,
                Words::new(
                    format!(
                        "{}: {} was not filled in: {}",
                        entry.key, field.name, field.text
                    ),
                    format!("{}：{} 没有填写：{}", entry.key, field.name, field.text),
                ),
                Words::new("Fill it in.", "请填写。"),
            );
        }
    }
}

fn is_placeholder(field: &Field) -> bool {
    let text = field.text.trim();
    match field.name.as_str() {
        "author" | "editor" => {
            is_todo(text)
                || split_names(&field.raw).iter().any(|name| {
                    let name = tex_to_text(name);
                    is_todo(name.trim()) || NAME.is_match(name.trim())
                })
        }
        "title" | "booktitle" => is_todo(text) || TITLE.is_match(text),
        "journal" | "journaltitle" => is_todo(text) || (text.contains(' ') && TITLE.is_match(text)),
        "year" | "date" | "publisher" | "school" | "institution" | "doi" | "url" => is_todo(text),
        _ => false,
    }
}

fn is_todo(text: &str) -> bool {
    ANY.is_match(text)
}
