//! Verbatim text: read from the characters of the file, not from tokens.

use std::rc::Rc;

use super::super::model::{BlockKind, FloatKind, Hidden, HiddenKind, LabelTarget};
use super::super::source::{FileId, Span};
use super::super::tex_text::tex_to_text;
use super::super::visible::InlineKind;
use super::Reader;
use super::lexer::Kind;
use crate::base::Words;

/// Longest inline code, options and addresses, in bytes.
const INLINE: usize = 4_000;

/// What a verbatim environment is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Raw {
    Code,
    /// With options in brackets.
    Options,
    /// With options in brackets and a language in braces.
    Language,
    /// Not printed.
    Comment,
    /// A file written by LaTeX, its name in braces.
    File,
}

fn raw_kind(base: &str) -> Option<Raw> {
    Some(match base {
        "verbatim" | "spverbatim" | "Sinput" | "Soutput" | "CodeInput" | "CodeOutput"
        | "sageblock" | "pycode" | "pyverbatim" | "sagesilent" | "luacode" | "semiverbatim" => {
            Raw::Code
        }
        "Verbatim" | "BVerbatim" | "LVerbatim" | "SaveVerbatim" | "lstlisting" | "tcblisting"
        | "cppcode" | "pythoncode" | "markdown" => Raw::Options,
        "minted" => Raw::Language,
        "comment" => Raw::Comment,
        "filecontents" => Raw::File,
        _ => return None,
    })
}

/// True for a text that prints code from files, which are not read here.
pub(crate) fn reads_code(text: &str) -> bool {
    [
        "inputlisting",
        "InputListing",
        "inputminted",
        "VerbatimInput",
        "listing file",
    ]
    .iter()
    .any(|word| text.contains(word))
}

/// True for a text whose code lets LaTeX through, so that code may set labels.
pub(crate) fn escapes_code(text: &str) -> bool {
    ["escapeinside", "mathescape", "commandchars", "texcl"]
        .iter()
        .any(|word| text.contains(word))
}

/// Names under [`Manuscript::packages`](super::super::model::Manuscript::packages) for what a package or class beside
/// the text says of code.
pub(crate) const READS_CODE: &str = "code:read";
/// See [`READS_CODE`].
pub(crate) const ESCAPES_CODE: &str = "code:escape";

