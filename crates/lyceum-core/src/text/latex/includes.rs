//! Files that the text pulls in: where they are, and the budget for all of them.

use std::collections::{HashMap, HashSet};

use super::super::load::add_source;
use super::super::model::Note;
use super::super::path::below_root;
use super::super::source::{FileId, Source, Span};
use super::Reader;
use super::lexer::{Kind, Token};
use super::verbatim::{ESCAPES_CODE, READS_CODE, escapes_code, reads_code};
use crate::base::Words;
use crate::port::ReadError;

/// Files made by other programs: their absence says nothing about the text.
const GENERATED: [&str; 14] = [
    "bbl", "pgf", "tikz", "pdf_tex", "eps_tex", "ind", "gls", "acn", "acr", "toc", "lof", "lot",
    "nls", "aux",
];

/// What has been included so far.
#[derive(Debug)]
pub(super) struct Includes {
    /// Folder of the main file, with a slash at its end unless it is the root.
    folder: String,
    main: FileId,
    loaded: HashMap<String, FileId>,
    bytes: u64,
    opened: usize,
    /// Included files with a preamble of their own.
    documents: HashSet<FileId>,
    /// Packages and classes that have been read.
    packages: HashSet<String>,
}

impl Includes {
    pub(super) fn new(path: &str, main: FileId, bytes: usize) -> Self {
        let mut loaded = HashMap::new();
        loaded.insert(path.to_owned(), main);
        Self {
            folder: folder_of(path).to_owned(),
            main,
            loaded,
            bytes: bytes as u64,
            opened: 1,
            documents: HashSet::new(),
            packages: HashSet::new(),
        }
    }
}

/// A path's folder, with its slash.
pub(super) fn folder_of(path: &str) -> &str {
    path.rfind('/')
        .and_then(|slash| path.get(..=slash))
        .unwrap_or("")
}

