//! What a heading announces, in English and Chinese.

/// The part of a paper a heading opens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SectionKind {
    /// Before the first heading.
    Front,
    /// The abstract, or a summary that stands for one.
    Abstract,
    /// Introduction and background.
    Introduction,
    /// Methods, materials, data, design.
    Methods,
    /// Results and experiments.
    Results,
    /// Discussion.
    Discussion,
    /// Conclusion, also together with outlook.
    Conclusion,
    /// Limitations, threats to validity.
    Limitations,
    /// Statement of need of a software paper.
    StatementOfNeed,
    /// Where the data are.
    DataAvailability,
    /// Where the code is.
    CodeAvailability,
    /// Ethics approval, consent.
    Ethics,
    /// Funding.
    Funding,
    /// Conflicts of interest.
    Conflicts,
    /// Author contributions.
    Contributions,
    /// Acknowledgements.
    Acknowledgements,
    /// Keywords.
    Keywords,
    /// The reference list.
    References,
    /// An appendix or supplement.
    Appendix,
    /// A list of abbreviations.
    Abbreviations,
    /// Anything else.
    #[default]
    Other,
}

/// Names the kind of a heading by its words. Numbering (`1.`, `A.2`, `IV.`, `第三章`) is passed over. A heading of
/// several words counts for a part of the argument (methods, results, …) only when nothing in it speaks of something
/// else: *Materials and methods* are methods, *Coverage combining access methods* are not.
#[must_use]
pub fn classify_heading(title: &str) -> SectionKind {
    let folded = title.to_lowercase().replace(['’', '‘'], "'");
    let words = unnumbered(&folded);
    let words = words.trim_end_matches([' ', '.', ':', '：', '*', '_']);
    if words.is_empty() || words.chars().count() > 120 {
        return SectionKind::Other;
    }
    statement(words)
        .or_else(|| back_matter(words))
        .or_else(|| argument(words))
        .unwrap_or_default()
}

/// The heading without its number.
fn unnumbered(folded: &str) -> &str {
    let text = folded.trim_start_matches(|c: char| !c.is_alphanumeric());
    if let Some(rest) = text.strip_prefix('第') {
        let number = rest.trim_start_matches(|c: char| {
            "一二三四五六七八九十百零〇".contains(c) || c.is_ascii_digit()
        });
        if number.len() < rest.len()
            && let Some(rest) = number.strip_prefix(['章', '节', '部', '篇'])
        {
            return rest.trim_start_matches(|c: char| !c.is_alphanumeric());
        }
    }
    for lead in ["chapter ", "section ", "part "] {
        if let Some(rest) = text.strip_prefix(lead)
            && let Some(rest) = number(rest)
        {
            return rest;
        }
    }
    number(text).unwrap_or(text)
}

/// What stands behind a number at the head of `text`: `2.1`, `a.2`, `iv.`, `三、`.
fn number(text: &str) -> Option<&str> {
    let end =
        text.find(|c: char| c.is_whitespace() || matches!(c, '、' | ':' | '：' | ')' | '）' | '—'));
    let end = end.unwrap_or_else(|| {
        // `1.方法`: digits and points right before a Chinese word.
        text.find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(text.len())
    });
    let label = text.get(..end)?;
    let bare = label.trim_end_matches('.');
    let digits = !bare.is_empty() && bare.chars().all(|c| c.is_ascii_digit() || c == '.');
    let lettered = bare.chars().next().is_some_and(|c| c.is_ascii_alphabetic())
        && bare
            .get(1..)
            .is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || c == '.'))
        && (bare.len() > 1 || label.ends_with('.'));
    let roman = !bare.is_empty()
        && bare.len() <= 5
        && bare.chars().all(|c| matches!(c, 'i' | 'v' | 'x'))
        && (label.ends_with('.') || bare.len() > 1 || bare == "i");
    let han = !bare.is_empty() && bare.chars().all(|c| "一二三四五六七八九十".contains(c));
    let rest = text
        .get(end..)?
        .trim_start_matches(|c: char| !c.is_alphanumeric());
    ((digits || lettered || roman || han) && !rest.is_empty()).then_some(rest)
}

