//! The fused dot-add written once more, from mma-sim.txt §IV-C and the table of keys in
//! DESIGN.md, over integers of any size; the steps are those of the paper.

use super::arithmetic::{Target, infinity, nan, signed};
use super::exact::{Datum, Finite, decode, locate, register};
use super::unit::{Kind, Unit};
use mmasmt::algorithms::fda::{
    Align, Carry, NegativeZeros, Params, Products, SubnormalC, ZeroRule,
};
use mmasmt::float::{Format, NanCode, Overflow, Rounding};
use mmasmt::vectors::Inputs;
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, Zero};

/// A summand before alignment: `(-1)^negative * magnitude * 2^unit`, with the exponent by which it
/// is aligned.
struct Term {
    negative: bool,
    magnitude: BigUint,
    unit: i64,
    exponent: i64,
}

/// Step 1: what becomes of a product or of `c`.
enum Summand {
    Term(Term),
    Infinite { negative: bool },
    Nan,
}

/// The exponent of an operand, that of a zero by the zero rule.
fn exponent(p: &Params, x: &Finite) -> i64 {
    if x.is_zero() && p.zero == ZeroRule::Min {
        -126
    } else {
        x.exponent
    }
}

/// The exponent of the leading one.
fn leading(magnitude: &BigUint, unit: i64) -> i64 {
    unit + magnitude.bits() as i64 - 1
}

/// Steps 1 and 2.
fn product(p: &Params, a: u64, b: u64) -> Summand {
    let (a, b) = match (decode(&p.a, a), decode(&p.b, b)) {
        (Datum::Nan, _) | (_, Datum::Nan) => return Summand::Nan,
        (Datum::Infinite { negative }, Datum::Infinite { negative: other }) => {
            return Summand::Infinite {
                negative: negative != other,
            };
        }
        (Datum::Infinite { negative }, Datum::Finite(x))
        | (Datum::Finite(x), Datum::Infinite { negative }) => {
            let negative = negative != x.negative;
            return if x.is_zero() {
                Summand::Nan
            } else {
                Summand::Infinite { negative }
            };
        }
        (Datum::Finite(a), Datum::Finite(b)) => (a, b),
    };
    let magnitude = BigUint::from(a.significand) * b.significand;
    let unit = a.unit + b.unit;
    let exponent = match p.products {
        Products::Normalised if !magnitude.is_zero() => leading(&magnitude, unit),
        _ => exponent(p, &a) + exponent(p, &b),
    };
    Summand::Term(Term {
        negative: a.negative != b.negative,
        magnitude,
        unit,
        exponent,
    })
}

fn addend(p: &Params, c: u64) -> Summand {
    let c = match decode(&p.c, c) {
        Datum::Nan => return Summand::Nan,
        Datum::Infinite { negative } => return Summand::Infinite { negative },
        Datum::Finite(c) => c,
    };
    let magnitude = BigUint::from(c.significand);
    let exponent = match p.subnormal_c {
        // f32 has no normal numbers below 2^-126; wider formats are not widened.
        SubnormalC::Widened if c.exponent > -126 && !c.is_zero() => leading(&magnitude, c.unit),
        _ => exponent(p, &c),
    };
    Summand::Term(Term {
        negative: c.negative,
        magnitude,
        unit: c.unit,
        exponent,
    })
}

/// Steps 1 to 5.
fn fused(p: &Params, a: &[u64], b: &[u64], c: u64) -> u64 {
    let products = a.iter().zip(b).map(|(&a, &b)| product(p, a, b));
    let mut terms = Vec::new();
    let mut infinities = [false; 2];
    let mut invalid = false;
    for summand in products.chain([addend(p, c)]) {
        match summand {
            Summand::Term(term) => terms.push(term),
            Summand::Infinite { negative } => infinities[usize::from(negative)] = true,
            Summand::Nan => invalid = true,
        }
    }
    match infinities {
        _ if invalid => nan(&p.out, p.nan),
        [true, true] => nan(&p.out, p.nan),
        [false, false] => finite(p, &terms),
        [_, negative] => infinity(&p.out, negative),
    }
}

/// Steps 3 to 5.
fn finite(p: &Params, terms: &[Term]) -> u64 {
    let counted = terms
        .iter()
        .filter(|term| p.zero != ZeroRule::Skip || !term.magnitude.is_zero());
    let limit = p.min_exponent.map(i64::from);
    let largest = counted
        .map(|term| term.exponent)
        .chain(limit)
        .max()
        .unwrap_or(0);

    let unit = largest - i64::from(p.fraction_bits);
    let mut sum: BigInt = terms.iter().map(|term| align(p, term, unit)).sum();
    if let Carry::Bits(n) = p.carry {
        let modulus = BigInt::one() << (2 + n + p.fraction_bits);
        let half = &modulus >> 1;
        sum = ((sum + &half) % &modulus + &modulus) % &modulus - half;
    }

    let format = p.out.with_fraction(p.result_fraction);
    let negative = sum.sign() == Sign::Minus;
    let position = locate(&format, sum.magnitude(), unit);
    let code = position.round(&format, negative, p.rounding, Overflow::Infinity);
    let all_negative_zeros = terms
        .iter()
        .all(|term| term.negative && term.magnitude.is_zero());
    let negative = match p.negative_zeros {
        NegativeZeros::Minus if all_negative_zeros => true,
        _ => negative && code != 0,
    };
    register(&format, negative, code)
}

/// The term in units of `2^unit`.
fn align(p: &Params, term: &Term, unit: i64) -> BigInt {
    let signed = |magnitude| signed(term.negative, magnitude);
    match (term.unit - unit, p.align) {
        (up @ 0.., _) => signed(&term.magnitude << up),
        (down, Align::Trunc) => signed(&term.magnitude >> -down),
        // A right shift of a `BigInt` rounds down.
        (down, Align::Floor) => signed(term.magnitude.clone()) >> -down,
    }
}

/// The f16 register of the same number, infinity or NaN.
fn to_f16(from: &Format, bits: u64) -> u64 {
    let f16 = Format::F16;
    match decode(from, bits) {
        Datum::Nan => nan(&f16, NanCode::Quiet),
        Datum::Infinite { negative } => infinity(&f16, negative),
        Datum::Finite(x) => {
            let position = locate(&f16, &x.significand.into(), x.unit);
            let code = position.round(&f16, x.negative, Rounding::Ra, Overflow::Infinity);
            register(&f16, x.negative, code)
        }
    }
}

/// What a unit gives, by the reference.
pub fn evaluate(unit: &Unit, inputs: &Inputs) -> u64 {
    let p = &unit.fused;
    let step = p.products_per_sum as usize;
    match unit.kind {
        Kind::Chain(_) => {
            let rest = Params { c: p.out, ..*p };
            let mut links = inputs.a.chunks(step).zip(inputs.b.chunks(step));
            let (a, b) = links.next().unwrap();
            links.fold(fused(p, a, b, inputs.c), |c, (a, b)| fused(&rest, a, b, c))
        }
        Kind::Hmma8(a, b) => {
            let half = |c, second: bool| {
                let part = |from: &Format, row: &[u64]| -> Vec<u64> {
                    let chosen = row.chunks(2).skip(usize::from(second)).step_by(2).flatten();
                    chosen.map(|&bits| to_f16(from, bits)).collect()
                };
                fused(p, &part(&a, &inputs.a), &part(&b, &inputs.b), c)
            };
            let to = Target {
                format: p.out,
                rounding: Rounding::Rne,
                nan: NanCode::Ones,
            };
            to.add(half(half(0, false), true), inputs.c)
        }
    }
}
