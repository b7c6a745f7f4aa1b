//! Who agrees with whom.

use super::*;
use crate::panel::synthesis::decision::reports;
use crate::panel::synthesis::point::{Class, points};
use Severity::{Critical, Major, Minor};

/// Class and agreeing findings of each finding.
fn classes(state: &State) -> Vec<(String, Class, Vec<String>)> {
    let paper = paper();
    let reports = reports(state).unwrap();
    let all = points(state, &reports, &paper);
    all.iter()
        .map(|one| {
            let with = one.agreeing.values().map(|i| all[*i].finding.id.clone());
            (one.finding.id.clone(), one.class, with.collect())
        })
        .collect()
}

fn class(state: &State, id: &str) -> (Class, Vec<String>) {
    let found = classes(state).into_iter().find(|(one, ..)| one == id);
    found.map(|(_, class, with)| (class, with)).unwrap()
}

fn panel() -> State {
    full([Verdict::MajorRevision; 5])
}

#[test]
fn seats_agree_only_where_their_quotes_overlap_in_one_sentence() {
    let mut state = panel();
    push(
        &mut state,
        SeatId::Eic,
        finding("eic-F1", Major, &["We asked 24 students"]),
    );
    push(
        &mut state,
        SeatId::Methodology,
        finding("methodology-F1", Major, &["asked 24"]),
    );
    // The same sentence, other words.
    push(
        &mut state,
        SeatId::Domain,
        finding("domain-F1", Minor, &["students"]),
    );
    // The same paragraph, the next sentence.
    push(
        &mut state,
        SeatId::Perspective,
        finding("perspective-F1", Minor, &["They slept in a laboratory"]),
    );
    assert_eq!(
        class(&state, "eic-F1"),
        (
            Class::Consensus3,
            vec!["methodology-F1".into(), "domain-F1".into()]
        )
    );
    assert_eq!(
        class(&state, "methodology-F1"),
        (Class::Corroborated, vec!["eic-F1".into()])
    );
    assert_eq!(
        class(&state, "domain-F1"),
        (Class::Corroborated, vec!["eic-F1".into()])
    );
    assert_eq!(class(&state, "perspective-F1"), (Class::Single, vec![]));
}

#[test]
fn a_quote_over_two_sentences_agrees_in_the_one_where_most_do() {
    let mut state = panel();
    let long = "We asked 24 students. They slept in a laboratory";
    push(&mut state, SeatId::Eic, finding("eic-F1", Major, &[long]));
    push(
        &mut state,
        SeatId::Methodology,
        finding("methodology-F1", Major, &["24 students"]),
    );
    push(
        &mut state,
        SeatId::Domain,
        finding("domain-F1", Major, &["They slept"]),
    );
    push(
        &mut state,
        SeatId::Perspective,
        finding("perspective-F1", Major, &["They slept in a"]),
    );
    let (class_, with) = class(&state, "eic-F1");
    assert_eq!(class_, Class::Consensus3);
    assert_eq!(with, ["domain-F1", "perspective-F1"]);
}

#[test]
fn four_peers_are_a_consensus_and_the_devils_advocate_never_counts() {
    let mut state = panel();
    for seat in SeatId::ALL {
        let id = format!("{}-F1", seat.as_str());
        let severity = if *seat == SeatId::Da { Critical } else { Major };
        push(
            &mut state,
            *seat,
            finding(&id, severity, &["Nobody was excluded"]),
        );
    }
    push(
        &mut state,
        SeatId::Da,
        finding("da-F2", Major, &["Nobody was excluded"]),
    );
    assert_eq!(class(&state, "eic-F1").0, Class::Consensus4);
    assert_eq!(class(&state, "da-F1").0, Class::DaCritical);
    assert_eq!(class(&state, "da-F2").0, Class::Consensus4);

    let mut state = panel();
    push(
        &mut state,
        SeatId::Da,
        finding("da-F1", Major, &["Nobody was excluded"]),
    );
    push(
        &mut state,
        SeatId::Eic,
        finding("eic-F1", Major, &["Nobody was"]),
    );
    push(
        &mut state,
        SeatId::Eic,
        finding("eic-F2", Major, &["Nobody"]),
    );
    assert_eq!(
        class(&state, "eic-F1"),
        (Class::Corroborated, vec!["da-F1".into()])
    );
    assert_eq!(class(&state, "da-F1").0, Class::Corroborated);
}

