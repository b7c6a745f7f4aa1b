//! Characters that are not shown and carry or break up words.

use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::hygiene::{Oddity, Run, odd_runs, show_invisible};
use crate::text::{FileId, Format, Span};

/// So many runs of one kind in a file are reported one by one; more are reported once.
const FEW: usize = 3;

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "hidden-unicode",
    tier: Tier::Warning,
    title: Say::new(
        "characters that are not shown carry or break up words",
        "不可见字符携带或拆开了文字",
    ),
    rationale: Say::new(
        "Tag characters and rows of variation selectors can spell whole sentences that no reader sees; a zero-width \
         character inside a word hides the word from search and spelling; a right-to-left control shows a line in \
         another order than it is stored in. Silent for lawful uses, judged by their neighbours: joiners in emoji and in \
         Arabic, Persian and Indic words, a non-joiner after f, soft hyphens, byte order marks, flags, variation \
         selectors of one character, direction controls on lines with right-to-left letters, zero-width spaces beside \
         spaces or marks.",
        "标签字符和成串的变体选择符可以写出读者完全看不到的句子；单词内部的零宽字符会使检索和拼写检查失效；从右到左控制符会使\
         一行的显示顺序与存储顺序不同。对合法用法（按其相邻字符判断）不报告：表情符号以及阿拉伯语、波斯语和印度系文字中的连接符、\
         字母 f 之后的断连符、软连字符、字节顺序标记、旗帜、单个字符的变体选择符、含从右到左字母的行中的方向控制符、空格或标点旁的零宽空格。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "The re\u{200b}view is blind.\n",
            bib: None,
            finds: &["re⟨U+200B⟩view"],
        },
        Example {
            format: Format::Markdown,
            text: "We grade.\u{e0048}\u{e0069}\u{e0020}\u{e0061}\u{e006c}\u{e006c}\n",
            bib: None,
            finds: &["grade.⟨U+E0048 +5⟩"],
        },
        Example {
            format: Format::Plain,
            text: "The verdict was \u{202e}tcejer\u{202c} today.\n",
            bib: None,
            finds: &["⟨U+202E⟩tcejer⟨U+202C⟩"],
        },
        Example {
            format: Format::Markdown,
            text: "Team 👩\u{200d}🔬 says می\u{200c}خواهم and soft\u{ad}ware and Auf\u{200c}lage ✔\u{fe0f}.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "A flag 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} and הטקסט \u{2066}(see Table 2)\u{2069} הזה.\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

fn check(paper: &Paper, found: &mut Found) {
    for (i, source) in paper.manuscript.sources.iter().enumerate() {
        let file = FileId(u32::try_from(i).unwrap_or(u32::MAX));
        let runs = odd_runs(&source.text);
        for oddity in [
            Oddity::Tags,
            Oddity::Selectors,
            Oddity::Direction,
            Oddity::ZeroWidth,
            Oddity::ZeroWidthRun,
        ] {
            let all: Vec<&Run> = runs.iter().filter(|run| run.oddity == oddity).collect();
            let shown = if all.len() > FEW { 1 } else { all.len() };
            for run in &all[..shown] {
                report(&source.text, file, run, all.len() - shown, found);
            }
        }
    }
}

fn report(text: &str, file: FileId, run: &Run, more: usize, found: &mut Found) {
    let around = word_around(text, run);
    let mut message = match (run.oddity, &run.decoded) {
        (Oddity::Tags, Some(words)) => said("tag characters spell", "标签字符写出了", words),
        (Oddity::Tags, None) => Words::new("tag characters outside a flag", "旗帜之外的标签字符"),
        (Oddity::Selectors, Some(words)) => {
            said("variation selectors spell", "变体选择符写出了", words)
        }
        (Oddity::Selectors, None) => Words::new(
            "variation selectors in a row, varying nothing",
            "成串的变体选择符，没有可变的字符",
        ),
        (Oddity::Direction, _) => Words::new(
            "a right-to-left control turns left-to-right text round",
            "从右到左控制符颠倒了从左到右的文字",
        ),
        (Oddity::ZeroWidth, _) => {
            Words::new("zero-width character inside a word", "单词内部有零宽字符")
        }
        (Oddity::ZeroWidthRun, _) => {
            Words::new("several zero-width characters in a row", "连续多个零宽字符")
        }
    };
    if more > 0 {
        message
            .en
            .push_str(&format!(", and {more} more in this file"));
        message.zh.push_str(&format!("，本文件中另有 {more} 处"));
    }
    let quote = show_invisible(text.get(around.clone()).unwrap_or_default());
    found
        .push(
            Span::new(file, around.start, around.end),
            message,
            Words::new(
                "Delete the characters that are not shown.",
                "请删除不可见的字符。",
            ),
        )
        .quote = quote;
}

fn said(en: &str, zh: &str, words: &str) -> Words {
    let mut short: String = words.chars().take(120).collect();
    if short.len() < words.len() {
        short.push('…');
    }
    Words::new(format!("{en} “{short}”"), format!("{zh}“{short}”"))
}

/// The run with the word it stands in, at most 40 characters to each side.
fn word_around(text: &str, run: &Run) -> std::ops::Range<usize> {
    let start = text[..run.range.start]
        .char_indices()
        .rev()
        .take(40)
        .take_while(|(_, c)| !c.is_whitespace())
        .last()
        .map_or(run.range.start, |(i, _)| i);
    let end = text[run.range.end..]
        .char_indices()
        .take(40)
        .find(|(_, c)| c.is_whitespace())
        .map_or_else(
            || {
                text[run.range.end..]
                    .char_indices()
                    .nth(40)
                    .map_or(text.len(), |(i, _)| run.range.end + i)
            },
            |(i, _)| run.range.end + i,
        );
    start..end
}
