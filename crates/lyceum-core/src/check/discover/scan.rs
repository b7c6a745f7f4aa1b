//! What one file is: read, decoded, and looked through for the few marks that tell a main file from a part.

use std::sync::LazyLock;

use regex::Regex;

use crate::port::{Files, ReadError};
use crate::text::{Format, Source, SourceError};

/// Largest file looked into while a folder is searched.
const FILE_BYTES: u64 = 20 << 20;
/// Most includes remembered of one file.
const INCLUDES: usize = 1_000;

/// What a file is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A LaTeX main file.
    Root {
        /// Whether it holds `\begin{document}`.
        complete: bool,
        /// For slides, letters and single figures, which have main files too.
        beside: bool,
    },
    /// A LaTeX file that names the main file it belongs to (class `subfiles`).
    Subfile {
        /// The main file as written; may lack the extension.
        of: String,
    },
    /// A LaTeX file without a class.
    Part,
    /// A LaTeX file with placeholders that another program fills in.
    Template,
    /// Markdown.
    Markdown {
        /// What its front matter announces.
        front: Front,
    },
    /// Plain text.
    Plain,
    /// Nothing but white space.
    Empty,
}

/// What the metadata at the head of a Markdown file announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Front {
    /// Title, authors and affiliations, as JOSS asks.
    Joss,
    /// Title and authors, abstract or bibliography.
    Paper,
    /// None, or the metadata of a web page.
    None,
}

/// A file that was looked into.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) path: String,
    pub(super) bytes: usize,
    pub(super) kind: Kind,
    /// What it includes, as written.
    pub(super) includes: Vec<String>,
    /// True when it lists its references itself.
    pub(super) own_references: bool,
}

/// Why a file could not be looked into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unseen {
    Read(ReadError),
    Source(SourceError),
}

macro_rules! pattern {
    ($name:ident, $text:expr) => {
        static $name: LazyLock<Regex> = LazyLock::new(|| Regex::new($text).expect("pattern"));
    };
}

pattern!(
    CLASS,
    r"\\document(?:class|style)\s*(?:\[([^\]]*)\])?\s*\{([^}]*)\}"
);
pattern!(
    INCLUDE,
    r"\\(?:input|include|subfile|subfileinclude|InputIfFileExists|IfFileExists)\s*\{\s*([^{}]+?)\s*\}|\\input[ \t]+([^\s{}\\%]+)|\\(?:sub)?(?:import|inputfrom|includefrom)\*?\s*\{\s*([^{}]*?)\s*\}\s*\{\s*([^{}]+?)\s*\}"
);
pattern!(
    OWN_REFERENCES,
    r"\\begin\s*\{thebibliography\}|\\bibitem\b|\\printbibliography|\\bibliography\s*\{|\\addbibresource|\\begin\s*\{references\}"
);
pattern!(
    VERBATIM,
    r"\\begin\{(verbatim|Verbatim|lstlisting|minted|filecontents|comment)\*?\}"
);
pattern!(FRONT_KEY, r"(?m)^([A-Za-z][A-Za-z_-]*)[ \t]*:");

/// Reads and looks into one file; `format` is what its name announces.
pub(super) fn look(files: &dyn Files, path: &str, format: Format) -> Result<Seen, Unseen> {
    let bytes = files.read(path, FILE_BYTES).map_err(Unseen::Read)?;
    let source = Source::from_bytes(path, bytes).map_err(Unseen::Source)?;
    Ok(of_text(path, &source.text, format))
}

/// The format of a text whose name announces none.
pub(super) fn sniff(text: &str) -> Format {
    if CLASS.is_match(&uncommented(text)) {
        Format::Latex
    } else {
        Format::Plain
    }
}

/// What a text is.
pub(super) fn of_text(path: &str, text: &str, format: Format) -> Seen {
    let mut seen = Seen {
        path: path.to_owned(),
        bytes: text.len(),
        kind: Kind::Plain,
        includes: Vec::new(),
        own_references: false,
    };
    if text.trim().is_empty() {
        seen.kind = Kind::Empty;
        return seen;
    }
    match format {
        Format::Plain => {}
        Format::Markdown => seen.kind = Kind::Markdown { front: front(text) },
        Format::Latex => latex(&mut seen, text),
    }
    seen
}

