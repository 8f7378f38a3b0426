//! Dot products to which `c` is added late, written once more over integers of any size: FDRDA
//! (Xie et al. §IV-F) and GFDRDA (§IV-H), with the late addition of arXiv:2609.14845 as the other
//! reading (hardware-vectors/README.md, `reported/`).

use super::arithmetic::{Number, Value, special_or_numbers};
use super::exact::{locate, register};
use super::parameters::{Infinities, LateAdd, LateParams, ZeroRule};
use super::terms::{Term, largest, operand, product};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_numbers::float::{Format, Overflow, Rounding};
use num_bigint::{BigInt, Sign};
use num_traits::Zero;

const OUT: Format = Format::F32;

/// A sum of terms that were aligned to an exponent; none if there were only zeros left out.
struct Dot {
    number: Number,
    exponent: Option<i64>,
}

fn number(sum: &BigInt, unit: i64) -> Number {
    Number {
        negative: sum.sign() == Sign::Minus,
        magnitude: sum.magnitude().clone(),
        unit,
    }
}

/// Step 2 of §IV-F: products of at least 2^128 are infinite.
fn overflown(product: &Term) -> Value {
    let number = product.number();
    let top = number.unit + number.magnitude.bits() as i64;
    if !number.magnitude.is_zero() && top > 128 {
        Value::Infinite {
            negative: number.negative,
        }
    } else {
        product.value.clone()
    }
}

/// Steps 4 and 5: products aligned to their largest exponent, cut toward zero and summed.
fn dot(p: &LateParams, products: &[Term]) -> Dot {
    let exponent = largest(products, p.zero);
    let unit = exponent.unwrap_or(0) - i64::from(p.fraction_bits);
    let cut = products
        .iter()
        .map(|term| term.number().cut(unit, Rounding::Rz));
    Dot {
        number: number(&cut.sum(), unit),
        exponent,
    }
}

/// Steps 6 and 7 of §IV-H: two sums aligned to the larger exponent, rounded down, and added.
fn both(p: &LateParams, dots: [Dot; 2]) -> Dot {
    let exponent = dots[0].exponent.max(dots[1].exponent);
    let unit = exponent.unwrap_or(0) - i64::from(p.fraction_bits);
    let cut = dots.iter().map(|dot| dot.number.cut(unit, p.align));
    Dot {
        number: number(&cut.sum(), unit),
        exponent,
    }
}

/// The sum and `c` aligned to the larger exponent, rounded down, added, and rounded to f32: steps 6
/// to 8 of §IV-F, and 8 to 10 of §IV-H, where a far `c` is cut toward zero.
fn add_late(p: &LateParams, dot: &Dot, c: &Term, far_is_cut: bool) -> u64 {
    let largest = dot.exponent.map_or(c.exponent, |dot| dot.max(c.exponent));
    let kept = match p.late {
        LateAdd::Cut31 => 31,
        LateAdd::Cut32Normalise31 => 32,
    };
    let c_rule = if far_is_cut && c.exponent < largest - 25 {
        Rounding::Rz
    } else {
        p.align
    };
    // What both are multiples of.
    let unit = largest - 32;
    let dot_unit = largest - kept;
    let c_unit = largest - i64::from(p.fraction_bits);
    let sum = (dot.number.cut(dot_unit, p.align) << (dot_unit - unit))
        + (c.number().cut(c_unit, c_rule) << (c_unit - unit));
    let total = match p.late {
        LateAdd::Cut31 => number(&sum, unit),
        // 31 bits behind the leading one, which is not looked for below that of f32.
        LateAdd::Cut32Normalise31 => {
            let leading = unit + sum.bits() as i64 - 1;
            let unit_of_total = leading.max(-126) - 31;
            let cut = number(&sum, unit).cut(unit_of_total, p.align);
            // A magnitude that is cut to nothing keeps its sign, as in any rounding.
            Number {
                negative: sum.sign() == Sign::Minus,
                ..number(&cut, unit_of_total)
            }
        }
    };
    let position = locate(&OUT, &total.magnitude, total.unit);
    let code = position.round(&OUT, total.negative, Rounding::Rne, Overflow::Infinity);
    register(&OUT, total.negative, code)
}

/// What an operation does with its products and `c`, once all are numbers.
type Finite = fn(&LateParams, &[Term], &Term) -> u64;

/// Steps 1 to 3, then the others.
fn evaluate(p: &LateParams, inputs: &Inputs, finite: Finite) -> u64 {
    let pairs = inputs.a.iter().zip(&inputs.b);
    let products: Vec<Term> = pairs
        .map(|(&a, &b)| product([&p.a, &p.b], p.zero, a, b))
        .collect();
    let c = operand(&OUT, ZeroRule::Raw, inputs.c);
    let overflown = |term: &Term| match &term.value {
        Value::Number(_) => overflown(term),
        special => special.clone(),
    };
    let values: Vec<Value> = match p.infinities {
        Infinities::Together => products
            .iter()
            .map(overflown)
            .chain([c.value.clone()])
            .collect(),
        Infinities::OperandsFirst => {
            let values = products.iter().chain([&c]).map(|term| &term.value);
            if let Err(special) = special_or_numbers(values, &OUT, p.nan) {
                return special;
            }
            products.iter().map(overflown).collect()
        }
    };
    if let Err(special) = special_or_numbers(&values, &OUT, p.nan) {
        return special;
    }
    finite(p, &products, &c)
}

/// §IV-F.
pub fn fdrda(p: &LateParams, inputs: &Inputs) -> u64 {
    evaluate(p, inputs, |p, products, c| {
        add_late(p, &dot(p, products), c, false)
    })
}

/// §IV-H.
pub fn gfdrda(p: &LateParams, inputs: &Inputs) -> u64 {
    evaluate(p, inputs, |p, products, c| {
        let group = |first: usize| -> Vec<Term> {
            products.iter().skip(first).step_by(2).cloned().collect()
        };
        let dots = [dot(p, &group(0)), dot(p, &group(1))];
        add_late(p, &both(p, dots), c, true)
    })
}
