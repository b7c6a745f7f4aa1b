//! Changes somebody proposed are still marked in the text.

use std::sync::LazyLock;

use regex::Regex;

use super::place::{not_words, package, pattern, readable, written};
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::{Format, Manuscript, Span};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "leftover-tracked-change",
    tier: Tier::Error,
    title: Say::new(
        "marked changes or a merge conflict remain",
        "残留的修订标记或合并冲突",
    ),
    rationale: Say::new(
        "CriticMarkup ({++ ++}, {-- --}, {~~ ~> ~~}, {>> <<}), pandoc's insertion and deletion spans, the commands of \
         the LaTeX packages changes, trackchanges and easyReview, the output of latexdiff, a complete set of merge conflict \
         marks (<<<<<<<, =======, >>>>>>> at line starts), and what pasting from Word leaves (“Comment [AB1]:”, \
         “Formatted: Font: …”). Each kind is reported once in a file, with its count. Silent in code and comments, and for \
         the package changes loaded with the option final.",
        "CriticMarkup（{++ ++}、{-- --}、{~~ ~> ~~}、{>> <<}）、pandoc 的插入与删除标记、LaTeX 宏包 changes、trackchanges、\
         easyReview 的命令、latexdiff 的输出、完整的合并冲突标记（行首的 <<<<<<<、=======、>>>>>>>），以及从 Word \
         粘贴留下的“Comment [AB1]:”“Formatted: Font: …”。每个文件每种只报告一次并计数。代码和注释中的不报告；changes 宏包以 final \
         选项载入时不报告。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "We {++carefully++} measured {--all--} {~~three~>four~~} sites{>>really?<<} and {++more++}.\n",
            bib: None,
            finds: &[
                "{++carefully++}",
                "{--all--}",
                "{~~three~>four~~}",
                "{>>really?<<}",
            ],
        },
        Example {
            format: Format::Markdown,
            text: "Text.\n\n<<<<<<< HEAD\nOur words.\n=======\nTheir words.\n>>>>>>> branch\n",
            bib: None,
            finds: &["<<<<<<< HEAD"],
        },
        Example {
            format: Format::Markdown,
            text: "We saw [it]{.insertion author=\"A\"} there. Comment [AB1]: is this so?\n",
            bib: None,
            finds: &["[it]{.insertion author=\"A\"}", "Comment [AB1]:"],
        },
        Example {
            format: Format::Markdown,
            text: "A ~~struck~~ word, `{++code++}`, and C{++}.\n\n```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n```\n\nTitle\n=======\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\n\\usepackage{changes}\n\\begin{document}\nWe \\added{carefully} measured \\deleted{all} sites.\n\\end{document}\n",
            bib: None,
            finds: &["\\added{carefully}"],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\n\\usepackage[final]{changes}\n\\begin{document}\nWe \\added{carefully} measured \\deleted{all} sites.\n\\end{document}\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\n\\begin{document}\nWe \\DIFaddbegin \\DIFadd{carefully }\\DIFaddend measured.\n\\end{document}\n",
            bib: None,
            finds: &["\\DIFadd{carefully }"],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\n\\begin{document}\nC{++} and {--} and \\added{x}.\n\\end{document}\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

struct Kind {
    pattern: Regex,
    en: &'static str,
    zh: &'static str,
}

fn kind(literal: &str, en: &'static str, zh: &'static str) -> Kind {
    Kind {
        pattern: pattern(literal),
        en,
        zh,
    }
}

static MARKUP: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    vec![
        kind(
            r"\{\+\+[^{}]{1,400}\+\+\}",
            "a marked insertion",
            "插入标记",
        ),
        kind(r"\{--[^{}]{1,400}--\}", "a marked deletion", "删除标记"),
        kind(
            r"\{~~[^{}]{0,400}~>[^{}]{0,400}~~\}",
            "a marked replacement",
            "替换标记",
        ),
        kind(r"\{>>[^{}]{1,400}<<\}", "a marked comment", "批注标记"),
        kind(
            r"\[[^\[\]\n]{0,400}\]\{\.(?:insertion|deletion|comment-start)\b[^}\n]*\}",
            "a tracked change of a word processor",
            "文字处理软件的修订标记",
        ),
    ]
});

