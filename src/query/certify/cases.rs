//! Cases of a stage: differences of the exponents that two sums are aligned to.

use super::simulate::{LANES, value};
use super::stage::Stage;
use std::collections::BTreeSet;

/// The differences that samples show where not all terms are zero.
#[derive(Default)]
pub(super) struct Cases(pub BTreeSet<i64>);

/// Adds the differences of a stage for the samples of a word.
pub(super) fn differences(stage: &Stage, values: &[u64], seen: &mut Cases) {
    let empty = value(values, stage.empty);
    let bits: Vec<u64> = stage
        .difference
        .iter()
        .map(|wire| value(values, *wire))
        .collect();
    for lane in 0..LANES {
        if empty >> lane & 1 == 1 {
            continue;
        }
        let number = bits.iter().enumerate().fold(0_i64, |number, (bit, word)| {
            number | ((word >> lane & 1) as i64) << bit
        });
        let width = bits.len() as u32;
        seen.0
            .insert(number << (i64::BITS - width) >> (i64::BITS - width));
    }
}
