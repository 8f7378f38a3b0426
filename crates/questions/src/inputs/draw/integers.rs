//! Integers on which units differ: full or partial sums are at the limits of the accumulator.

use super::conversions;
use super::encodings::any;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::float::{Dyadic, Format};
use num_bigint::BigInt;
use num_traits::Zero;
use rand::{Rng, RngExt};

/// How the factors of a row are drawn.
#[derive(Clone, Copy)]
enum Row {
    Any,
    Ends,
    Small,
    Mixed,
}

/// True if nothing is drawn by exponents of products: an operand or the result is an integer, or there are no
/// products.
pub(in crate::inputs) fn has_integers(signature: &Signature) -> bool {
    let Signature { a, b, c, d, .. } = signature;
    signature.is_conversion() || [a, b, c, d].into_iter().any(Format::is_integer)
}

/// Draws factors of any size, in a few or in all products. The `c` is of any size, or brings a sum
/// to an end of the accumulator's range.
pub(super) fn draw(signature: &Signature, rng: &mut impl Rng) -> Inputs {
    if signature.is_conversion() {
        return conversions::draw(signature, rng);
    }
    let mut inputs = Inputs::zero(signature);
    let products = inputs.a.len();
    let row = [Row::Any, Row::Ends, Row::Small, Row::Mixed][rng.random_range(0..4)];
    if rng.random_bool(0.5) {
        for k in 0..products {
            (inputs.a[k], inputs.b[k]) = pair(signature, rng, row);
        }
    } else {
        for _ in 0..rng.random_range(1..=3) {
            let k = rng.random_range(0..products);
            (inputs.a[k], inputs.b[k]) = pair(signature, rng, row);
        }
    }
    inputs.c = match rng.random_range(0..6) {
        0 => 0,
        1 => any(rng, &signature.c),
        2 => number(rng, &signature.c, Row::Mixed),
        _ => at_an_end(signature, rng, &inputs),
    };
    inputs
}

fn pair(signature: &Signature, rng: &mut impl Rng, row: Row) -> (u64, u64) {
    let a = number(rng, &signature.a, row);
    (a, number(rng, &signature.b, row))
}

fn number(rng: &mut impl Rng, format: &Format, row: Row) -> u64 {
    let row = match row {
        Row::Mixed => [Row::Any, Row::Ends, Row::Small][rng.random_range(0..3)],
        row => row,
    };
    let negative = rng.random();
    let small = rng.random_range(0..4);
    let greatest = format.max_finite();
    match row {
        Row::Ends if format.is_signed() && negative => {
            format.sign_mask() + u64::from(rng.random_bool(0.2))
        }
        Row::Ends => greatest - u64::from(rng.random_bool(0.2)),
        Row::Small => format.signed(
            negative && format.is_signed() && small > 0,
            greatest.min(small),
        ),
        Row::Any | Row::Mixed => any(rng, format),
    }
}

/// A `c` with which the sum of `c` and some of the first products, or of all products, is at an end
/// of the accumulator's range or just beyond it. If no `c` does this, a random `c`.
fn at_an_end(signature: &Signature, rng: &mut impl Rng, inputs: &Inputs) -> u64 {
    let value = |format: &Format, register| Dyadic::of(format, register).unwrap_or_default();
    let count = rng.random_range(1..=inputs.a.len());
    let first = inputs.a.iter().zip(&inputs.b).take(count);
    let sum = first.fold(Dyadic::new(BigInt::zero(), 0), |sum, (a, b)| {
        sum.plus(&value(&signature.a, *a).times(&value(&signature.b, *b)))
    });
    let end = if sum.is_negative() {
        signature.d.sign_mask()
    } else {
        signature.d.greatest()
    };
    let beyond = Dyadic::new(BigInt::from(rng.random_range(-2..=2)), 0);
    let c = value(&signature.d, end).plus(&beyond).minus(&sum);
    let register = c.register(&signature.c);
    register.unwrap_or_else(|| any(rng, &signature.c))
}
