//! A form is read as it was written, and every error has its line.

use serde_json::json;

use super::*;
use crate::base::Language;
use crate::panel::disk::{Dimension, Evidence, Finding, Provenance, Report, Rest, State};
use crate::panel::{BlockClass, Mode, Score, SeatId, Severity, Verdict};

fn state(mode: Mode) -> State {
    let seats: Vec<_> = mode
        .seats()
        .iter()
        .map(|seat| {
            json!({"seat_id": seat, "role_marker": seat.marker(), "agent_file": "", "status": "dispatched",
                   "dispatched_at": null, "submitted_at": null, "configuration_card": seat.card(), "report": null})
        })
        .collect();
    let value = json!({
        "schema_version": "1", "review_id": "rev-20261201-0a0b0c0d",
        "created_at": "2026-12-01T00:00:00+00:00", "updated_at": "2026-12-01T00:00:00+00:00",
        "mode": mode, "status": "in_review",
        "paper": {"path": "p.md", "sha256": "0".repeat(64), "bytes": 1, "format": "md"},
        "panel": {"seats": seats},
    });
    State::parse(&serde_json::to_vec(&value).unwrap(), "state.json").unwrap()
}

/// A small generator: the tests must not depend on chance.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % sides as u64).unwrap()
    }

    fn text(&mut self) -> String {
        const PIECES: &[&str] = &[
            "plain words",
            "\n",
            "\n\n",
            "%% not read?",
            "\n%% a comment",
            "\n=== finding",
            "\nquote: of a peer",
            "\nTitle : x",
            "\nscore：pass",
            "\n\\ backslash",
            "\n\\\\",
            " # heading",
            "中文，标点。",
            "\"quoted\"",
            "\t tab",
            "\n  indented",
            "verdict: accept",
            ":",
            "===",
        ];
        let count = 1 + self.roll(6);
        let all: String = (0..count)
            .map(|_| PIECES[self.roll(PIECES.len())])
            .collect();
        format!("x{all}y").trim().to_owned()
    }

    fn maybe(&mut self) -> Option<String> {
        (self.roll(2) == 0).then(|| self.text())
    }

    fn one<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.roll(all.len())]
    }

    fn report(&mut self, seat: SeatId) -> Report {
        let findings = (0..self.roll(4))
            .map(|n| Finding {
                id: format!("{}-F{}", seat.as_str(), n + 1),
                severity: self.one(Severity::ALL),
                title: self.text().split_whitespace().collect::<Vec<_>>().join(" "),
                detail: self.text(),
                evidence: (0..=self.roll(3))
                    .map(|_| Evidence {
                        quote: self.text(),
                        location: self.text(),
                        rest: Rest::new(),
                    })
                    .collect(),
                suggestion: self.maybe(),
                confidence: (self.roll(2) == 0).then(|| u8::try_from(1 + self.roll(5)).unwrap()),
                competence_basis: self.maybe(),
                anchor: self.maybe(),
                cost_scope: None,
                consequence: None,
                rest: Rest::new(),
            })
            .collect();
        Report {
            findings,
            verdict: self.one(Verdict::ALL),
            summary: self.text(),
            provenance: Provenance {
                model: String::new(),
                peer_output_visible: Some(false),
                context_fresh: Some(true),
                human_operator: self.maybe().unwrap_or_default(),
                rest: Rest::new(),
            },
            rest: Rest::new(),
        }
    }
}

#[test]
fn what_is_rendered_is_read_back() {
    let mut dice = Dice(3);
    let state = state(Mode::Full);
    for round in 0..600 {
        let seat = SeatId::ALL[round % 5];
        let report = dice.report(seat);
        let mine = crate::panel::brief::eligible(&state, seat);
        let dimensions: Vec<Dimension> = mine
            .iter()
            .map(|one| Dimension {
                id: one.id.to_owned(),
                score: Score::Pass,
                trigger: None,
                block_class: None,
                abstain_reason: None,
            })
            .collect();
        let rows = if round % 2 == 0 { &dimensions[..] } else { &[] };
        let language = [Language::English, Language::Chinese][round % 2];
        let text = render(&state, seat, Some((&report, rows)), language);
        let text = if round % 3 == 0 {
            text.replace('\n', "\r\n")
        } else {
            text
        };
        let filled =
            parse(&text, &state, seat).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        assert_eq!(filled.report, report, "{text}");
        assert_eq!(filled.dimensions, rows);
    }
}

