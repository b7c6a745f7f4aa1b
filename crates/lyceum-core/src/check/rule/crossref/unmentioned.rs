//! A figure or table that the text never mentions.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use regex::Regex;

use super::super::occurrence::{
    Use, affordable, is_slides, is_whole, known_places, occurs_elsewhere, referred,
};
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::{
    BlockKind, CrossReference, Float, FloatKind, Format, Label, Manuscript, SectionKind,
};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "float-unmentioned",
    tier: Tier::Warning,
    title: Say::new(
        "figure or table that the text never mentions",
        "正文从未提到的图或表",
    ),
    rationale: Say::new(
        "Journals ask that every figure and table be mentioned. A reference to a label of the float or of a part of it, or a range \
         over it, counts, and so do words: “Figure 3”, “Figs. 2–4”, “图3”, “the table below”, “上图”, anywhere in the section for words \
         of place. In Markdown any such word in the section counts for an image without a label. Silent for floats \
         without caption or with an unnumbered one, for parts, continued floats, listings and algorithms, in \
         appendices, for slides, in parts of a text, when an include could not be read, when the text writes numbers by \
         chapter (“Figure 2.3”), and for labels that stand elsewhere as an argument.",
        "期刊要求正文提到每一幅图和每一张表。引用该浮动体或其子图的标签、引用范围包含它都算提到，文字也算：“Figure 3”“Figs. 2–4”“图3”“下表”“上图”，表示位置的词在同一节内即可。\
         在 Markdown 中，对没有标签的图片，同一节中出现此类词即可。以下情况不报告：没有图题表题或图题不编号的浮动体、子图、续图、代码清单和算法、附录中的、幻灯片、\
         文稿片段、有包含的文件无法读取、按章编号（“Figure 2.3”）的文稿，以及在其他地方作为参数出现的标签。",
    ),
    profiles: Profile::WHOLE,
    examples: &[
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\\begin{document}\nSee Figure~\\ref{fig:b}.\n\\begin{figure}\\includegraphics{a}\\caption{One.}\\label{fig:a}\\end{figure}\n\\begin{figure}\\includegraphics{b}\\caption{Two.}\\label{fig:b}\\end{figure}\n\\end{document}\n",
            bib: None,
            finds: &["One."],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\\begin{document}\nSee Figs.~1--2 and the table below.\n\\begin{figure}\\includegraphics{a}\\caption{One.}\\label{fig:a}\\end{figure}\n\\begin{figure}\\includegraphics{b}\\caption{Two.}\\label{fig:b}\\end{figure}\n\\begin{table}\\begin{tabular}{l}a\\end{tabular}\\caption{Three.}\\end{table}\n\\begin{figure}\\includegraphics{b}\\caption*{Four.}\\end{figure}\n\\begin{figure}\\includegraphics{b}\\end{figure}\n\\appendix\\section{More}\n\\begin{figure}\\includegraphics{b}\\caption{Five.}\\end{figure}\n\\end{document}\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\\begin{document}\nSee Figures \\ref{fig:a} - \\ref{fig:c} and Figs. \\ref{fig:c} and \\ref{fig:e}.\n\\begin{figure}\\includegraphics{a}\\caption{One.}\\label{fig:a}\\end{figure}\n\\begin{figure}\\includegraphics{b}\\caption{Two.}\\label{fig:b}\\end{figure}\n\\begin{figure}\\includegraphics{c}\\caption{Three.}\\label{fig:c}\\end{figure}\n\\begin{figure}\\includegraphics{d}\\caption{Four.}\\label{fig:d}\\end{figure}\n\\begin{figure}\\includegraphics{e}\\caption{Five.}\\label{fig:e}\\end{figure}\n\\end{document}\n",
            bib: None,
            finds: &["Four."],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\\begin{document}\n\\section{More}Recall the plot (figure reproduced again below).\n\\begin{figure}\\includegraphics{a}\\caption{One.}\\end{figure}\n\\end{document}\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "# Results\n\nIt grows (@fig:one).\n\n![Growth.](a.png){#fig:one}\n\n# More\n\n![Decay.](b.png){#fig:two}\n",
            bib: None,
            finds: &["Decay."],
        },
        Example {
            format: Format::Markdown,
            text: "# Results\n\nThe growth is shown below.\n\n![Growth.](a.png)\n",
            bib: None,
            finds: &[],
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

/// Most floats between the ends of a range.
const RANGE: usize = 60;

/// A kind of float and the list of numbers behind it, as words say it.
static NUMBERED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(fig|tab)(?:ures?|les?|s?\.|s)?[\s\u{a0}]*(\(?S?[0-9]+[0-9a-z.,;()–—\-\s\u{a0}&]*(?:(?:and|to|or)\s+[0-9]+[0-9a-z.,;()–—\-\s\u{a0}&]*)*)|([图表])\s*([0-9]+(?:[0-9a-z.,、，;和与及至到~～–—\-\s图表])*)",
    )
});
static PLACE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:in|from|see|by)[\s\u{a0}]+the[\s\u{a0}]+(?:figure|table)\b|\bthe[\s\u{a0}]+(?:figure|table)[\s\u{a0}]+(?:shows?|illustrates?|lists?|gives?|summari[sz]es?|depicts?|presents?|compares?|reports?|contains?|displays?)\b|\b(?:above|below|following|next|previous|preceding|left|right|this|these|accompanying|facing|opposite)[\s\u{a0}]+(?:\w+[\s\u{a0}]+)?(?:figure|fig|table|tab|plot|graph|diagram|image|picture|schematic|illustration|screenshot|chart)s?\b|\b(?:figure|fig\.|table|plot|graph|diagram|image|picture|illustration|screenshot|chart)s?[\s\u{a0}]+(?:\w+[\s\u{a0}]+)?(?:above|below|here|overleaf|opposite)\b|\b(?:shown|illustrated|depicted|listed|summari[sz]ed|given|presented|displayed)[\s\u{a0}]+(?:above|below|here)\b|\b(?:figure|fig\.|table|plot|graph|diagram|image|picture)s?[\s\u{a0}]+(?:\S+[\s\u{a0}]+)?(?:reproduced|repeated)[\s\u{a0}]+(?:again[\s\u{a0}]+)?(?:above|below|here)\b|[上下左右此该本附][图表]|[图表]中|如[图表]|[图表][^0-9]{0,4}所示",
    )
});
/// Any word for a picture or table: enough where a float has no label to be named by.
static ANY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:fig(?:ure|s?\.|s)?|tables?|plots?|graphs?|diagrams?|images?|pictures?|illustrat\w+|screenshots?|charts?|shown?|shows|depict\w*|above|below|following|visuali[sz]\w+|schematic\w*|overview|workflow|example|display\w*|logo)\b|[图表]",
    )
});

