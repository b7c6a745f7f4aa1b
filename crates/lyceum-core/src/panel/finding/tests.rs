//! Quotes of a report against the text and its source.

use super::*;
use crate::panel::Verdict;
use crate::text::{Budget, Format, load};

struct One<'a>(&'a str);

impl crate::port::Files for One<'_> {
    fn read(&self, path: &str, _: u64) -> Result<Vec<u8>, crate::port::ReadError> {
        match path {
            "paper.tex" => Ok(self.0.as_bytes().to_vec()),
            _ => Err(crate::port::ReadError::Missing),
        }
    }

    fn exists(&self, path: &str) -> bool {
        path == "paper.tex"
    }

    fn modified(&self, _: &str) -> Option<i64> {
        None
    }
}

fn paper() -> Manuscript {
    let text = "\\newcommand{\\ms}{ ms}\\begin{document}\nResponses took 421.6\\ms{} after the walk. % They took it.\n\\
                The only week had 8 days. % The only week had 7\n\n\
                \\begin{tabular}{lll}\n104 & TRUE & 6.42 \\\\\n105 & FALSE once & 7.11\n\\end{tabular}\n\\end{document}\n";
    let main = ["paper.tex".to_owned()];
    load(&One(text), &main, Format::Latex, Budget::default()).unwrap()
}

/// The code of the refusal of one quote, with its hint.
fn refused(quote: &str) -> Option<(String, String)> {
    let report = serde_json::json!({
        "findings": [{"id": "", "severity": "minor", "title": "A title", "detail": "Of it.",
                      "evidence": [{"quote": quote, "location": "somewhere"}]}],
        "verdict": Verdict::MinorRevision, "summary": "",
        "provenance": {"model": "", "human_operator": "a person"},
    });
    let report = serde_json::from_value(report).unwrap();
    let refusal = hold(report, SeatId::Eic, &paper()).err()?;
    Some((refusal.code.to_string(), refusal.hint.clone()))
}

#[test]
fn what_stands_in_the_source_is_evidence() {
    for quote in [
        "421.6\\ms{} after",
        "104 & TRUE & 6.42",
        "104 TRUE 6.42",
        "% They took it",
    ] {
        assert_eq!(refused(quote), None, "{quote}");
    }
}

#[test]
fn what_stands_apart_or_has_another_number_is_none() {
    let code = |quote| refused(quote).map(|(code, _)| code);
    for quote in ["TRUE & FALSE", "Responses after", "421.6 & TRUE"] {
        assert_eq!(code(quote).as_deref(), Some("quote_not_found"), "{quote}");
    }
    for (quote, right) in [
        ("Responses took 412.6 ms after the walk", "421.6"),
        ("Responses took 412.6\\ms{} after", "421.6"),
        ("104 & FALSE once & 7.11", "105"),
        // Only a comment has this number.
        ("The only week had 7", "8"),
    ] {
        let (code, hint) = refused(quote).unwrap();
        assert_eq!(code, "number_not_found", "{quote}");
        assert!(hint.contains(right), "{hint}");
    }
}
