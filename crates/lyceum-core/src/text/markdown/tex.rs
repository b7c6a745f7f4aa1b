//! Raw TeX inside Markdown, as JOSS papers and theses in pandoc Markdown use it: finding it in the source.

use std::ops::Range;

use super::island::{Cover, Mark};
use super::scan::Scanner;
use crate::text::CitationStyle;
use crate::text::tex_symbols::symbol;
use crate::text::visible::InlineKind;

impl Scanner<'_> {
    /// Takes the command whose backslash is at `at`.
    pub(super) fn command(&mut self, at: usize) -> usize {
        let letters = self.bytes[at + 1..self.end]
            .iter()
            .take_while(|b| b.is_ascii_alphabetic())
            .count();
        let name_end = at + 1 + letters;
        let Some(name) = self
            .text
            .get(at + 1..name_end)
            .filter(|name| name.len() < 40)
        else {
            return name_end;
        };
        let after = name_end + usize::from(self.byte(name_end) == b'*');
        match name {
            "begin" => self.environment(at, after),
            "end" => self.drop_arguments(at, after),
            "label" => match self.group(after) {
                Some(inner) => self.push(at..inner.end + 1, Mark::Label(inner)),
                None => self.push(at..after, Mark::Nothing),
            },
            "includegraphics" => {
                let open = self.options(after);
                match self.group(open) {
                    Some(inner) => self.push(at..inner.end + 1, Mark::Graphics(inner)),
                    None => self.push(at..after, Mark::Nothing),
                }
            }
            _ if is_reference(name) => self.reference(at, after, name),
            _ if is_citation(name) => self.tex_citation(at, after, name),
            _ => self.other(at, after, name),
        }
    }

    /// Characters that mean something else inside a LaTeX environment than in Markdown.
    pub(super) fn tex_step(&mut self, at: usize) -> Option<usize> {
        for (tex, shown) in [
            ("---", "—"),
            ("--", "–"),
            ("``", "“"),
            ("''", "”"),
            ("`", "‘"),
            ("~", " "),
        ] {
            if self.starts(at, tex) {
                return Some(self.push(at..at + tex.len(), Mark::Words(shown.to_owned())));
            }
        }
        match self.bytes[at] {
            b'\\' => match self.byte(at + 1) {
                b'\\' | b',' | b';' | b':' | b'!' | b'>' | b'=' | b'/' => {
                    Some(self.push(at..(at + 2).min(self.end), Mark::Words(" ".to_owned())))
                }
                _ => None,
            },
            b'@' | b'^' => Some(at + 1),
            b'{' => Some(self.push(at..at + 1, Mark::Nothing)),
            b'}' => Some(match self.close(at) {
                Some(end) => end,
                None => self.push(at..at + 1, Mark::Nothing),
            }),
            b'*' | b'_' | b'<' | b'#' => Some(self.push(at..at + 1, Mark::Literal)),
            b'%' => {
                let line = self.bytes[at..self.end].iter().position(|&b| b == b'\n');
                let end = line.map_or(self.end, |length| at + length);
                Some(self.push(at..end, Mark::Nothing))
            }
            _ => None,
        }
    }

    /// The inside of the group at `at`.
    fn group(&self, at: usize) -> Option<Range<usize>> {
        if self.byte(at) != b'{' {
            return None;
        }
        let close = self.close_of_curly(at)?;
        (close < self.end).then_some(at + 1..close)
    }

    /// The offset behind optional arguments.
    fn options(&self, mut at: usize) -> usize {
        while self.byte(at) == b'[' {
            match self.close_of_square(at).filter(|&close| close < self.end) {
                Some(close) => at = close + 1,
                None => break,
            }
        }
        at
    }

    /// The names in a group, separated by commas.
    fn names(&self, group: &Range<usize>) -> Vec<Range<usize>> {
        let mut names = Vec::new();
        let mut start = group.start;
        for part in self.text.get(group.clone()).unwrap_or("").split(',') {
            let name = super::front::trimmed(self.text, start..start + part.len());
            if !name.is_empty() {
                names.push(name);
            }
            start += part.len() + 1;
        }
        names
    }

    fn reference(&mut self, at: usize, after: usize, name: &str) -> usize {
        let Some(inner) = self.group(after) else {
            return self.push(at..after, Mark::Nothing);
        };
        let names = self.names(&inner);
        let command = name.to_owned();
        self.push(at..inner.end + 1, Mark::References { names, command })
    }

    fn tex_citation(&mut self, at: usize, after: usize, name: &str) -> usize {
        let mut keys = Vec::new();
        let mut end = after;
        let several = name.ends_with('s') && name != "citeauthors";
        while let Some(inner) = self.group(self.options(end)) {
            keys.extend(self.names(&inner));
            end = inner.end + 1;
            if !several {
                break;
            }
        }
        if keys.is_empty() {
            return self.push(at..end, Mark::Nothing);
        }
        let style = match name {
            "nocite" => CitationStyle::Silent,
            _ if name.to_ascii_lowercase().starts_with("citet")
                || name.to_ascii_lowercase().starts_with("textcite") =>
            {
                CitationStyle::Textual
            }
            _ => CitationStyle::Parenthetical,
        };
        self.push(at..end, Mark::Citation { keys, style })
    }

    /// Commands that set type keep their words, symbols are shown, all others vanish with their arguments.
    fn other(&mut self, at: usize, after: usize, name: &str) -> usize {
        if let Some(kind) = set_type(name) {
            return match self.group(after) {
                Some(inner) => {
                    let (open, last) = match kind {
                        Some(kind) => (Mark::Open(kind), Mark::Close),
                        None => (Mark::Nothing, Mark::Nothing),
                    };
                    self.bracketed(at..inner.start, open, inner.end..inner.end + 1, last)
                }
                None => self.push(at..after, Mark::Nothing),
            };
        }
        match name {
            "footnote" | "footnotetext" | "thanks" => {
                if let Some(inner) = self.group(self.options(after)) {
                    let close = inner.end..inner.end + 1;
                    return self.bracketed(at..inner.start, Mark::NoteOpen, close, Mark::NoteClose);
                }
            }
            "href" | "hypertarget" | "hyperlink" | "textcolor" | "colorbox" | "parbox" => {
                if let Some(first) = self.group(self.options(after))
                    && let Some(second) = self.group(first.end + 1)
                {
                    let close = second.end..second.end + 1;
                    return self.bracketed(at..second.start, Mark::Nothing, close, Mark::Nothing);
                }
            }
            "url" => {
                if let Some(inner) = self.group(after) {
                    let close = inner.end..inner.end + 1;
                    self.push(at..inner.start, Mark::Nothing);
                    self.push(inner, Mark::Url);
                    return self.push(close, Mark::Nothing);
                }
            }
            _ => {}
        }
        if let Some(shown) = symbol(name) {
            let gap = usize::from(self.starts(after, "{}")) * 2;
            return self.push(at..after + gap, Mark::Words(shown.to_owned()));
        }
        self.drop_arguments(at, after)
    }

    fn drop_arguments(&mut self, at: usize, after: usize) -> usize {
        let mut end = after;
        for _ in 0..8 {
            let next = self.options(end);
            match self.group(next) {
                Some(inner) => end = inner.end + 1,
                None => {
                    end = next;
                    break;
                }
            }
        }
        self.push(at..end, Mark::Nothing)
    }

    /// `\begin{name} … \end{name}` as a whole.
    fn environment(&mut self, at: usize, after: usize) -> usize {
        let Some(name) = self.group(after) else {
            return self.push(at..after, Mark::Nothing);
        };
        let words = self.text.get(name.clone()).unwrap_or("").to_owned();
        let inside = name.end + 1;
        let close = if self.unclosed.len() < 64 && !self.unclosed.contains(&words) {
            self.end_of(&words, inside)
        } else {
            None
        };
        let Some(close) = close else {
            self.unclosed.insert(words);
            return self.drop_arguments(at, after);
        };
        let end = close + words.len() + 6;
        let cover = if self.alone(at, end) {
            Cover::Blank
        } else {
            Cover::Inert
        };
        let inner = inside..close;
        self.cover(at..end, cover, Mark::Environment { name, inner })
    }

    /// Where the `\end` of an environment is that was opened before `from`.
    fn end_of(&self, name: &str, from: usize) -> Option<usize> {
        let (opens, closes) = (format!("\\begin{{{name}}}"), format!("\\end{{{name}}}"));
        let mut depth = 0_usize;
        let mut at = from;
        loop {
            let rest = self.text.get(at..self.end)?;
            let close = rest.find(&closes)?;
            depth += rest.get(..close)?.matches(&opens).count();
            if depth == 0 {
                return Some(at + close);
            }
            depth -= 1;
            at += close + closes.len();
        }
    }
}