static COMMANDS: LazyLock<Vec<(&'static str, Regex)>> = LazyLock::new(|| {
    vec![
        (
            "changes",
            pattern(
                r"\\(?:added|deleted|replaced)\b\s*(?:\[[^\]\n]{0,200}\])?\s*\{[^{}]{0,200}\}?",
            ),
        ),
        (
            "trackchanges",
            pattern(
                r"\\(?:add|remove|change|annote|note)\s*(?:\[[^\]\n]{0,200}\])?\s*\{[^{}]{0,200}\}?",
            ),
        ),
        (
            "easyReview",
            pattern(r"\\(?:add|remove|replace|alert|comment|highlight)\s*\{[^{}]{0,200}\}?"),
        ),
    ]
});
static LATEXDIFF: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\\DIF(?:add|del)(?:FL)?\s*\{[^{}]{0,200}\}?"));
static PASTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\bComment \[[A-Z]{1,4}\d{1,3}\]:|\bFormatted: (?:Font|Left|Right|Centered|Justified|Indent|Line spacing|Normal|Space)\b|\[Comment by [^\]\n]{1,80}\]|\bCommented \[[A-Z]{1,4}\d{1,3}\]:",
    )
});
static OURS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^<{7}(?: [^\n]*)?$"));
static MIDDLE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^={7}\r?$"));
static THEIRS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^>{7}(?: [^\n]*)?$"));

fn check(paper: &Paper, found: &mut Found) {
    let manuscript = &paper.manuscript;
    for file in readable(paper) {
        let conflicts = conflicts(&file.text);
        if let Some(&(start, end)) = conflicts.first() {
            let span = Span::new(file.file, start, end);
            report(found, span, conflicts.len(), "a merge conflict", "合并冲突");
        }
        if manuscript.format == Format::Latex {
            let body = file.text.get(file.body..).unwrap_or("");
            let mut count = |pattern: &Regex, en: &str, zh: &str| {
                let mut uses = pattern
                    .find_iter(body)
                    .filter(|hit| !hit.as_str().contains('#'));
                if let Some(first) = uses.next() {
                    let (start, end) = (file.body + first.start(), file.body + first.end());
                    let span = Span::new(file.file, start, end);
                    report(found, span, 1 + uses.count(), en, zh);
                }
            };
            for (name, pattern) in COMMANDS.iter() {
                if is_active(manuscript, name) {
                    count(pattern, "a marked change", "修订标记");
                }
            }
            count(&LATEXDIFF, "output of latexdiff", "latexdiff 的输出");
            continue;
        }
        for kind in MARKUP.iter() {
            let mut uses = kind.pattern.find_iter(&file.text);
            if let Some(first) = uses.next() {
                let span = Span::new(file.file, first.start(), first.end());
                report(found, span, 1 + uses.count(), kind.en, kind.zh);
            }
        }
    }
    pasted(manuscript, found);
}

fn pasted(manuscript: &Manuscript, found: &mut Found) {
    let mut first = None;
    let mut count = 0;
    for (_, block) in written(manuscript) {
        let text = block.text.masked(not_words);
        for hit in PASTED.find_iter(&text) {
            count += 1;
            if first.is_none() {
                first = block.text.span(hit.range());
            }
        }
    }
    if let Some(span) = first {
        report(
            found,
            span,
            count,
            "a comment or format note of a word processor",
            "文字处理软件的批注或格式说明",
        );
    }
}

/// The package is loaded, and prints its marks.
fn is_active(manuscript: &Manuscript, name: &str) -> bool {
    package(manuscript, name).is_some_and(|options| {
        !options
            .split(',')
            .any(|option| matches!(option.trim(), "final" | "finalnew" | "disable"))
    })
}

/// Conflicts with all three marks in order: place of each first mark.
fn conflicts(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(ours) = OURS.find_at(text, at) {
        let Some(middle) = MIDDLE.find_at(text, ours.end()) else {
            break;
        };
        let Some(theirs) = THEIRS.find_at(text, middle.end()) else {
            break;
        };
        found.push((ours.start(), ours.start() + ours.as_str().trim_end().len()));
        at = theirs.end();
    }
    found
}

fn report(found: &mut Found, span: Span, count: usize, en: &str, zh: &str) {
    let message = if count == 1 {
        Words::new(format!("{en} remains"), format!("残留{zh}"))
    } else {
        Words::new(
            format!("{en} remains, {count} times in this file"),
            format!("残留{zh}，本文件共 {count} 处"),
        )
    };
    found.push(
        span,
        message,
        Words::new(
            "Accept or reject the changes and delete the marks.",
            "请接受或拒绝修订并删除标记。",
        ),
    );
}
