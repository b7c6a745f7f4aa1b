//! Forms read back what they show; proposals rest on the text.

use super::*;
use crate::base::Language;
use crate::check::Profile;
use crate::panel::disk::FieldAnalysis;
use crate::panel::types::{Mode, SeatId};
use crate::text::{Budget, Format, Manuscript};

struct One(&'static str);

impl crate::port::Files for One {
    fn read(&self, _: &str, _: u64) -> Result<Vec<u8>, crate::port::ReadError> {
        Ok(self.0.as_bytes().to_vec())
    }
    fn exists(&self, path: &str) -> bool {
        path == "a.md"
    }
    fn modified(&self, _: &str) -> Option<i64> {
        None
    }
}

fn manuscript(text: &'static str) -> Manuscript {
    crate::text::load(
        &One(text),
        &["a.md".to_owned()],
        Format::Markdown,
        Budget::default(),
    )
    .unwrap()
}

fn filled() -> FieldAnalysis {
    let mut analysis = FieldAnalysis {
        primary_discipline: "ecology: plants".to_owned(),
        secondary_disciplines: vec!["statistics".to_owned(), "soil science".to_owned()],
        research_paradigm: "quantitative".to_owned(),
        methodology_type: "field experiment\nwith two sites".to_owned(),
        target_journal_tier: "field journal".to_owned(),
        paper_maturity: "first draft".to_owned(),
        ..FieldAnalysis::default()
    };
    analysis.configuration_cards = cards(Mode::Full, &analysis, Language::English);
    analysis
}

#[test]
fn a_form_reads_back_what_it_shows() {
    for language in [Language::English, Language::Chinese] {
        let analysis = filled();
        let text = template(&analysis, Mode::Full, language);
        assert_eq!(parse(&text).unwrap(), analysis, "{text}");
        let crlf = text.replace('\n', "\r\n");
        assert_eq!(parse(&crlf).unwrap(), analysis);
    }
}

#[test]
fn an_empty_form_is_an_empty_analysis() {
    let text = template(&FieldAnalysis::default(), Mode::Quick, Language::English);
    let read = parse(&text).unwrap();
    assert_eq!(read.primary_discipline, "");
    assert_eq!(read.configuration_cards.len(), 1);
    assert!(!text.contains("[da]"));
}

#[test]
fn every_line_that_is_not_understood_is_named() {
    let misread = parse(
        "  more\nprimary discipline: a\nnonsense\ncolour: red\n[nobody]\n[eic]\n[eic]\nfocus: x\n",
    )
    .unwrap_err();
    let lines: Vec<usize> = misread.iter().map(|one| one.line).collect();
    assert_eq!(lines, [1, 3, 4, 5, 7]);
    assert!(misread.iter().all(|one| !one.words.zh.is_empty()));
}

#[test]
fn a_discipline_is_never_guessed_and_a_guess_says_why() {
    let plain = guess(&manuscript("# A\n\nSome words.\n"), None, 0);
    assert_eq!((plain.paradigm, plain.methodology), (None, None));
    assert_eq!(plain.maturity.because, None);
    let text = "# A\n\nThe participants rested (p = .04). Participants walked; a regression showed p < .01.\n";
    let found = guess(&manuscript(text), None, 2);
    let paradigm = found.paradigm.unwrap();
    assert_eq!(paradigm.value, "quantitative");
    assert!(paradigm.because.unwrap().en.contains("words such as"));
    assert_eq!(found.maturity.value, "first draft");
    let software = guess(&manuscript("# A\n"), Some(Profile::Software), 0);
    assert_eq!(software.methodology.unwrap().value, "software description");
}

#[test]
fn cards_are_for_the_peers_of_the_mode() {
    for (mode, count) in [
        (Mode::Full, 4),
        (Mode::MethodologyFocus, 2),
        (Mode::Quick, 1),
    ] {
        let made = cards(mode, &filled(), Language::English);
        assert_eq!(made.len(), count);
        assert!(made.iter().all(|card| card.seat != SeatId::Da
            && !card.identity.is_empty()
            && !card.expertise.is_empty()
            && !card.focus.is_empty()));
    }
}
