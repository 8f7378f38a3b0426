//! Treatment of factors in Gaudi 2 and Gaudi 3: the internal formats of factors, and exact
//! products.

use crate::machines::algorithms::terms::{Products, SubnormalC, TermRules, ZeroRule};
use crate::numbers::bits::Bv;
use crate::numbers::float::{Format, NanCode, Rounding, convert};

/// Format of `c` and of the result.
pub(super) const F32: Format = Format::F32;
/// The code of a NaN result: all ones.
pub(super) const NAN: NanCode = NanCode::Ones;

/// The internal format of a factor: the engine widens f16, so that subnormal numbers of f16 become
/// normal.
pub(super) fn inner(format: &Format) -> Format {
    if format.exponent_bits == Format::F16.exponent_bits {
        Format::TF32
    } else {
        *format
    }
}

/// A factor in its internal format.
pub(super) fn widened<B: Bv>(format: &Format, bits: &B) -> B {
    match inner(format) {
        same if same == *format => bits.clone(),
        inner => convert(format, &inner, Rounding::Rz, NAN, bits),
    }
}

/// The rules of the terms: products are exact and not normalised, zeros do not count for the
/// largest exponent, and the sum is aligned to no exponent below `min_exponent`.
pub(super) fn rules([a, b]: [&Format; 2], min_exponent: Option<i32>) -> TermRules {
    TermRules {
        a: inner(a),
        b: inner(b),
        c: F32,
        scale: None,
        products: Products::Exact,
        rounded: None,
        zero: ZeroRule::Skip,
        zero_c: ZeroRule::Skip,
        subnormal_c: SubnormalC::Own,
        min_exponent,
    }
}
