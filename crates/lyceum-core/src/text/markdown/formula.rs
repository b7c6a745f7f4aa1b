//! Formulas as plain symbols, as the LaTeX reader shows them.

use crate::port::{Files, ReadError};
use crate::text::builder::Builder;
use crate::text::latex;
use crate::text::load::{Budget, Format};
use crate::text::source::Source;
use crate::text::tex_text::tex_to_text;

/// Most formulas of one file that are read in full; those of any real text.
const MOST: usize = 20_000;
/// Longest formula that is read in full, in bytes.
const LONGEST: usize = 20_000;

/// Reads formulas, and counts them.
#[derive(Debug, Default)]
pub(super) struct Formulas {
    read: usize,
}

/// A formula includes nothing.
struct Nothing;

impl Files for Nothing {
    fn read(&self, _: &str, _: u64) -> Result<Vec<u8>, ReadError> {
        Err(ReadError::Missing)
    }

    fn exists(&self, _: &str) -> bool {
        false
    }

    fn modified(&self, _: &str) -> Option<i64> {
        None
    }
}

impl Formulas {
    /// The formula as a reader sees it.
    pub(super) fn shown(&mut self, tex: &str) -> String {
        if !tex.contains(['\\', '{', '}', '^', '_', '&', '%', '$', '~', '`', '\'']) {
            return tex.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        self.read += 1;
        let plain = self.read <= MOST
            && tex.len() <= LONGEST
            && ![
                "\\def",
                "\\newcommand",
                "\\renewcommand",
                "\\let",
                "\\input",
                "\\include",
                "$",
            ]
            .iter()
            .any(|command| tex.contains(command));
        let shown = if plain { read(tex) } else { String::new() };
        if shown.is_empty() {
            without_layout(tex)
        } else {
            shown
        }
    }
}

fn read(tex: &str) -> String {
    let mut builder = Builder::new(Format::Latex);
    let file = builder.add_source(Source::new("", format!("${}$", tex.trim())));
    let budget = Budget {
        expansions: 1_000,
        ..Budget::default()
    };
    latex::read(&mut builder, &[file], &Nothing, budget);
    let out = builder.finish();
    let words: Vec<&str> = out
        .blocks
        .iter()
        .map(|block| block.text.string.as_str())
        .collect();
    words.join(" ")
}

/// A formula that is not read in full: letters and symbols in their order.
fn without_layout(tex: &str) -> String {
    let mut plain = String::with_capacity(tex.len() + 2);
    plain.push('$');
    plain.extend(
        tex.chars()
            .map(|c| if matches!(c, '&' | '$') { ' ' } else { c }),
    );
    plain.push('$');
    tex_to_text(&plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_shown_as_symbols() {
        let mut formulas = Formulas::default();
        for (tex, shown) in [
            ("x + 1", "x + 1"),
            ("p \\leq 0.05", "p ≤ 0.05"),
            ("\\frac{1}{2}", "1/2"),
            ("10^{-3}", "10⁻³"),
            ("95\\%", "95%"),
            ("\\label{eq:x} y", "y"),
            (
                "\\begin{aligned} a &= b \\\\ &+ c \\end{aligned}",
                "a = b + c",
            ),
        ] {
            assert_eq!(formulas.shown(tex), shown, "{tex}");
        }
        for tex in ["}", "{", "\\", "^", "_", "\\frac{", "\\begin{x}"] {
            let _ = formulas.shown(tex);
        }
    }
}
