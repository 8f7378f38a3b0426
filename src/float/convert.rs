//! Conversion from one format to another.

use super::{
    Format, NanCode, Overflow, Rounding, SpecialTerm, Unpacked, Unrounded, round,
    special_or_finite, unpack,
};
use crate::bits::{Bv, Prop};

/// The register `bits` of format `from` as one of format `to`, which holds all its values:
/// subnormal numbers may become normal, a NaN becomes the canonical one.
pub fn widen<B: Bv>(from: &Format, to: &Format, bits: &B) -> B {
    let x = unpack(from, bits);
    let magnitude = magnitude(from, to, Rounding::Rz, &x);
    let finite = to.assemble(&x.sign, &magnitude);
    canonical(to, NanCode::Ones, &x, &finite)
}

/// The register `bits` of format `from` rounded to format `to`: infinity beyond its greatest number,
/// and +0 where a number that is not zero is rounded to zero.
pub fn narrow<B: Bv>(from: &Format, to: &Format, rounding: Rounding, nan: NanCode, bits: &B) -> B {
    let x = unpack(from, bits);
    let magnitude = magnitude(from, to, rounding, &x);
    let keeps_sign = magnitude.is_zero().not().or(&x.zero);
    let finite = to.assemble(&x.sign.and(&keeps_sign), &magnitude);
    canonical(to, nan, &x, &finite)
}

/// Exponent field and fraction of a number.
fn magnitude<B: Bv>(from: &Format, to: &Format, rounding: Rounding, x: &Unpacked<B>) -> B {
    let value = Unrounded {
        sign: &x.sign,
        exponent: &x.exponent,
        exponent_offset: -from.bias(),
        significand: &x.significand,
        fraction_bits: from.fraction_bits,
    };
    round(&value, to, rounding, Overflow::Infinity)
}

/// `finite`, or the infinity or canonical NaN that `x` is.
fn canonical<B: Bv>(to: &Format, nan: NanCode, x: &Unpacked<B>, finite: &B) -> B {
    special_or_finite([SpecialTerm::summand(x)].iter(), to, nan, finite)
}
