//! Sums that become subnormal before products that are zeros.

use super::registers::{max_exponent, near, plain, power_of_two};
use crate::algorithms::Signature;
use crate::vectors::Inputs;
use rand::{Rng, RngExt};

/// `c` near the least normal number of the result, a product that leaves a subnormal number of it,
/// and zeros of one sign after that: where subnormal results are flushed, a negative one is a -0
/// that only zeros of its sign keep.
pub(super) fn draw(signature: &Signature, rng: &mut impl Rng) -> Inputs {
    let Signature { a, b, c, d, .. } = signature;
    let mut inputs = plain(signature);
    let exponent = d.min_exponent() + rng.random_range(0..2);
    inputs.c = near(rng, c, exponent);
    let negative = inputs.c & c.sign_mask() != 0;
    if rng.random_bool(0.75) {
        let sign = if rng.random_bool(0.5) {
            a.sign_mask()
        } else {
            0
        };
        inputs.a.fill(a.one() | sign);
    }
    let k = rng.random_range(0..inputs.a.len());
    let for_a = (exponent / 2).max(a.min_exponent());
    inputs.a[k] = power_of_two(a, for_a) | if negative { 0 } else { a.sign_mask() };
    inputs.b[k] = power_of_two(b, (exponent - for_a).min(max_exponent(b)));
    inputs
}
