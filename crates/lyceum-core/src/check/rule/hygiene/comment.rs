//! HTML comments that hold sentences.

use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier, is_waiver};
use crate::text::{CommentKind, Format};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "hidden-comment",
    tier: Tier::Opinion,
    title: Say::new("a comment holds sentences", "注释中有整句文字"),
    rationale: Say::new(
        "An HTML comment does not show on the page but travels with the source that journals and repositories publish. \
         Speaks of comments of eight words or more that end like a sentence; silent for LaTeX comments, directives of tools \
         and short notes.",
        "HTML 注释不显示在页面上，却会随期刊和仓库公开的源文件一起流传。八个词以上且以句末标点结尾的注释才报告；\
         LaTeX 注释、工具指令和短注不报告。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "Words.\n\n<!-- We should say here why the third cohort was left out of it. -->\n\nMore.\n",
            bib: None,
            finds: &["<!-- We should say here why the third cohort was left out of it. -->"],
        },
        Example {
            format: Format::Markdown,
            text: "Words.\n\n<!-- lyceum: allow repeated-word It is the name of a band that all readers know. -->\n\nMore.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "Words.\n\n<!-- prettier-ignore-start -->\n\n<!-- Insert bibliography here. -->\n\nMore.\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

fn check(paper: &Paper, found: &mut Found) {
    for comment in &paper.manuscript.comments {
        let ends = comment
            .text
            .trim_end()
            .ends_with(['.', '!', '?', '。', '！', '？']);
        let waives = is_waiver(&comment.text);
        if comment.kind != CommentKind::Html || waives || !ends || words(&comment.text) < 8 {
            continue;
        }
        found.push(
            comment.span,
            Words::new(
                "a comment with sentences stays in the source",
                "含整句文字的注释会留在源文件中",
            ),
            Words::new(
                "Delete the comment before the source is published.",
                "公开源文件前请删除该注释。",
            ),
        );
    }
}

/// How many words a text holds: a run of two letters or more, or two Chinese characters.
pub(super) fn words(text: &str) -> usize {
    let latin = text
        .split(|c: char| !c.is_alphabetic() || is_han(c))
        .filter(|word| word.chars().nth(1).is_some())
        .count();
    latin + text.chars().filter(|c| is_han(*c)).count() / 2
}

fn is_han(c: char) -> bool {
    ('\u{3400}'..='\u{9fff}').contains(&c)
}
