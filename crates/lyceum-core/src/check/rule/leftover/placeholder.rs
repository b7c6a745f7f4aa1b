//! A place kept free for words, a number or a reference that never came.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use super::place::{Taken, is_mentioned, not_words, pattern, written};
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::{Block, BlockKind, Format, Manuscript};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "leftover-placeholder",
    tier: Tier::Warning,
    title: Say::new("a placeholder was not filled in", "未填写的占位符"),
    rationale: Say::new(
        "XX for a number (XX %, 0.XX, n = XX), Figure XX, [REF], [CITE], [citation needed], [???], TBD alone in a cell \
         or in brackets, “INSERT … HERE”, “<your text>”, and the words a word processor leaves (“Error! Reference \
         source not found.”). Silent in code, comments and quotation marks; for XX as a name (chromosomes, Roman \
         numbers: a text that counts its tables with I, II, III); for “Insert Table 1 about here”, which journals ask \
         for; for TBD and the like where the text defines them; and for [citation needed] in a text about Wikipedia.",
        "代替数字的 XX（XX %、0.XX、n = XX）、Figure XX、[REF]、[CITE]、[citation needed]、[???]、单独成格或加括号的 TBD、\
         “INSERT … HERE”、“<your text>”，以及文字处理软件留下的“错误！未找到引用源。”。代码、注释和引号中的不报告；作为名称的 XX\
         （染色体、用罗马数字编号的图表）、期刊要求的“Insert Table 1 about here”、文中已定义的 TBD 等缩写，以及讨论维基百科的文稿中的 \
         [citation needed] 不报告。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "We asked n = XX people, of whom XX% answered (p = 0.XX), see Figure XX.\n",
            bib: None,
            finds: &["n = XX", "XX%", "0.XX", "Figure XX"],
        },
        Example {
            format: Format::Markdown,
            text: "This is known [REF] and [CITE] and [citation needed].\n\n[INSERT DESCRIPTION HERE]\n\nSee Error! Reference source not found. for more.\n",
            bib: None,
            finds: &[
                "[REF]",
                "[CITE]",
                "[citation needed]",
                "[INSERT DESCRIPTION HERE]",
                "Error! Reference source not found.",
            ],
        },
        Example {
            format: Format::Markdown,
            text: "TBD\n\n[Author Abstract] The date is [TBD], by [Your Name].\n",
            bib: None,
            finds: &["TBD", "[TBD]", "[Your Name]"],
        },
        Example {
            format: Format::Markdown,
            text: "The model has XX parameters and was trained for TBD hours.\n",
            bib: None,
            finds: &["XX parameters", "TBD"],
        },
        Example {
            format: Format::Markdown,
            text: "Of the XX chromosomes, see Table XX and Table XIX. Louis XX. Tick-borne disease (TBD) is rare [TBD].\n\n\
                   [Insert Table 1 about here]\n\nThe placeholder “XX%” and `[REF]` are written so. What??? Python 3.XX.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "On Wikipedia, [citation needed] marks a claim. INSERT INTO t is SQL; the key goes here.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\n\\begin{document}\nWe asked XX\\% of them~[REF].\n% XX\\% [REF]\n\\end{document}\n",
            bib: None,
            finds: &["XX\\%", "[REF]"],
        },
    ],
    check,
};

static SURE: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        r"\b[nNpPtFrM]\s*[=<>≈]\s*\.?X{2,4}\b",
        r"\bX{1,3}(?:\.X{1,3})\s?%|\bX{2,4}\s?%",
        r"(?:[=<>≈(]\s*|\bof )?\b0\.X{2,4}\b",
        r"\[(?:REF|REFS|REF\?|CITE|CITATION|CITE ME|ADD REF|ADD REFERENCE|ADD CITATION|CITATION NEEDED|REFERENCE NEEDED)\]",
        r"(?i)\[(?:reference|ref|source) (?:needed|missing)\]|\[(?:add|insert) (?:a |the )?(?:ref|reference|references|citation|citations|source)\]",
        r"\[\?{2,}\]|\(\?{3,}\)",
        r"Error! (?:Reference source not found|Bookmark not defined)\.?|错误[!！]\s?未(?:找到引用源|定义书签)[。.]?",
        r"(?i)\bclick (?:or tap )?here to enter (?:text|a date)\b\.?|单击或点击此处输入文字。?",
        r"(?i)[\[<{](?:author (?:name|affiliation|address|e-?mail)|(?:your|insert|enter|type) (?:own )?(?:text|name|names|title|abstract|affiliation|address|e-?mail|university|institution|department|description|content|keywords))(?: here)?[\]>}]",
        r"(?i)\bthis is where you (?:write|put|describe)\b|\bwrite your (?:text|abstract|acknowledgements?) here\b",
        r"(?i)\byour (?:text|abstract|title|content) (?:goes )?here\b",
        r"[\[(<{]?\bINSERT\b(?: [A-Z0-9'’,-]+){1,8} HERE\b[\])>}]?",
        r"\[(?:TBD|TBA|TBC)\]|\bTBD\b",
    ]
    .iter()
    .map(|literal| pattern(literal))
    .collect()
});
/// A number of things: `has XX parameters`.
static COUNTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:has|have|had|of|with|for|in|than|about|approximately|over|after|at|were|was|and|to|between) (X{2,3}) (?:[a-z]+ )?[a-z]{3,}s\b",
    )
});
static NEEDED: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\[citation needed\]"));
static NUMBERED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:Figure|Figures|Fig\.|Table|Tables|Section|Sec\.|Chapter|Appendix|Equation|Eq\.|Ref\.)\s(?:XX|XXX|\?{3})\b",
    )
});
static ROMAN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:figure|fig\.|table|tab\.|section|sec\.|chapter|part|appendix)s?\s(?:[IV]{2,4}|XI{0,3}|XI?V|XIX|XVI{0,3})\b",
    )
});
static ABOUT_HERE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:insert|place)\b.{0,30}\b(?:table|tables|figure|figures|fig|box|exhibit)\b")
});
static CELL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?:TBD|TBA|TBC|T\.B\.D\.|XX|XXX|XX\.X+|X\.XX+|\?{2,}|待定|待补充?)$")
});

