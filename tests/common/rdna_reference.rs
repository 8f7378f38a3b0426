//! DOT2 and WMMA of RDNA3 and RDNA4 once more, over integers, from AMD's description.

use super::arithmetic::{Number, Value, product, signed, value};
use super::exact::{Datum, decode, locate, register};
use super::parameters::{Generation, Rdna, StepOrder};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_numbers::float::{Format, Overflow, Rounding};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::Zero;

const F32: Format = Format::F32;

/// Exponent of the leading bit.
fn leading(number: &Number) -> i64 {
    number.unit + number.magnitude.bits() as i64 - 1
}

/// The exponent of an operand's field, 1 where it is 0.
fn field_exponent(format: &Format, bits: u64) -> i64 {
    match decode(format, bits) {
        Datum::Finite(x) => x.exponent,
        Datum::Infinite { .. } | Datum::Nan => 0,
    }
}

/// Subnormal numbers as zeros of their sign, where the format has the exponents of f32.
fn flushed(format: &Format, bits: u64) -> u64 {
    match decode(format, bits) {
        Datum::Finite(x)
            if format.exponent_bits == 8 && x.significand >> format.fraction_bits == 0 =>
        {
            register(format, x.negative, 0)
        }
        _ => bits,
    }
}

/// Codes of a NaN factor, of an invalid operation, of infinity, and the quiet bit.
fn codes(out: &Format) -> [u64; 4] {
    match out.name() {
        "f16" => [0xfe3d, 0xfe00, 0x7c00, 0x0200],
        "bf16" => [0xfffd, 0xffc0, 0x7f80, 0x0040],
        _ => [0xffc0_0a3d, 0xffc0_0000, 0x7f80_0000, 0x0040_0000],
    }
}

/// NaNs and infinities, or all numbers.
fn special(out: &Format, factors: &[[Value; 2]], products: &[Value], c: u64) -> Option<u64> {
    let [nan_factor, invalid, infinity, quiet] = codes(out);
    let minus = 1 << (out.width() - 1);
    if factors.iter().flatten().any(|value| *value == Value::Nan) {
        return Some(nan_factor);
    }
    let has = |wanted: bool| {
        let mut terms = products.iter();
        terms.any(|term| matches!(term, Value::Infinite { negative } if *negative == wanted))
    };
    let (up, down) = (has(false), has(true));
    if products.contains(&Value::Nan) || up && down {
        return Some(invalid);
    }
    match value(out, c) {
        Value::Nan => Some(c | quiet),
        Value::Infinite { negative } if (negative && up) || (!negative && down) => Some(invalid),
        Value::Infinite { .. } => Some(c),
        Value::Number(_) if up => Some(infinity),
        Value::Number(_) if down => Some(infinity | minus),
        Value::Number(_) => None,
    }
}

fn number(value: &Value) -> &Number {
    match value {
        Value::Number(number) => number,
        other => panic!("{other:?} is no number"),
    }
}

/// Magnitude in units of `2^grid`, what lies below them cut.
fn cut(term: &Number, grid: i64) -> BigUint {
    match term.unit - grid {
        up @ 0.. => &term.magnitude << up,
        down => &term.magnitude >> -down,
    }
}

/// `sum * 2^grid` rounded to nearest even, in the format of the result or cut to it from f32.
fn rounded(out: &Format, sum: &BigInt, grid: i64) -> u64 {
    let negative = sum.sign() == Sign::Minus;
    let format = if out.name() == "f16" { out } else { &F32 };
    let position = locate(format, sum.magnitude(), grid);
    let code = position.round(format, negative, Rounding::Rne, Overflow::Ieee);
    cut_to(out, register(format, negative && code != 0, code))
}

/// The upper half of an f32 register, for bf16.
fn cut_to(out: &Format, bits: u64) -> u64 {
    match out.name() {
        "bf16" => bits >> 16,
        _ => bits,
    }
}

/// The exponent that `c` has at least, where the grid is found.
fn least(out: &Format) -> Option<i64> {
    (out.name() == "f16").then_some(-14)
}

