//! An arXiv number that arXiv cannot have given.

use super::cited::printed;
use super::identifier::{arxiv_field, bare_arxiv, is_arxiv};
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::Format;

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "bib-malformed-arxiv",
    tier: Tier::Error,
    title: Say::new("malformed arXiv number", "arXiv 编号格式错误"),
    rationale: Say::new(
        "An arXiv number is YYMM.NNNNN (four digits behind the point before 2015) or, up to March 2007, \
         archive/YYMMNNN, with or without a version, `arXiv:` or the address in front. Only entries that are cited and \
         call their `eprint` an arXiv number are looked at.",
        "arXiv 编号形如 YYMM.NNNNN（2015 年之前小数点后为四位），2007 年 3 月之前形如 archive/YYMMNNN，可带版本号、`arXiv:` 前缀或网址。只检查被\
         引用、且说明 `eprint` 是 arXiv 编号的条目。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@a; @b; @c].\n",
            bib: Some(
                "@misc{a, eprint={1713.03762}, archivePrefix={arXiv}}\n@misc{b, eprint={1706.3762}, eprinttype={arxiv}}\n@misc{c, arxivId={abc}}\n",
            ),
            finds: &["1713.03762", "1706.3762", "abc"],
        },
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@a; @b; @c; @d; @e].\n",
            bib: Some(
                "@misc{a, eprint={arXiv:1706.03762v5}, archivePrefix={arXiv}}\n@misc{b, eprint={hep-th/9901001}, archivePrefix={arXiv}}\n@misc{c, eprint={0704.0001}, archivePrefix={arXiv}}\n@misc{d, eprint={PMC123}}\n@misc{e, eprint={9901001}, archivePrefix={arXiv}, primaryClass={hep-th}}\n",
            ),
            finds: &[],
        },
    ],
    check,
};

fn check(paper: &Paper, found: &mut Found) {
    for (_, entry) in printed(paper) {
        let Some(field) = arxiv_field(entry) else {
            continue;
        };
        let bare = bare_arxiv(&field.text);
        // An old number whose archive stands in the class field only.
        let split = entry.text("primaryclass").is_some()
            && bare.len() == 7
            && bare.bytes().all(|b| b.is_ascii_digit());
        if is_arxiv(bare) || split || field.text.contains('\\') {
            continue;
        }
        found.push(
            field.span,
            Words::new(
                format!("{}: no arXiv number: {}", entry.key, field.text),
                format!("{}：不是 arXiv 编号：{}", entry.key, field.text),
            ),
            Words::new(
                "Copy the number from the article's page at arXiv.",
                "请从 arXiv 的论文页面复制编号。",
            ),
        );
    }
}
