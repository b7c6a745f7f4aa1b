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

/// Names the kind of a heading by its words. Numbering (`1.`, `A.2`, `第三章`) is passed over.
#[must_use]
pub fn classify_heading(title: &str) -> SectionKind {
    use SectionKind as S;
    let folded = title.to_lowercase();
    let words = folded
        .trim_start_matches(|c: char| !c.is_alphabetic())
        .trim_end_matches([' ', '.', ':', '：']);
    let is = |names: &[&str]| names.contains(&words);
    let has = |parts: &[&str]| parts.iter().any(|part| words.contains(part));
    match () {
        () if is(&[
            "abstract",
            "summary",
            "摘要",
            "中文摘要",
            "英文摘要",
            "内容摘要",
        ]) =>
        {
            S::Abstract
        }
        () if has(&[
            "data availability",
            "availability of data",
            "data access",
            "data and code availab",
            "数据可用",
            "数据获取",
        ]) =>
        {
            S::DataAvailability
        }
        () if has(&[
            "code availab",
            "software availab",
            "availability of code",
            "代码可用",
        ]) =>
        {
            S::CodeAvailability
        }
        () if has(&["statement of need"]) => S::StatementOfNeed,
        () if has(&[
            "ethic",
            "informed consent",
            "consent to participate",
            "伦理",
            "知情同意",
        ]) =>
        {
            S::Ethics
        }
        () if has(&["funding", "financial support", "基金", "资助"]) => S::Funding,
        () if has(&[
            "conflict of interest",
            "conflicts of interest",
            "competing interest",
            "declaration of interest",
            "disclosure",
            "利益冲突",
        ]) =>
        {
            S::Conflicts
        }
        () if has(&["contribution"]) && has(&["author"]) || has(&["作者贡献"]) => {
            S::Contributions
        }
        () if has(&["limitation", "threats to validity", "局限"]) => S::Limitations,
        () if has(&["acknowledg", "致谢"]) => S::Acknowledgements,
        () if is(&["keywords", "key words", "关键词", "关键字"]) => S::Keywords,
        () if is(&[
            "references",
            "bibliography",
            "literature cited",
            "works cited",
            "参考文献",
        ]) =>
        {
            S::References
        }
        () if has(&["abbreviations", "acronyms", "缩略", "缩写"]) => S::Abbreviations,
        () if has(&["appendix", "appendices", "supplement", "附录"]) => S::Appendix,
        () if has(&["conclusion", "concluding", "结论", "结语", "总结"]) => S::Conclusion,
        () if has(&["discussion", "讨论"]) && !has(&["result"]) => S::Discussion,
        () if has(&["introduction", "background", "引言", "绪论", "前言", "背景"]) => {
            S::Introduction
        }
        () if has(&["method", "materials", "experimental setup", "方法", "材料"]) => S::Methods,
        () if has(&[
            "result",
            "experiment",
            "findings",
            "evaluation",
            "结果",
            "实验",
        ]) =>
        {
            S::Results
        }
        () => S::Other,
    }
}
