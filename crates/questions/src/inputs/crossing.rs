//! Simple inputs on which one number steps to a power of two, or away from a negative one: there the last
//! place grows, so that sums may lose more than the step brings.

use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::float::{Dyadic, Format};
use num_bigint::BigInt;

/// The number that steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrossingOperand {
    /// The operand `c`.
    C,
    /// The first factor of A.
    Factor,
}

/// The powers of two of products beside a factor that steps: the least exponent.
const LOWEST: i64 = -24;
/// How many powers of two above the precision of a number it may step to.
const ABOVE: i64 = 2;

/// Inputs in which the number that steps is the greatest below a power of two, or a negative power of
/// two, and one to all other products are powers of two of one sign; the simplest come first.
pub fn crossings(signature: &Signature, stepping: CrossingOperand) -> impl Iterator<Item = Inputs> {
    let signature = *signature;
    let Signature { a, b, c, .. } = signature;
    let (format, first) = match stepping {
        CrossingOperand::C => (c, 0),
        CrossingOperand::Factor => (a, 1),
    };
    let products = signature.products as usize;
    let few = (1..=4).chain((3..20).map(|bits| 1usize << bits));
    let counts = few.filter(move |count| *count < products).chain([products]);
    let stepped = move |to: i64| {
        let precision = i64::from(format.precision());
        let ones = (BigInt::from(1) << precision) - BigInt::from(1);
        let below = Dyadic::new(ones, to - precision);
        let negative = Dyadic::new(BigInt::from(-1), to);
        [below, negative]
            .into_iter()
            .filter_map(move |one| one.register(&format))
    };
    let exponents = match stepping {
        CrossingOperand::C => 0..=0,
        CrossingOperand::Factor => LOWEST..=0,
    };
    counts.flat_map(move |count| {
        let exponents = exponents.clone();
        (0..=i64::from(format.precision()) + ABOVE).flat_map(move |to| {
            let exponents = exponents.clone();
            stepped(to).flat_map(move |stepped| {
                exponents.clone().rev().flat_map(move |exponent| {
                    [1, -1].into_iter().filter_map(move |sign| {
                        let power = Dyadic::new(BigInt::from(sign), exponent).register(&a)?;
                        let one = one_of(&b)?;
                        let mut inputs = Inputs::zero(&signature);
                        for k in first..count {
                            (inputs.a[k], inputs.b[k]) = (power, one);
                        }
                        match stepping {
                            CrossingOperand::C => inputs.c = stepped,
                            CrossingOperand::Factor => (inputs.a[0], inputs.b[0]) = (stepped, one),
                        }
                        Some(inputs)
                    })
                })
            })
        })
    })
}

fn one_of(format: &Format) -> Option<u64> {
    Dyadic::new(BigInt::from(1), 0).register(format)
}
