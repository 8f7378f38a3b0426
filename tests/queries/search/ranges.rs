//! Clauses that keep a number within its range.

use mmasmt_numbers::bits::blast::Wire;
use mmasmt_questions::claims::certificates::within;

#[test]
fn clauses_hold_in_the_range_alone() {
    let number: Vec<Wire> = (1..6).map(Wire::of_gate).collect();
    for [least, greatest] in [[-16, 15], [-3, 2], [-1, 0], [0, 5], [-16, -16], [7, 15]] {
        let clauses = within(&number, least, greatest);
        for value in -16..16_i64 {
            let bits: Vec<bool> = (0..6)
                .map(|gate| gate > 0 && value >> (gate - 1) & 1 == 1)
                .collect();
            let holds = clauses
                .iter()
                .all(|clause| clause.iter().any(|wire| wire.value(&bits)));
            assert_eq!(
                holds,
                (least..=greatest).contains(&value),
                "{value} in {least}..={greatest}"
            );
        }
    }
}