fn latex(seen: &mut Seen, text: &str) {
    let code = uncommented(text);
    seen.kind = match CLASS.captures(&code) {
        None => Kind::Part,
        Some(captures) => {
            let options = captures.get(1).map_or("", |m| m.as_str());
            let class = captures.get(2).map_or("", |m| m.as_str()).trim();
            class_kind(&code, options, class)
        }
    };
    seen.includes = INCLUDE
        .captures_iter(&code)
        .take(INCLUDES)
        .filter_map(|captures| {
            let one = captures.get(1).or_else(|| captures.get(2));
            match (one, captures.get(3), captures.get(4)) {
                (Some(path), ..) => Some(path.as_str().to_owned()),
                (None, Some(folder), Some(file)) => {
                    Some(format!("{}/{}", folder.as_str(), file.as_str()))
                }
                _ => None,
            }
        })
        .collect();
    seen.own_references = OWN_REFERENCES.is_match(&code);
}

fn class_kind(code: &str, options: &str, class: &str) -> Kind {
    if class.contains('$') || class.contains("{{") || code.contains("$body$") {
        return Kind::Template;
    }
    if class == "subfiles" {
        return Kind::Subfile {
            of: options.trim().to_owned(),
        };
    }
    let beside = matches!(
        class,
        "beamer"
            | "letter"
            | "scrlttr2"
            | "standalone"
            | "moderncv"
            | "tikzposter"
            | "a0poster"
            | "beamerposter"
            | "dinbrief"
            | "newlfm"
    );
    Kind::Root {
        complete: code.contains("\\begin{document}"),
        beside,
    }
}

/// LaTeX without comments, verbatim parts and what follows the end of the document.
fn uncommented(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(1 << 20));
    let mut until: Option<String> = None;
    for line in text.lines() {
        if let Some(end) = &until {
            if line.contains(end.as_str()) {
                until = None;
            }
            continue;
        }
        let line = cut_comment(line);
        if let Some(found) = VERBATIM.captures(line) {
            let name = found.get(1).map_or("", |m| m.as_str());
            let end = format!("\\end{{{name}");
            let start = found.get(0).map_or(0, |m| m.start());
            out.push_str(line.get(..start).unwrap_or(""));
            if !line.get(start..).unwrap_or("").contains(&end) {
                until = Some(end);
            }
        } else if let Some(end) = line.find("\\end{document}") {
            out.push_str(line.get(..end).unwrap_or(""));
            break;
        } else {
            out.push_str(line);
        }
        out.push('\n');
    }
    out
}

fn cut_comment(line: &str) -> &str {
    let mut escaped = false;
    for (at, c) in line.bytes().enumerate() {
        match c {
            b'\\' => escaped = !escaped,
            b'%' if !escaped => return line.get(..at).unwrap_or(line),
            _ => escaped = false,
        }
    }
    line
}

fn front(text: &str) -> Front {
    let Some(head) = front_matter(text) else {
        return Front::None;
    };
    let has = |names: &[&str]| {
        FRONT_KEY
            .captures_iter(head)
            .filter_map(|captures| captures.get(1))
            .any(|key| names.contains(&key.as_str().to_lowercase().as_str()))
    };
    let title = has(&["title"]);
    if title && has(&["affiliations"]) && has(&["authors"]) {
        Front::Joss
    } else if title
        && !has(&[
            "layout",
            "permalink",
            "sidebar_label",
            "sidebar_position",
            "nav_order",
            "vignette",
        ])
        && has(&["author", "authors", "abstract", "bibliography", "keywords"])
    {
        Front::Paper
    } else {
        Front::None
    }
}

/// The text between `---` at the very head and the next `---` or `...`.
fn front_matter(text: &str) -> Option<&str> {
    let start = text.strip_prefix("---").filter(|rest| {
        rest.lines()
            .next()
            .is_some_and(|line| line.trim().is_empty())
    })?;
    let mut end = 0;
    for line in start.split_inclusive('\n').skip(1) {
        if matches!(line.trim_end(), "---" | "...") {
            let first = start.split_inclusive('\n').next().map_or(0, str::len);
            return start.get(first..first + end);
        }
        end += line.len();
        if end > 1 << 20 {
            return None;
        }
    }
    None
}