/// What the words of the text say of floats.
struct Said {
    figures: HashSet<usize>,
    tables: HashSet<usize>,
    by_chapter: bool,
}

fn check(paper: &Paper, found: &mut Found) {
    let text = &paper.manuscript;
    if !is_whole(text) || is_slides(text) || text.floats.is_empty() {
        return;
    }
    let mut referred = referred(text);
    referred.extend(between_ends(text));
    let said = said(text);
    if said.by_chapter {
        return;
    }
    let known = known_places(paper, true);
    let mut left = affordable(text, 200);
    let mut places = Places::default();
    let mut by_place: Vec<&Label> = text.labels.iter().collect();
    by_place.sort_by_key(|label| label.span);
    let (mut figures, mut tables) = (0, 0);
    for float in text.floats.iter().filter(|float| is_numbered(text, float)) {
        let number = match float.kind {
            FloatKind::Figure => {
                figures += 1;
                said.figures.contains(&figures)
            }
            FloatKind::Table => {
                tables += 1;
                said.tables.contains(&tables)
            }
            _ => continue,
        };
        let names = names_of(text, &by_place, float);
        let any = text.format == Format::Markdown && names.is_empty();
        if number
            || names.iter().any(|name| referred.contains(name))
            || is_left_out(text, float)
            || places.point_at(text, float, any)
        {
            continue;
        }
        left = match left.checked_sub(names.len().max(1)) {
            Some(left) => left,
            None => return,
        };
        if names
            .iter()
            .any(|name| occurs_elsewhere(paper, name, &known, Use::Word))
        {
            continue;
        }
        report(text, found, float);
    }
}