/// Statements that journals ask for, the abstract and the keywords.
fn statement(words: &str) -> Option<SectionKind> {
    use SectionKind as S;
    let is = |names: &[&str]| names.contains(&words);
    let has = |parts: &[&str]| parts.iter().any(|part| words.contains(part));
    let short = words.split_whitespace().count() <= 8;
    let squeezed: String = words.chars().filter(|c| !c.is_whitespace()).collect();
    let han = |names: &[&str]| names.contains(&squeezed.as_str());
    Some(match () {
        () if is(&[
            "abstract",
            "summary",
            "executive summary",
            "structured abstract",
            "english abstract",
        ]) || words.starts_with("abstract (")
            || han(&[
                "摘要",
                "中文摘要",
                "英文摘要",
                "内容摘要",
                "内容提要",
                "提要",
                "论文摘要",
            ]) =>
        {
            S::Abstract
        }
        () if is(&["keywords", "key words", "keyword", "index terms"])
            || han(&["关键词", "关键字", "主题词"]) =>
        {
            S::Keywords
        }
        () if short
            && (has(&[
                "data availab",
                "availability of data",
                "data access",
                "data and code availab",
                "数据可用",
                "数据获取",
            ]) || has(&[
                "data, code",
                "data sharing",
                "data statement",
                "availability statement",
                "数据共享",
                "数据可获得",
            ]) || is(&[
                "data and materials",
                "data and software",
                "availability",
                "open data",
            ]) || words.contains("data") && words.contains("availability")) =>
        {
            S::DataAvailability
        }
        () if short
            && (has(&[
                "code availab",
                "software availab",
                "availability of code",
                "code and data availab",
                "代码可用",
                "代码获取",
            ]) || has(&[
                "availability of software",
                "source code availab",
                "code access",
                "代码可获得",
            ])) =>
        {
            S::CodeAvailability
        }
        () if has(&["statement of need"]) => S::StatementOfNeed,
        () if short
            && has(&[
                "ethic",
                "informed consent",
                "consent to participate",
                "consent for publication",
                "伦理",
                "知情同意",
            ])
            || is(&[
                "irb",
                "irb statement",
                "institutional review board statement",
                "institutional review board",
            ]) =>
        {
            S::Ethics
        }
        () if is(&[
            "funding",
            "funding statement",
            "funding information",
            "funding sources",
            "sources of funding",
        ]) || is(&[
            "financial support",
            "funding and support",
            "role of the funding source",
            "role of the funder",
        ]) || is(&[
            "financial disclosure",
            "grant support",
            "funding source",
            "grants",
            "financial support statement",
        ]) || words.starts_with("acknowledg") && has(&["funding"])
            || squeezed.chars().count() <= 10 && has(&["基金", "资助", "经费"]) =>
        {
            if words.starts_with("acknowledg") {
                S::Acknowledgements
            } else {
                S::Funding
            }
        }
        () if short
            && (has(&[
                "conflict of interest",
                "conflicts of interest",
                "competing interest",
                "declaration of interest",
            ]) || has(&[
                "declarations of interest",
                "competing financial interest",
                "conflicting interest",
                "利益冲突",
            ]) || is(&[
                "disclosure",
                "disclosures",
                "disclosure statement",
                "conflicts",
                "duality of interest",
            ])) =>
        {
            S::Conflicts
        }
        () if short
            && (has(&["author"]) && has(&["contribution", "roles"])
                || is(&[
                    "contributions",
                    "credit",
                    "credit authorship contribution statement",
                    "contributorship",
                ])
                || has(&["作者贡献"])) =>
        {
            if words == "contributions" || words.starts_with("our ") {
                return None;
            } else {
                S::Contributions
            }
        }
        () => return None,
    })
}

/// What stands behind the argument: limitations, thanks, references, appendices, lists of terms.
fn back_matter(words: &str) -> Option<SectionKind> {
    use SectionKind as S;
    let is = |names: &[&str]| names.contains(&words);
    let starts = |parts: &[&str]| parts.iter().any(|part| words.starts_with(part));
    let has = |parts: &[&str]| parts.iter().any(|part| words.contains(part));
    let squeezed: String = words.chars().filter(|c| !c.is_whitespace()).collect();
    let han = |names: &[&str]| names.contains(&squeezed.as_str());
    Some(match () {
        () if has(&["limitation", "threats to validity", "局限", "研究不足"]) => {
            S::Limitations
        }
        () if starts(&["acknowledg"])
            || is(&["thanks"])
            || has(&["致谢"])
            || han(&["致谢", "鸣谢", "感谢"]) =>
        {
            S::Acknowledgements
        }
        () if is(&[
            "references",
            "reference",
            "bibliography",
            "literature cited",
            "works cited",
            "literature",
            "cited works",
        ]) || is(&[
            "references and notes",
            "notes and references",
            "reference list",
            "references cited",
        ]) || han(&["参考文献", "引用文献", "参考资料"]) =>
        {
            S::References
        }
        () if is(&[
            "acronyms",
            "abbreviations",
            "nomenclature",
            "glossary",
            "list of symbols",
        ]) || has(&["abbreviations", "acronyms"])
            && words.split_whitespace().count() <= 6
            || has(&["缩略", "缩写", "符号表", "符号说明", "主要符号"]) =>
        {
            S::Abbreviations
        }
        () if starts(&[
            "appendix",
            "appendices",
            "supplement",
            "supporting information",
            "electronic supplement",
        ]) || words.split_whitespace().count() <= 5
            && has(&["appendix", "supplementary", "supplemental", "supplements"])
            || starts(&["附录", "补充材料"]) =>
        {
            S::Appendix
        }
        () => return None,
    })
}

