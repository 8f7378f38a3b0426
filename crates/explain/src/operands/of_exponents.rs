//! Random factors with exponents in a range.

use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::float::{Exponents, Format};
use rand::{Rng, RngExt};

/// Draws factors with exponents in the range `exponents`. The formats of both factors must have
/// normal numbers with these exponents. Signs and significands are uniform; `c` is +0.
pub fn of_exponents(signature: &Signature, exponents: Exponents, rng: &mut impl Rng) -> Inputs {
    let mut inputs = Inputs::zero(signature);
    let Signature { a, b, .. } = signature;
    for (row, format) in [(&mut inputs.a, a), (&mut inputs.b, b)] {
        row.iter_mut()
            .for_each(|register| *register = number(format, exponents, rng));
    }
    inputs
}

pub(super) fn number(format: &Format, exponents: Exponents, rng: &mut impl Rng) -> u64 {
    loop {
        let exponent = rng.random_range(exponents.lowest..=exponents.highest);
        let fraction = rng.random_range(0..1 << format.fraction_bits);
        let negative = format.is_signed() && rng.random();
        let register = format.register(exponent, fraction, negative);
        // Formats without infinity have NaNs among the codes of their greatest exponent.
        if format.is_finite(register) {
            return register;
        }
    }
}