impl Reader<'_> {
    /// Reads a verbatim environment. False when it is none or has no end; its text is then read as usual.
    pub(super) fn verbatim_environment(&mut self, name: &Rc<str>, base: &str, span: Span) -> bool {
        let Some(kind) =
            raw_kind(base).or_else(|| self.verbatims.contains(name).then_some(Raw::Options))
        else {
            return false;
        };
        let Some((file, mut pos)) = self.input.raw_place() else {
            return false;
        };
        if self.unclosed.contains(&(file, Rc::clone(name))) {
            return false;
        }
        let text = self.input.source(file);
        let mut options = None;
        if matches!(kind, Raw::Options | Raw::Language | Raw::File)
            && let Some(end) = bracketed(&text, pos, b'[', b']')
        {
            options = Some((pos + 1, end - 1));
            pos = end;
        }
        if matches!(kind, Raw::Language | Raw::File)
            && let Some(end) = bracketed(&text, pos, b'{', b'}')
        {
            pos = end;
        }
        let close = format!("\\end{{{name}}}");
        let Some(found) = text.get(pos..).and_then(|rest| rest.find(&close)) else {
            self.unclosed.insert((file, Rc::clone(name)));
            self.note_unbalanced(span);
            return false;
        };
        let end = pos + found;
        self.input.set_place(end + close.len());
        self.raw_environment(kind, file, options, (pos, end), span);
        true
    }

    fn raw_environment(
        &mut self,
        kind: Raw,
        file: FileId,
        options: Option<(usize, usize)>,
        (from, to): (usize, usize),
        span: Span,
    ) {
        let text = self.input.source(file);
        let content = text.get(from..to).unwrap_or("");
        let place = Span::new(file, from, to);
        match kind {
            Raw::Comment => {
                let words = content.trim();
                if !words.is_empty() {
                    self.builder.out.hidden.push(Hidden {
                        kind: HiddenKind::Disabled,
                        text: words.to_owned(),
                        span: place,
                    });
                }
            }
            Raw::File => self.note(
                "filecontents",
                Words::new(
                    "a file written by the text itself was not read",
                    "文稿自身生成的文件未读取",
                ),
                Some(span),
            ),
            Raw::Code | Raw::Options | Raw::Language => {
                let options = options
                    .and_then(|(from, to)| Some((text.get(from..to)?, Span::new(file, from, to))))
                    .unwrap_or(("", span));
                self.listing(content, place, options, span.join(place));
            }
        }
    }

    fn listing(&mut self, content: &str, place: Span, (options, at): (&str, Span), span: Span) {
        let caption = option(options, "caption").or_else(|| option(options, "title"));
        let label = option(options, "label");
        let float = (caption.is_some() || label.is_some())
            && self.builder.float().is_none()
            && !self.state.muted;
        let opened = float.then(|| self.begin_float(FloatKind::Listing, span));
        if let (Some((index, _)), Some((range, caption))) = (&opened, caption) {
            let words = Span::new(
                at.file,
                at.start as usize + range.start,
                at.start as usize + range.end,
            );
            self.begin_block(BlockKind::Caption, words);
            self.show(&tex_to_text(caption), words);
            let block = self.end_block();
            if let Some(float) = self.builder.out.floats.get_mut(*index) {
                float.caption = block;
            }
        }
        if let Some((range, name)) = label {
            let words = Span::new(
                at.file,
                at.start as usize + range.start,
                at.start as usize + range.end,
            );
            let target = self
                .builder
                .float()
                .map_or(LabelTarget::Other, LabelTarget::Float);
            self.add_label(name.to_owned(), target, words);
        }
        if self.escapes || options.contains("escape") || options.contains("commandchars") {
            self.escaped_labels(content, place);
        }
        if self.state.muted || self.state.hidden.is_some() {
            // Not shown: nothing to add.
        } else if self.state.inline {
            self.show_code(content, place);
        } else {
            self.begin_block(BlockKind::Code, place);
            self.builder
                .literal(content, place.file, place.start as usize);
            self.end_block();
        }
        if let Some((_, outer)) = opened {
            self.end_float(outer, span);
        }
    }

    /// Labels of lines in a listing that lets LaTeX through.
    fn escaped_labels(&mut self, content: &str, place: Span) {
        let mut at = 0;
        while let Some(found) = content.get(at..).and_then(|rest| rest.find("\\label{")) {
            let from = at + found + "\\label{".len();
            let Some(length) = content.get(from..).and_then(|rest| rest.find(['}', '\n'])) else {
                return;
            };
            let name = content.get(from..from + length).unwrap_or("").to_owned();
            let start = place.start as usize + from;
            self.add_label(
                name,
                LabelTarget::Other,
                Span::new(place.file, start, start + length),
            );
            at = from + length;
        }
    }

    fn show_code(&mut self, content: &str, place: Span) {
        let (start, serial) = self.mark_start();
        self.show_literal(content, place);
        self.mark(start, serial, InlineKind::Code);
    }

    /// `\verb|…|`, `\lstinline{…}`, `\mintinline{lang}{…}`.
    pub(super) fn inline_verbatim(&mut self, name: &str, _span: Span) {
        self.input.take(Kind::Star);
        if name != "verb" {
            let _ = self.input.optional();
        }
        if matches!(name, "mintinline" | "mint") {
            let _ = self.input.argument();
        }
        let Some((file, pos)) = self.input.raw_place() else {
            return;
        };
        let text = self.input.source(file);
        let Some(delimiter) = text.get(pos..).and_then(|rest| rest.chars().next()) else {
            return;
        };
        if delimiter == '{' && name != "verb" {
            if let Some(end) = bracketed(&text, pos, b'{', b'}') {
                self.input.set_place(end);
                self.show_code(
                    text.get(pos + 1..end - 1).unwrap_or(""),
                    Span::new(file, pos + 1, end - 1),
                );
            }
            return;
        }
        let from = pos + delimiter.len_utf8();
        let mut limit = (from + INLINE).min(text.len());
        while !text.is_char_boundary(limit) {
            limit -= 1;
        }
        let rest = text.get(from..limit).unwrap_or("");
        let line = rest.split('\n').next().unwrap_or("");
        match line.find(delimiter) {
            Some(length) if !delimiter.is_alphanumeric() => {
                self.input.set_place(from + length + delimiter.len_utf8());
                self.show_code(
                    line.get(..length).unwrap_or(""),
                    Span::new(file, from, from + length),
                );
            }
            _ => self.note_unbalanced(Span::new(file, pos, pos)),
        }
    }

    /// `\url{…}`, in which nothing has a meaning.
    pub(super) fn address(&mut self, _span: Span) {
        let (start, serial) = self.mark_start();
        let Some((text, place)) = self.raw_group() else {
            return;
        };
        match place {
            Some(place) if text.trim().len() == text.len() => self.show_literal(&text, place),
            Some(place) => self.show(text.trim(), place),
            None => {}
        }
        self.mark(start, serial, InlineKind::Url);
    }

    /// The characters of a group that comes next, and their place.
    pub(super) fn raw_group(&mut self) -> Option<(String, Option<Span>)> {
        if let Some((file, pos)) = self.input.raw_place() {
            let text = self.input.source(file);
            if let Some(end) = bracketed(&text, pos, b'{', b'}') {
                self.input.set_place(end);
                let inner = text.get(pos + 1..end - 1).unwrap_or("");
                let calls = inner.contains('\\') && !self.macros.is_empty();
                if !calls {
                    return Some((inner.to_owned(), Some(Span::new(file, pos + 1, end - 1))));
                }
                self.input.set_place(pos);
            }
        }
        let (words, place) = self.name_argument()?;
        Some((words.string, Some(place)))
    }

    /// Environments of code that the text defines.
    pub(super) fn define_verbatim(&mut self, name: &str) -> bool {
        match name {
            "lstnewenvironment" => {
                if let Some((words, _)) = self.name_argument() {
                    self.verbatims.insert(Rc::from(words.string.trim()));
                }
                let _ = self.input.optional();
                let _ = self.input.optional();
                let _ = self.input.argument();
                let _ = self.input.argument();
            }
            "DefineVerbatimEnvironment" | "CustomVerbatimEnvironment" => {
                if let Some((words, _)) = self.name_argument() {
                    self.verbatims.insert(Rc::from(words.string.trim()));
                }
                let _ = self.input.argument();
                let _ = self.input.argument();
            }
            "newminted" => {
                let own = self
                    .input
                    .optional()
                    .map(|tokens| self.input.words(&tokens).string);
                if let Some((words, _)) = self.name_argument() {
                    let name = own.unwrap_or_else(|| format!("{}code", words.string.trim()));
                    self.verbatims.insert(Rc::from(name.trim()));
                }
                let _ = self.input.argument();
            }
            "excludecomment" => {
                if let Some((words, _)) = self.name_argument() {
                    self.verbatims.insert(Rc::from(words.string.trim()));
                }
            }
            "lstset" | "setminted" | "fvset" | "lstdefinestyle" => {
                let _ = self.input.optional();
                let rounds = if name == "lstdefinestyle" { 2 } else { 1 };
                for _ in 0..rounds {
                    if let Some((tokens, _)) = self.input.argument() {
                        self.escapes |= tokens.iter().any(|&token| {
                            let text = self.input.text(token);
                            text.contains("escape") || text.contains("commandchars")
                        });
                    }
                }
            }
            _ => return false,
        }
        true
    }
}

