//! A note of the author to the author, printed for everybody.

use std::sync::LazyLock;

use regex::Regex;

use super::place::{Taken, is_mentioned, not_words, package, pattern, readable, written};
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::{Block, Format, InlineKind, Manuscript, Span};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "leftover-todo",
    tier: Tier::Error,
    title: Say::new("a note to oneself is printed", "残留的待办标记"),
    rationale: Say::new(
        "TODO, FIXME or XXX as a note: followed by a colon or a name in brackets, in brackets of its own, at the start \
         of a block, or alone in it; the same in Chinese (【待补充】, 待办：); and `\\todo`, `\\fixme`, `\\missingfigure` \
         where they print. Silent in comments, code and quotation marks, in a text that is about such notes (“TODO \
         comments”, “TODO and FIXME”), for lower-case words (to-do list), and for `\\todo` where the package is \
         disabled or bound to draft mode, or the command is defined to print nothing.",
        "作为记号使用的 TODO、FIXME、XXX：后接冒号或括号中的人名、单独加括号、位于段首或独占一段；中文的【待补充】、“待办：”；以及会\
         被打印出来的 `\\todo`、`\\fixme`、`\\missingfigure`。注释、代码和引号中的不报告；以此类标记为研究对象的文稿（“TODO \
         comments”“TODO and FIXME”）不报告；小写普通词不报告；宏包已停用、依赖草稿模式或命令定义为空时，`\\todo` 不报告。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "TODO: describe the sites.\n\nThe samples [TODO add number] were (FIXME: when?) taken.\n\n- TODO\n",
            bib: None,
            finds: &[
                "TODO: describe the sites.",
                "[TODO add number]",
                "(FIXME: when?)",
                "TODO",
            ],
        },
        Example {
            format: Format::Markdown,
            text: "FIXME this repeats the introduction.\n\nTODO add the second site. Then go.\n",
            bib: None,
            finds: &[
                "FIXME this repeats the introduction.",
                "TODO add the second site.",
            ],
        },
        Example {
            format: Format::Markdown,
            text: "TODO is a mark in a text.\n\nXXX rated films are not studied.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "See the analysis. TODO(anna) explain.\n\nXXX: is this right?\n",
            bib: None,
            finds: &["TODO(anna)", "XXX: is this right?"],
        },
        Example {
            format: Format::Markdown,
            text: "# 方法\n\n【待补充】\n\n样本量为【此处补充数据】。\n",
            bib: None,
            finds: &["【待补充】", "【此处补充数据】"],
        },
        Example {
            format: Format::Markdown,
            text: "A to-do list and a todo app. <!-- TODO: more --> The flag `TODO: x` is set, and so is “TODO:”.\n\n\
                   ```\n# TODO: later\n```\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "We collect TODO comments from the code.\n\nTODO: marks were counted.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "Women have XX chromosomes, Louis XXX is not known, and the galaxy NGC XXX has no number.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\n\\usepackage{todonotes}\n\\begin{document}\nWe saw\\todo{how many?} it. % TODO: more\nSee \\missingfigure{the map}. TODO: end.\n\\end{document}\n",
            bib: None,
            finds: &["\\todo{how many?}", "\\missingfigure{the map}", "TODO:"],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\n\\usepackage[disable]{todonotes}\n\\begin{document}\nWe saw\\todo{how many?} it.\n\\end{document}\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\n\\newcommand{\\todo}[1]{}\n\\begin{document}\nWe saw\\todo{how many?} it. \\verb|TODO: x|\n\\begin{verbatim}\nTODO: y \\todo{z}\n\\end{verbatim}\n\\end{document}\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

/// Signs that the text is about such notes, not full of them.
static SUBJECT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?i)\b(?:TODO|FIXME)\W{0,3}\s*(?:comments?|markers?|tags?|annotations?|keywords?|instructions?|items?)\b|self-admitted technical debt|\bTODO\W{0,3}\s*(?:,|and|or|/)\s*\W{0,3}(?:FIXME|XXX|HACK)\b"#,
    )
});

static NOTES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        // In brackets of its own.
        r"[\[({<【（]\s*(?:TODO|FIXME|XXX|To ?do:|待办|待补充?|待完善|待填写?|待续|此处(?:补充|插入|填写|需要补充))\b?[^\]\[)(}{><】（）\n]{0,300}[\])}>】）]",
        // With a name.
        r"\b(?:TODO|FIXME|XXX)\([A-Za-z][\w.@ -]{0,40}\)",
        // At the start of a block, to its first full stop.
        r"^(?:TODO|FIXME)\b(?:\s*[:：.–—-]+\s*\S[^.。\n]{0,160}[.。]?|\s*[:：.!]*$)",
        r"^(?:XXX)\s*[:：]\s*[^.。?？\n]{0,160}[.。?？]?",
        r"^(?:待办|待补充|待完善|待填写)\s*(?:[:：][^。\n]{0,80}。?|[。.]?$)",
        // Anywhere, with a colon.
        r"\b(?:TODO|FIXME)\s*[:：]",
    ]
    .iter()
    .map(|literal| pattern(literal))
    .collect()
});
/// The mark at the start of a block, with the word behind it.
static START: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(TODO|FIXME|XXX)\b(?:\s+([A-Za-z]+)[^.。?？\n]{0,160}[.。?？]?)?"));

