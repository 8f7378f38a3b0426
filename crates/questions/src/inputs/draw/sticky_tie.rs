//! Sticky ties: a sum halfway between two results, and a small product that breaks the tie.

use super::encodings::{number, plain, power_of_two};
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use rand::{Rng, RngExt};

/// Draws `c` (sometimes +0), a product of half an ulp of the result, and a smaller power of two as
/// another product. If a unit truncates the smaller product, the final rounding shows this.
pub(super) fn draw(signature: &Signature, rng: &mut impl Rng) -> Inputs {
    let Signature { a, b, c, d, .. } = signature;
    let mut inputs = plain(signature);
    let least = a.least_exponent() + b.least_exponent();
    let greatest = a.max_exponent() + b.max_exponent();
    let leading = match rng.random_range(0..4) {
        0 => rng.random_range(-8..=8),
        // The exponent is so large that products can represent half an ulp and numbers below it.
        1 => rng.random_range(least..=greatest) + d.precision() as i32,
        _ => rng.random_range(d.least_exponent() - 1..=d.min_exponent() + 2),
    };
    if rng.random_bool(0.75) {
        inputs.c = number(rng, c, leading);
    }
    // The exponent of half an ulp.
    let half = leading.max(d.min_exponent()) - d.precision() as i32;
    let sticky_tie = match rng.random_range(0..4) {
        0 => least,
        _ => half - rng.random_range(1..=(half - least).clamp(1, 40)),
    };
    for exponent in [half, sticky_tie] {
        let k = rng.random_range(0..inputs.a.len());
        (inputs.a[k], inputs.b[k]) = product(signature, exponent, rng.random_range(-1..=1));
        if rng.random_bool(0.5) && inputs.a[k] != 0 {
            inputs.a[k] |= a.sign_mask();
        }
    }
    inputs
}

/// The registers of two factors with the product `2^exponent`, where the first factor is near
/// `2^(exponent / 2 + more)`. Both registers are 0 if there are no such factors.
pub(super) fn product(signature: &Signature, exponent: i32, more: i32) -> (u64, u64) {
    let Signature { a, b, .. } = signature;
    // `a` takes the part of the exponent that `b` cannot represent.
    let for_a = (exponent / 2 + more)
        .min(exponent - b.least_exponent())
        .max(a.least_exponent());
    match power_of_two(a, for_a) {
        0 => (0, 0),
        power => (power, power_of_two(b, exponent - for_a)),
    }
}
