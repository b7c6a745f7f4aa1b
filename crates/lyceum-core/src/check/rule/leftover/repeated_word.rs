//! The same word twice in a row.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::lorem::{filler, generated};
use super::place::{not_words, pattern};
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::{Block, BlockKind, Format, InlineKind, SectionKind};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "repeated-word",
    tier: Tier::Warning,
    title: Say::new("a word is written twice", "词语重复"),
    rationale: Say::new(
        "“The the” is read over by its author and seen by everyone else. Looks across line ends, not across formulas, \
         commands, code, citations, punctuation, list items or cells, and only in English sentences. Silent for words that may \
         follow themselves (had, that, is, it, her, very …), names and other capitals (“arsenic, As as an element”), numbers, emphasised or quoted \
         words, a word said three times, names of pairs (gene gene interaction) and phrases such as “in in vitro \
         studies”. In Chinese only 的的, 了了, 是是, 在在 and doubled connectives are reported, and not where the first \
         character ends a word or the second begins one (目的的, 为了了解, 是是非非).",
        "作者自己往往看不出“the the”，别人却一眼就能看到。跨行检查，但不跨公式、命令、代码、引用、标点、列表项和单元格，且只检查英文句子。\
         可以自然叠用的词（had、that、is、it、her、very 等）、人名和元素符号等大写词（As as）、数字、强调或加引号的词、连说三次的词、成对名称\
         （gene gene interaction）以及“in in vitro studies”之类的短语不报告。中文只报告“的的”“了了”“是是”“在在”和重复的连词，\
         并排除前一字属于前词或后一字属于后词的情形（目的的、为了了解、是是非非）。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "The aim of the work is to look at the end of it and of the way to it.\n\nThe values came from from archives.\n",
            bib: None,
            finds: &["from from"],
        },
        Example {
            format: Format::Markdown,
            text: "Les hommes et nous nous lavons in in Rom.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "We measured the\nthe temperature of the water. It is is fine.\n",
            bib: None,
            finds: &["the the"],
        },
        Example {
            format: Format::Markdown,
            text: "The the data were taken from a survey and and were cleaned.\n",
            bib: None,
            finds: &["The the", "and and"],
        },
        Example {
            format: Format::Markdown,
            text: "The data show that As as an alloying element and In in the melt are good for the steel. As as is said, the rest is bad.\n",
            bib: None,
            finds: &["As as"],
        },
        Example {
            format: Format::Markdown,
            text: "The results show results show that the model model fits the data data well.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "The estimate of the variance variance is given in the table.\n",
            bib: None,
            finds: &["variance variance"],
        },
        Example {
            format: Format::Markdown,
            text: "We knew that that study had had effects; what it is is unclear to the reader, and the band Duran \
                   Duran and the *the the* of New York New York are of no help.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "In in vitro studies of the gene gene interaction, the `the` the [@the2020] the $x$ the were used.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "The lamp was switched on on Monday, which is the state it was in in May.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "- of the\n- the other\n\nWe chose the. The rest of the work is to the, the end.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "The western gorilla (*Gorilla gorilla gorilla*) and the gorilla gorilla gorilla of the zoo.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Latex,
            text: "The priors on it are flat in \\Pbad{} in the range and flat in $\\Ybad$ in the other range of the the data.\n",
            bib: None,
            finds: &["the the"],
        },
        Example {
            format: Format::Markdown,
            text: "本文的的方法优于已有方法，但是但是成本较高。\n",
            bib: None,
            finds: &["的的", "但是但是"],
        },
        Example {
            format: Format::Markdown,
            text: "研究目的的确定是为了了解常常慢慢变化的系统，的的确确有是是非非，我们研究研究。问题是是否可行。他现在在家。\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\n\\begin{document}\nThe results of the\nthe survey are good, and they are shown in~in the table.\n\\end{document}\n",
            bib: None,
            finds: &["the the", "in~in"],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\n\\begin{document}\nThe sum of the $x$ the value is \\emph{the} the value of \\cite{a} a \\texttt{to} to that.\n\\end{document}\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

/// Words that are an error when doubled, whatever follows.
const FUNCTION: &[&str] = &[
    "a", "about", "after", "also", "an", "and", "are", "as", "at", "be", "because", "been",
    "before", "between", "but", "by", "could", "each", "for", "from", "has", "have", "however",
    "if", "in", "into", "its", "may", "of", "on", "or", "our", "should", "such", "than", "the",
    "their", "these", "they", "through", "to", "under", "using", "via", "we", "when", "where",
    "whether", "with", "within", "without", "would",
];

/// Words that may follow themselves in good English, or that name something when doubled.
const DOUBLE: &[&str] = &[
    "again", "agar", "aye", "beri", "blah", "bling", "bora", "bye", "cash", "chop", "chow", "dear",
    "does", "down", "dum", "ever", "extra", "fifty", "five", "four", "good", "great", "hard",
    "hear", "here", "high", "hula", "jing", "knock", "less", "long", "lots", "many", "more",
    "most", "much", "nine", "null", "only", "over", "paw", "pretty", "quite", "rather", "really",
    "right", "same", "seven", "some", "super", "that", "then", "there", "this", "three", "tick",
    "tom", "truly", "tuk", "very", "walla", "well", "what", "which", "while", "will", "years",
    "ylang", "zero",
];

/// What follows a pair of things rather than a word said twice.
const BETWEEN: &[&str] = &[
    "adhesion",
    "agreement",
    "association",
    "associations",
    "attachment",
    "collision",
    "collisions",
    "communication",
    "comparison",
    "comparisons",
    "connection",
    "connections",
    "contact",
    "contacts",
    "correlation",
    "correlations",
    "coupling",
    "distance",
    "distances",
    "encounter",
    "encounters",
    "fusion",
    "interaction",
    "interactions",
    "interface",
    "interfaces",
    "link",
    "links",
    "network",
    "networks",
    "pair",
    "pairs",
    "ratio",
    "relation",
    "relations",
    "relationship",
    "relationships",
    "scattering",
    "similarity",
    "transfer",
    "transition",
    "transitions",
    "transmission",
];

/// Phrases whose first word a preposition or article may double.
const LATIN: &[&str] = &[
    "cellulo",
    "chemico",
    "loco",
    "ovo",
    "planta",
    "posteriori",
    "press",
    "priori",
    "silico",
    "situ",
    "toto",
    "utero",
    "vacuo",
    "vitro",
    "vivo",
];

/// Words whose particle may stand before a preposition: “the state it was in in May”, “switched on on Monday”.
const PARTICLE: &[&str] = &[
    "add", "added", "are", "be", "been", "being", "built", "carried", "carry", "check", "checked",
    "goes", "going", "hooked", "is", "keep", "kept", "latched", "left", "log", "logged", "lived",
    "move", "moved", "pass", "passed", "plug", "plugged", "put", "sign", "signed", "switch",
    "switched", "turn", "turned", "was", "went", "were", "work", "worked", "zoom", "zoomed",
];

/// What makes a doubled keyword of a language or of logic: `for for loops`, `and and or`.
const KEYWORD: &[&str] = &[
    "block",
    "blocks",
    "clause",
    "clauses",
    "condition",
    "conditions",
    "else",
    "gate",
    "gates",
    "keyword",
    "keywords",
    "loop",
    "loops",
    "operator",
    "operators",
    "or",
    "statement",
    "statements",
];

/// The commonest words of English.
const COMMON: [&str; 18] = [
    "the", "of", "and", "to", "is", "for", "with", "that", "are", "was", "were", "from", "this",
    "which", "have", "has", "by", "be",
];
/// Most words of a paragraph that is taken for English because the paper is.
const SHORT: usize = 30;

static CHINESE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        "的的|了了|是是|在在|但是但是|因此因此|由于由于|通过通过|以及以及|对于对于|其中其中|我们我们|进行进行|本文本文|\
         因为因为|所以所以|而且而且|并且并且|根据根据|如果如果",
    )
});
static TOKEN: LazyLock<Regex> = LazyLock::new(|| pattern(r"[^\s\u{a0}]+"));
const OPENING: &[char] = &['(', '[', '{', '"', '“', '‘', '\'', '«'];
const CLOSING: &[char] = &[
    ')', ']', '}', '"', '”', '’', '\'', '»', '.', ',', ';', ':', '!', '?',
];

