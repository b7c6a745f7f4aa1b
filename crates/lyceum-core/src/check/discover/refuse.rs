//! What is said when there is nothing to check, or too much.

use super::names;
use super::scan::Unseen;
use super::tree::Tree;
use crate::base::{Failure, Fault, Refusal};
use crate::port::{Folder, ReadError};
use crate::text::{Format, LoadError, SourceError};

/// Most candidates named.
const NAMED: usize = 8;

/// No text of the folder can be the manuscript.
pub(super) fn nothing(under: &str, tree: &Tree) -> Refusal {
    let place = if under.is_empty() { "." } else { under };
    let readme = tree
        .seen
        .iter()
        .find(|one| names::is_never_paper(&one.path));
    // Figures are PDF files too: one that could be the paper lies on top or has its name.
    let of = |extensions: &[&str]| {
        tree.files
            .iter()
            .filter(|path| extensions.contains(&names::extension(path).as_str()))
            .filter(|path| names::distance(path) == 0 || names::is_name_of_a_paper(path))
            .min_by_key(|path| (names::rank(path), names::depth(path)))
    };
    let (hint, hint_zh) = if let Some(pdf) = of(&["pdf"]) {
        (
            format!(
                "{pdf} is a PDF, which is not read; name its LaTeX or Markdown source, or convert it first: pdftotext -layout {pdf}"
            ),
            format!(
                "{pdf} 是 PDF，无法读取；请指定其 LaTeX 或 Markdown 源文件，或先转换：pdftotext -layout {pdf}"
            ),
        )
    } else if let Some(word) = of(&["docx", "doc", "odt", "rtf"]) {
        (
            format!("{word} is not read; convert it first: pandoc -o paper.md {word}"),
            format!("{word} 无法读取；请先转换：pandoc -o paper.md {word}"),
        )
    } else if let Some(readme) = readme {
        (
            format!(
                "Name the file if it is what you mean: lyceum check {}",
                readme.path
            ),
            format!("如果确实要检查它，请指定文件：lyceum check {}", readme.path),
        )
    } else {
        (
            "Name the manuscript: lyceum check PATH".to_owned(),
            "请指定文稿：lyceum check PATH".to_owned(),
        )
    };
    Refusal::new(
        "nothing_to_check",
        format!("no manuscript in {place} (looked for LaTeX, Markdown and plain text)"),
        hint,
    )
    .in_chinese(
        format!("{place} 中没有文稿（已查找 LaTeX、Markdown 和纯文本）"),
        hint_zh,
    )
}

/// Several texts could be the manuscript and none stands out.
pub(super) fn ambiguous(under: &str, candidates: &[String]) -> Refusal {
    let place = if under.is_empty() { "." } else { under };
    let first: Vec<&str> = candidates.iter().take(NAMED).map(String::as_str).collect();
    let list = first.join(", ");
    let left = candidates.len() - first.len();
    let (more, more_zh) = if left > 0 {
        (format!(" and {left} more"), format!("，另有 {left} 个"))
    } else {
        (String::new(), String::new())
    };
    let example = first.first().copied().unwrap_or("PATH");
    let count = candidates.len();
    let mut refusal = Refusal::new(
        "main_ambiguous",
        format!("{count} texts in {place} could be the manuscript: {list}{more}"),
        format!("Name one: lyceum check {example}"),
    )
    .in_chinese(
        format!("{place} 中有 {count} 个文本可能是文稿：{list}{more_zh}"),
        format!("请指定一个：lyceum check {example}"),
    );
    refusal.allowed_now = first
        .iter()
        .map(|path| format!("lyceum check {path}"))
        .collect();
    refusal
}

/// The file holds nothing.
pub(super) fn empty(path: &str) -> Refusal {
    Refusal::new(
        "empty_file",
        format!("{path} is empty"),
        "Name a file that holds the text.",
    )
    .in_chinese(format!("{path} 是空文件"), "请指定含有正文的文件。")
}

/// A name that announces a file that is no manuscript, or one we do not read.
pub(super) fn by_name(path: &str) -> Option<Refusal> {
    let extension = names::extension(path);
    Some(match extension.as_str() {
        "pdf" => pdf(path),
        "docx" | "doc" | "odt" | "rtf" | "pages" => word(path),
        "bib" | "bst" | "cls" | "sty" | "bbl" | "aux" | "log" | "bcf" | "blg" | "toc" | "json"
        | "yaml" | "yml" | "toml" | "csv" => Refusal::new(
            "not_a_manuscript",
            format!("{path} is not a manuscript"),
            "Name the text; the files it needs are found from there.",
        )
        .in_chinese(
            format!("{path} 不是文稿"),
            "请指定正文文件，所需的其他文件会自动找到。",
        ),
        "rst" | "org" | "typ" | "html" | "htm" | "xml" | "ipynb" | "adoc" | "asciidoc" | "lyx"
        | "textile" | "rnw" => Refusal::new(
            "format_not_read",
            format!("{path}: .{extension} is not read (LaTeX, Markdown and plain text are)"),
            format!("Convert it first: pandoc -o paper.md {path}"),
        )
        .in_chinese(
            format!("{path}：不支持 .{extension} 格式（支持 LaTeX、Markdown 和纯文本）"),
            format!("请先转换：pandoc -o paper.md {path}"),
        ),
        _ => return None,
    })
}

