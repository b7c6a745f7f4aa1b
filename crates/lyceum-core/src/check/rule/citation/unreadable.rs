//! An entry that BibTeX cannot read, or not to its end.

use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::Format;

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "bib-unreadable-entry",
    tier: Tier::Error,
    title: Say::new("an entry breaks off", "条目语法有误，无法完整读取"),
    rationale: Say::new(
        "A brace or quotation mark that never closes, a missing comma, a key with white space, a field without a value, \
         or a field behind the end of its entry: BibTeX, Biber and pandoc stop there, lose the field, or lose what \
         follows. Silent for what one of them reads without complaint: comments with % inside an entry, empty keys, \
         unknown types and fields, text between entries.",
        "花括号或引号没有闭合、缺少逗号、键中含有空白、字段没有值，或字段位于条目结束之后：BibTeX、Biber 和 pandoc 会在此处出错，丢失该字段或后面\
         的内容。它们之一能正常读取的情况不报告：条目内的 % 注释、空的键、未知的类型和字段、条目之间的文字。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@a].\n",
            bib: Some("@book{a, title={A {B}, year={2000}}\n\n@book{b, title={B} year={2000}}\n"),
            finds: &["@book{a, title={A {B}, year={2000}}", "year={2000}}"],
        },
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@a].\n",
            bib: Some("@book{a, title={A}}, year={2000}\n}\n@book{two words, title={A}}\n"),
            finds: &["year={2000}", "two words, title={A}}"],
        },
        Example {
            format: Format::Markdown,
            text: "---\nbibliography: refs.bib\n---\n\nSeen before [@a].\n",
            bib: Some(
                "Write to me@home.org (any time).\n@book{, title={A}, % old\n year=2000}\n@what(b, x={{y}\n})\n",
            ),
            finds: &[],
        },
    ],
    check,
};

fn check(paper: &Paper, found: &mut Found) {
    for note in paper.bibliographies.iter().flat_map(|bib| &bib.notes) {
        if let (Some(span), "bib_entry_unreadable" | "bib_entry_partial") = (note.span, note.code) {
            found.push(
                span,
                note.words.clone(),
                Words::new("Mend the syntax of this entry.", "请修正此条目的语法。"),
            );
        }
    }
}