fn check(paper: &Paper, found: &mut Found) {
    let manuscript = &paper.manuscript;
    let blocks = || {
        manuscript.blocks.iter().filter(|block| {
            matches!(
                block.kind,
                BlockKind::Paragraph
                    | BlockKind::ListItem
                    | BlockKind::Caption
                    | BlockKind::Footnote
            ) && manuscript.kind_of(block.section) != SectionKind::References
        })
    };
    let (mut common, mut all) = (0, 0);
    for word in blocks().flat_map(|block| block.text.string.split(' ')) {
        all += 1;
        common += usize::from(COMMON.contains(&word));
    }
    // In an English paper a short paragraph is English even with one common word.
    let whole = common * 8 >= all;
    for block in blocks() {
        let text = block.text.masked(not_words);
        if filler(&text).is_some() || generated(&text) >= 3 {
            continue;
        }
        for (start, end) in english(block, &text, whole)
            .into_iter()
            .chain(chinese(&text))
        {
            let Some(span) = block.text.span(start..end) else {
                continue;
            };
            // A command between the two may print a word: a class or package that cannot be read defines it.
            if manuscript.format == Format::Latex && manuscript.slice(span).contains('\\') {
                continue;
            }
            let twice = text.get(start..end).unwrap_or("").to_owned();
            found.push(
                span,
                Words::new(
                    format!("“{twice}”: the same word twice"),
                    format!("“{twice}”：词语重复"),
                ),
                Words::new("Delete one of the two.", "请删去其中一个。"),
            );
        }
    }
}