fn check(paper: &Paper, found: &mut Found) {
    let manuscript = &paper.manuscript;
    let says = |words: &str| {
        manuscript
            .blocks
            .iter()
            .any(|block| block.text.string.contains(words))
    };
    let about_wikipedia = says("Wikipedia") || says("维基百科");
    let roman = manuscript
        .blocks
        .iter()
        .any(|block| ROMAN.is_match(&block.text.string));
    let genetic = is_genetic(manuscript);
    let mut defined = Defined::default();
    for (_, block) in written(manuscript) {
        let text = block.text.masked(not_words);
        let mut taken = Taken::default();
        let patterns = SURE
            .iter()
            .chain((!about_wikipedia).then(|| &*NEEDED))
            .chain((!roman).then(|| &*NUMBERED))
            .chain((!roman && !genetic).then(|| &*COUNTED));
        for pattern in patterns {
            for hit in pattern.find_iter(&text) {
                if !is_mentioned(&text, hit.start(), hit.end())
                    && !ABOUT_HERE.is_match(hit.as_str())
                    && !defined.holds(manuscript, hit.as_str())
                {
                    taken.add(trimmed(&text, hit.range()));
                }
            }
        }
        if taken.is_empty()
            && let Some(range) = cell(block, &text, genetic)
            && !defined.holds(manuscript, &text)
        {
            taken.add(range);
        }
        for range in taken.ranges() {
            let Some(span) = block.text.span(range) else {
                continue;
            };
            found.push(
                span,
                Words::new("a placeholder was not filled in", "占位符尚未填写"),
                Words::new("Fill it in.", "请填写实际内容。"),
            );
        }
    }
}

/// The hit without the words around `0.XX` and `XX`.
fn trimmed(text: &str, range: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let hit = text.get(range.clone()).unwrap_or("");
    if let Some(at) = hit.find("0.X") {
        return range.start + at..range.end;
    }
    match hit.find(" XX") {
        Some(at) if COUNTED.is_match(hit) => range.start + at + 1..range.end,
        _ => range,
    }
}

/// A cell, or a paragraph, that is nothing but a placeholder. A table full of them has another meaning for it.
fn cell(block: &Block, text: &str, genetic: bool) -> Option<std::ops::Range<usize>> {
    let alone = matches!(block.kind, BlockKind::Cell | BlockKind::Paragraph);
    let word = text.trim();
    let is_placeholder = alone && CELL.is_match(word) && !(genetic && word.starts_with('X'));
    is_placeholder.then_some(0..text.len())
}

/// A text in which XX may be a pair of chromosomes.
fn is_genetic(manuscript: &Manuscript) -> bool {
    manuscript.blocks.iter().any(|block| {
        ["XY", "hromosom", "aryotyp", "enotype", "染色体"]
            .iter()
            .any(|word| block.text.string.contains(word))
    })
}

/// Which of TBD and the like the text gives a meaning of their own; looked up once for each word.
#[derive(Default)]
struct Defined(HashMap<String, bool>);

impl Defined {
    fn holds(&mut self, manuscript: &Manuscript, hit: &str) -> bool {
        let word = hit.trim_matches(['[', ']', '(', ')', ' ']);
        if word.is_empty() || word.len() > 8 || !word.chars().all(|c| c.is_ascii_uppercase()) {
            return false;
        }
        if let Some(&known) = self.0.get(word) {
            return known;
        }
        let known = is_defined(manuscript, word);
        self.0.insert(word.to_owned(), known);
        known
    }
}

fn is_defined(manuscript: &Manuscript, word: &str) -> bool {
    let forms = [
        format!("({word})"),
        format!("{word}: "),
        format!("{word} = "),
    ];
    manuscript
        .blocks
        .iter()
        .any(|block| forms.iter().any(|form| block.text.string.contains(form)))
        || manuscript.acronyms.iter().any(|(short, ..)| short == word)
}
