//! Flushing of subnormal numbers to zero.

use super::{Format, SpecialCodes};
use crate::bits::{Bv, Prop, mux};

/// Which zero a subnormal number becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FlushedTo {
    /// +0.
    Plus,
    /// The zero of the same sign; +0 where there is no -0.
    SameSign,
}

/// The register with a subnormal number replaced by a zero; a zero is treated as one of them. A NaN
/// and an infinity stay.
pub fn flush<B: Bv>(format: &Format, to: FlushedTo, bits: &B) -> B {
    let low = format.dropped_bits + format.fraction_bits;
    let subnormal = match format.specials {
        // The sign bit alone is the NaN, and the only zero stays as it is.
        SpecialCodes::NegativeZero => {
            let magnitude = bits.extract(low + format.exponent_bits - 1, format.dropped_bits);
            let field = magnitude.extract(magnitude.width() - 1, format.fraction_bits);
            field.is_zero().and(&magnitude.is_zero().not())
        }
        _ => bits.extract(low + format.exponent_bits - 1, low).is_zero(),
    };
    let negative = match to {
        FlushedTo::Plus => B::Bool::constant(false),
        FlushedTo::SameSign if format.has_negative_zero() => bits.msb(),
        FlushedTo::SameSign => B::Bool::constant(false),
    };
    let zero = format.assemble(&negative, &B::lit(format.magnitude_bits(), 0));
    mux(&subnormal, &zero, bits)
}
