//! Sums with products that are zeros.

use super::encodings::{near, number, plain, power_of_two};
use super::sticky_tie::product;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::float::Format;
use rand::{Rng, RngExt};

/// Inputs whose products and `c` are all -0, if the formats have -0. Random samples rarely are such
/// inputs.
pub fn minus_zeros(signature: &Signature) -> Inputs {
    let mut inputs = Inputs::zero(signature);
    let minus = |format: &Format| {
        if format.has_negative_zero() {
            format.sign_mask()
        } else {
            0
        }
    };
    inputs.a.fill(minus(&signature.a));
    inputs.c = minus(&signature.c);
    inputs
}

/// Draws products that are all zero, and a `c` that is -0, near the least numbers, or of any size.
/// The products mostly have one sign; in some of them, the other factor is large. Models differ in
/// the exponent that a zero product has in alignment, and in the sign of a zero result.
pub(super) fn all_zero(signature: &Signature, rng: &mut impl Rng) -> Inputs {
    let Signature { a, b, c, d, .. } = signature;
    let mut inputs = plain(signature);
    if a.has_negative_zero() && rng.random_bool(0.5) {
        inputs.a.fill(a.sign_mask());
    }
    if rng.random_bool(0.5) {
        let k = rng.random_range(0..inputs.b.len());
        let exponent = b.max_exponent() - rng.random_range(0..4);
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
            let exponent = rng.random_range(c.min_exponent()..=c.max_exponent());
            number(rng, c, exponent)
        }
    };
    inputs
}

/// Draws a product that is a zero times a large number, a few products that are near the least of
/// their formats or just below the least result, and a `c` of +0. A unit that counts the exponent
/// of the zero product as the largest exponent truncates the small products, although the result
/// may be able to represent their sum.
pub(super) fn masked_by_zero(signature: &Signature, rng: &mut impl Rng) -> Inputs {
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
    inputs.b[k] = power_of_two(b, b.max_exponent() - below);
    if rng.random_bool(0.5) {
        inputs.a[k] = power_of_two(a, a.max_exponent() - below);
        inputs.b[k] = 0;
    }
    inputs
}

/// Draws a `c` near the least normal number of the result, and one product that makes the sum
/// subnormal; all other products are zeros of one sign. If a unit flushes subnormal partial sums, a
/// negative sum becomes -0, which remains -0 only if zeros of the same sign follow.
pub(super) fn flushed_before_zeros(signature: &Signature, rng: &mut impl Rng) -> Inputs {
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
    inputs.b[k] = power_of_two(b, (exponent - for_a).min(b.max_exponent()));
    inputs
}
