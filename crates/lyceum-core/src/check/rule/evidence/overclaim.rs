//! Words that claim more than evidence can give.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::super::wording::{Sentences, any_of, own_words, says};
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::{Block, Format, InlineKind};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "evidence-overclaim",
    tier: Tier::Opinion,
    title: Say::new("a claim beyond its evidence", "超出证据的断言"),
    rationale: Say::new(
        "Results support, they do not prove; a first is a first as far as the authors know; a superlative needs its \
         figure. Speaks of results or experiments that prove, of proof without doubt, of firsts without “to our knowledge”, \
         of unprecedented performance, of groundbreaking or revolutionary work of one's own, of complete solutions, and of \
         beating the state of the art without a number or a reference in the sentence where the paper has no table. \
         Silent in texts with theorems or lemmas as far as proof is concerned, for “prove useful”, in quotations and \
         questions, and where the sentence denies the claim.",
        "结果只能支持而不能“证明”；“首次”应限于作者所知；最高级需要数字。报告：结果或实验“证明”、毫无疑问的证明、不加“据我们所知”\
         的首次、前所未有的性能、自称突破性或革命性、彻底解决，以及没有数字、引文和表格支持的超越最先进水平。含定理、引理的文稿中的\
         “证明”、引文、疑问句和否定句不报告。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "Our results prove that the drug works. We are the first study to show this.\n\nThis is undoubtedly true.\n",
            bib: None,
            finds: &[
                "Our results prove that",
                "We are the first study to",
                "undoubtedly",
            ],
        },
        Example {
            format: Format::Markdown,
            text: "实验毋庸置疑地表明，本文方法彻底解决了该问题。\n",
            bib: None,
            finds: &["毋庸置疑", "彻底解决"],
        },
        Example {
            format: Format::Markdown,
            text: "The results suggest a link. To our knowledge, this is the first study to show it. The tool may prove useful. \
                   Results do not prove that it works. The first method to be run is the baseline.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "**Theorem 1.** The sum converges.\n\nThese results prove that the bound is tight.\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

static PROVE: LazyLock<Regex> = LazyLock::new(|| {
    any_of(&[
        r"\b(?:our|these|the|this) (?:\w+ ){0,1}(?:results?|findings?|data|experiments?|study|analys[ei]s|evidence) (?:\w+ly )?(?:proves?|proved|have proven|has proven) (?:that|the|our)\b",
    ])
});
static CLAIM: LazyLock<Regex> = LazyLock::new(|| {
    any_of(&[
        r"\b(?:undoubtedly|indisputabl[ey]|irrefutabl[ey]|beyond (?:any |all )?doubt|without (?:any )?doubt|incontrovertibl[ey])\b",
        r"\b(?:conclusively|definitively|unequivocally) (?:prove[sdn]?|demonstrates?|demonstrated|shows?|shown|establish(?:es|ed)?)\b",
        r"\bwe (?:are|were|have been) the first (?:\w+ )?to\b",
        r"\bth(?:is|e present) (?:paper|study|work|article) is the first (?:\w+ )?to\b",
        r"\b(?:first[- ]ever|never before (?:been )?(?:achieved|reported|shown|seen))\b",
        r"\bunprecedented (?:\w+ )?(?:accuracy|performance|precision|speed|results?|quality|efficiency)\b",
        r"\b(?:our|this|the proposed|a) (?:\w+ )?(?:groundbreaking|ground-breaking|revolutionary|game-changing|paradigm-shifting)\b",
        r"\b(?:completely|fully|entirely) (?:solv(?:es|ed)|eliminat(?:es|ed)) (?:the|this|all)\b",
        r"毋庸置疑|毫无疑问|无可争议|不容置疑|史无前例|国际领先|世界领先|填补了?[^。]{0,12}空白|彻底解决|完全解决|颠覆性|前所未有的(?:精度|性能|效果|准确率)",
    ])
});
static BEST: LazyLock<Regex> = LazyLock::new(|| {
    any_of(&[
        r"\b(?:outperform\w*|surpass\w*|beats?|exceeds?) (?:all |any |every )?(?:\w+ )?(?:state[- ]of[- ]the[- ]art|existing (?:methods|approaches|models|work))\b",
        r"\bachiev\w+ (?:\w+ )?state[- ]of[- ]the[- ]art (?:performance|results|accuracy)\b",
    ])
});
static PROOFS: LazyLock<Regex> = LazyLock::new(|| {
    any_of(&[r"\b(?:theorem|lemma|corollary|proposition) ?\d|\bproof of\b|定理|引理"])
});
static HEDGE: LazyLock<Regex> = LazyLock::new(|| {
    any_of(&[
        r"\b(?:to (?:our|the best of our|my) (?:best )?knowledge|as far as we (?:know|are aware)|we are (?:not aware|unaware)|not|never (?:be|been)|cannot|nor|neither|no longer|whether|would|could|might|if)\b|n't\b|据我们所知|就我们所知|尚未|不能|未能|并非|是否",
    ])
});

fn check(paper: &Paper, found: &mut Found) {
    let mathematical = says(paper, &PROOFS);
    let has_table = !paper.manuscript.tables.is_empty();
    for (block, text) in own_words(paper) {
        let hits = claims(block, &text, mathematical, has_table);
        if hits.is_empty() {
            continue;
        }
        let sentences = Sentences::of(&text);
        for hit in hits {
            let whole = sentences.at(hit.clone());
            let sentence = &text[whole.clone()];
            // A doubt anywhere in the sentence, the claim itself left out, is a doubt about it.
            let doubted = HEDGE.is_match(&text[whole.start..hit.start])
                || HEDGE.is_match(&text[hit.end.min(whole.end)..whole.end]);
            if doubted || sentence.trim_end().ends_with(['?', '？']) || is_quoted(&text, &hit) {
                continue;
            }
            let Some(span) = block.text.span(hit) else {
                continue;
            };
            found.push(
                span,
                Words::new(
                    "the wording claims more than evidence can show",
                    "措辞超出了证据所能说明的范围",
                ),
                Words::new(
                    "Say what the evidence supports and how strongly.",
                    "请说明证据支持什么、支持到何种程度。",
                ),
            );
        }
    }
}

/// At most this many claims of one kind are looked at in one block.
const MOST: usize = 100;

fn claims(block: &Block, text: &str, mathematical: bool, has_table: bool) -> Vec<Range<usize>> {
    let ranges = |pattern: &Regex| -> Vec<Range<usize>> {
        pattern
            .find_iter(text)
            .take(MOST)
            .map(|hit| hit.range())
            .collect()
    };
    let mut hits = ranges(&CLAIM);
    if !mathematical {
        hits.extend(ranges(&PROVE));
    }
    if !has_table {
        let best = ranges(&BEST);
        if !best.is_empty() {
            let sentences = Sentences::of(text);
            hits.extend(
                best.into_iter()
                    .filter(|hit| is_bare(block, text, sentences.at(hit.clone()))),
            );
        }
    }
    hits
}

/// True when neither a number nor a citation or reference stands in the sentence.
fn is_bare(block: &Block, text: &str, sentence: Range<usize>) -> bool {
    !text[sentence.clone()].contains(|c: char| c.is_ascii_digit())
        && block.text.inlines_in(sentence).all(|inline| {
            !matches!(
                inline.kind,
                InlineKind::Citation(_) | InlineKind::Reference(_)
            )
        })
}

fn is_quoted(text: &str, hit: &Range<usize>) -> bool {
    let before = text[..hit.start].trim_end().chars().next_back();
    matches!(before, Some('“' | '"' | '‘' | '「'))
}
