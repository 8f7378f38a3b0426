//! Operands of conversions: numbers at and beside the places where a rounding decides, and at the ends of the
//! formats.

use super::encodings::{any, finite, number, towards_zero};
use mmasmt_core::machines::algorithms::{Inputs, Operand, Signature};
use mmasmt_numbers::float::{Dyadic, Encoding, Format};
use num_bigint::BigInt;
use rand::{Rng, RngExt};

/// One number in so many of a block is drawn apart from the others, whose exponents are near.
const APART: u32 = 6;

/// Draws the operands of a conversion; numbers are finite.
pub(super) fn draw(signature: &Signature, rng: &mut impl Rng) -> Inputs {
    let mut inputs = Inputs::zero(signature);
    let centre = exponent(&signature.d, rng);
    for register in &mut inputs.a {
        *register = match rng.random_range(0..APART) {
            0 => one(signature, rng),
            _ if signature.products > 1 => near(&signature.a, centre, rng),
            _ => one(signature, rng),
        };
    }
    for row in signature.rows().filter(|row| row.operand != Operand::A) {
        for register in inputs.row_mut(row.operand) {
            *register = match row.operand {
                Operand::C => any(rng, &row.format),
                _ => finite(rng, &row.format),
            };
        }
    }
    inputs
}

/// A number to be converted.
fn one(signature: &Signature, rng: &mut impl Rng) -> u64 {
    let Signature { a, d, .. } = signature;
    match rng.random_range(0..8) {
        0 => finite(rng, a),
        1 | 2 => near(a, exponent(d, rng), rng),
        _ => beside_a_place(a, d, rng),
    }
}

/// An exponent within those of the format or a little beyond.
fn exponent(d: &Format, rng: &mut impl Rng) -> i32 {
    let (least, most) = match d.has_fields() {
        true => (d.least_exponent(), d.max_exponent()),
        false => (-3, d.width() as i32),
    };
    rng.random_range(least - 3..=most + 2)
}

fn near(format: &Format, exponent: i32, rng: &mut impl Rng) -> u64 {
    match format.has_fields() {
        true => number(rng, format, exponent),
        false => finite(rng, format),
    }
}

/// A number of the result's format, or the middle of two neighbours of it, and a little more or less, as far as
/// `from` has that.
fn beside_a_place(from: &Format, to: &Format, rng: &mut impl Rng) -> u64 {
    let ends = [0, 1, to.max_finite(), to.max_finite().saturating_sub(1)];
    let code = match rng.random_range(0..3) {
        0 => ends[rng.random_range(0..ends.len())],
        _ => rng.random_range(0..=to.max_finite()),
    };
    let value = Dyadic::of(to, to.signed(false, code)).unwrap_or_default();
    // The distance of neighbours there: that of the last place of the number's own exponent.
    let place = match to.has_fields() {
        true => {
            let Encoding { exponent, .. } = to.fields(to.signed(false, code));
            exponent.max(1) as i64 - i64::from(to.bias()) - i64::from(to.fraction_bits)
        }
        false => Dyadic::of(to, 1)
            .and_then(|one| one.leading_exponent())
            .unwrap_or(0),
    };
    let power = |exponent: i64| Dyadic::new(BigInt::from(1), exponent);
    let steps = [0, 1, 1, 1, 2, 3][rng.random_range(0..6)];
    let mut target = value;
    for _ in 0..steps {
        target = target.plus(&power(place - 1));
    }
    let below = rng.random_range(1..=i64::from(from.precision()) + 1);
    target = match rng.random_range(0..3) {
        0 => target,
        1 => target.plus(&power(place - below)),
        _ => target.minus(&power(place - below)),
    };
    let register = towards_zero(from, &target);
    match from.is_signed() && rng.random() && from.magnitude(register) != 0 {
        true => from.signed(true, from.magnitude(register)),
        false => register,
    }
}
