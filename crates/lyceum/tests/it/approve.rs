//! What waits for a person, decided at a terminal; and everything that is none.

use crate::person::Person;
use crate::program::Place;

#[test]
fn nothing_waits() {
    let place = Place::with_paper();
    if Person::is_below_a_host(&place) {
        return;
    }
    let mut person = Person::at_terminal(&place, &["approve"]);
    assert!(person.sees("Nothing waits for you."), "{}", person.seen);
    assert_eq!(person.ends(), 0);
}
