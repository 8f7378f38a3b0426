//! Mutants of which nothing is known yet.

use mmasmt_numbers::base::limits::Stopped;
use mmasmt_questions::identify::Fate;
use mmasmt_questions::identify::score::open;

#[test]
fn mutants_are_open_until_something_is_known_of_them() {
    let unknown = Fate::Unknown(Stopped::GaveUp);
    let fates = [
        None,
        Some(Fate::Equal),
        Some(unknown),
        Some(Fate::Caught(0)),
        None,
    ];
    assert_eq!(open(&fates), [0, 2, 4]);
}
