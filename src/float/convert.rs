//! Conversion to a format that holds every value of the other one.

use super::{
    Format, NanCode, Overflow, Rounding, SpecialTerm, Unrounded, round, special_or_finite, unpack,
};
use crate::bits::Bv;

/// The register `bits` of format `from` as one of format `to`, which holds all its values:
/// subnormal numbers may become normal, a NaN becomes the canonical one.
pub fn widen<B: Bv>(from: &Format, to: &Format, bits: &B) -> B {
    let x = unpack(from, bits);
    let value = Unrounded {
        sign: &x.sign,
        exponent: &x.exponent,
        exponent_offset: -from.bias(),
        significand: &x.significand,
        fraction_bits: from.fraction_bits,
    };
    let magnitude = round(&value, to, Rounding::Rz, Overflow::Infinity);
    let finite = to.assemble(&x.sign, &magnitude);
    special_or_finite(
        [SpecialTerm::summand(&x)].iter(),
        to,
        NanCode::Ones,
        &finite,
    )
}
