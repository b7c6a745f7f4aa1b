//! What the head of a code block says: attributes, a knitr chunk, or Quarto's `#|` lines.

use std::ops::Range;

use super::attribute;
use super::front::trimmed;
use crate::text::model::FloatKind;

/// What a code block is labelled and captioned with.
#[derive(Clone, Debug)]
pub(super) struct CodeCell {
    /// The label, when the block makes a float.
    pub(super) label: Option<Range<usize>>,
    /// The caption's words.
    pub(super) caption: Option<Range<usize>>,
    /// What the float is.
    pub(super) kind: FloatKind,
    /// The name of a knitr chunk.
    pub(super) chunk: Option<Range<usize>>,
}

/// Reads the head of the code block under `block`; `info` is its first line.
pub(super) fn read(text: &str, block: Range<usize>, info: &str) -> CodeCell {
    let mut cell = CodeCell {
        label: None,
        caption: None,
        kind: FloatKind::Listing,
        chunk: None,
    };
    if let Some(open) = info.find('{').filter(|_| info.starts_with(['`', '~'])) {
        let open = block.start + open;
        match attribute::parse(text, open) {
            Some((list, _)) => {
                cell.caption = list
                    .value(text, "caption")
                    .or_else(|| list.value(text, "lst-cap"));
                cell.label = list.id;
            }
            None => cell.chunk = chunk_name(text, open, block.start + info.len()),
        }
    }
    cell_options(text, block, info.len(), &mut cell);
    if let Some(label) = cell.label.clone().and_then(|label| text.get(label)) {
        cell.kind = match label.get(..4) {
            Some("fig-" | "fig:") => FloatKind::Figure,
            Some("tbl-" | "tbl:" | "tab:") => FloatKind::Table,
            _ => FloatKind::Listing,
        };
    }
    cell
}

/// The name in `{r name, echo=FALSE}`.
fn chunk_name(text: &str, open: usize, end: usize) -> Option<Range<usize>> {
    let source = text.get(open + 1..end)?;
    let language = source.find(|c: char| !c.is_ascii_alphanumeric())?;
    let rest = source.get(language..)?;
    let length = rest.find([',', '}'])?;
    let name = trimmed(text, open + 1 + language..open + 1 + language + length);
    let words = text.get(name.clone())?;
    let plain = words
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':'));
    (!words.is_empty() && plain).then_some(name)
}

/// `#| label: fig-x` and `#| fig-cap: "…"` in the first lines of a cell.
fn cell_options(text: &str, block: Range<usize>, info: usize, cell: &mut CodeCell) {
    let mut at = block.start + info + 1;
    for line in text
        .get(at..block.end)
        .unwrap_or("")
        .split_inclusive('\n')
        .take(40)
    {
        let start = at;
        at += line.len();
        let Some(mark) = ["#|", "//|", "%%|", "--|"]
            .iter()
            .find(|mark| line.starts_with(**mark))
        else {
            break;
        };
        let body = line.get(mark.len()..).unwrap_or("");
        let Some(colon) = body.find(':') else {
            continue;
        };
        let value = trimmed(text, start + mark.len() + colon + 1..at);
        let words = text.get(value.clone()).unwrap_or("");
        let quoted =
            words.len() > 1 && words.starts_with(['"', '\'']) && words.ends_with(['"', '\'']);
        let value = if quoted {
            value.start + 1..value.end - 1
        } else {
            value
        };
        match body.get(..colon).unwrap_or("").trim() {
            "label"
                if ["fig-", "tbl-", "lst-", "fig:", "tbl:"]
                    .iter()
                    .any(|p| words.starts_with(p)) =>
            {
                cell.label = Some(value);
            }
            "label" => cell.chunk = Some(value),
            "fig-cap" | "tbl-cap" | "lst-cap"
                if !value.is_empty() && !words.starts_with(['|', '>', '[', '!']) =>
            {
                cell.caption = Some(value);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read() {
        let cell = |text: &str| {
            let info = text.lines().next().unwrap().to_owned();
            let cell = read(text, 0..text.len(), &info);
            let show = |range: Option<Range<usize>>| range.map(|range| text[range].to_owned());
            (show(cell.label), show(cell.caption), show(cell.chunk))
        };
        let s = |text: &str| Some(text.to_owned());
        assert_eq!(
            cell("```{.python #lst:x caption=\"A b\"}\nx\n```"),
            (s("lst:x"), s("A b"), None)
        );
        assert_eq!(
            cell("```{r plot-one, fig.cap=\"A\"}\nx\n```"),
            (None, None, s("plot-one"))
        );
        assert_eq!(cell("```{r echo=FALSE}\nx\n```"), (None, None, None));
        assert_eq!(
            cell("```{python}\n#| label: fig-x\n#| fig-cap: \"A b\"\n1\n```"),
            (s("fig-x"), s("A b"), None)
        );
        assert_eq!(cell("```python\nx = {1}\n```"), (None, None, None));
    }
}