/// The end of a bracketed piece that begins at `pos`; it is searched no further than [`INLINE`] bytes.
fn bracketed(text: &str, pos: usize, open: u8, close: u8) -> Option<usize> {
    let bytes = text.as_bytes();
    if bytes.get(pos) != Some(&open) {
        return None;
    }
    let mut depth = 0_usize;
    let mut braces = 0_usize;
    for (i, &b) in bytes.iter().enumerate().skip(pos).take(INLINE) {
        if b == open {
            depth += 1;
        } else if b == close && braces == 0 {
            depth -= 1;
            if depth == 0 {
                return Some(i + 1);
            }
        } else if b == b'{' {
            braces += 1;
        } else if b == b'}' {
            braces = braces.saturating_sub(1);
        }
    }
    None
}

/// The value of a key in a list of options with its place in the list; braces around it are cut off.
fn option<'a>(options: &'a str, key: &str) -> Option<(std::ops::Range<usize>, &'a str)> {
    let mut depth = 0_usize;
    let mut start = 0;
    let mut parts = Vec::new();
    for (i, b) in options.bytes().enumerate() {
        match b {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                parts.push(start..i);
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(start..options.len());
    for part in parts {
        let piece = options.get(part.clone())?;
        let Some((name, value)) = piece.split_once('=') else {
            continue;
        };
        if name.trim() != key {
            continue;
        }
        let mut from = part.start + name.len() + 1;
        from += value.len() - value.trim_start().len();
        let mut value = value.trim();
        if let Some(inner) = value.strip_prefix('{').and_then(|v| v.strip_suffix('}')) {
            value = inner;
            from += 1;
        }
        return (!value.is_empty()).then_some((from..from + value.len(), value));
    }
    None
}