/// Words that may stand beside the name of a part without making it something else.
const PLAIN: &[&str] = &[
    "a",
    "an",
    "the",
    "and",
    "&",
    "of",
    "to",
    "for",
    "in",
    "on",
    "with",
    "our",
    "this",
    "its",
    "from",
    "some",
    "general",
    "brief",
    "overview",
    "overall",
    "main",
    "further",
    "final",
    "study",
    "research",
    "work",
    "paper",
    "thesis",
    "article",
    "chapter",
    "section",
    "scientific",
    "project",
    "data",
    "analysis",
    "analyses",
    "statistical",
    "summary",
    "details",
    "preliminary",
    "primary",
    "secondary",
    "additional",
    "key",
    "detailed",
    "related",
    "motivation",
    "problem",
    "future",
    "outlook",
    "perspectives",
    "perspective",
    "directions",
    "direction",
    "implications",
    "recommendations",
    "remarks",
    "concluding",
    "comments",
    "thoughts",
    "next",
    "steps",
    "conclusion",
    "conclusions",
    "discussion",
    "results",
    "result",
    "findings",
    "experiments",
    "experiment",
    "experimental",
    "evaluation",
    "methods",
    "method",
    "methodology",
    "materials",
    "introduction",
    "background",
    "numerical",
    "computational",
    "empirical",
    "simulation",
    "simulations",
    "design",
    "setup",
    "settings",
    "setting",
    "implementation",
    "procedure",
    "procedures",
    "participants",
    "patients",
    "subjects",
    "model",
    "models",
    "approach",
    "framework",
    "proposed",
    "theory",
    "context",
    "aims",
    "aim",
    "objectives",
    "literature",
    "review",
    "interpretation",
    "validation",
    "performance",
    "benchmarks",
    "benchmark",
    "quantitative",
    "qualitative",
    "theoretical",
    "collection",
    "methodological",
    "estimation",
    "observations",
    "observational",
    "sample",
    "samples",
    "sampling",
    "measurements",
    "measures",
    "laboratory",
    "field",
    "clinical",
    "used",
    "open",
    "questions",
    "challenges",
    "system",
];

