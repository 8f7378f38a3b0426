//! Alignment: a significand shifted right to a larger exponent and cut.

use crate::bits::Bv;

/// What happens to bits that alignment shifts out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Align {
    /// The magnitude is cut: rounded toward zero.
    Trunc,
    /// The two's complement number is cut: rounded down.
    Floor,
}

/// The number `(-1)^sign * significand`, with `fraction` bits behind its point, shifted right by
/// `distance` and cut to `kept` fraction bits: two's complement of `width` bits.
#[inline(always)]
pub(super) fn align<B: Bv>(
    rule: Align,
    sign: &B::Bool,
    significand: &B,
    distance: &B,
    (fraction, kept): (u32, u32),
    width: u32,
) -> B {
    // The integer bits and the fraction bits that are kept; what lies below goes first if there is
    // more.
    let on_grid = |value: &B| match kept.checked_sub(fraction) {
        Some(room) => value.widen_low(room),
        None => value.extract(value.width() - 1, fraction - kept),
    };
    match rule {
        Align::Trunc => {
            let cut = on_grid(significand).lshr(distance);
            cut.zext(width).neg_if(sign)
        }
        Align::Floor => {
            let signed = significand.zext(significand.width() + 1);
            on_grid(&signed.neg_if(sign)).ashr(distance).sext(width)
        }
    }
}