#[test]
fn a_block_with_its_class_is_read_back() {
    let state = state(Mode::Full);
    let report = Dice(8).report(SeatId::Methodology);
    let row = |id: &str, score, trigger: Option<&str>, class| Dimension {
        id: id.to_owned(),
        score,
        trigger: trigger.map(str::to_owned),
        block_class: class,
        abstain_reason: None,
    };
    let rows = [
        row(
            "D1",
            Score::Block,
            Some("no control group"),
            Some(BlockClass::Fatal),
        ),
        row("D3", Score::Warn, Some("a leap"), None),
    ];
    let text = render(
        &state,
        SeatId::Methodology,
        Some((&report, &rows)),
        Language::English,
    );
    assert_eq!(
        parse(&text, &state, SeatId::Methodology)
            .unwrap()
            .dimensions,
        rows
    );
}

fn errors(text: &str) -> Vec<(usize, String)> {
    let errors = parse(text, &state(Mode::Full), SeatId::Eic).unwrap_err();
    errors
        .into_iter()
        .map(|error| (error.line, error.words.en))
        .collect()
}

#[test]
fn an_empty_form_says_what_is_missing() {
    for mode in [Mode::Full, Mode::MethodologyFocus, Mode::Quick] {
        for seat in mode.seats() {
            for language in [Language::English, Language::Chinese] {
                let state = state(mode);
                let text = render(&state, *seat, None, language);
                let errors = parse(&text, &state, *seat).unwrap_err();
                assert_eq!(errors.len(), 2, "{errors:?}");
                assert!(errors[0].words.en.contains("accept, minor_revision"));
                assert!(errors[1].words.en.contains("summary is empty"));
                let line = text.lines().nth(errors[0].line - 1).unwrap();
                assert_eq!(line, "verdict:");
            }
        }
    }
    assert_eq!(errors("").len(), 2);
}

#[test]
fn each_error_has_its_line_and_says_what_to_write() {
    let text = "verdict: maybe\nstray\n=== summary\nfine\n=== finding\nseverity: huge\ntitle: t\nlocation: nowhere\n\
confidence: 9\ndetail: d\ndetail: again\n=== notes\n=== dimension D1\nscore: pass\n=== dimension D5\nscore: good\n";
    let found = errors(text);
    let lines: Vec<usize> = found.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [1, 5, 6, 8, 9, 11, 12, 13, 16], "{found:?}");
    for (start, words) in [
        (1, "one of accept"),
        (6, "critical, major, minor, comment"),
        (9, "from 1"),
        (13, "D5, D6"),
        (16, "pass, warn, block, not_assessed"),
    ] {
        assert!(
            found
                .iter()
                .any(|(line, said)| *line == start && said.contains(words)),
            "{words}: {found:?}"
        );
    }
    let none = "verdict: accept\n=== summary\ns\n=== dimension D5\nscore: pass\n";
    assert!(
        errors(none)[0].1.contains("D6"),
        "the contract wants all or none"
    );
    let stray = "what is this\nverdict: accept\n=== summary\ns\n";
    assert_eq!(errors(stray)[0].0, 1);
    let second = "verdict: accept\n=== summary\ns\n=== summary\nt\n";
    assert_eq!(errors(second)[0].0, 4);
    let no_place = "verdict: accept\n=== summary\ns\n=== finding\nseverity: minor\ntitle: t\ndetail: d\nquote: q\n";
    assert!(errors(no_place)[0].1.contains("no location"));
}

#[test]
fn a_saved_form_with_errors_keeps_every_line() {
    let text = "verdict: maybe\n=== summary\nwords that took an hour\n=== finding\ntitle: t";
    let state = state(Mode::Full);
    let mut text = text.to_owned();
    for language in [Language::English, Language::Chinese] {
        let errors = parse(&text, &state, SeatId::Eic).unwrap_err();
        let with = marked(&text, &errors, language);
        for line in text.lines().filter(|line| !line.starts_with("%% !! ")) {
            assert!(with.contains(line), "{line}");
        }
        assert_eq!(with.matches("%% !! ").count(), errors.len());
        assert!(with.starts_with("%% !! verdict"));
        text = with;
    }
    let mended = text.replace("maybe", "accept").replace("=== finding\n", "");
    let mended = mended.replace("title: t", "");
    assert!(parse(&mended, &state, SeatId::Eic).is_ok());
    assert_eq!(
        marked(&mended, &[], Language::English)
            .matches("%% !!")
            .count(),
        0
    );
}

#[test]
fn hostile_forms_are_read_in_bounded_time() {
    let state = state(Mode::Full);
    for text in [
        "=== finding\n".repeat(20_000),
        "quote: x\n".repeat(20_000),
        "=== finding\nquote:\nquote: a\nlocation: b\n".repeat(5_000),
        "\\".repeat(100_000),
        "\u{0}\u{1b}[31m: x\n".repeat(1_000),
        "：".repeat(10_000),
    ] {
        let errors = parse(&text, &state, SeatId::Da).unwrap_err();
        let _ = marked(&text, &errors, Language::English);
    }
}
