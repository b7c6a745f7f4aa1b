//! Questions to a person, with one way to leave.

use lyceum_tools::ToolError;

use crate::cli::approve::Sitting;

/// What was typed, or that the person left.
pub(super) enum Typed {
    Text(String),
    Left,
}

/// A line; the default when only Enter was typed. An empty line without a default is asked again.
pub(super) fn line(
    sitting: &mut Sitting<'_>,
    question: &str,
    default: &str,
) -> Result<Typed, ToolError> {
    let prompt = if default.is_empty() {
        format!("{question}: ")
    } else {
        format!("{question} [{default}]: ")
    };
    loop {
        let Some(typed) = sitting.ask(&prompt)? else {
            return Ok(Typed::Left);
        };
        let typed = typed.trim();
        if typed == "q" {
            return Ok(Typed::Left);
        }
        if !typed.is_empty() {
            return Ok(Typed::Text(typed.to_owned()));
        }
        if !default.is_empty() {
            return Ok(Typed::Text(default.to_owned()));
        }
    }
}

/// One of some letters; `None` when the person left. The first is the default.
pub(super) fn choice(
    sitting: &mut Sitting<'_>,
    question: &str,
    letters: &[char],
) -> Result<Option<char>, ToolError> {
    loop {
        let Some(typed) = sitting.ask(&format!("{question} "))? else {
            return Ok(None);
        };
        let typed = typed.trim().to_lowercase();
        if typed == "q" {
            return Ok(None);
        }
        if typed.is_empty() {
            return Ok(letters.first().copied());
        }
        let found = letters.iter().find(|letter| typed.starts_with(**letter));
        if let Some(letter) = found {
            return Ok(Some(*letter));
        }
    }
}
