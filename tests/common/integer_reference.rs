//! Dot products of integers once more, over `i128`.

use super::parameters::{IntegerDot, Pairing};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::SumOverflow;
use mmasmt_numbers::float::Format;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// Bits of a format of integers, and whether it has a sign, by its name.
fn layout(format: &Format) -> (u32, bool) {
    let (kind, bits) = format.name().split_at(1);
    (bits.parse().unwrap(), kind == "s")
}

/// The integer in a register.
pub fn value(format: &Format, register: u64) -> i128 {
    let (bits, signed) = layout(format);
    assert!(bits == 64 || register >> bits == 0);
    let negative = signed && register >> (bits - 1) == 1;
    i128::from(register) - if negative { 1 << bits } else { 0 }
}

/// The register of an integer modulo two to the number of its bits.
pub fn register(format: &Format, value: i128) -> u64 {
    let (bits, _) = layout(format);
    (value & ((1 << bits) - 1)) as u64
}

/// The least and the greatest integer.
pub fn ends(format: &Format) -> [i128; 2] {
    match layout(format) {
        (bits, true) => [-(1 << (bits - 1)), (1 << (bits - 1)) - 1],
        (bits, false) => [0, (1 << bits) - 1],
    }
}

/// The exact sum.
pub fn sum(dot: &IntegerDot, inputs: &Inputs) -> i128 {
    let term = |(x, y): (&u64, &u64)| match dot.pairing {
        Pairing::Product => value(&dot.a, *x) * value(&dot.b, *y),
        Pairing::Xor => i128::from(x != y),
    };
    let terms = inputs.a.iter().zip(&inputs.b).map(term);
    value(&dot.accumulator, inputs.c) + terms.sum::<i128>()
}

/// The result register.
pub fn integer(dot: &IntegerDot, inputs: &Inputs) -> u64 {
    let sum = sum(dot, inputs);
    let [least, greatest] = ends(&dot.accumulator);
    register(
        &dot.accumulator,
        match dot.overflow {
            SumOverflow::Wrap => sum,
            SumOverflow::Saturate => sum.clamp(least, greatest),
        },
    )
}

/// Inputs of any bits, of integers at the ends of their formats, and with sums at the ends of the accumulator.
pub fn draw(
    rng: &mut ChaCha8Rng,
    signature: &mmasmt_core::machines::algorithms::Signature,
) -> Inputs {
    let at_ends = rng.random_bool(0.5);
    let mut one = |format: &Format| {
        let [least, greatest] = ends(format);
        let end = *[least, least + 1, -1, 0, 1, greatest - 1, greatest]
            .choose(rng)
            .unwrap();
        match at_ends {
            true => register(format, end),
            false => register(format, i128::from(rng.random::<i64>())),
        }
    };
    let products = signature.products;
    let mut inputs = Inputs::new(
        (0..products).map(|_| one(&signature.a)).collect(),
        (0..products).map(|_| one(&signature.b)).collect(),
        one(&signature.c),
    );
    if rng.random_bool(0.5) {
        let some = rng.random_range(0..=products as usize);
        let pairs = inputs.a.iter().zip(&inputs.b).take(some);
        let product = |(x, y): (&u64, &u64)| value(&signature.a, *x) * value(&signature.b, *y);
        let sum: i128 = pairs.map(product).sum();
        let end = *ends(&signature.c).choose(rng).unwrap();
        let c = end - sum + rng.random_range(-3..=3);
        if (ends(&signature.c)[0]..=ends(&signature.c)[1]).contains(&c) {
            inputs.c = register(&signature.c, c);
        }
    }
    inputs
}
