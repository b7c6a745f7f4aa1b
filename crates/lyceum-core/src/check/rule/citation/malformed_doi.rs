//! A DOI field that holds no DOI.

use super::cited::printed;
use super::identifier::doi;
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::Format;

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "bib-malformed-doi",
    tier: Tier::Error,
    title: Say::new("malformed DOI", "DOI 格式错误"),
    rationale: Say::new(
        "A DOI is `10.`, four to nine digits, a slash and a suffix without spaces; anything else makes a dead link. A \
         resolver in front (`https://doi.org/`, `doi:`), `%2F` and TeX escapes are taken as they are meant, and so are \
         the address of a publisher's resolver and a short DOI (`10/abc12`). Only \
         entries that are cited are looked at. Silent for an empty field and for one that holds a macro.",
        "DOI 由 `10.`、四到九位数字、斜杠和不含空格的后缀组成，否则链接无效。前面的解析地址（`https://doi.org/`、`doi:`）、`%2F`、TeX 转义、出版社的解析网址\
         和短 DOI（`10/abc12`）按其本意理解。只检查被引用的条目。空字段和含有宏的字段不报告。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@a; @b; @c; @d].\n",
            bib: Some(
                "@book{a, doi={10.1000}}\n@book{b, doi={10.xxxx/abcd}}\n@book{c, doi={10.1000/a b}}\n@book{d, doi={arXiv:1706.03762}}\n",
            ),
            finds: &["10.1000", "10.xxxx/abcd", "10.1000/a b", "arXiv:1706.03762"],
        },
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@a; @b; @c; @d].\n",
            bib: Some(
                "@book{a, doi={https://doi.org/10.1000/ab\\_c}}\n@book{b, doi={10.1002/(SICI)1(199)17:15<1661::AID-SIM968>3.0.CO;2-2}}\n@book{c, doi={}}\n@book{d, doi={\\mydoi}}\n@book{e, doi={nothing}}\n",
            ),
            finds: &[],
        },
    ],
    check,
};

fn check(paper: &Paper, found: &mut Found) {
    for (_, entry) in printed(paper) {
        let Some(field) = entry.field("doi") else {
            continue;
        };
        if field.text.is_empty() || field.text.contains('\\') || doi(&field.text).is_some() {
            continue;
        }
        found.push(
            field.span,
            Words::new(
                format!("{}: no DOI: {}", entry.key, field.text),
                format!("{}：不是 DOI：{}", entry.key, field.text),
            ),
            Words::new(
                "Write the DOI alone, as 10.NNNN/suffix.",
                "请只写 DOI，形如 10.NNNN/后缀。",
            ),
        );
    }
}
