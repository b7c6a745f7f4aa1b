//! One file's text, and places in it.

use std::borrow::Cow;

use encoding_rs::{GB18030, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// Index of a [`Source`] in its manuscript's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A byte range in the text of one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte, in [`Source::text`].
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span from offsets, which must fit the four-byte range that [`Source`] guarantees.
    #[must_use]
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        let clip = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self {
            file,
            start: clip(start),
            end: clip(end.max(start)),
        }
    }

    /// The smallest span over both; the first one alone when they lie in different files.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        if self.file != other.file {
            return self;
        }
        Self {
            file: self.file,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// The bytes as a range for slicing [`Source::text`].
    #[must_use]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A place as people count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Line, from 1. LF, CRLF and a lone CR each end a line.
    pub line: u32,
    /// Column, from 1, in Unicode scalar values.
    pub column: u32,
    /// Byte offset in the file as it is on disk when that is UTF-8 (byte order mark included), else in
    /// the decoded text.
    pub byte: u32,
}

/// How the bytes of a file were turned into text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark.
    Utf8,
    /// UTF-8 with a few bytes that are not; each stands as U+FFFD.
    BrokenUtf8,
    /// UTF-16, either byte order, marked or plain to see.
    Utf16,
    /// GB 18030, of which GBK and GB 2312 are parts.
    Gb18030,
    /// Not UTF-8; read as Windows-1252, of which Latin-1 is a part.
    Windows1252,
}

/// Why bytes could not be taken as a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// A PDF.
    #[error("a PDF, not a text")]
    Pdf,
    /// A Word document or another zip archive.
    #[error("a Word document or another archive, not a text")]
    Archive,
    /// Other binary content.
    #[error("binary content, not a text")]
    Binary,
    /// Four gigabytes or more.
    #[error("four gigabytes or more")]
    TooLarge,
}

/// One file's decoded text with its line index.
///
/// Invariant: a CR before LF is held as a space and a lone CR as LF, a NUL as a space, so that readers see LF only
/// and every offset is still the offset on disk (plus [`Source::bom`]).
#[derive(Clone, Debug)]
pub struct Source {
    /// Path relative to the folder of the check, `/`-separated.
    pub path: String,
    /// The decoded text.
    pub text: String,
    /// How it was decoded.
    pub encoding: Encoding,
    /// Length in bytes of the byte order mark that was cut off a UTF-8 file.
    pub bom: u32,
    /// How many NUL characters were replaced by spaces.
    pub nuls: u32,
    /// Offsets of the CR before an LF that are held as a space.
    returns: Vec<u32>,
    line_starts: Vec<u32>,
    /// Characters before each [`STRIDE`]th byte, so that a column in a very long line need not be counted from its start.
    marks: Vec<u32>,
}

/// How many bytes lie between two counted offsets.
const STRIDE: usize = 4096;

