//! A piece of TeX as a reader sees it: braces gone, accents and symbols as Unicode. For values of a bibliography and
//! other short pieces; it knows nothing of documents and keeps no places.

use unicode_normalization::UnicodeNormalization;

use super::tex_symbols::{accent, is_text_accent, superscript, symbol};

/// Turns TeX markup into plain text: accents (`\'e`, `{\"o}`, `\v{s}`), symbols, quotes, dashes, `~`; braces,
/// dollars and commands that only set type are dropped, white space is collapsed. Never fails and takes linear time.
#[must_use]
pub fn tex_to_text(tex: &str) -> String {
    let plain = !tex.contains(['\\', '{', '}', '$', '~', '`', '%'])
        && !tex.contains("''")
        && !tex.contains("--");
    let mut out = Out::default();
    if plain {
        out.push_str(tex);
        return out.finish();
    }
    let mut rest = tex;
    let mut math = false;
    while let Some(c) = rest.chars().next() {
        let taken = match c {
            '\\' => command(rest, &mut out),
            '{' | '}' => 1,
            '$' => {
                math = !math;
                1
            }
            '^' if math => raised(rest, &mut out),
            '_' if math => 1,
            _ => ligature(rest, math, &mut out),
        };
        rest = rest.get(taken.max(1)..).unwrap_or("");
    }
    out.finish()
}

/// Text so far, with accents waiting for their letter.
#[derive(Default)]
struct Out {
    text: String,
    marks: Vec<char>,
}

impl Out {
    fn push(&mut self, c: char) {
        if c.is_whitespace() && c != '\u{a0}' {
            if self.marks.is_empty() && !self.text.ends_with(' ') && !self.text.is_empty() {
                self.text.push(' ');
            }
            return;
        }
        if self.marks.is_empty() {
            self.text.push(c);
            return;
        }
        // A dotless letter under an accent is the letter itself.
        let base = match c {
            'ı' => 'i',
            'ȷ' => 'j',
            other => other,
        };
        let marks = self.marks.drain(..).rev();
        let composed: String = std::iter::once(base).chain(marks).nfc().collect();
        self.text.push_str(&composed);
    }

    fn push_str(&mut self, text: &str) {
        for c in text.chars() {
            self.push(c);
        }
    }

    fn finish(mut self) -> String {
        let kept = self.text.trim_end().len();
        self.text.truncate(kept);
        self.text
    }
}

/// Reads the command at the head of `rest` and returns the bytes it takes.
fn command(rest: &str, out: &mut Out) -> usize {
    let body = rest.get(1..).unwrap_or("");
    let letters = body.bytes().take_while(u8::is_ascii_alphabetic).count();
    if letters == 0 {
        let Some(c) = body.chars().next() else {
            return 1;
        };
        let length = c.len_utf8();
        let name = body.get(..length).unwrap_or("");
        if let (Some(mark), true) = (accent(name), is_text_accent(name)) {
            out.marks.push(mark);
        } else if let Some(text) = symbol(name) {
            out.push_str(text);
        } else if c == '\\' {
            out.push(' ');
        }
        return 1 + length;
    }
    let name = body.get(..letters).unwrap_or("");
    let after = body.get(letters..).unwrap_or("");
    let spaces = after.len() - after.trim_start().len();
    let taken = 1 + letters + spaces;
    if let (Some(mark), true) = (accent(name), is_text_accent(name)) {
        out.marks.push(mark);
    } else if let Some(text) = symbol(name) {
        out.push_str(text);
    } else if name == "href" {
        return taken + skipped_group(after.trim_start());
    }
    taken
}

/// How far the end of a group is looked for: long enough for an address, short enough for hostile text.
const LONGEST: usize = 4_000;

/// The length of a balanced group at the head of `rest`; 0 when there is none.
fn skipped_group(rest: &str) -> usize {
    if !rest.starts_with('{') {
        return 0;
    }
    let mut depth = 0_usize;
    for (i, b) in rest.bytes().take(LONGEST).enumerate() {
        match b {
            b'{' => depth += 1,
            b'}' if depth == 1 => return i + 1,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    0
}

/// `^2` and `^{-3}` in a formula.
fn raised(rest: &str, out: &mut Out) -> usize {
    let body = rest.get(1..).unwrap_or("");
    let close = body.bytes().take(12).position(|b| b == b'}');
    let (inner, taken) = match (body.starts_with('{'), close) {
        (true, Some(close)) => (body.get(1..close).unwrap_or(""), close + 2),
        _ => {
            let length = body.chars().next().map_or(0, char::len_utf8);
            (body.get(..length).unwrap_or(""), 1 + length)
        }
    };
    let digits: Option<String> = inner.chars().map(superscript).collect();
    match digits {
        Some(digits) if !digits.is_empty() => {
            out.push_str(&digits);
            taken
        }
        _ => 1,
    }
}

/// Quotes, dashes and ties; anything else is itself.
fn ligature(rest: &str, math: bool, out: &mut Out) -> usize {
    if !math {
        for (tex, text) in LIGATURES {
            if rest.starts_with(tex) {
                out.push_str(text);
                return tex.len();
            }
        }
    }
    let Some(c) = rest.chars().next() else {
        return 1;
    };
    out.push(if c == '~' { ' ' } else { c });
    c.len_utf8()
}

/// What TeX's fonts join, longest first.
pub(crate) const LIGATURES: [(&str, &str); 7] = [
    ("---", "—"),
    ("--", "–"),
    ("``", "“"),
    ("''", "”"),
    ("!`", "¡"),
    ("?`", "¿"),
    ("`", "‘"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_and_symbols_are_decoded() {
        for (tex, text) in [
            (r#"K\"onigstuhl"#, "Königstuhl"),
            (r"{\'E}cole {\'e}", "École é"),
            (r"Ho\v{r}ava \v s \c{c} \c c", "Hořava š ç ç"),
            (r"Garc{\'\i}a \'{\i}", "García í"),
            (
                r#"Erd\H{o}s and \O{}rsted, \AA ngstr\"om"#,
                "Erdős and Ørsted, Ångström",
            ),
            (r"\L{}ukasz \ss{} \ae", "Łukasz ß æ"),
            (r"Nguy\~{\^e}n", "Nguyễn"),
            ("``a'' -- b---c~d", "“a” – b—c d"),
            (
                r"The {DNA} of $\beta$-lactam, H$_2$O, $10^{-3}$, $\chi^2$",
                "The DNA of β-lactam, H2O, 10⁻³, χ²",
            ),
            (
                r"5\% \& more\ \textit{in \emph{italics}}",
                "5% & more in italics",
            ),
            (r"\href{http://a.b/{c}}{the text}", "the text"),
            (r"T\'el\'ecom \LaTeX\ class", "Télécom LaTeX class"),
            ("plain   text\n here", "plain text here"),
            ("变量 \\\"{u}", "变量 ü"),
        ] {
            assert_eq!(tex_to_text(tex), text, "{tex}");
        }
    }

    #[test]
    fn broken_pieces_do_no_harm() {
        for tex in [
            "\\", "\\'", "{", "}", "$^", "^{", "\\href{", "\\\"", "\\v", "$^{变", "\\变",
        ] {
            let _ = tex_to_text(tex);
        }
    }
}
