//! Magnitudes from which bits were cut off, rounded.

use mmasmt_numbers::bits::{Bv, Prop};
use mmasmt_numbers::float::Rounding;

/// An aligned term that is rounded once more, to a multiple of `2^below`.
pub(super) fn again<B: Bv>(by: Rounding, sign: &B::Bool, value: &B, below: u32) -> B {
    let magnitude = value.neg_if(sign);
    let width = magnitude.width();
    if below >= width {
        return B::lit(width, 0);
    }
    let kept = magnitude.extract(width - 1, below);
    let rounded = rounded_at(by, sign, &kept, &magnitude.extract(below - 1, 0));
    rounded.widen_low(below).neg_if(sign)
}

/// The magnitude `kept` of a number from which the bits `below` are cut off.
pub(super) fn rounded_at<B: Bv>(by: Rounding, sign: &B::Bool, kept: &B, below: &B) -> B {
    let rest = match below.width() {
        1 => B::Bool::constant(false),
        width => below.extract(width - 2, 0).is_zero().not(),
    };
    rounded(by, sign, kept, (&below.msb(), &rest))
}

/// The magnitude `kept` of a number below which `half` of its last place was cut off, and something
/// less than that if `rest` holds.
pub(super) fn rounded<B: Bv>(
    by: Rounding,
    sign: &B::Bool,
    kept: &B,
    (half, rest): (&B::Bool, &B::Bool),
) -> B {
    let up = match by {
        Rounding::Rz => return kept.clone(),
        Rounding::Odd => return kept.or(&B::from_prop(kept.width(), &half.or(rest))),
        by => by.increments::<B>(sign, &kept.bit(0), (half, rest)),
    };
    kept.add(&B::from_prop(kept.width(), &up))
}