impl Source {
    /// Takes a text that is already decoded.
    #[must_use]
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self::build(path.into(), text.into(), Encoding::Utf8, 0)
    }

    /// Decodes the bytes of a file.
    ///
    /// # Errors
    /// [`SourceError`] when the bytes are not a text.
    pub fn from_bytes(path: impl Into<String>, bytes: Vec<u8>) -> Result<Self, SourceError> {
        let path = path.into();
        if u32::try_from(bytes.len()).is_err() {
            return Err(SourceError::TooLarge);
        }
        if bytes.starts_with(b"%PDF-") {
            return Err(SourceError::Pdf);
        }
        if bytes.starts_with(b"PK\x03\x04") {
            return Err(SourceError::Archive);
        }
        if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
            let from = if bytes[0] == 0xFF { UTF_16LE } else { UTF_16BE };
            let (text, _) = from.decode_with_bom_removal(&bytes);
            if looks_binary(text.as_bytes()) {
                return Err(SourceError::Binary);
            }
            return Ok(Self::build(path, text.into_owned(), Encoding::Utf16, 0));
        }
        if let Some(from) = plain_utf16(&bytes) {
            let (text, _) = from.decode_without_bom_handling(&bytes);
            if !looks_binary(text.as_bytes()) {
                return Ok(Self::build(path, text.into_owned(), Encoding::Utf16, 0));
            }
        }
        let bom = if bytes.starts_with(&[0xEF, 0xBB, 0xBF]) {
            3
        } else {
            0
        };
        match String::from_utf8(bytes) {
            Ok(mut text) => {
                if looks_binary(text.as_bytes()) {
                    return Err(SourceError::Binary);
                }
                text.drain(..bom);
                Ok(Self::build(path, text, Encoding::Utf8, bom))
            }
            Err(error) => {
                let bytes = error.into_bytes();
                if looks_binary(&bytes) {
                    return Err(SourceError::Binary);
                }
                let (text, encoding) = decode_other(&bytes);
                Ok(Self::build(path, text, encoding, 0))
            }
        }
    }

    fn build(path: String, text: String, encoding: Encoding, bom: usize) -> Self {
        let nuls = text.bytes().filter(|&b| b == 0).count();
        let returns = text
            .match_indices("\r\n")
            .map(|(i, _)| u32::try_from(i).unwrap_or(u32::MAX))
            .collect();
        let text = if text.bytes().any(|b| b == b'\r' || b == 0) {
            let mut bytes = text.into_bytes();
            for i in 0..bytes.len() {
                match bytes[i] {
                    b'\r' if bytes.get(i + 1) == Some(&b'\n') => bytes[i] = b' ',
                    b'\r' => bytes[i] = b'\n',
                    0 => bytes[i] = b' ',
                    _ => {}
                }
            }
            // ASCII was exchanged for ASCII, so this is still UTF-8 and `lossy` changes nothing.
            String::from_utf8(bytes)
                .unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
        } else {
            text
        };
        let mut line_starts = vec![0];
        line_starts.extend(
            text.bytes()
                .enumerate()
                .filter(|&(_, b)| b == b'\n')
                .map(|(i, _)| u32::try_from(i + 1).unwrap_or(u32::MAX)),
        );
        let marks = marks(&text);
        Self {
            path,
            text,
            encoding,
            bom: u32::try_from(bom).unwrap_or(0),
            nuls: u32::try_from(nuls).unwrap_or(u32::MAX),
            returns,
            line_starts,
            marks,
        }
    }

    /// The text with LF alone at the end of its lines, as hashes of passages want it: the space that stands for a CR is
    /// left out.
    #[must_use]
    pub fn lines_by_lf(&self) -> Cow<'_, str> {
        if self.returns.is_empty() {
            return Cow::Borrowed(&self.text);
        }
        let mut out = String::with_capacity(self.text.len());
        let mut from = 0;
        for &at in &self.returns {
            let at = at as usize;
            out.push_str(self.text.get(from..at).unwrap_or(""));
            from = at + 1;
        }
        out.push_str(self.text.get(from..).unwrap_or(""));
        Cow::Owned(out)
    }

    /// Where an offset of [`Source::text`] is in [`Source::lines_by_lf`].
    #[must_use]
    pub fn offset_by_lf(&self, offset: u32) -> usize {
        let before = self.returns.partition_point(|&at| at < offset);
        offset as usize - before
    }

    /// The line, from 1, that a byte offset in [`Source::text`] is in.
    #[must_use]
    pub fn line_number(&self, offset: u32) -> u32 {
        let line = self.line_starts.partition_point(|&start| start <= offset);
        u32::try_from(line.max(1)).unwrap_or(u32::MAX)
    }

    /// The byte offset in [`Source::text`] where a line, from 1, begins.
    #[must_use]
    pub fn line_start(&self, number: u32) -> u32 {
        self.line_starts
            .get((number as usize).saturating_sub(1))
            .copied()
            .unwrap_or_else(|| u32::try_from(self.text.len()).unwrap_or(u32::MAX))
    }

    /// Line and column of a byte offset in [`Source::text`].
    #[must_use]
    pub fn place(&self, offset: u32) -> Place {
        let line = self
            .line_starts
            .partition_point(|&start| start <= offset)
            .max(1);
        let start = self.line_starts[line - 1] as usize;
        let mut end = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let column = self.characters(end) - self.characters(start.min(end)) + 1;
        Place {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(column).unwrap_or(u32::MAX),
            byte: offset.saturating_add(self.bom),
        }
    }

    /// Characters before a byte offset.
    fn characters(&self, offset: usize) -> usize {
        let mark = (offset / STRIDE).min(self.marks.len().saturating_sub(1));
        let counted = self.marks.get(mark).map_or(0, |&count| count as usize);
        let rest = self.text.as_bytes().get(mark * STRIDE..offset);
        counted
            + rest.map_or(0, |bytes| {
                bytes.iter().filter(|&&b| starts_character(b)).count()
            })
    }

    /// The text of one line, from 1, without its end; empty past the last line.
    #[must_use]
    pub fn line(&self, number: u32) -> &str {
        let i = number as usize;
        if i == 0 || i > self.line_starts.len() {
            return "";
        }
        let start = self.line_starts[i - 1] as usize;
        let end = self
            .line_starts
            .get(i)
            .map_or(self.text.len(), |&next| next as usize - 1);
        self.text[start..end].trim_end()
    }

    /// How many lines there are; a text without a line end has one.
    #[must_use]
    pub fn line_count(&self) -> usize {
        self.line_starts.len()
    }

    /// The text under a span of this file; empty when the span does not fit.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }
}

