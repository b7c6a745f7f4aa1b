//! Filler text is still there.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::place::{not_words, pattern, readable, written};
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::{FileId, Format, Span};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "leftover-lorem",
    tier: Tier::Error,
    title: Say::new("filler text", "残留的占位假文"),
    rationale: Say::new(
        "Lorem ipsum shows where text is still missing. Reported once for each file, with the number of \
         paragraphs or commands. Known by the opening words of the usual filler texts, by eight of their invented words in one paragraph, and by the commands of the \
         packages lipsum, blindtext and kantlipsum. Silent in code, comments and quotation marks, and where lorem \
         ipsum is only named.",
        "“Lorem ipsum”说明此处仍缺正文。每个文件报告一次，并给出段落数或命令数。依据常见假文的开头、同一段中出现八个以上的假文专用词，以及 lipsum、blindtext、\
         kantlipsum 宏包的命令识别。代码、注释、引号中的文字以及仅仅提到 lorem ipsum 的地方不报告。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "# Introduction\n\nLorem ipsum dolor sit amet, consectetur adipiscing elit.\n\nLorem ipsum dolor sit amet.\n",
            bib: None,
            finds: &["Lorem ipsum dolor"],
        },
        Example {
            format: Format::Markdown,
            text: "# Methods\n\nLorem Ipsum is simply dummy text of the printing industry.\n",
            bib: None,
            finds: &["Lorem Ipsum is simply dummy text"],
        },
        Example {
            format: Format::Markdown,
            text: "# Results\n\nDuis aute irure dolor in reprehenderit in voluptate velit esse cillum dolore.\n",
            bib: None,
            finds: &["Duis aute irure dolor"],
        },
        Example {
            format: Format::Markdown,
            text: "Cicero writes: “Ut enim ad minima veniam, quis nostrum exercitationem ullam corporis suscipit laboriosam”. Ut enim ad minima veniam.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "The layouts were tested with lorem ipsum, not with real pages.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "The page began with “Lorem ipsum dolor sit amet”, as pages do: `lorem ipsum dolor`.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\n\\usepackage{lipsum}\n\\begin{document}\n\\section{A}\n\\lipsum[1-3]\n\\lipsum\n\\end{document}\n",
            bib: None,
            finds: &["\\lipsum[1-3]"],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\n\\begin{document}\n\\section{A}\nText. % \\lipsum\n\\end{document}\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

static FILLER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:lorem\s+ipsum\s+dolor|lorem\s+ipsum\s+is\s+simply\s+dummy\s+text|it\s+is\s+a\s+long\s+established\s+fact\s+that\s+a\s+reader\s+will\s+be\s+distracted|sed\s+ut\s+perspiciatis\s+unde\s+omnis|ut\s+enim\s+ad\s+minim\s+veniam|duis\s+aute\s+irure\s+dolor|excepteur\s+sint\s+occaecat)\b",
    )
});
/// Words of the usual generators that are rare in Latin, and never many together in anything else.
static GENERATED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:consectetur|adipiscing|vestibulum|pellentesque|sollicitudin|ullamcorper|malesuada|tincidunt|scelerisque|condimentum|fermentum|vulputate|tristique|eleifend|lobortis|dignissim|pulvinar|ultricies|dapibus|hendrerit|sagittis|convallis|venenatis|facilisis|porttitor|vehicula|rutrum|imperdiet|aliquam|bibendum|egestas|accumsan|sodales|luctus|mattis|volutpat|posuere|placerat|interdum|Curabitur|Phasellus|Praesent|Quisque|Vivamus|Maecenas|Suspendisse|Aenean|Donec|Etiam|Proin|Pellentesque|Vestibulum)\b",
    )
});
static COMMAND: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\\(?:lipsum|blindtext|Blindtext|kant)\b(?:\[[^\]\n]*\])?"));

fn check(paper: &Paper, found: &mut Found) {
    let manuscript = &paper.manuscript;
    let mut places: Vec<(Span, usize)> = Vec::new();
    let mut by_file: HashMap<FileId, usize> = HashMap::new();
    for (_, block) in written(manuscript) {
        let text = block.text.masked(not_words);
        let Some(span) = filler(&text).and_then(|range| block.text.span(range)) else {
            continue;
        };
        let index = *by_file.entry(span.file).or_insert_with(|| {
            places.push((span, 0));
            places.len() - 1
        });
        places[index].1 += 1;
    }
    for (span, count) in places {
        report(found, span, count);
    }
    if manuscript.format != Format::Latex {
        return;
    }
    for file in readable(paper) {
        let body = file.text.get(file.body..).unwrap_or("");
        let mut uses = COMMAND.find_iter(body);
        if let Some(first) = uses.next() {
            let span = Span::new(
                file.file,
                file.body + first.start(),
                file.body + first.end(),
            );
            report(found, span, 1 + uses.count());
        }
    }
}

/// The place of filler in a text: a known opening, or the first of many words of the usual generators.
pub(super) fn filler(text: &str) -> Option<Range<usize>> {
    if let Some(hit) = FILLER.find(text) {
        let quoted = text
            .get(..hit.start())
            .is_some_and(|before| before.ends_with(['"', '“', '„', '«', '‘', '「']));
        return (!quoted).then(|| hit.range());
    }
    if generated(text) < 8 {
        return None;
    }
    GENERATED.find(text).map(|hit| hit.range())
}

/// How many different words of the usual generators a text holds.
pub(super) fn generated(text: &str) -> usize {
    let words: HashSet<&str> = GENERATED.find_iter(text).map(|hit| hit.as_str()).collect();
    words.len()
}

fn report(found: &mut Found, span: Span, count: usize) {
    let message = if count == 1 {
        Words::new("filler text", "残留占位假文")
    } else {
        Words::new(
            format!("filler text, {count} times here"),
            format!("残留占位假文，此处共 {count} 处"),
        )
    };
    found.push(
        span,
        message,
        Words::new(
            "Write the text or delete the filler.",
            "请写入正文或删除假文。",
        ),
    );
}
