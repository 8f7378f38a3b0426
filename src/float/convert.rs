//! Conversion to a format that holds every value of the other one.

use super::{Format, NanCode, Overflow, Rounding, SpecialValues, Unrounded, round, unpack};
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
    let mut special = SpecialValues::none();
    special.add_summand(&x);
    special.or_finite(to, NanCode::Ones, &to.assemble(&x.sign, &magnitude))
}