#[test]
fn words_that_stand_twice_agree_with_the_very_same_words_only() {
    let mut state = panel();
    push(
        &mut state,
        SeatId::Eic,
        finding("eic-F1", Major, &["The effect was large"]),
    );
    push(
        &mut state,
        SeatId::Domain,
        finding("domain-F1", Major, &["the effect was large"]),
    );
    push(
        &mut state,
        SeatId::Methodology,
        finding("methodology-F1", Major, &["The effect was large"]),
    );
    push(
        &mut state,
        SeatId::Perspective,
        finding("perspective-F1", Major, &["large and stable"]),
    );
    assert_eq!(
        class(&state, "eic-F1"),
        (Class::Corroborated, vec!["methodology-F1".into()])
    );
    assert_eq!(class(&state, "perspective-F1").0, Class::Single);
}

#[test]
fn ten_thousand_findings_on_one_sentence_are_placed() {
    let mut state = panel();
    for i in 1..=2_000 {
        for seat in SeatId::ALL {
            let id = format!("{}-F{i}", seat.as_str());
            push(
                &mut state,
                *seat,
                finding(&id, Minor, &["We asked 24 students"]),
            );
        }
    }
    let all = classes(&state);
    assert_eq!(all.len(), 10_000);
    assert!(all.iter().all(|(_, class, _)| *class == Class::Consensus4));
}

#[test]
fn words_quoted_from_the_source_agree_where_a_reader_sees_them() {
    let tex = "\\begin{document}\n\\section{Results}\nWe saw 412.6\\ms{} after it.\n% Ask them again.\n\n\
               \\begin{tabular}{ll}\n104 & TRUE \\\\\n105 & FALSE \\\\\n\\end{tabular}\n\\end{document}\n";
    let paper = manuscript("paper.tex", tex);
    let mut state = panel();
    for (seat, id, quote) in [
        (SeatId::Eic, "eic-F1", "saw 412.6\\ms{} after"),
        (SeatId::Methodology, "methodology-F1", "after it"),
        (SeatId::Eic, "eic-F2", "104 & TRUE"),
        (SeatId::Methodology, "methodology-F2", "TRUE \\\\ 105"),
        (SeatId::Eic, "eic-F3", "Ask them again"),
        (SeatId::Methodology, "methodology-F3", "Ask them again."),
        (SeatId::Domain, "domain-F3", "Ask them again"),
    ] {
        push(&mut state, seat, finding(id, Major, &[quote]));
    }
    let reports = reports(&state).unwrap();
    let all = points(&state, &reports, &paper);
    let with = |id: &str| -> Vec<&str> {
        let one = all.iter().find(|one| one.finding.id == id).unwrap();
        let with = one.agreeing.values();
        with.map(|i| all[*i].finding.id.as_str()).collect()
    };
    assert_eq!(with("eic-F1"), ["methodology-F1"]);
    assert_eq!(with("eic-F2"), ["methodology-F2"]);
    // In a comment only the very same words agree.
    assert_eq!(with("eic-F3"), ["domain-F3"]);
    assert!(with("methodology-F3").is_empty());
    let rendered = crate::panel::synthesis::render(&state, &paper, &[]).unwrap();
    let roadmap = rendered.roadmap.unwrap();
    for place in ["paper.tex:3", "paper.tex:7", "paper.tex:4"] {
        assert!(rendered.letter.contains(place), "{place}");
        assert!(roadmap.contains(place), "{place}");
    }
}
