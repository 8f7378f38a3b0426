//! Bounds of errors that are proved: for a model and all its operands, by the lemmas that stand in the files.
//!
//! The error is the distance of the result from the exact sum. A bound is `r T + t`, where T is the sum of the magnitudes of `c` and of
//! all products. It holds for finite operands where nothing overflows; it is enough that T is less than the greatest power of two of
//! the format of the result.
//!
//! | what | file |
//! | --- | --- |
//! | bounds, and those of steps one after the other | `bound` |
//! | fused sums: alignment, cutting, rounding | `fused` |
//! | fused dot products with a late `c`: CDNA3 | `late` |
//! | operations of IEEE 754 in sequence and pairwise | `rounded` |
//! | chains and compositions | `composed` |
//! | multiplication in parts | `parts` |

mod bound;
mod composed;
mod fused;
mod late;
mod parts;
mod rounded;

pub use bound::ErrorBound;

use crate::algorithms::{Operation, ZeroRule};
use crate::float::Format;
use crate::model::Model;

/// For which factors a bound holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factors {
    /// All finite ones.
    Finite,
    /// Normal numbers and zeros: the absolute part is smaller.
    Normal,
}

/// A bound of the error of `model`; none where no lemma is known.
pub fn error_bound(model: &Model, factors: Factors) -> Option<ErrorBound> {
    composed::of_algorithm(model.algorithm(), factors)
}

fn of_operation(operation: &Operation, factors: Factors) -> Option<ErrorBound> {
    match operation {
        Operation::Fda(fda) => fused::of_fda(fda.params(), factors),
        Operation::Hmma8(hmma8) => fused::of_hmma8(hmma8, factors),
        Operation::Exact(exact) => Some(rounded::of_format(exact.rounding, &exact.out)),
        Operation::Fdrda(fdrda) => Some(late::of_late(fdrda.params(), 1, factors)),
        Operation::Gfdrda(gfdrda) => Some(late::of_late(gfdrda.params(), 2, factors)),
        Operation::Ieee(ieee) => Some(rounded::of_ieee(ieee)),
        Operation::Sfma(sfma) => Some(rounded::of_sfma(sfma)),
        Operation::Gps(gps) => Some(rounded::of_gps(gps, factors)),
        // The sum of a group may be far below the exponent that it is aligned by.
        Operation::Gdfs(_) => None,
        Operation::OzakiSlices(_) | Operation::OzakiResidues(_) => None,
    }
}

/// The greatest exponent that a product can have which is less than that power of two: of a subnormal factor, or of
/// a zero under its rule. None if every product is at least 2 to the power of its exponent.
fn exponent_above_product([a, b]: [&Format; 2], zero: ZeroRule, factors: Factors) -> Option<i64> {
    let highest = |format: &Format| i64::from(format.max_exponent());
    let with = |low_a: i64, low_b: i64| (low_a + highest(b)).max(low_b + highest(a));
    let least = with(a.min_exponent().into(), b.min_exponent().into());
    match (zero, factors) {
        (ZeroRule::Skip, Factors::Normal) => None,
        (ZeroRule::Skip, Factors::Finite) | (ZeroRule::Raw, _) => Some(least),
        // Zeros count as 2^-126 in every format.
        (ZeroRule::Min, Factors::Normal) => Some(with(-126, -126)),
        (ZeroRule::Min, Factors::Finite) => Some(with(-126, -126).max(least)),
    }
}
