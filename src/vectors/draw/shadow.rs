//! Sums of the least products there are, beside a zero that has a large factor.

use super::crumb::product;
use super::registers::{max_exponent, plain, power_of_two};
use crate::algorithms::Signature;
use crate::vectors::Inputs;
use rand::{Rng, RngExt};

/// Zero times a large number, a few products near the least one of their formats or a little below
/// the least number of the result, and no `c`: where a zero counts in the alignment these products
/// are cut, and their sum may be enough for the result although none of them is.
pub(super) fn draw(signature: &Signature, rng: &mut impl Rng) -> Inputs {
    let Signature { a, b, d, .. } = signature;
    let mut inputs = plain(signature);
    let count = inputs.a.len();
    let least = (a.least_exponent() + b.least_exponent()).max(d.least_exponent() - 3);
    for _ in 0..rng.random_range(1..=6) {
        let k = rng.random_range(0..count);
        let exponent = least + rng.random_range(0..4);
        (inputs.a[k], inputs.b[k]) = product(signature, exponent, 0);
    }
    let k = rng.random_range(0..count);
    let below = rng.random_range(0..4);
    inputs.a[k] = 0;
    inputs.b[k] = power_of_two(b, max_exponent(b) - below);
    if rng.random_bool(0.5) {
        inputs.a[k] = power_of_two(a, max_exponent(a) - below);
        inputs.b[k] = 0;
    }
    inputs
}