/// A token with its offset, bare of the marks around it.
struct Token<'a> {
    start: usize,
    word: &'a str,
    opened: bool,
    closed: bool,
}

fn token(start: usize, raw: &str) -> Token<'_> {
    let inner = raw.trim_start_matches(OPENING);
    let word = inner.trim_end_matches(CLOSING);
    Token {
        start: start + raw.len() - inner.len(),
        word,
        opened: inner.len() < raw.len(),
        closed: word.len() < inner.len(),
    }
}

fn english(block: &Block, text: &str, whole: bool) -> Vec<(usize, usize)> {
    let tokens: Vec<Token> = TOKEN
        .find_iter(text)
        .map(|found| token(found.start(), found.as_str()))
        .collect();
    let sure = is_english(&tokens);
    let short = whole && tokens.len() <= SHORT;
    if !sure && !short {
        return Vec::new();
    }
    let emphasis = Emphasis::of(block);
    let mut pairs = Vec::new();
    let mut content = 0;
    for (i, pair) in tokens.windows(2).enumerate() {
        let (first, second) = (&pair[0], &pair[1]);
        let same = same(first.word, second.word);
        if first.closed || second.opened || !same || is_symbol(text, first, second) {
            continue;
        }
        let next = (!second.closed).then(|| tokens.get(i + 2)).flatten();
        let next = next.map_or("", |token| token.word);
        let before = i.checked_sub(1).map_or("", |before| tokens[before].word);
        let end = second.start + second.word.len();
        let quoted = first.opened && second.closed;
        let emphasised = emphasis.overlaps(&(first.start..end));
        if quoted || emphasised || next == second.word || before.eq_ignore_ascii_case(second.word) {
            continue;
        }
        if FUNCTION.contains(&second.word) {
            if is_slip(before, second.word, next) {
                pairs.push((first.start, end, false));
            }
        } else if sure
            && second.word.len() >= 4
            && !DOUBLE.contains(&second.word)
            && !BETWEEN.contains(&next)
            && !is_code(next)
        {
            content += 1;
            pairs.push((first.start, end, true));
        }
    }
    // Two doubled nouns in one paragraph are a style or another language, not two slips.
    pairs
        .into_iter()
        .filter(|&(.., is_content)| !is_content || content == 1)
        .map(|(start, end, _)| (start, end))
        .collect()
}

