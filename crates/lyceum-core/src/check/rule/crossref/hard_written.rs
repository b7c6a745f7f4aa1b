//! A cross reference or citation whose number never came: “Figure ??”, “[?]”.

use std::sync::LazyLock;

use regex::Regex;

use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::{Format, InlineKind};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "reference-hard-written",
    tier: Tier::Error,
    title: Say::new("reference without its number", "引用缺少编号"),
    rationale: Say::new(
        "“Figure ??”, “Section ?”, “Table [?]”, “[?]”, “图??” typed or copied into running text. Silent in code and \
         formulas, for question marks that end a question, and in quotation marks. XX as a placeholder is another rule's \
         (leftover-placeholder).",
        "正文中写成或复制成“Figure ??”“Section ?”“Table [?]”“[?]”“图??”的引用。代码和公式中的、作为问句结尾的问号以及引号中的不报告。用 XX 占位由另一条规则\
         （leftover-placeholder）处理。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "It grows, see Figure ?? and (Section ?). Others agree [?] with Table [?], and Eq. (??).\n\n如图??所示。\n",
            bib: None,
            finds: &[
                "Figure ??",
                "Section ?",
                "[?]",
                "Table [?]",
                "Eq. (??)",
                "图??",
            ],
        },
        Example {
            format: Format::Markdown,
            text: "Is it in the figure? Why Figure 3? In which Table? Voir la Figure ? Oui. `Figure ??` and “Figure ??” are typed so. What?? 看图？好。\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\\begin{document}\nSee Fig.~?? and $[?]$ and \\verb|Table ??|.\n\\end{document}\n",
            bib: None,
            finds: &["Fig.~??"],
        },
    ],
    check,
};

fn pattern(words: &str) -> Regex {
    #[expect(
        clippy::expect_used,
        reason = "a literal pattern, compiled by every test"
    )]
    Regex::new(words).expect("pattern")
}

static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:Figures?|Figs?\.?|Tables?|Tabs?\.|Sections?|Sects?\.|Secs?\.|§|Equations?|Eqs?\.|Eqns?\.|Chapters?|Chap\.|Appendix|Appendices|Algorithms?|Listings?|Theorems?|Lemmas?|Propositions?|figures?|tables?|sections?|equations?)[\s\u{a0}]*(?:\(\?{2,3}\)|\[\?{1,2}\]|\?{2,3}(?:\.\?{1,3})?|\(\?\))|[图表式节章第]\s?(?:[?？]{2,3}|\[[?？]\])",
    )
});
/// One mark only: a capital word, a space, and a sentence that goes on or a bracket that closes.
static SINGLE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b((?:Figures?|Figs?\.|Tables?|Sections?|Secs?\.|Equations?|Eqs?\.|Chapter|Appendix)[ \u{a0}]\?)(?:[,;)]|\s[a-z])",
    )
});
static ALONE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\[\?(?:,\s?\?)*\]"));

fn check(paper: &Paper, found: &mut Found) {
    for block in paper
        .manuscript
        .blocks
        .iter()
        .filter(|block| block.kind.is_prose())
    {
        let words = block.text.masked(|kind| {
            matches!(
                kind,
                InlineKind::Math | InlineKind::Code | InlineKind::Url | InlineKind::Change
            )
        });
        if !words.contains(['?', '？']) {
            continue;
        }
        let named = NAMED.find_iter(&words).map(|found| found.range());
        let single = SINGLE
            .captures_iter(&words)
            .filter_map(|captures| captures.get(1))
            .map(|found| found.range());
        let mut named: Vec<_> = named.chain(single).collect();
        named.sort_by_key(|range| range.start);
        let alone = ALONE.find_iter(&words).filter(|alone| {
            let next = named.partition_point(|range| range.start <= alone.start());
            let inside = next
                .checked_sub(1)
                .is_some_and(|i| alone.start() < named[i].end);
            let before = words.get(..alone.start()).unwrap_or("").trim_end();
            !inside
                && before.ends_with(|c: char| {
                    c.is_alphanumeric() || matches!(c, ',' | '.' | ')' | '”' | ';')
                })
        });
        let alone: Vec<_> = alone.map(|found| found.range()).collect();
        let mut ranges = named;
        ranges.extend(alone);
        ranges.sort_by_key(|range| range.start);
        for range in ranges {
            if is_quoted(&words, range.start, range.end) {
                continue;
            }
            let Some(span) = block.text.span(range.clone()) else {
                continue;
            };
            let shown = words.get(range).unwrap_or("");
            found.push(
                span,
                Words::new(
                    format!("{shown} has no number"),
                    format!("{shown} 没有编号"),
                ),
                Words::new("Refer to what is meant.", "请写明所指的对象。"),
            );
        }
    }
}

/// True inside quotation marks: spoken of, not used.
fn is_quoted(words: &str, start: usize, end: usize) -> bool {
    let before = words.get(..start).and_then(|head| head.chars().next_back());
    let after = words.get(end..).and_then(|tail| tail.chars().next());
    let opens = matches!(before, Some('“' | '"' | '‘' | '\'' | '`' | '「' | '«'));
    opens || matches!(after, Some('”' | '"' | '」' | '»'))
}
