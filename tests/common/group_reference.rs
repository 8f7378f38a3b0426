//! The group-dot fused sum written once more, from Xie et al. §IV-E, over integers of any size.

use super::arithmetic::{Number, Value, product, special_or_numbers, value};
use super::exact::{locate, register};
use super::parameters::{Cancelled, Gdfs, ZeroRule};
use super::terms::{Term, exponent, operand};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_numbers::float::{Format, Overflow, Rounding};
use num_bigint::{BigInt, Sign};

/// Steps 2 and 3: the exact sum of products.
fn dot(p: &Gdfs, a: &[u64], b: &[u64]) -> Value {
    // All numbers of the small formats are multiples of their least one.
    let unit =
        [p.a, p.b].map(|format| i64::from(format.min_exponent() - format.fraction_bits as i32));
    let unit = unit[0] + unit[1];
    let products = a
        .iter()
        .zip(b)
        .map(|(&a, &b)| product(&value(&p.a, a), &value(&p.b, b)));
    let sum: BigInt = products
        .map(|product| match product {
            Value::Number(number) => number.in_units(unit),
            other => panic!("{other:?} in a format without infinities and NaNs"),
        })
        .sum();
    Value::Number(Number {
        negative: sum.sign() == Sign::Minus,
        magnitude: sum.magnitude().clone(),
        unit,
    })
}

/// Steps 1 to 7.
pub fn gdfs(p: &Gdfs, inputs: &Inputs) -> u64 {
    let (out, scale) = (Format::F32, p.scales.format);
    let groups = inputs.a.chunks(16).zip(inputs.b.chunks(16)).enumerate();
    let mut terms: Vec<(Term, bool)> = groups
        .map(|(k, (a, b))| {
            let block = 16 * k / p.scales.block as usize;
            let (x, y) = (inputs.a_scales[block], inputs.b_scales[block]);
            let scales = product(&value(&scale, x), &value(&scale, y));
            let term = Term {
                value: product(&dot(p, a, b), &scales),
                exponent: exponent(&scale, p.zero, x) + exponent(&scale, p.zero, y),
            };
            // A register without its sign is 0 for a zero of the small formats.
            let is_zero = |format: &Format, bits: u64| bits & !format.sign_mask() == 0;
            let mut pairs = a.iter().zip(b);
            let empty = pairs.all(|(&a, &b)| is_zero(&p.a, a) || is_zero(&p.b, b));
            let of_scales = Term {
                value: scales,
                exponent: term.exponent,
            };
            let counts = match p.cancelled {
                Cancelled::Zero => !term.is_zero(),
                Cancelled::Scales => !empty && !of_scales.is_zero(),
            };
            (term, counts)
        })
        .collect();
    let c = operand(&out, p.zero, inputs.c);
    let counts = !c.is_zero();
    terms.push((c, counts));
    let values = terms.iter().map(|(term, _)| &term.value);
    let numbers = match special_or_numbers(values, &out, p.nan) {
        Err(special) => return special,
        Ok(numbers) => numbers,
    };
    let limit = p.min_exponent.map(i64::from);
    let counted = terms
        .iter()
        .filter(|(_, counts)| p.zero != ZeroRule::Skip || *counts);
    let largest = counted.map(|(term, _)| term.exponent).max();
    let largest = largest.max(limit).unwrap_or(0);
    let unit = largest - i64::from(p.fraction_bits);
    let sum: BigInt = numbers
        .iter()
        .map(|term| term.cut(unit, Rounding::Rz))
        .sum();
    let negative = sum.sign() == Sign::Minus;
    let position = locate(&out, sum.magnitude(), unit);
    let code = position.round(&out, negative, Rounding::Rz, Overflow::Infinity);
    register(&out, negative && code != 0, code)
}