/// The emphasised parts of a block, in order and apart.
struct Emphasis(Vec<std::ops::Range<usize>>);

impl Emphasis {
    fn of(block: &Block) -> Self {
        let mut parts: Vec<std::ops::Range<usize>> = Vec::new();
        for inline in &block.text.inlines {
            if !matches!(inline.kind, InlineKind::Emphasis | InlineKind::Strong) {
                continue;
            }
            match parts.last_mut() {
                Some(last) if inline.range.start <= last.end => {
                    last.end = last.end.max(inline.range.end);
                }
                _ => parts.push(inline.range.clone()),
            }
        }
        Self(parts)
    }

    fn overlaps(&self, range: &std::ops::Range<usize>) -> bool {
        let after = self.0.partition_point(|part| part.end <= range.start);
        self.0.get(after).is_some_and(|part| part.start < range.end)
    }
}

/// Enough of the commonest words, for the length of the text.
fn is_english(tokens: &[Token]) -> bool {
    let words: Vec<&str> = tokens
        .iter()
        .map(|token| token.word)
        .filter(|word| COMMON.contains(word))
        .collect();
    let distinct: HashSet<&&str> = words.iter().collect();
    distinct.len() >= 2 && words.len() * 16 >= tokens.len()
}

/// The second is the first in lower case; only letters.
fn same(first: &str, second: &str) -> bool {
    first.len() == second.len()
        && !second.is_empty()
        && second.bytes().all(|b| b.is_ascii_lowercase())
        && first.get(1..) == second.get(1..)
        && first.eq_ignore_ascii_case(second)
}

/// A capital within a sentence is a name or a symbol: “As as an alloying element”.
fn is_symbol(text: &str, first: &Token, second: &Token) -> bool {
    let before = text
        .get(..first.start)
        .unwrap_or("")
        .trim_end_matches(|c: char| c.is_whitespace() || OPENING.contains(&c));
    first.word != second.word && before.ends_with(|c: char| c.is_alphanumeric() || c == ',')
}

/// What follows a name in pasted code: `results = …`.
fn is_code(next: &str) -> bool {
    !next.is_empty() && !next.contains(|c: char| c.is_alphanumeric())
}

/// A doubled function word that nothing around it explains.
fn is_slip(before: &str, word: &str, next: &str) -> bool {
    let letter = |token: &str| token.chars().count() == 1 && token != "a";
    match word {
        "in" | "a" if LATIN.contains(&next) => false,
        "in" | "on" | "by" | "through" => !PARTICLE.contains(&before),
        "a" => !letter(before) && !letter(next) && !next.is_empty(),
        "and" | "or" | "for" | "with" | "if" => !KEYWORD.contains(&next),
        _ => true,
    }
}

fn chinese(text: &str) -> Vec<(usize, usize)> {
    CHINESE
        .find_iter(text)
        .filter(|hit| {
            let before = text.get(..hit.start()).and_then(|t| t.chars().next_back());
            let after = text.get(hit.end()..).and_then(|t| t.chars().next());
            let (b, a) = (before.unwrap_or(' '), after.unwrap_or(' '));
            match hit.as_str() {
                "的的" => !"目有似标中众的".contains(b) && !"确士的".contains(a),
                "了了" => {
                    !"为不明除罢末未了终".contains(b) && !"解然结却之望断事了得".contains(a)
                }
                "是是" => {
                    is_han(b)
                        && !"还但于只就不可总都正要若凡也是便".contains(b)
                        && !"否非是的".contains(a)
                }
                "在在" => {
                    !"现存内正潜所外实好自健旨在".contains(b)
                        && !"线职校场位乎意读内于此建研编在".contains(a)
                }
                _ => true,
            }
        })
        .map(|hit| (hit.start(), hit.end()))
        .collect()
}

fn is_han(c: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&c)
}
