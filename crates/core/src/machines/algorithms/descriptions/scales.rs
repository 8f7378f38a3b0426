//! Scales of blocks: the greatest magnitude, and the reciprocal of a power of two.

use mmasmt_numbers::bits::{Bv, mux};
use mmasmt_numbers::float::{Format, SpecialCodes};

/// The code of the NaN of ue8m0; the codes below it are `2^(code - 127)`.
const NAN: u64 = 0xff;

/// True if magnitudes are in the order of their codes, with NaNs above all of them.
pub(super) fn has_ordered_magnitudes(format: &Format) -> bool {
    let has_sign_and_magnitude = format.has_fields() && format.unread_bits() == 0;
    has_sign_and_magnitude && format.specials != SpecialCodes::NegativeZero
}

/// The greatest magnitude of these registers, as a register with a plus sign.
pub(super) fn greatest<'x, B: Bv + 'x>(format: &Format, terms: impl Iterator<Item = &'x B>) -> B {
    let width = format.width();
    let magnitude = |term: &B| match format.sign_mask() {
        0 => term.clone(),
        _ => term.extract(width - 2, 0).zext(width),
    };
    B::umax(&terms.map(magnitude).collect::<Vec<_>>())
}

/// The reciprocal of a scale of ue8m0.
pub(super) fn inverse<B: Bv>(scale: &B) -> B {
    let nan = B::lit(scale.width(), NAN);
    let reciprocal = B::lit(scale.width(), NAN - 1).sub(scale);
    mux(&scale.equals(&nan), &nan, &reciprocal)
}