impl Reader<'_> {
    /// `\input` and kin. True when the name is one of them.
    pub(super) fn include_command(&mut self, name: &str, token: Token) -> bool {
        match name {
            "input" | "include" | "subfile" | "subfileinclude" | "@input" | "loadglsentries"
            | "includestandalone" | "subfix" => {
                let _ = self.input.optional();
                if name == "include" {
                    self.paragraph(token.span);
                }
                if let Some((path, span)) = self.path_argument() {
                    let near = name.starts_with("subfile");
                    self.include(&path, None, near, span, token, true);
                }
            }
            "import" | "inputfrom" | "includefrom" | "subimport" | "subinputfrom"
            | "subincludefrom" => {
                self.input.take(Kind::Star);
                let (folder, path) = (self.path_argument(), self.path_argument());
                if let (Some((folder, _)), Some((path, span))) = (folder, path) {
                    let near = name.starts_with("sub");
                    self.include(&path, Some(&folder), near, span, token, true);
                }
            }
            "InputIfFileExists" => {
                if let Some((path, span)) = self.path_argument() {
                    self.include(&path, None, false, span, token, false);
                }
            }
            "endinput" => self.input.close_file(),
            _ => return false,
        }
        true
    }

    /// `{path}` or the bare path of plain TeX's `\input`.
    fn path_argument(&mut self) -> Option<(String, Span)> {
        if let Some((words, place)) = self.name_argument() {
            let span = words.span(0..words.len()).unwrap_or(place);
            return Some((clean(&words.string), span));
        }
        let mut tokens = Vec::new();
        while tokens.len() < 64 {
            let token = self.input.peek();
            match token.kind {
                Kind::Word | Kind::Sub | Kind::Tie => tokens.push(self.input.next()),
                _ => break,
            }
        }
        let words = self.input.words(&tokens);
        let span = words.span(0..words.len())?;
        Some((clean(&words.string), span))
    }

    fn include(
        &mut self,
        path: &str,
        folder: Option<&str>,
        near: bool,
        span: Span,
        token: Token,
        must: bool,
    ) {
        let span = if token.literal() { span } else { token.span };
        if path.is_empty() || path.contains(['\\', '#']) {
            return;
        }
        let named = folder.map_or_else(
            || path.to_owned(),
            |folder| format!("{}/{path}", folder.trim_end_matches('/')),
        );
        let own = self
            .input
            .file()
            .map(|file| folder_of(&self.builder.out.source(file).path).to_owned())
            .unwrap_or_default();
        let main = self.includes.folder.clone();
        let bases = if near { [own, main] } else { [main, own] };
        let mut outside = false;
        for base in &bases {
            for candidate in [format!("{named}.tex"), named.clone()] {
                match below_root(base, &candidate) {
                    Some(full) if self.files.exists(&full) => {
                        self.open_include(&full, span);
                        return;
                    }
                    Some(_) => {}
                    None => outside = true,
                }
            }
        }
        if outside {
            self.include_note(
                "include_outside",
                &named,
                span,
                ("leads out of the folder", "位于文件夹之外"),
                true,
            );
        } else if must {
            let extension = named
                .rsplit_once('.')
                .map_or("", |(_, extension)| extension);
            let generated = GENERATED.contains(&extension);
            self.include_note(
                "include_missing",
                &named,
                span,
                ("is not there", "不存在"),
                !generated,
            );
        }
    }

    fn include_note(
        &mut self,
        code: &'static str,
        path: &str,
        span: Span,
        why: (&str, &str),
        unreadable: bool,
    ) {
        self.builder.out.notes.push(Note {
            code,
            words: Words::new(format!("{path} {}", why.0), format!("{path} {}", why.1)),
            span: Some(span),
            unreadable: unreadable.then(|| path.to_owned()),
        });
    }

    fn open_include(&mut self, path: &str, span: Span) {
        if self.includes.opened > self.budget.files || self.includes.bytes > self.budget.total_bytes
        {
            self.includes_spent(path, span);
            return;
        }
        if self.input.files() > self.budget.depth {
            let why = ("is included too deeply", "嵌套过深");
            self.include_note("include_depth", path, span, why, true);
            return;
        }
        let file = match self.includes.loaded.get(path).copied() {
            Some(file) => file,
            None => match self.load(path, span) {
                Some(file) => file,
                None => return,
            },
        };
        if self.input.is_open(file) {
            let why = ("includes itself", "包含自身");
            self.include_note("include_loop", path, span, why, false);
            return;
        }
        self.includes.opened += 1;
        self.includes.bytes += self.builder.out.source(file).text.len() as u64;
        self.input.open_file(file);
    }

    fn includes_spent(&mut self, path: &str, span: Span) {
        let count = self.noted.entry("include_budget").or_insert(0);
        *count += 1;
        if *count <= super::NOTES {
            let why = (
                "was not read: too many or too large files",
                "未读取：文件过多或过大",
            );
            self.include_note("include_budget", path, span, why, true);
        }
    }

    fn load(&mut self, path: &str, span: Span) -> Option<FileId> {
        let bytes = match self.files.read(path, self.budget.file_bytes) {
            Ok(bytes) => bytes,
            Err(error) => {
                let code = match error {
                    ReadError::Outside => "include_outside",
                    ReadError::TooLarge { .. } => "include_budget",
                    ReadError::Missing | ReadError::NotAFile | ReadError::Io(_) => {
                        "include_unreadable"
                    }
                };
                let reason = error.to_string();
                self.include_note(code, path, span, (&reason, &reason), true);
                return None;
            }
        };
        match Source::from_bytes(path, bytes) {
            Ok(source) => {
                self.input.add_text(&source.text);
                let file = add_source(self.builder, source);
                self.includes.loaded.insert(path.to_owned(), file);
                Some(file)
            }
            Err(error) => {
                let reason = error.to_string();
                self.include_note("include_unreadable", path, span, (&reason, &reason), true);
                None
            }
        }
    }

    /// Reads a package or class that lies beside the text, for the macros it defines.
    pub(super) fn open_package(&mut self, name: &str, class: bool, span: Span) {
        let extension = if class { "cls" } else { "sty" };
        let Some(path) = below_root(&self.includes.folder, &format!("{name}.{extension}")) else {
            return;
        };
        let spent = self.includes.opened > self.budget.files
            || self.includes.bytes > self.budget.total_bytes;
        if spent || !self.files.exists(&path) || !self.includes.packages.insert(path.clone()) {
            return;
        }
        let Some(source) = self
            .files
            .read(&path, self.budget.file_bytes)
            .ok()
            .and_then(|bytes| Source::from_bytes(path.as_str(), bytes).ok())
        else {
            return;
        };
        self.includes.opened += 1;
        self.includes.bytes += source.text.len() as u64;
        for (holds, tag) in [
            (reads_code(&source.text), READS_CODE),
            (escapes_code(&source.text), ESCAPES_CODE),
        ] {
            if holds {
                let tag = (tag.to_owned(), String::new());
                self.builder.out.packages.push(tag);
            }
        }
        let work = super::state::Deferred::EndPackage {
            groups: self.groups.len(),
            at_is_letter: self.input.at_is_letter,
            class: self.in_class,
        };
        let end = self.defer(work, span);
        self.input.unread(vec![end]);
        self.input.open_package(&source.text, span);
        self.input.at_is_letter = true;
        self.in_package += 1;
        self.in_class |= class;
        self.open_group(super::state::Action::Scope, span);
        self.state.muted = true;
    }

    pub(super) fn end_package(&mut self, groups: usize, at_is_letter: bool, class: bool) {
        let span = Span::new(self.includes.main, 0, 0);
        while self.groups.len() > groups {
            self.close_top(span);
        }
        self.input.at_is_letter = at_is_letter;
        self.in_class = class;
        self.in_package = self.in_package.saturating_sub(1);
    }

    /// `\documentclass` in an included file: its preamble is not text.
    pub(super) fn begin_subdocument(&mut self, _span: Span) {
        let Some(file) = self.input.file() else {
            return;
        };
        if self.in_document && file != self.includes.main {
            self.includes.documents.insert(file);
            self.state.muted = true;
        }
    }

    /// `\begin{document}`
    pub(super) fn begin_document(&mut self, span: Span) {
        let again = self.in_document;
        self.in_document = true;
        self.state.muted = false;
        if !again {
            self.push_environment("document".into(), super::state::Environment::Document, span);
        }
    }

    /// `\end{document}`: nothing after it is read.
    pub(super) fn end_document(&mut self, span: Span) {
        if let Some(file) = self.input.file()
            && self.includes.documents.contains(&file)
        {
            self.input.close_file();
            return;
        }
        self.close_arguments(span);
        if self.open.get("document").copied().unwrap_or(0) > 0 {
            self.close_environment("document", span);
        }
        self.input.close_all();
    }
}

fn clean(path: &str) -> String {
    let path = path.trim().trim_matches('"');
    path.strip_prefix("./").unwrap_or(path).to_owned()
}