/// Verbs and joints that make the mark the subject of a sentence: “TODO is a mark …”.
const SUBJECT_VERB: &[&str] = &[
    "and", "are", "as", "can", "does", "for", "from", "has", "have", "in", "is", "means", "of",
    "on", "or", "stands", "to", "was", "were", "with",
];

/// A mark at the start of a block: in bold, or followed by a word in small letters that it is not the subject of.
fn at_start(block: &Block, text: &str) -> Option<std::ops::Range<usize>> {
    let captures = START.captures(text)?;
    let (whole, mark) = (captures.get(0)?, captures.get(1)?);
    let strong = block
        .text
        .inlines
        .iter()
        .any(|inline| inline.kind == InlineKind::Strong && inline.range.start == 0);
    if strong {
        return Some(mark.range());
    }
    let next = captures.get(2)?.as_str();
    let note = mark.as_str() != "XXX"
        && next.starts_with(|c: char| c.is_ascii_lowercase())
        && !SUBJECT_VERB.contains(&next);
    note.then(|| whole.range())
}

fn check(paper: &Paper, found: &mut Found) {
    let manuscript = &paper.manuscript;
    if manuscript
        .blocks
        .iter()
        .any(|block| SUBJECT.is_match(&block.text.string))
    {
        return;
    }
    let mut spans: Vec<Span> = Vec::new();
    if manuscript.format == Format::Latex {
        spans.extend(commands(paper));
    }
    for (_, block) in written(manuscript) {
        let text = block.text.masked(not_words);
        let mut taken = Taken::default();
        for note in NOTES.iter() {
            for hit in note.find_iter(&text) {
                if !is_mentioned(&text, hit.start(), hit.end()) {
                    taken.add(hit.range());
                }
            }
        }
        if taken.is_empty()
            && let Some(range) = at_start(block, &text)
        {
            taken.add(range);
        }
        spans.extend(taken.ranges().filter_map(|range| block.text.span(range)));
    }
    spans.sort_by_key(|span| (span.file, span.start, u32::MAX - span.end));
    spans.dedup_by(|inner, outer| inner.file == outer.file && inner.end <= outer.end);
    for span in spans {
        found.push(
            span,
            Words::new("a note to the author is printed", "待办标记会出现在正文中"),
            Words::new("Do it and delete the note.", "请完成该事项并删除标记。"),
        );
    }
}

static COMMAND: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\\(todo|TODO|fixme|FIXME|missingfigure|tbd|TBD)\b\s*(?:\[[^\]\n]{0,200}\])?\s*\{[^{}]{0,300}\}?",
    )
});
static DEFINITION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\\(?:(?:re|provide)?newcommand|providecommand|DeclareRobustCommand|def|let|gdef|newenvironment|NewDocumentCommand|RenewDocumentCommand)\*?\s*\{?\s*\\?(todo|TODO|fixme|FIXME|missingfigure|tbd|TBD)\b\}?([^\n]*)",
    )
});

/// `\todo` and its kin where they print.
fn commands(paper: &Paper) -> Vec<Span> {
    let manuscript = &paper.manuscript;
    let files = readable(paper);
    let silenced: Vec<String> = files
        .iter()
        .flat_map(|file| DEFINITION.captures_iter(&file.text))
        .filter(|captures| prints_nothing(captures.get(2).map_or("", |rest| rest.as_str())))
        .filter_map(|captures| captures.get(1).map(|name| name.as_str().to_owned()))
        .collect();
    let draft_only = is_disabled(manuscript)
        || files
            .iter()
            .any(|file| file.text.contains("\\presetkeys{todonotes}{disable}"));
    let mut spans = Vec::new();
    for file in &files {
        let body = file.text.get(file.body..).unwrap_or("");
        for captures in COMMAND.captures_iter(body) {
            let (Some(whole), Some(name)) = (captures.get(0), captures.get(1)) else {
                continue;
            };
            let before = body.get(..whole.start()).unwrap_or("").trim_end();
            let is_definition = before.ends_with("command")
                || before.ends_with("command{")
                || before.ends_with("\\def")
                || before.ends_with("\\let")
                || whole.as_str().contains('#');
            let is_package = matches!(name.as_str(), "todo" | "missingfigure");
            if is_definition
                || silenced.iter().any(|silent| silent == name.as_str())
                || (is_package && draft_only)
            {
                continue;
            }
            spans.push(Span::new(
                file.file,
                file.body + whole.start(),
                file.body + whole.end(),
            ));
        }
    }
    spans
}

/// The rest of a definition's line leaves the command without output.
fn prints_nothing(rest: &str) -> bool {
    let body = rest.replace(char::is_whitespace, "");
    let arguments =
        body.trim_start_matches(|c: char| matches!(c, '[' | ']' | '#' | '=') || c.is_ascii_digit());
    arguments.starts_with("{}")
        || arguments.starts_with("{\\relax}")
        || arguments.starts_with("{\\ignorespaces}")
        || arguments.starts_with("{m}{}")
        || arguments.starts_with("{+m}{}")
        || arguments.starts_with("{om}{}")
        || arguments.contains("gobble")
        || arguments.starts_with("\\relax")
}

/// The package `todonotes` is switched off, or only on in draft mode.
fn is_disabled(manuscript: &Manuscript) -> bool {
    package(manuscript, "todonotes").is_some_and(|options| {
        ["disable", "obeyDraft", "obeyFinal"]
            .iter()
            .any(|option| options.contains(option))
    })
}
