//! A year that is none, or that has not come.

use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::literature::Entry;
use crate::text::Format;

use super::cited::printed;

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "bib-future-year",
    tier: Tier::Error,
    title: Say::new("impossible year", "不可能的年份"),
    rationale: Say::new(
        "A year more than one year ahead of today, or a number of five or more digits in its place. Only entries that \
         are cited are looked at. Silent for words (`in press`, `forthcoming`), for ranges, for short numbers (old \
         works), and for entries in languages that count years in another way (Thai, Hebrew).",
        "年份比今天晚一年以上，或写成了五位及以上的数字。只检查被引用的条目。文字（`in press`、`forthcoming`）、范围、位数少的数字（古籍）以及采用其他\
         纪年的语言（泰语、希伯来语）的条目不报告。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@a; @b; @c].\n",
            bib: Some("@book{a, year={20222}}\n@book{b, year=2202}\n@book{c, date={2202-03-01}}\n"),
            finds: &["20222", "2202", "2202-03-01"],
        },
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@a; @b; @c; @d; @e; @f].\n",
            bib: Some(
                "@book{a, year={in press}}\n@book{b, year={Forthcoming, 2018}}\n@book{c, date={1999/2003}}\n@book{d, year=320}\n@book{e, year={2565}, langid={thai}}\n@book{f, year={2027}}\n@book{g, year={2202}}\n",
            ),
            finds: &[],
        },
    ],
    check,
};

fn check(paper: &Paper, found: &mut Found) {
    let last = paper.today.year + 1;
    for (_, entry) in printed(paper) {
        if counts_otherwise(entry) {
            continue;
        }
        for field in ["year", "date"].iter().filter_map(|name| entry.field(name)) {
            let (en, zh) = match year(&field.text) {
                Some(Year::TooLong) => (
                    format!("{}: no year: {}", entry.key, field.text),
                    format!("{}：不是年份：{}", entry.key, field.text),
                ),
                Some(Year::Of(year)) if year > last => (
                    format!("{}: the year {year} has not come", entry.key),
                    format!("{}：{year} 年还没有到", entry.key),
                ),
                _ => continue,
            };
            found.push(
                field.span,
                Words::new(en, zh),
                Words::new("Write the year of publication.", "请填写出版年份。"),
            );
        }
    }
}

enum Year {
    Of(i32),
    TooLong,
}

/// The year a field gives, when it is a number or an ISO date.
fn year(text: &str) -> Option<Year> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text.get(digits..)?;
    let is_date = rest.is_empty() || (text.len() <= 10 && rest.starts_with('-') && digits == 4);
    if !is_date || digits < 4 {
        return None;
    }
    match text.get(..digits)?.parse() {
        // Eight digits may be a date written without dashes, which some programs read.
        _ if digits == 8 => None,
        Ok(year) if digits == 4 => Some(Year::Of(year)),
        _ => Some(Year::TooLong),
    }
}

fn counts_otherwise(entry: &Entry) -> bool {
    let languages = ["langid", "language", "hyphenation"];
    let named = languages
        .iter()
        .filter_map(|name| entry.text(name))
        .any(|language| {
            let language = language.to_lowercase();
            ["thai", "hebrew", "persian", "arabic", "nepali"]
                .iter()
                .any(|other| language.contains(other))
        });
    let written = entry.text("title").is_some_and(|title| {
        title
            .chars()
            .any(|c| ('\u{590}'..='\u{6ff}').contains(&c) || ('\u{900}'..='\u{e7f}').contains(&c))
    });
    named || written
}