fn step3(formats: [&Format; 2], out: &Format, a: &[u64], b: &[u64], c: u64) -> u64 {
    let pairs: Vec<[u64; 2]> = a
        .iter()
        .zip(b)
        .map(|(&a, &b)| [flushed(formats[0], a), flushed(formats[1], b)])
        .collect();
    let c = flushed(out, c);
    let factors: Vec<[Value; 2]> = pairs
        .iter()
        .map(|[a, b]| [value(formats[0], *a), value(formats[1], *b)])
        .collect();
    let products: Vec<Value> = factors.iter().map(|[a, b]| product(a, b)).collect();
    if let Some(special) = special(out, &factors, &products, c) {
        return special;
    }
    let c = value(out, c);
    let c = number(&c);
    let products: Vec<&Number> = products.iter().map(number).collect();
    let nominal = pairs
        .iter()
        .zip(&products)
        .filter(|(_, product)| !product.magnitude.is_zero());
    let nominal = nominal
        .map(|([a, b], _)| field_exponent(formats[0], *a) + field_exponent(formats[1], *b) - 24);
    let terms = products.iter().copied().chain([c]);
    let terms = terms.filter(|term| !term.magnitude.is_zero());
    let Some(grid) = nominal.chain(terms.map(|term| leading(term) - 26)).max() else {
        return 0;
    };
    let grid = least(out).map_or(grid, |least| grid.max(least - 26));
    let framed = products.iter().map(|product| {
        let units = BigInt::from(cut(product, grid));
        if product.negative == c.negative {
            units
        } else {
            -units - 1
        }
    });
    let total: BigInt = framed.sum::<BigInt>() + BigInt::from(cut(c, grid));
    let magnitude = total.magnitude();
    let negative = c.negative != (total.sign() == Sign::Minus);
    if magnitude.is_zero() {
        return 0;
    }
    if out.name() == "f16" {
        return rounded(
            out,
            &(if negative { -1 } else { 1 } * BigInt::from(magnitude.clone())),
            grid,
        );
    }
    // Rounded as if exponents had no limit, at 2^0, then put back.
    let shift = -(grid + magnitude.bits() as i64);
    let position = locate(&F32, magnitude, grid + shift);
    let code = position.round(&F32, negative, Rounding::Rne, Overflow::Ieee) as i64;
    let exponent = (code >> 23) - 127 - shift;
    let result = match exponent {
        ..-126 => 0,
        128.. => register(&F32, negative, 0xff << 23),
        _ => register(&F32, negative, (code - (shift << 23)) as u64),
    };
    cut_to(out, result)
}

fn step4(formats: [&Format; 2], out: &Format, a: &[u64], b: &[u64], c: u64) -> u64 {
    let factors: Vec<[Value; 2]> = a
        .iter()
        .zip(b)
        .map(|(&a, &b)| [value(formats[0], a), value(formats[1], b)])
        .collect();
    let products: Vec<Value> = factors.iter().map(|[a, b]| product(a, b)).collect();
    if let Some(special) = special(out, &factors, &products, c) {
        return special;
    }
    let grids: Vec<Option<i64>> = (0..a.len())
        .map(|k| {
            let nominal = field_exponent(formats[0], a[k]) + field_exponent(formats[1], b[k]);
            (!number(&products[k]).magnitude.is_zero()).then_some(nominal - 24)
        })
        .collect();
    let c_value = value(out, c);
    let c = number(&c_value);
    let floor_of_c = least(out).unwrap_or(-126);
    let c_leading = if c.magnitude.is_zero() {
        floor_of_c
    } else {
        leading(c).max(floor_of_c)
    };
    let grid = grids
        .iter()
        .flatten()
        .copied()
        .chain([c_leading - 26])
        .max()
        .unwrap();
    let floor = |sum: &BigInt, unit: i64, grid: i64| -> BigInt {
        match unit - grid {
            up @ 0.. => sum << up,
            down => sum >> -down,
        }
    };
    let mut total = BigInt::zero();
    for (pair, of_pair) in products.chunks(2).zip(grids.chunks(2)) {
        let Some(pair_grid) = of_pair.iter().flatten().copied().max() else {
            continue;
        };
        let sum: BigInt = pair
            .iter()
            .map(|term| {
                let term = number(term);
                floor(
                    &signed(term.negative, term.magnitude.clone()),
                    term.unit,
                    pair_grid,
                )
            })
            .sum();
        total += floor(&sum, pair_grid, grid);
    }
    let vanishes = grid > floor_of_c && cut(c, grid).is_zero();
    if !vanishes {
        total += floor(&signed(c.negative, c.magnitude.clone()), c.unit, grid);
    }
    rounded(out, &total, grid)
}

/// All steps.
pub fn rdna(p: &Rdna, inputs: &Inputs) -> u64 {
    let step = p.step as usize;
    let count = inputs.a.len() / step;
    let order: Vec<usize> = match p.order {
        StepOrder::Straight => (0..count).collect(),
        StepOrder::Halves => (0..count).map(|n| n / 2 + n % 2 * (count / 2)).collect(),
    };
    order.into_iter().fold(inputs.c, |c, number| {
        let some = number * step..(number + 1) * step;
        let (a, b) = (&inputs.a[some.clone()], &inputs.b[some]);
        match p.generation {
            Generation::Rdna3 => step3([&p.a, &p.b], &p.out, a, b, c),
            Generation::Rdna4 => step4([&p.a, &p.b], &p.out, a, b, c),
        }
    })
}
