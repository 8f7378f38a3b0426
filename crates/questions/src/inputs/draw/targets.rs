//! Terms whose exact sum is a chosen number: a few products are drawn, and another product or `c` makes up the rest.
//!
//! The chosen numbers lie where units decide: at a power of two and a few places below it, at the ends of the normal numbers
//! of the result, and so far below the terms that cancel as the unit has places. A unit says these *places* itself: the bits
//! that its steps keep.

use super::close::split;
use super::encodings::{plain, power_of_two, towards_zero};
use super::integers;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::float::{Dyadic, Format};
use num_bigint::BigInt;
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

/// The most products that are drawn before the rest is made up.
const DRAWN: usize = 3;
/// The most products that make up the rest.
const COMPLETED: usize = 2;

/// Draws terms whose sum is a number that one of `places` decides about; `reads_c` tells whether `c` may make up the rest.
pub fn draw(signature: &Signature, places: &[i32], reads_c: bool, rng: &mut impl Rng) -> Inputs {
    if integers::has_integers(signature) {
        return integers::draw(signature, rng);
    }
    let mut inputs = plain(signature);
    let mut free: Vec<usize> = (0..inputs.a.len()).collect();
    let (target, exponent) = target(signature, places, rng);
    let mut rest = target;
    let room = free.len() + usize::from(reads_c);
    for _ in 0..rng.random_range(0..=DRAWN.min(room - 1)) {
        let Some(k) = taken(&mut free, rng) else {
            break;
        };
        let exponent = exponent - rng.random_range(0..=3);
        let (for_a, for_b) = split(signature, rng, exponent);
        inputs.a[k] = few_bits(&signature.a, for_a, rng);
        inputs.b[k] = few_bits(&signature.b, for_b, rng);
        rest = rest.minus(&product(signature, &inputs, k));
    }
    if reads_c && (free.is_empty() || rng.random_bool(0.5)) {
        inputs.c = towards_zero(&signature.c, &rest);
        rest = rest.minus(&value(&signature.c, inputs.c));
    }
    for _ in 0..COMPLETED {
        let Some(leading) = rest.leading_exponent() else {
            break;
        };
        let Some(k) = taken(&mut free, rng) else {
            break;
        };
        let leading = leading.clamp(-100_000, 100_000) as i32;
        let (for_a, _) = split(signature, rng, leading);
        inputs.a[k] = power_of_two(&signature.a, for_a);
        let Some(power) = value(&signature.a, inputs.a[k]).leading_exponent() else {
            break;
        };
        inputs.b[k] = towards_zero(&signature.b, &rest.shifted(-power));
        rest = rest.minus(&product(signature, &inputs, k));
    }
    // A zero beside a great factor, which a unit may compare exponents with.
    if let Some(k) = taken(&mut free, rng).filter(|_| rng.random_bool(0.3)) {
        let exponent = rng.random_range(signature.b.min_exponent()..=signature.b.max_exponent());
        inputs.b[k] = power_of_two(&signature.b, exponent);
    }
    inputs
}

/// The sum that is aimed at, and an exponent near which terms lie.
fn target(signature: &Signature, places: &[i32], rng: &mut impl Rng) -> (Dyadic, i32) {
    let d = &signature.d;
    let ends = [
        d.min_exponent(),
        d.max_exponent() + 1,
        rng.random_range(-12..=12),
        rng.random_range(d.min_exponent()..=d.max_exponent()),
    ];
    let exponent = ends[rng.random_range(0..ends.len())];
    let place = places.choose(rng).copied().unwrap_or(24) + rng.random_range(-1..=1);
    let power = |exponent: i32| Dyadic::new(BigInt::from(1), exponent.into());
    // What cancels leaves the last place alone, or a power of two misses one.
    if rng.random_bool(0.3) {
        let left = power(exponent - place);
        return (signed(left, rng), exponent);
    }
    let mut target = power(exponent);
    for place in [place, place + rng.random_range(1..=3)] {
        let small = power(exponent - place);
        target = match rng.random_range(0..3) {
            0 => target,
            1 => target.minus(&small),
            _ => target.plus(&small),
        };
    }
    (signed(target, rng), exponent - rng.random_range(0..=2))
}

fn signed(value: Dyadic, rng: &mut impl Rng) -> Dyadic {
    match rng.random() {
        true => value.negated(),
        false => value,
    }
}

/// A product that no term has yet.
fn taken(free: &mut Vec<usize>, rng: &mut impl Rng) -> Option<usize> {
    let count = free.len();
    (count > 0).then(|| free.swap_remove(rng.random_range(0..count)))
}

/// A number with this exponent, if the format has it, with a few or with all fraction bits.
fn few_bits(format: &Format, exponent: i32, rng: &mut impl Rng) -> u64 {
    let power = power_of_two(format, exponent);
    let bits = match rng.random_range(0..3) {
        0 => 1,
        1 => 2,
        _ => format.fraction_bits,
    };
    let low = format.fraction_bits - bits.min(format.fraction_bits);
    let fraction = rng.random::<u64>() & format.max_fraction() >> low << low;
    let code = format.magnitude(power) | (fraction << format.dropped_bits);
    let code = if format.is_finite(code) { code } else { power };
    match rng.random::<bool>() && format.is_signed() {
        true => code | format.sign_mask(),
        false => code,
    }
}

pub fn value(format: &Format, register: u64) -> Dyadic {
    Dyadic::of(format, register).unwrap_or_default()
}

/// Product `k`; scales are 1.
pub fn product(signature: &Signature, inputs: &Inputs, k: usize) -> Dyadic {
    value(&signature.a, inputs.a[k]).times(&value(&signature.b, inputs.b[k]))
}
