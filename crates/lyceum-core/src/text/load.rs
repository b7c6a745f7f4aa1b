//! From files to a manuscript: picks the reader by format and keeps the budget.

use super::builder::Builder;
use super::model::Manuscript;
use super::source::{Encoding, FileId, Source, SourceError};
use super::{latex, markdown, plain};
use crate::base::Words;
use crate::port::{Files, ReadError};

/// The format of a manuscript's main file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Markdown as pandoc, JOSS, Quarto and Manubot write it.
    Markdown,
    /// LaTeX.
    Latex,
    /// Plain text.
    Plain,
}

impl Format {
    /// The format a file name announces; `None` for a name that announces none we read.
    #[must_use]
    pub fn of(path: &str) -> Option<Self> {
        let (_, extension) = path.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "md" | "markdown" | "mdown" | "qmd" | "rmd" => Some(Self::Markdown),
            "tex" | "ltx" | "latex" => Some(Self::Latex),
            "txt" | "text" => Some(Self::Plain),
            _ => None,
        }
    }
}

/// How much one check may read and expand.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Bytes of one file.
    pub file_bytes: u64,
    /// Bytes of one bibliography; those of a whole library are larger than any text.
    pub bibliography_bytes: u64,
    /// Bytes of all files together.
    pub total_bytes: u64,
    /// Files.
    pub files: usize,
    /// Includes within includes.
    pub depth: usize,
    /// Macro expansions in one manuscript.
    pub expansions: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            file_bytes: 11 << 20,
            bibliography_bytes: 20 << 20,
            total_bytes: 64 << 20,
            files: 1_000,
            depth: 32,
            expansions: 200_000,
        }
    }
}

/// Why a manuscript could not be read at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// The main file could not be had.
    #[error("{path}: {error}")]
    Read {
        /// The path asked for.
        path: String,
        /// Why.
        error: ReadError,
    },
    /// The main file is not a text.
    #[error("{path}: {error}")]
    Source {
        /// The path asked for.
        path: String,
        /// Why.
        error: SourceError,
    },
}

/// Reads a manuscript. `paths` are its parts in reading order, usually one main file; what they include is read too.
///
/// # Errors
/// [`LoadError`] when a part named in `paths` cannot be read; an include that cannot be read is a note instead.
pub fn load(
    files: &dyn Files,
    paths: &[String],
    format: Format,
    budget: Budget,
) -> Result<Manuscript, LoadError> {
    let mut builder = Builder::new(format);
    let mut parts = Vec::new();
    for path in paths {
        parts.push(read_part(files, path, budget, &mut builder)?);
    }
    match format {
        Format::Markdown => markdown::read(&mut builder, &parts),
        Format::Plain => plain::read(&mut builder, &parts),
        Format::Latex => latex::read(&mut builder, &parts, files, budget),
    }
    Ok(builder.finish())
}

fn read_part(
    files: &dyn Files,
    path: &str,
    budget: Budget,
    builder: &mut Builder,
) -> Result<FileId, LoadError> {
    let bytes = files
        .read(path, budget.file_bytes)
        .map_err(|error| LoadError::Read {
            path: path.to_owned(),
            error,
        })?;
    let source = Source::from_bytes(path, bytes).map_err(|error| LoadError::Source {
        path: path.to_owned(),
        error,
    })?;
    Ok(add_source(builder, source))
}

/// Adds a source with the notes its decoding deserves.
pub(super) fn add_source(builder: &mut Builder, source: Source) -> FileId {
    let path = source.path.clone();
    let (encoding, nuls) = (source.encoding, source.nuls);
    let id = builder.add_source(source);
    let place = Some(super::Span::new(id, 0, 0));
    match encoding {
        Encoding::Utf8 => {}
        Encoding::Utf16 => builder.note(
            "decoded_utf16",
            Words::new(
                format!("{path} is UTF-16"),
                format!("{path} 是 UTF-16 编码"),
            ),
            place,
        ),
        Encoding::BrokenUtf8 => builder.note(
            "decoded_broken_utf8",
            Words::new(
                format!("{path} holds bytes that are not UTF-8, read as U+FFFD"),
                format!("{path} 含有非 UTF-8 的字节，按 U+FFFD 读取"),
            ),
            place,
        ),
        Encoding::Gb18030 => builder.note(
            "decoded_gb18030",
            Words::new(
                format!("{path} is not UTF-8; read as GB 18030 (GBK)"),
                format!("{path} 不是 UTF-8，按 GB 18030（GBK）读取"),
            ),
            place,
        ),
        Encoding::Windows1252 => builder.note(
            "decoded_windows_1252",
            Words::new(
                format!("{path} is not UTF-8; read as Windows-1252 (Latin-1)"),
                format!("{path} 不是 UTF-8，按 Windows-1252（Latin-1）读取"),
            ),
            place,
        ),
    }
    if nuls > 0 {
        builder.note(
            "nul_characters",
            Words::new(
                format!("{path} holds {nuls} NUL bytes, read as spaces"),
                format!("{path} 含有 {nuls} 个 NUL 字节，按空格读取"),
            ),
            place,
        );
    }
    id
}
