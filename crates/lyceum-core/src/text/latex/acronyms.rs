//! Acronyms defined and used by commands.

use super::super::source::Span;
use super::super::tex_text::tex_to_text;
use super::super::visible::InlineKind;
use super::Reader;
use super::lexer::{Kind, Token};

/// Commands that print an acronym by its key.
fn is_use(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    matches!(
        lower.as_str(),
        "ac" | "acs"
            | "acl"
            | "acf"
            | "acp"
            | "acsp"
            | "aclp"
            | "acfp"
            | "aca"
            | "acused"
            | "acrshort"
            | "acrlong"
            | "acrfull"
            | "gls"
            | "glspl"
            | "glsxtrshort"
            | "glsxtrlong"
            | "glsxtrfull"
            | "glsentryshort"
            | "glsentrylong"
            | "glsfirst"
            | "glstext"
            | "acrshortpl"
            | "acrlongpl"
            | "acrfullpl"
            | "iac"
            | "acuse"
            | "glssymbol"
            | "glsname"
            | "glsdesc"
            | "glsdisp"
            | "glslink"
    )
}

impl Reader<'_> {
    /// `\ac{key}` and kin. True when the command is one of them and a package for it is there.
    pub(super) fn acronym_command(&mut self, name: &str, token: Token) -> bool {
        if !is_use(name) || self.in_math() {
            return false;
        }
        let glossaries = name.to_ascii_lowercase().starts_with("gls");
        let known = glossaries
            || !self.builder.out.acronyms.is_empty()
            || self.builder.out.packages.iter().any(|(package, _)| {
                matches!(
                    package.as_str(),
                    "acronym" | "acro" | "glossaries" | "glossaries-extra"
                )
            });
        if !known {
            return false;
        }
        self.input.take(Kind::Star);
        let _ = self.input.optional();
        let Some((words, place)) = self.name_argument() else {
            return true;
        };
        if name == "acused" || name == "acuse" {
            return true;
        }
        if name == "glsdisp" || name == "glslink" {
            return true;
        }
        let span = if token.literal() {
            token.span.join(place)
        } else {
            token.span
        };
        let key = words.string.trim().to_owned();
        let shown = self
            .builder
            .out
            .acronyms
            .iter()
            .any(|(short, ..)| *short == key)
            .then(|| key.clone())
            .or_else(|| self.acronym_keys.get(&key).cloned())
            .unwrap_or(key);
        let (start, serial) = self.mark_start();
        self.show(&shown, span);
        self.mark(start, serial, InlineKind::Acronym);
        let _ = self.input.optional();
        true
    }

    /// `\newacronym{key}{short}{long}`, `\acro{key}[short]{long}`, `\DeclareAcronym{key}{short=…,long=…}`.
    pub(super) fn define_acronym(&mut self, name: &str, span: Span) {
        let entry = match name {
            "newacronym" | "newabbreviation" => {
                let _ = self.input.optional();
                let key = self.words_argument();
                let (short, long) = (self.words_argument(), self.words_argument());
                key.zip(short.zip(long))
            }
            "DeclareAcronym" => {
                let key = self.words_argument();
                let fields = self.words_argument();
                key.zip(
                    fields.and_then(|fields| {
                        Some((field(&fields, "short")?, field(&fields, "long")?))
                    }),
                )
            }
            "newglossaryentry" => {
                // A term, not an acronym: kept to be shown.
                if let (Some(key), Some(fields)) = (self.words_argument(), self.words_argument())
                    && let Some(name) = field(&fields, "name")
                {
                    self.acronym_keys
                        .insert(key.trim().to_owned(), tex_to_text(&name));
                }
                None
            }
            "acro" | "acrodef" | "newacro" | "abbrev" => {
                let Some(key) = self.words_argument() else {
                    return;
                };
                let short = self
                    .input
                    .optional()
                    .map_or_else(|| key.clone(), |tokens| self.input.words(&tokens).string);
                self.words_argument().map(|long| (key, (short, long)))
            }
            // Plurals: two arguments, nothing new.
            _ => {
                let _ = self.words_argument();
                let _ = self.input.optional();
                let _ = self.words_argument();
                None
            }
        };
        if let Some((key, (short, long))) = entry {
            let (short, long) = (tex_to_text(&short), tex_to_text(&long));
            self.acronym_keys
                .insert(key.trim().to_owned(), short.clone());
            self.builder.out.acronyms.push((short, long, span));
        }
    }

    fn words_argument(&mut self) -> Option<String> {
        let (tokens, _) = self.input.argument()?;
        Some(self.raw(&tokens))
    }

    /// The source of tokens with braces and commands, as it stands where it is in one piece.
    fn raw(&self, tokens: &[Token]) -> String {
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
            return String::new();
        };
        if first.literal() && last.literal() && first.at.file == last.at.file {
            self.input.slice(first.at.join(last.at)).to_owned()
        } else {
            self.input.words(tokens).string
        }
    }
}

/// The value of a key in a key-value list, braces cut off.
fn field(list: &str, key: &str) -> Option<String> {
    let mut depth = 0_i32;
    let mut start = 0;
    let mut parts = Vec::new();
    for (i, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(list.get(start..i)?);
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(list.get(start..)?);
    parts.into_iter().find_map(|part| {
        let (name, value) = part.split_once('=')?;
        (name.trim() == key).then(|| {
            value
                .trim()
                .trim_start_matches('{')
                .trim_end_matches('}')
                .to_owned()
        })
    })
}
