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