fn is_reference(name: &str) -> bool {
    matches!(
        name,
        "ref"
            | "eqref"
            | "autoref"
            | "Autoref"
            | "cref"
            | "Cref"
            | "pageref"
            | "nameref"
            | "vref"
            | "Vref"
            | "subref"
            | "cpageref"
            | "labelcref"
            | "fref"
            | "Fref"
    )
}

fn is_citation(name: &str) -> bool {
    let folded = name.to_ascii_lowercase();
    let known = [
        "cite",
        "parencite",
        "textcite",
        "autocite",
        "footcite",
        "smartcite",
        "supercite",
        "fullcite",
        "footfullcite",
        "nocite",
        "shortcite",
        "onlinecite",
    ];
    let listed = |stem: &str| {
        let rest = folded.strip_prefix(stem);
        rest.is_some_and(|rest| {
            matches!(
                rest,
                "" | "s"
                    | "p"
                    | "t"
                    | "alt"
                    | "alp"
                    | "author"
                    | "year"
                    | "yearpar"
                    | "title"
                    | "num"
                    | "text"
            )
        })
    };
    known.iter().any(|stem| listed(stem)) && folded != "citetext"
}

/// What a command does that sets the words in its argument: marks them, or only changes the type.
fn set_type(name: &str) -> Option<Option<InlineKind>> {
    Some(match name {
        "emph" | "textit" | "textsl" => Some(InlineKind::Emphasis),
        "textbf" => Some(InlineKind::Strong),
        "textsc" | "textrm" | "textsf" | "textmd" | "textup" | "textnormal" | "text" | "mbox"
        | "hbox" | "underline" | "enquote" | "uline" | "textsubscript" | "textsuperscript" => None,
        "texttt" => Some(InlineKind::Code),
        "del" | "sout" | "st" => Some(InlineKind::Change),
        _ => return None,
    })
}