fn pdf(path: &str) -> Refusal {
    Refusal::new(
        "pdf_not_text",
        format!("{path} is a PDF, which is not read"),
        format!(
            "Check the LaTeX or Markdown source, or the words only: pdftotext -layout {path} paper.txt, then lyceum check paper.txt"
        ),
    )
    .in_chinese(
        format!("{path} 是 PDF，无法读取"),
        format!(
            "请检查其 LaTeX 或 Markdown 源文件；或只检查文字：pdftotext -layout {path} paper.txt，然后 lyceum check paper.txt"
        ),
    )
}

fn word(path: &str) -> Refusal {
    Refusal::new(
        "docx_not_read",
        format!("{path} is a word processor document, which is not read"),
        format!("Convert it first: pandoc -o paper.md {path}"),
    )
    .in_chinese(
        format!("{path} 是文字处理文档，无法读取"),
        format!("请先转换：pandoc -o paper.md {path}"),
    )
}

/// The bytes of a file are no text.
#[must_use]
pub fn source(path: &str, error: SourceError) -> Failure {
    match error {
        SourceError::Pdf => pdf(path),
        SourceError::Archive if names::extension(path) != "zip" => word(path),
        SourceError::Archive | SourceError::Binary => Refusal::new(
            "not_text",
            format!("{path} is binary, not a text"),
            "Name a LaTeX, Markdown or plain text file.",
        )
        .in_chinese(
            format!("{path} 是二进制文件，不是文本"),
            "请指定 LaTeX、Markdown 或纯文本文件。",
        ),
        SourceError::TooLarge => too_large(path, u64::from(u32::MAX)),
    }
    .into()
}

fn too_large(path: &str, limit: u64) -> Refusal {
    let megabytes = limit >> 20;
    Refusal::new(
        "file_too_large",
        format!("{path} is larger than {megabytes} MB"),
        "Split the text, or check a part of it.",
    )
    .in_chinese(
        format!("{path} 大于 {megabytes} MB"),
        "请拆分文本，或只检查其中一部分。",
    )
}

/// A file that the caller named cannot be had.
#[must_use]
pub fn read(folder: &dyn Folder, path: &str, error: &ReadError) -> Failure {
    match error {
        ReadError::Missing => missing(folder, path).into(),
        other => unread(path, other),
    }
}

/// A file cannot be had, when nothing is known of what is beside it.
#[must_use]
pub fn unread(path: &str, error: &ReadError) -> Failure {
    match error {
        ReadError::Missing => no_such(path, None).into(),
        ReadError::Outside => Refusal::new(
            "outside_folder",
            format!("{path} leads out of the folder of the check"),
            "Name the folder that holds everything: lyceum check --root FOLDER PATH",
        )
        .in_chinese(
            format!("{path} 指向检查文件夹之外"),
            "请指定包含全部文件的文件夹：lyceum check --root FOLDER PATH",
        )
        .into(),
        ReadError::NotAFile => Refusal::new(
            "not_a_file",
            format!("{path} is neither a file nor a folder"),
            "Name a text file or a folder.",
        )
        .in_chinese(
            format!("{path} 既不是文件也不是文件夹"),
            "请指定文本文件或文件夹。",
        )
        .into(),
        ReadError::TooLarge { limit } => too_large(path, *limit).into(),
        ReadError::Io(words) => Fault {
            code: "file_unreadable",
            place: path.to_owned(),
            source_text: words.clone(),
            retryable: false,
        }
        .into(),
    }
}

/// The only text of a folder could not be looked into.
pub(super) fn unseen(path: &str, why: &Unseen) -> Failure {
    match why {
        Unseen::Read(error) => unread(path, error),
        Unseen::Source(error) => source(path, *error),
    }
}

/// A manuscript cannot be read.
#[must_use]
pub fn load(error: &LoadError) -> Failure {
    match error {
        LoadError::Read { path, error } => unread(path, error),
        LoadError::Source { path, error } => source(path, *error),
    }
}

fn missing(folder: &dyn Folder, path: &str) -> Refusal {
    let wanted = names::name(path).to_lowercase();
    let near = folder
        .list(names::parent(path), 2_000)
        .files
        .into_iter()
        .filter(|other| Format::of(other).is_some())
        .map(|other| {
            let name = names::name(&other).to_lowercase();
            (strsim::damerau_levenshtein(&name, &wanted), other)
        })
        .filter(|(distance, _)| *distance <= 1 + wanted.chars().count() / 5)
        .min();
    no_such(path, near.map(|(_, other)| other).as_deref())
}

fn no_such(path: &str, near: Option<&str>) -> Refusal {
    let (hint, hint_zh) = match near {
        Some(near) => (
            format!("Did you mean {near}?"),
            format!("是否应为 {near}？"),
        ),
        None => (
            "Name a file or folder that exists, or none to let Lyceum find the manuscript here."
                .to_owned(),
            "请指定存在的文件或文件夹；不指定时会在当前文件夹中查找文稿。".to_owned(),
        ),
    };
    Refusal::new(
        "file_missing",
        format!("{path}: no such file or folder"),
        hint,
    )
    .in_chinese(format!("{path}：没有这个文件或文件夹"), hint_zh)
}
