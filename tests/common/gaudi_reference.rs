//! The matrix engine of Gaudi 2 and 3 once more, over integers of any size.

use super::arithmetic::{Number, Target, Value, nan, product, signed, special_or_numbers, value};
use super::exact::{Datum, decode, locate, register};
use super::parameters::{Gaudi, GaudiGeneration};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_numbers::float::{Format, NanCode, Overflow, Rounding};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::Zero;

const F32: Format = Format::F32;

/// A factor or `c`, with the exponent that it is aligned by.
struct Operand {
    value: Value,
    significand: u64,
    exponent: i64,
    /// Bits behind the point of the significand.
    fraction: i64,
}

/// An operand; where `flushes`, one below the normal numbers of f32 is the zero of its sign.
fn operand(format: &Format, bits: u64, flushes: bool) -> Operand {
    let value = value(format, bits);
    let fraction = i64::from(format.fraction_bits);
    let Datum::Finite(x) = decode(format, bits) else {
        return Operand {
            value,
            significand: 0,
            exponent: 0,
            fraction,
        };
    };
    let is_f16 = format.exponent_bits == 5;
    let is_subnormal = x.significand >> format.fraction_bits == 0;
    let (mut significand, mut exponent) = (x.significand, x.exponent);
    if is_f16 && significand != 0 {
        // Widened, so normal.
        let up = significand.leading_zeros() - (63 - format.fraction_bits);
        significand <<= up;
        exponent -= i64::from(up);
    }
    if !is_f16 && is_subnormal && flushes {
        let zero = Number {
            negative: x.negative,
            magnitude: BigUint::zero(),
            unit: 0,
        };
        return Operand {
            value: Value::Number(zero),
            significand: 0,
            exponent,
            fraction,
        };
    }
    Operand {
        value,
        significand,
        exponent,
        fraction,
    }
}

/// The greatest exponent of products that are not zero.
fn largest<'x>(factors: impl Iterator<Item = &'x [Operand; 2]>) -> Option<i64> {
    let nonzero = factors.filter(|[x, y]| x.significand != 0 && y.significand != 0);
    nonzero.map(|[x, y]| x.exponent + y.exponent).max()
}

/// A step: `c` and all products.
pub fn gaudi(p: &Gaudi, inputs: &Inputs) -> u64 {
    let flushes = p.generation == GaudiGeneration::Gaudi2;
    let c = operand(&F32, inputs.c, flushes);
    let factors = inputs.a.iter().zip(&inputs.b);
    let factors: Vec<[Operand; 2]> = factors
        .map(|(x, y)| [operand(&p.a, *x, flushes), operand(&p.b, *y, flushes)])
        .collect();
    let products: Vec<Value> = factors
        .iter()
        .map(|[x, y]| product(&x.value, &y.value))
        .collect();
    if let Err(special) = special_or_numbers(products.iter().chain([&c.value]), &F32, NanCode::Ones)
    {
        return special;
    }
    match p.generation {
        GaudiGeneration::Gaudi2 => step2(&factors, &products, &c),
        GaudiGeneration::Gaudi3 => step3(&factors, &products, &c),
    }
}

fn step2(factors: &[[Operand; 2]], products: &[Value], c: &Operand) -> u64 {
    let unit = largest(factors.iter()).map_or(0, |exponent| exponent - 46);
    let numbers = products.iter().map(|value| match value {
        Value::Number(number) => number,
        _ => unreachable!("special values have ended"),
    });
    let sum: BigInt = numbers.clone().map(|x| x.cut(unit, Rounding::Rz)).sum();
    let negative = match sum.sign() {
        Sign::NoSign => numbers.clone().all(|x| x.magnitude.is_zero() && x.negative),
        sign => sign == Sign::Minus,
    };
    let sum = Value::Number(Number {
        negative,
        magnitude: sum.magnitude().clone(),
        unit,
    });
    let target = Target {
        format: F32,
        rounding: Rounding::Rne,
        nan: NanCode::Ones,
    };
    let d = target.sum(&[sum, c.value.clone()]);
    match d >> 23 & 0xff {
        0 => d & 1 << 31,
        _ => d,
    }
}

fn step3(factors: &[[Operand; 2]], products: &[Value], c: &Operand) -> u64 {
    let own = (c.significand != 0).then_some(c.exponent);
    let exponent = largest(factors.iter()).max(own).max(Some(-132));
    let unit = exponent.unwrap_or(0) - 24;
    let mut sum = BigInt::zero();
    for ([x, y], product) in factors.iter().zip(products) {
        let Value::Number(product) = product else {
            continue;
        };
        for i in (0..24).step_by(8) {
            for j in (0..24).step_by(8) {
                let left = (x.significand >> i & 0xff) << i;
                let right = (y.significand >> j & 0xff) << j;
                let part = Number {
                    negative: product.negative,
                    magnitude: BigUint::from(left) * right,
                    unit: x.exponent + y.exponent - x.fraction - y.fraction,
                };
                sum += part.cut(unit, Rounding::Rz);
            }
        }
    }
    if let Value::Number(number) = &c.value {
        sum += number.cut(unit, Rounding::Rz);
    }
    let negative = sum.sign() == Sign::Minus;
    let magnitude = signed(false, sum.magnitude().clone());
    let position = locate(&F32, magnitude.magnitude(), unit);
    let code = position.round(&F32, negative, Rounding::Rz, Overflow::Infinity);
    debug_assert_ne!(code, nan(&F32, NanCode::Ones));
    register(&F32, negative && code != 0, code)
}