fn report(text: &Manuscript, found: &mut Found, float: &Float) {
    let Some(caption) = float.caption.and_then(|block| text.blocks.get(block)) else {
        return;
    };
    let Some(span) = caption.text.span(0..caption.text.len()) else {
        return;
    };
    let (en, zh) = match float.kind {
        FloatKind::Table => ("table", "表"),
        _ => ("figure", "图"),
    };
    found.push(
        span,
        Words::new(
            format!("the text never mentions this {en}"),
            format!("正文从未提到此{zh}"),
        ),
        Words::new(
            format!("Refer to the {en} where it belongs, or leave it out."),
            format!("请在正文相应位置引用此{zh}，或将其删除。"),
        ),
    );
}

/// True for a float that LaTeX or pandoc gives a number of its own.
fn is_numbered(text: &Manuscript, float: &Float) -> bool {
    if float.part || float.caption.is_none() {
        return false;
    }
    let source = text.slice(float.span);
    let starred = source.contains("\\caption*") || source.contains("\\captionof*");
    !(starred || source.contains("\\ContinuedFloat") || source.contains("labelformat=empty"))
}

/// True where a mention is not asked for.
fn is_left_out(text: &Manuscript, float: &Float) -> bool {
    let Some(block) = float.caption.and_then(|block| text.blocks.get(block)) else {
        return true;
    };
    let kind = text.kind_of(block.section);
    let appendix = matches!(
        kind,
        SectionKind::Appendix | SectionKind::Abbreviations | SectionKind::Abstract
    );
    let caption = block.text.string.to_lowercase();
    let apart = [
        "graphical abstract",
        "supplement",
        "extended data",
        "cover",
        "nomenclature",
        "list of",
    ]
    .iter()
    .any(|head| caption.starts_with(head));
    appendix || apart
}

/// Sections whose prose speaks of floats by their place, asked once each.
#[derive(Default)]
struct Places(HashMap<(usize, bool), bool>);

impl Places {
    /// True when the section of a float points at it; `any` takes any word for a picture or table.
    fn point_at(&mut self, text: &Manuscript, float: &Float, any: bool) -> bool {
        let caption = float.caption.and_then(|block| text.blocks.get(block));
        let Some(section) = caption.map(|block| block.section) else {
            return true;
        };
        let words = if any { &ANY } else { &PLACE };
        *self.0.entry((section, any)).or_insert_with(|| {
            let range = text
                .sections
                .get(section)
                .map_or(0..0, |section| section.blocks.clone());
            text.blocks
                .get(range)
                .unwrap_or_default()
                .iter()
                .filter(|block| {
                    block.section == section
                        && block.kind != BlockKind::Caption
                        && block.kind.is_prose()
                })
                .any(|block| words.is_match(&block.text.string))
        })
    }
}