/// The byte order of a UTF-16 text without a mark: every second byte of its head is NUL, as in Western text.
fn plain_utf16(bytes: &[u8]) -> Option<&'static encoding_rs::Encoding> {
    let head = &bytes[..bytes.len().min(4_096) & !1];
    if head.len() < 4 || !bytes.len().is_multiple_of(2) {
        return None;
    }
    let nuls = |odd: usize| {
        head.iter()
            .skip(odd)
            .step_by(2)
            .filter(|&&b| b == 0)
            .count()
    };
    let (even, odd) = (nuls(0), nuls(1));
    let most = head.len() / 2 * 7 / 10;
    if odd > most && even == 0 {
        Some(UTF_16LE)
    } else if even > most && odd == 0 {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// Decodes bytes that are not UTF-8: damaged UTF-8 when most of it is whole, GB 18030 when it is Chinese by its
/// pairs of bytes, Windows-1252 otherwise, which any bytes are.
fn decode_other(bytes: &[u8]) -> (String, Encoding) {
    let lossy = String::from_utf8_lossy(bytes);
    let broken = lossy.chars().filter(|&c| c == '\u{fffd}').count();
    let whole = lossy
        .chars()
        .filter(|&c| !c.is_ascii() && c != '\u{fffd}')
        .count();
    if whole > 20 * broken {
        return (lossy.into_owned(), Encoding::BrokenUtf8);
    }
    if is_chinese(bytes)
        && let Some(text) = GB18030.decode_without_bom_handling_and_without_replacement(bytes)
    {
        return (text.into_owned(), Encoding::Gb18030);
    }
    let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
    (text.into_owned(), Encoding::Windows1252)
}

/// True when the high bytes come in pairs, as those of GB 2312 do; a Western text has them one by one.
fn is_chinese(bytes: &[u8]) -> bool {
    let (mut pairs, mut single, mut i) = (0_usize, 0_usize, 0);
    while i < bytes.len() {
        if bytes[i] < 0x80 {
            i += 1;
        } else if (0xA1..=0xF7).contains(&bytes[i]) && bytes.get(i + 1).is_some_and(|&b| b >= 0xA1)
        {
            pairs += 1;
            i += 2;
        } else {
            single += 1;
            i += 1;
        }
    }
    pairs >= 4 && pairs > 9 * single
}

/// A text may hold a stray NUL; a file with many of them, or many other controls, is not a text.
fn looks_binary(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(64 * 1024)];
    let control = head
        .iter()
        .filter(|&&b| b < 0x20 && !matches!(b, b'\t' | b'\n' | b'\r' | 0x0C | 0x1B))
        .count();
    control * 50 > head.len()
}

