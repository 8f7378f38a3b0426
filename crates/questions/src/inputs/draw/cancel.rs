//! Terms that cancel except for their last places.

use super::close::{around, centre, split};
use super::encodings::{near, towards_zero};
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::float::{Dyadic, Format};
use rand::{Rng, RngExt};

/// Draws terms of similar magnitude in which products cancel each other, or `c` cancels one product
/// or the sum of all. Most other products are so small that they remain, or are partly lost in
/// alignment.
pub(super) fn draw(signature: &Signature, rng: &mut impl Rng) -> Inputs {
    let spread = [0, 0, 1, 4][rng.random_range(0..4)];
    let centre = centre(signature, rng);
    let mut inputs = around(signature, rng, centre, spread);
    let products = inputs.a.len();
    match rng.random_range(0..4) {
        0 => {
            // All products but the first cancel in pairs, and `c` cancels the first.
            for k in (1..products.saturating_sub(1)).step_by(2) {
                mirror(signature, rng, &mut inputs, k, k + 1);
            }
            if products.is_multiple_of(2) && products > 1 {
                small(signature, rng, &mut inputs, products - 1, centre);
            }
            inputs.c = minus(signature, &inputs, 0..1);
        }
        1 if products > 1 => {
            // Two products cancel; `c` and the other products remain.
            let first = rng.random_range(0..products);
            let second = (first + rng.random_range(1..products)) % products;
            mirror(signature, rng, &mut inputs, first, second);
            for k in (0..products).filter(|&k| k != first && k != second) {
                small(signature, rng, &mut inputs, k, centre);
            }
            let below = signature.d.precision() as i32 + rng.random_range(-4..=4);
            inputs.c = near(rng, &signature.c, centre - below);
        }
        2 => {
            // `c` cancels one product; the other products remain.
            let chosen = rng.random_range(0..products);
            for k in (0..products).filter(|&k| k != chosen) {
                small(signature, rng, &mut inputs, k, centre);
            }
            inputs.c = minus(signature, &inputs, chosen..chosen + 1);
        }
        _ => inputs.c = minus(signature, &inputs, 0..products),
    }
    if rng.random_bool(0.5) {
        inputs.c = neighbour(rng, &signature.c, inputs.c);
    }
    inputs
}

/// Sets product `to` to the negative of product `from`, or to a number next to it.
pub(super) fn mirror(
    signature: &Signature,
    rng: &mut impl Rng,
    inputs: &mut Inputs,
    from: usize,
    to: usize,
) {
    let format = &signature.a;
    // If the register is +0 in a format without -0, it stays +0.
    let negated = inputs.a[from] ^ format.sign_mask();
    inputs.a[to] = if format.is_finite(negated) {
        negated
    } else {
        inputs.a[from]
    };
    inputs.b[to] = inputs.b[from];
    if rng.random_bool(0.25) {
        inputs.b[to] = neighbour(rng, &signature.b, inputs.b[to]);
    }
}

/// Sets product `k` to zero, or to a number so small that it only reaches the last places of terms
/// with the exponent `centre`.
fn small(signature: &Signature, rng: &mut impl Rng, inputs: &mut Inputs, k: usize, centre: i32) {
    if rng.random_bool(0.5) {
        (inputs.a[k], inputs.b[k]) = (0, 0);
        return;
    }
    let below = signature.d.precision() as i32 + rng.random_range(-6..=6);
    let (for_a, for_b) = split(signature, rng, centre - below);
    inputs.a[k] = near(rng, &signature.a, for_a);
    inputs.b[k] = near(rng, &signature.b, for_b);
}

/// A finite register at most three codes from a finite `register`.
fn neighbour(rng: &mut impl Rng, format: &Format, register: u64) -> u64 {
    let code = format.magnitude(register);
    let step = rng.random_range(1..=3);
    let moved = if rng.random() {
        code.saturating_add(step).min(format.max_finite())
    } else {
        code.saturating_sub(step)
    };
    let kept = match moved {
        0 => 0,
        _ => register & format.sign_mask(),
    };
    format.register_of(moved) | kept
}

/// The negative of the exact sum of `products`, rounded towards zero to the format of `c`.
pub(super) fn minus(
    signature: &Signature,
    inputs: &Inputs,
    products: std::ops::Range<usize>,
) -> u64 {
    let mut sum = Dyadic::default();
    for k in products {
        let factors = [(&signature.a, inputs.a[k]), (&signature.b, inputs.b[k])];
        let mut product =
            factors.map(|(format, bits)| Dyadic::of(format, bits).unwrap_or_default());
        if let Some(scales) = signature.scales {
            let block = k / scales.block as usize;
            let rows = [&inputs.a_scales, &inputs.b_scales];
            for (factor, row) in product.iter_mut().zip(rows) {
                let scale = Dyadic::of(&scales.format, row[block]).unwrap_or_default();
                *factor = factor.times(&scale);
            }
        }
        sum = sum.minus(&product[0].times(&product[1]));
    }
    towards_zero(&signature.c, &sum)
}
