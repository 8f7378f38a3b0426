//! Flushing of subnormal numbers to zero.

use super::Format;
use crate::bits::{Bv, Prop, mux};

/// Which zero a subnormal number becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FlushedTo {
    /// +0.
    Plus,
    /// The zero of the same sign.
    SameSign,
}

/// The register with a subnormal number replaced by a zero; a zero is treated as one of them.
pub fn flush<B: Bv>(format: &Format, to: FlushedTo, bits: &B) -> B {
    let low = format.dropped_bits + format.fraction_bits;
    let subnormal = bits.extract(low + format.exponent_bits - 1, low).is_zero();
    let negative = match to {
        FlushedTo::Plus => B::Bool::constant(false),
        FlushedTo::SameSign => bits.msb(),
    };
    let zero = format.assemble(&negative, &B::lit(format.magnitude_bits(), 0));
    mux(&subnormal, &zero, bits)
}
