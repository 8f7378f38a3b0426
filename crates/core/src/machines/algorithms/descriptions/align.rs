//! Alignment of a significand to a larger exponent: it is shifted right and cut.

use mmasmt_numbers::bits::{Bv, Prop};
use mmasmt_numbers::float::Rounding;

/// The significand shifted right by `distance` and cut to `kept` fraction bits, and whether a one
/// was shifted or cut off.
#[inline(always)]
fn cut_and_lost<B: Bv>(
    significand: &B,
    distance: &B,
    (fraction, kept): (u32, u32),
) -> (B, B::Bool) {
    let room = kept.saturating_sub(fraction);
    let (shifted, lost) = significand.widen_low(room).lshr_sticky(distance);
    match fraction.checked_sub(kept) {
        None | Some(0) => (shifted, lost),
        Some(below) => {
            let shifted = shifted.zext(shifted.width().max(below + 1));
            let low = shifted.extract(below - 1, 0);
            let cut = shifted.extract(shifted.width() - 1, below);
            (cut, lost.or(&low.is_zero().not()))
        }
    }
}

/// Whether alignment by `distance` loses a one of the significand. `fractions` has the numbers of
/// fraction bits before and after alignment.
pub(super) fn loses<B: Bv>(significand: &B, distance: &B, fractions: (u32, u32)) -> B::Bool {
    cut_and_lost(significand, distance, fractions).1
}

/// The number `(-1)^sign * significand`, whose significand has `fraction` fraction bits, shifted
/// right by `distance` and cut to `kept` fraction bits: toward zero, to odd, or else down. `fuse` has the
/// other modes. The result is in two's complement of `width` bits.
#[inline(always)]
pub(super) fn align<B: Bv>(
    by: Rounding,
    sign: &B::Bool,
    significand: &B,
    distance: &B,
    (fraction, kept): (u32, u32),
    width: u32,
) -> B {
    // The value with `kept` fraction bits: zeros are added below it, or its lowest fraction bits
    // are dropped, of which it has all.
    let on_grid = |value: &B| match kept.checked_sub(fraction) {
        Some(room) => value.widen_low(room),
        None => value.extract(value.width() - 1, fraction - kept),
    };
    let width_of_all = |own: u32| own.max(fraction.saturating_sub(kept) + 1);
    match by {
        Rounding::Rz => {
            let all = significand.zext(width_of_all(significand.width()));
            let cut = on_grid(&all).lshr(distance);
            cut.zext(width).neg_if(sign)
        }
        Rounding::Odd => {
            let (cut, lost) = cut_and_lost(significand, distance, (fraction, kept));
            let jammed = cut.or(&B::from_prop(cut.width(), &lost));
            jammed.zext(width).neg_if(sign)
        }
        _ => {
            let signed = significand.zext(width_of_all(significand.width() + 1));
            on_grid(&signed.neg_if(sign)).ashr(distance).sext(width)
        }
    }
}
