//! Terms of similar magnitude.

use super::encodings::near;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use rand::{Rng, RngExt};

/// Draws products and `c` with similar exponents. Half of the time these exponents are near 0, else
/// anywhere in the range in which terms and result are normal. Fractions and signs are random.
pub(super) fn draw(signature: &Signature, rng: &mut impl Rng) -> Inputs {
    let centre = centre(signature, rng);
    let spread = [0, 1, 3, 8][rng.random_range(0..4)];
    around(signature, rng, centre, spread)
}

/// Draws products and `c` with exponents at most `spread` from `centre`; exponents outside a format
/// are moved into it.
pub(super) fn around(
    signature: &Signature,
    rng: &mut impl Rng,
    centre: i32,
    spread: i32,
) -> Inputs {
    let mut inputs = Inputs::zero(signature);
    for k in 0..inputs.a.len() {
        let exponent = centre + rng.random_range(-spread..=spread);
        let (for_a, for_b) = split(signature, rng, exponent);
        inputs.a[k] = near(rng, &signature.a, for_a);
        inputs.b[k] = near(rng, &signature.b, for_b);
    }
    let exponent = centre + rng.random_range(-spread..=spread);
    inputs.c = near(rng, &signature.c, exponent);
    if let Some(scales) = signature.scales {
        // Scales are near 1, so that products keep their magnitude.
        let reach = spread.min(2);
        for scale in inputs.a_scales.iter_mut().chain(&mut inputs.b_scales) {
            let exponent = rng.random_range(-reach..=reach);
            *scale = near(rng, &scales.format, exponent);
        }
    }
    inputs
}

/// Draws the exponent around which the exponents of the terms lie.
pub(super) fn centre(signature: &Signature, rng: &mut impl Rng) -> i32 {
    let (least, greatest) = room(signature);
    let exponent = if rng.random_bool(0.5) {
        rng.random_range(-8..=8)
    } else {
        rng.random_range(least..=greatest)
    };
    exponent.clamp(least, greatest)
}

/// The least and the greatest exponent at which products, `c` and the sum of all terms are normal
/// numbers.
fn room(signature: &Signature) -> (i32, i32) {
    let Signature { a, b, c, d, .. } = signature;
    let least = (a.min_exponent() + b.min_exponent())
        .max(c.min_exponent())
        .max(d.min_exponent());
    let products = a.max_exponent() + b.max_exponent();
    // Every product is less than 4 times its power of two.
    let sum = signature.products.ilog2() as i32 + 3;
    let greatest = products.min(c.max_exponent()).min(d.max_exponent() - sum);
    (least.min(greatest), greatest)
}

/// Draws exponents of two factors that add up to `exponent`, if the formats allow.
pub(super) fn split(signature: &Signature, rng: &mut impl Rng, exponent: i32) -> (i32, i32) {
    let Signature { a, b, .. } = signature;
    let for_a = exponent / 2 + rng.random_range(-1..=1);
    // `a` takes the part of the exponent that `b` cannot represent.
    let least = exponent - b.max_exponent();
    let greatest = exponent - b.min_exponent();
    let for_a = for_a.clamp(least, greatest);
    let for_a = for_a.clamp(a.min_exponent(), a.max_exponent());
    (for_a, exponent - for_a)
}
