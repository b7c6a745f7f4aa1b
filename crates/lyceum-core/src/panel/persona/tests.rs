//! The texts are pinned, complete, and speak as the house does.

use super::*;

#[test]
fn a_changed_text_needs_a_new_line_in_the_table_of_packs() {
    let line = PACKS.iter().find(|(pack, _)| *pack == PACK).unwrap();
    assert_eq!(
        line.1,
        pack_sha256().as_str(),
        "a persona changed: publish it as a new pack with a line of its own"
    );
    assert_eq!(PACKS.last().unwrap().0, PACK);
}

#[test]
fn seven_roles_and_a_protocol_each_with_its_own_words() {
    let all = all();
    assert_eq!(all.len(), 8);
    for (i, one) in all.iter().enumerate() {
        assert!(one.text.len() > 2_000, "{}", one.id);
        assert!(one.text.ends_with('\n') && !one.text.contains('\r'));
        assert!(all.iter().skip(i + 1).all(|two| two.sha256 != one.sha256));
    }
    for seat in SeatId::ALL {
        let persona = of(*seat);
        assert!(persona.text.contains(&format!("(`{}`)", seat.marker())));
        assert!(persona.text.contains("## Traps of this seat"));
        assert!(persona.text.contains("## How you decide"));
        assert_eq!(
            persona.reference(),
            format!("lyceum-review/1#{}@{}", seat.as_str(), persona.sha256)
        );
    }
}

#[test]
fn no_text_claims_more_separation_than_there_is() {
    let word = ["inde", "pendent"].concat();
    for persona in all() {
        assert!(
            !persona.text.to_lowercase().contains(&word),
            "{}",
            persona.id
        );
    }
}

#[test]
fn dimensions_that_a_seat_is_told_to_score_are_its_own() {
    use crate::panel::{Mode, contract};
    let full = contract::of_mode(Mode::Full).unwrap();
    for seat in SeatId::ALL {
        let text = of(*seat).text;
        for dimension in full.dimensions {
            let named = text.contains(&format!("`{}`", dimension.name));
            assert_eq!(
                named,
                dimension.eligible.contains(seat),
                "{seat:?} {}",
                dimension.name
            );
        }
    }
}
