//! Conversion from one format to another, and flushing of subnormal numbers.

use super::{
    Format, NanCode, Overflow, Rounding, SpecialCodes, SpecialTerm, UnpackedRegister,
    UnroundedNumber, round, special_or_finite, unpack,
};
use crate::bits::{Bv, Prop, mux};

/// Converts the register `bits` from format `from` to `to`, which represents all values of `from`.
/// Subnormal numbers may become normal; a NaN becomes [`NanCode::Ones`].
pub fn widen<B: Bv>(from: &Format, to: &Format, bits: &B) -> B {
    let x = unpack(from, bits);
    let magnitude = magnitude(from, to, Rounding::Rz, &x);
    let finite = to.assemble(&x.sign, &magnitude);
    canonical(to, NanCode::Ones, &x, &finite)
}

/// Rounds the register `bits` from format `from` to `to`. Overflow gives infinity; a nonzero number
/// that rounds to zero gives +0.
pub fn narrow<B: Bv>(from: &Format, to: &Format, rounding: Rounding, nan: NanCode, bits: &B) -> B {
    let x = unpack(from, bits);
    let magnitude = magnitude(from, to, rounding, &x);
    let keeps_sign = magnitude.is_zero().not().or(&x.zero);
    let finite = to.assemble(&x.sign.and(&keeps_sign), &magnitude);
    canonical(to, nan, &x, &finite)
}

/// Converts the register `bits` from format `from` to `to` by the rules of IEEE 754 (§5.4.2): a
/// result of zero keeps the sign, and a number that is too large becomes infinity or the greatest
/// number, depending on the rounding mode.
pub fn convert<B: Bv>(from: &Format, to: &Format, rounding: Rounding, nan: NanCode, bits: &B) -> B {
    let x = unpack(from, bits);
    let magnitude = rounded(from, to, rounding, Overflow::Ieee, &x);
    canonical(to, nan, &x, &to.assemble(&x.sign, &magnitude))
}

/// Exponent field and fraction of `x` rounded to the format `to`; those of infinity if `x` is too
/// large.
fn magnitude<B: Bv>(from: &Format, to: &Format, rounding: Rounding, x: &UnpackedRegister<B>) -> B {
    rounded(from, to, rounding, Overflow::Infinity, x)
}

fn rounded<B: Bv>(
    from: &Format,
    to: &Format,
    rounding: Rounding,
    overflow: Overflow,
    x: &UnpackedRegister<B>,
) -> B {
    let value = UnroundedNumber {
        random: None,
        sign: &x.sign,
        exponent: &x.exponent,
        exponent_offset: -from.bias(),
        significand: &x.significand,
        fraction_bits: from.fraction_bits,
    };
    round(&value, to, rounding, overflow)
}

/// `finite` if `x` is a finite number; otherwise an infinity, or the NaN with the code `nan`.
fn canonical<B: Bv>(to: &Format, nan: NanCode, x: &UnpackedRegister<B>, finite: &B) -> B {
    special_or_finite([SpecialTerm::summand(x)].iter(), to, nan, finite)
}

/// The zero that a flushed subnormal number becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FlushedZero {
    /// +0.
    Plus,
    /// The zero with the sign of the number; +0 in a format without -0.
    SameSign,
}

/// The register, or +0 where it is negative; a NaN stays.
pub fn positive<B: Bv>(format: &Format, bits: &B) -> B {
    let x = unpack(format, bits);
    let zero = B::lit(format.width(), 0);
    mux(&x.sign.and(&x.nan.not()), &zero, bits)
}

/// If the register `bits` holds a subnormal number or a zero, the zero that `to` selects; otherwise
/// the register itself.
pub fn flush<B: Bv>(format: &Format, to: FlushedZero, bits: &B) -> B {
    let low = format.dropped_bits + format.fraction_bits;
    let subnormal = match format.specials {
        // The code with only the sign bit set is the NaN; the only zero is already +0.
        SpecialCodes::NegativeZero => {
            let magnitude = bits.extract(low + format.exponent_bits - 1, format.dropped_bits);
            let field = magnitude.extract(magnitude.width() - 1, format.fraction_bits);
            field.is_zero().and(&magnitude.is_zero().not())
        }
        _ if format.is_complement() => {
            let code = format.code_of(bits);
            code.extract(low + format.exponent_bits - 1, low).is_zero()
        }
        _ => bits.extract(low + format.exponent_bits - 1, low).is_zero(),
    };
    let negative = match to {
        FlushedZero::Plus => B::Bool::constant(false),
        FlushedZero::SameSign if format.has_negative_zero() => bits.msb(),
        FlushedZero::SameSign => B::Bool::constant(false),
    };
    let zero = format.assemble(&negative, &B::lit(format.magnitude_bits(), 0));
    mux(&subnormal, &zero, bits)
}

/// Converts a register of the format `wide` to the format `to`, which has the same fraction and
/// fewer exponents. A number that is too large becomes infinity or the greatest number, depending
/// on the rounding mode; a number below the normal numbers becomes the zero that `below` selects.
/// Tininess is thus detected after rounding with unlimited exponents.
pub fn flush_after_rounding<B: Bv>(
    wide: &Format,
    to: &Format,
    (rounding, nan): (Rounding, NanCode),
    below: FlushedZero,
    bits: &B,
) -> B {
    let x = unpack(wide, bits);
    let least = wide.bias() + to.min_exponent();
    let tiny = x.exponent.ult(&B::lit(wide.exponent_bits, least as u64));
    let rounded = rounded(wide, to, rounding, Overflow::Ieee, &x);
    let magnitude = mux(&tiny, &B::lit(rounded.width(), 0), &rounded);
    let sign = match below {
        FlushedZero::SameSign => x.sign.clone(),
        FlushedZero::Plus => x.sign.and(&tiny.not()),
    };
    canonical(to, nan, &x, &to.assemble(&sign, &magnitude))
}