/// True for every byte of UTF-8 but those that go on with a character.
const fn starts_character(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

fn marks(text: &str) -> Vec<u32> {
    let mut before = 0_usize;
    let mut marks = Vec::with_capacity(text.len() / STRIDE + 1);
    for part in text.as_bytes().chunks(STRIDE) {
        marks.push(u32::try_from(before).unwrap_or(u32::MAX));
        before += part.iter().filter(|&&b| starts_character(b)).count();
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_line_ends_count_and_offsets_stay() {
        let source = Source::from_bytes("a", b"a\r\nb\rc\nd".to_vec()).unwrap();
        assert_eq!(source.line_count(), 4);
        assert_eq!(source.text.len(), 8);
        assert_eq!(
            source.place(3),
            Place {
                line: 2,
                column: 1,
                byte: 3
            }
        );
        assert_eq!(
            source.place(5),
            Place {
                line: 3,
                column: 1,
                byte: 5
            }
        );
        assert_eq!(source.line(1), "a");
        assert_eq!(source.line(4), "d");
    }

    #[test]
    fn a_byte_order_mark_is_cut_but_counted() {
        let source = Source::from_bytes("a", b"\xEF\xBB\xBFab".to_vec()).unwrap();
        assert_eq!(source.text, "ab");
        assert_eq!(
            source.place(1),
            Place {
                line: 1,
                column: 2,
                byte: 4
            }
        );
    }

    #[test]
    fn latin1_and_utf16_are_read() {
        let latin = Source::from_bytes("a", b"caf\xE9".to_vec()).unwrap();
        assert_eq!(
            (latin.text.as_str(), latin.encoding),
            ("café", Encoding::Windows1252)
        );
        let wide = Source::from_bytes("a", b"\xFF\xFEa\0b\0".to_vec()).unwrap();
        assert_eq!((wide.text.as_str(), wide.encoding), ("ab", Encoding::Utf16));
    }

    #[test]
    fn other_encodings_are_told_apart() {
        let read = |bytes: &[u8]| {
            let source = Source::from_bytes("a", bytes.to_vec()).unwrap();
            (source.text, source.encoding)
        };
        let wide: Vec<u8> = "Plain text"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(read(&wide), ("Plain text".to_owned(), Encoding::Utf16));
        let wide: Vec<u8> = "Plain text"
            .encode_utf16()
            .flat_map(u16::to_be_bytes)
            .collect();
        assert_eq!(read(&wide), ("Plain text".to_owned(), Encoding::Utf16));
        let (chinese, _, _) = GB18030.encode("摘要：本文研究 \\section{方法}");
        assert_eq!(
            read(&chinese),
            (
                "摘要：本文研究 \\section{方法}".to_owned(),
                Encoding::Gb18030
            )
        );
        let mut damaged = "本文研究的是一个很长的中文句子里面有一个坏字节"
            .as_bytes()
            .to_vec();
        damaged.push(0xFF);
        assert_eq!(read(&damaged).1, Encoding::BrokenUtf8);
        let western = b"M\xFCller, Garc\xEDa, caf\xE9, na\xEFve, \xC5ngstr\xF6m, Stra\xDFe";
        assert_eq!(
            read(western),
            (
                "Müller, García, café, naïve, Ångström, Straße".to_owned(),
                Encoding::Windows1252
            )
        );
        let odd = Source::from_bytes("a", b"\xFF\xFEa\0b".to_vec()).unwrap();
        assert!(odd.text.starts_with('a'));
        assert_eq!(Source::from_bytes("a", Vec::new()).unwrap().line_count(), 1);
    }

    #[test]
    fn what_is_no_text_is_named() {
        let kind = |bytes: &[u8]| Source::from_bytes("a", bytes.to_vec()).unwrap_err();
        assert_eq!(kind(b"%PDF-1.7"), SourceError::Pdf);
        assert_eq!(kind(b"PK\x03\x04rest"), SourceError::Archive);
        assert_eq!(kind(&[0, 1, 2, 3, 0, 0]), SourceError::Binary);
    }

    #[test]
    fn columns_in_long_lines_are_counted_from_marks() {
        let text = format!("a\n{}é{}", "变x".repeat(3_000), "y".repeat(5_000));
        let source = Source::new("a", text.as_str());
        for (offset, _) in text.char_indices().step_by(97) {
            let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
            let column = text[start..offset].chars().count() + 1;
            assert_eq!(
                source.place(u32::try_from(offset).unwrap()).column as usize,
                column
            );
        }
    }

    #[test]
    fn columns_count_scalars() {
        let source = Source::new("a", "变量 x");
        assert_eq!(source.place(7).column, 4);
    }
}
