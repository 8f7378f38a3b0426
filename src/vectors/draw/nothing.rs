//! Sums in which all products are zeros.

use super::registers::{max_exponent, number, plain};
use crate::algorithms::Signature;
use crate::vectors::Inputs;
use rand::{Rng, RngExt};

/// Products that are zeros, mostly of one sign, some of them with a large factor, and a `c` that is
/// -0, near the least numbers, or anywhere: units part in what a zero is aligned by, and in whether
/// the zero that comes out is negative.
pub(super) fn draw(signature: &Signature, rng: &mut impl Rng) -> Inputs {
    let Signature { a, b, c, d, .. } = signature;
    let mut inputs = plain(signature);
    if a.has_negative_zero() && rng.random_bool(0.5) {
        inputs.a.fill(a.sign_mask());
    }
    if rng.random_bool(0.5) {
        let k = rng.random_range(0..inputs.b.len());
        let exponent = max_exponent(b) - rng.random_range(0..4);
        inputs.b[k] = number(rng, b, exponent) & !b.sign_mask();
    }
    let least = c.min_exponent().max(d.least_exponent());
    inputs.c = match rng.random_range(0..3) {
        0 if c.has_negative_zero() => c.sign_mask(),
        0 | 1 => {
            let exponent = least + rng.random_range(-2..=8);
            number(rng, c, exponent)
        }
        _ => {
            let exponent = rng.random_range(c.min_exponent()..=max_exponent(c));
            number(rng, c, exponent)
        }
    };
    inputs
}