/// The parts of the argument itself.
fn argument(words: &str) -> Option<SectionKind> {
    use SectionKind as S;
    let list: Vec<&str> = words
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ':' | '/' | ';' | '(' | ')'))
        .collect();
    let plain = list
        .iter()
        .all(|word| word.is_empty() || PLAIN.contains(word));
    let any = |names: &[&str]| plain && list.iter().any(|word| names.contains(word));
    // Chinese headings are short; a long one that names a part speaks of something else as a rule.
    let brief = words.chars().filter(|c| !c.is_whitespace()).count() <= 8;
    let han = |names: &[&str]| brief && names.iter().any(|name| words.contains(name));
    Some(match () {
        () if any(&["conclusion", "conclusions", "concluding"])
            && !any(&["results", "discussion"])
            || any(&["conclusion", "conclusions"])
                && any(&["discussion", "summary"])
                && !any(&["results"])
            || han(&["结论", "结语", "总结", "结束语", "小结"]) =>
        {
            if any(&["discussion"]) && words.starts_with("discussion") {
                S::Discussion
            } else {
                S::Conclusion
            }
        }
        () if any(&[
            "results",
            "result",
            "findings",
            "experiments",
            "experiment",
            "evaluation",
        ]) && !any(&[
            "setup",
            "design",
            "settings",
            "setting",
            "methods",
            "method",
            "procedure",
            "procedures",
        ]) || any(&["experimental", "numerical", "simulation"]) && any(&["results"])
            || han(&["结果", "实验分析", "实验结果"]) =>
        {
            S::Results
        }
        () if any(&["discussion"]) || han(&["讨论"]) => S::Discussion,
        () if any(&["introduction", "background", "motivation"])
            || han(&["引言", "绪论", "前言", "背景", "导论", "导言", "绪言"]) =>
        {
            S::Introduction
        }
        () if any(&["methods", "method", "methodology", "materials"])
            || any(&["experimental"])
                && any(&["setup", "design", "settings", "procedure", "procedures"])
            || any(&["study", "research"]) && any(&["design"])
            || words == "experimental"
            || words == "study design"
            || han(&["方法", "材料", "研究设计", "实验设计", "实验设置"]) =>
        {
            S::Methods
        }
        () if han(&["实验", "评估"]) => S::Results,
        () => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::SectionKind as S;
    use super::*;

    #[test]
    fn headings_are_classified() {
        for (title, kind) in [
            ("Abstract", S::Abstract),
            ("1. Introduction", S::Introduction),
            ("1 Introduction", S::Introduction),
            ("I. INTRODUCTION", S::Introduction),
            ("Introduction and background", S::Introduction),
            ("II. Methods", S::Methods),
            ("A.2 Methods", S::Methods),
            ("Materials & Methods", S::Methods),
            ("Materials and methods", S::Methods),
            ("Experimental setup", S::Methods),
            ("Study design and participants", S::Methods),
            ("Results", S::Results),
            ("Results and discussion", S::Results),
            ("4 Experiments", S::Results),
            ("Discussion", S::Discussion),
            ("General discussion", S::Discussion),
            ("Conclusions and future work", S::Conclusion),
            ("Concluding remarks", S::Conclusion),
            ("Discussion and conclusions", S::Discussion),
            ("Summary and conclusions", S::Conclusion),
            ("Limitations of this study", S::Limitations),
            ("Threats to validity", S::Limitations),
            ("Statement of Need", S::StatementOfNeed),
            ("Data Availability Statement", S::DataAvailability),
            ("Availability of data and materials", S::DataAvailability),
            ("Data and code availability", S::DataAvailability),
            ("Code availability", S::CodeAvailability),
            ("Ethics approval and consent to participate", S::Ethics),
            ("Funding", S::Funding),
            ("Declaration of competing interest", S::Conflicts),
            ("Author contributions", S::Contributions),
            ("Acknowledgments", S::Acknowledgements),
            ("Acknowledgements and funding", S::Acknowledgements),
            ("References", S::References),
            ("Appendix A: Proofs", S::Appendix),
            ("Supplementary material", S::Appendix),
            ("List of abbreviations", S::Abbreviations),
            ("Keywords", S::Keywords),
            ("Chapter 5. Conclusions", S::Conclusion),
        ] {
            assert_eq!(classify_heading(title), kind, "{title}");
        }
    }

    #[test]
    fn chinese_headings_are_classified() {
        for (title, kind) in [
            ("摘 要", S::Abstract),
            ("第一章 绪论", S::Introduction),
            ("一、引言", S::Introduction),
            ("1.引言", S::Introduction),
            ("2 研究方法", S::Methods),
            ("材料与方法", S::Methods),
            ("第4章 实验结果与分析", S::Results),
            ("5 讨论", S::Discussion),
            ("六、结论与展望", S::Conclusion),
            ("总结与展望", S::Conclusion),
            ("研究的局限性", S::Limitations),
            ("参考文献", S::References),
            ("致 谢", S::Acknowledgements),
            ("致谢", S::Acknowledgements),
            ("附录A 数据", S::Appendix),
            ("作者贡献声明", S::Contributions),
            ("利益冲突声明", S::Conflicts),
            ("基金项目", S::Funding),
            ("关键词", S::Keywords),
            ("数据可用性声明", S::DataAvailability),
        ] {
            assert_eq!(classify_heading(title), kind, "{title}");
        }
    }

    #[test]
    fn other_headings_announce_nothing() {
        for title in [
            "Coverage combining access methods",
            "A method for finding keys",
            "Related work",
            "Monte Carlo methods in physics",
            "Background subtraction in images",
            "The discussion forum",
            "Access to funding for young teams",
            "Interesting results on graphs",
            "Sci-Hub access logs",
            "Usage in research and industry",
            "In vivo imaging",
            "A. thaliana growth",
            "Contributions",
            "Overview",
            "",
            "***",
            "3.14",
        ] {
            assert_eq!(classify_heading(title), S::Other, "{title}");
        }
    }

    #[test]
    fn any_heading_is_classified_soon() {
        for part in ["a", "1.", "第", "一", "(", "i", " "] {
            let _ = classify_heading(&part.repeat(100_000));
        }
    }
}