/// Labels by which a float, a part of it or anything in it can be named.
fn names_of<'a>(text: &'a Manuscript, by_place: &[&'a Label], float: &Float) -> Vec<&'a str> {
    let own = float
        .labels
        .iter()
        .filter_map(|&label| text.labels.get(label));
    let first = by_place.partition_point(|label| label.span < float.span);
    let inside = by_place[first..]
        .iter()
        .copied()
        .take_while(|label| label.span.file == float.span.file && label.span.end <= float.span.end);
    let mut names: Vec<&str> = own.chain(inside).map(|label| label.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Names of the floats between the ends of “Tables \ref{a}–\ref{c}”.
fn between_ends(text: &Manuscript) -> HashSet<&str> {
    let mut owner: HashMap<&str, usize> = HashMap::new();
    for (i, float) in text.floats.iter().enumerate() {
        for label in float.labels.iter().filter_map(|&i| text.labels.get(i)) {
            owner.entry(label.name.as_str()).or_insert(i);
        }
    }
    let mut names = HashSet::new();
    for pair in text.references.windows(2) {
        let ends = (
            owner.get(pair[0].name.as_str()),
            owner.get(pair[1].name.as_str()),
        );
        let (Some(&from), Some(&to)) = ends else {
            continue;
        };
        if from >= to || to - from > RANGE || !is_range(text, &pair[0], &pair[1]) {
            continue;
        }
        let kind = text.floats[from].kind;
        let floats = text.floats[from..to]
            .iter()
            .filter(|float| float.kind == kind);
        names.extend(
            floats
                .flat_map(|float| &float.labels)
                .filter_map(|&i| text.labels.get(i))
                .map(|label| label.name.as_str()),
        );
    }
    names
}

/// True when two references are the ends of a range.
fn is_range(text: &Manuscript, one: &CrossReference, two: &CrossReference) -> bool {
    if one.command.contains("range") && one.command == two.command {
        return true;
    }
    let (from, to) = (one.span.end, two.span.start);
    if one.span.file != two.span.file || from > to || to - from > 20 {
        return false;
    }
    let between = text
        .source(one.span.file)
        .text
        .get(from as usize..to as usize)
        .unwrap_or("");
    let word = between.trim_matches(|c: char| c.is_whitespace() || "~$(){}@\\,".contains(c));
    matches!(
        word,
        "-" | "--" | "---" | "–" | "—" | "to" | "through" | "至" | "到"
    )
}

fn said(text: &Manuscript) -> Said {
    let mut said = Said {
        figures: HashSet::new(),
        tables: HashSet::new(),
        by_chapter: false,
    };
    for block in text.blocks.iter().filter(|block| block.kind.is_prose()) {
        for captures in NUMBERED.captures_iter(&block.text.string) {
            let kind = captures.get(1).or_else(|| captures.get(3));
            let list = captures.get(2).or_else(|| captures.get(4));
            let (Some(kind), Some(list)) = (kind, list) else {
                continue;
            };
            let list = list.as_str();
            said.by_chapter |= is_by_chapter(list);
            let table = matches!(kind.as_str(), "表") || kind.as_str().eq_ignore_ascii_case("tab");
            let set = if table {
                &mut said.tables
            } else {
                &mut said.figures
            };
            add_numbers(list, set);
        }
    }
    said
}

/// “2.3” and kin, digits on both sides of a point or dash without a space in a short number.
fn is_by_chapter(list: &str) -> bool {
    let bytes = list.as_bytes();
    bytes
        .windows(3)
        .any(|three| three[0].is_ascii_digit() && three[1] == b'.' && three[2].is_ascii_digit())
}

/// Adds the numbers of “2, 3 and 5–7”.
fn add_numbers(list: &str, set: &mut HashSet<usize>) {
    let mut before: Option<usize> = None;
    let mut range = false;
    let mut digits = String::new();
    for c in list.chars().chain([' ']) {
        if c.is_ascii_digit() {
            digits.push(c);
            continue;
        }
        if let Ok(number) = digits.parse::<usize>() {
            match before {
                Some(first) if range && number > first && number - first < 100 => {
                    set.extend(first..=number)
                }
                _ => {
                    set.insert(number);
                }
            }
            (before, range) = (Some(number), false);
        }
        digits.clear();
        range |= matches!(c, '-' | '–' | '—' | '~' | '～' | '至' | '到' | 't');
    }
}
