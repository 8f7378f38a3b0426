//! References of the algorithms made of IEEE 754 operations: SFMA (Xie et al. §IV-A), GPS (§IV-B),
//! stated orders, and the exact sum.

use super::arithmetic::{Target, product, value};
use super::exact::{Datum, decode};
use super::parameters::{FmaNan, Gps, Ieee, Order, ProductForm, Sfma, Subnormals};
use mmasmt_core::machines::algorithms::Exact;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_numbers::float::{Format, NanCode, Rounding};

const F32: Format = Format::F32;

/// Algorithm 1.
pub fn sfma(p: &Sfma, inputs: &Inputs) -> u64 {
    let to = Target {
        format: p.format,
        rounding: Rounding::Rne,
        nan: match p.nan {
            FmaNan::Code(code) => code,
            FmaNan::Dmma => NanCode::Quiet,
        },
    };
    let is_nan = |bits: u64| decode(&p.format, bits) == Datum::Nan;
    pairs(inputs).fold(inputs.c, |d, (a, b)| {
        let sum = to.fma([&p.format; 2], &p.format, [a, b, d]);
        let first = [b, d, a].into_iter().find(|&one| is_nan(one));
        match (p.nan, first) {
            (FmaNan::Code(_), _) => sum,
            // The bits below those of a TF32 are zeros in a result.
            (FmaNan::Dmma, Some(nan)) => {
                let quiet = 1 << (p.format.dropped_bits + p.format.fraction_bits - 1);
                (nan | quiet) >> p.format.dropped_bits << p.format.dropped_bits
            }
            (FmaNan::Dmma, None) if is_nan(sum) => sum | 1 << (p.format.width() - 1),
            (FmaNan::Dmma, None) => sum,
        }
    })
}

fn pairs(inputs: &Inputs) -> impl Iterator<Item = (u64, u64)> {
    inputs.a.iter().copied().zip(inputs.b.iter().copied())
}

/// Algorithm 2.
fn pairwise(values: &[u64], add: &impl Fn(u64, u64) -> u64) -> u64 {
    let n = values.len();
    if n == 1 {
        return values[0];
    }
    add(
        pairwise(&values[..n / 2], add),
        pairwise(&values[n / 2..], add),
    )
}

/// Whether a number, zeros among them, is below `2^limit`.
fn is_below(format: &Format, bits: u64, limit: i64) -> bool {
    match decode(format, bits) {
        Datum::Finite(x) => {
            let bits = i64::from(u64::BITS - x.significand.leading_zeros());
            x.is_zero() || x.unit + bits <= limit
        }
        Datum::Infinite { .. } | Datum::Nan => false,
    }
}

/// Algorithm 3.
pub fn gps(p: &Gps, inputs: &Inputs) -> u64 {
    let to = Target {
        format: F32,
        rounding: Rounding::Rne,
        nan: p.nan,
    };
    let operand = |format: &Format, bits: u64| {
        let limit = match p.subnormals {
            Subnormals::Flush => Some(i64::from(format.min_exponent())),
            Subnormals::FlushBelowF32 => Some(-126),
            Subnormals::Keep => None,
        };
        match limit {
            Some(limit) if is_below(format, bits, limit) => 0,
            _ => bits,
        }
    };
    let result = |bits: u64| {
        if p.subnormals != Subnormals::Keep && is_below(&F32, bits, -126) {
            bits & 0x8000_0000
        } else {
            bits
        }
    };
    let add = |x, y| result(to.add(x, y));
    let factors = [&p.factors; 2];
    let products: Vec<u64> = pairs(inputs)
        .map(|(a, b)| {
            let (a, b) = (operand(&p.factors, a), operand(&p.factors, b));
            result(match p.product_form {
                ProductForm::Multiply => to.multiply(factors, a, b),
                ProductForm::FmaZero => to.fma(factors, &F32, [a, b, 0]),
            })
        })
        .collect();
    let groups = products.chunks(p.group as usize);
    groups.fold(operand(&F32, inputs.c), |d, group| {
        add(d, pairwise(group, &add))
    })
}

/// Operations in the accumulator's format.
pub fn ieee(p: &Ieee, inputs: &Inputs) -> u64 {
    let to = Target {
        format: p.accumulator,
        rounding: p.rounding,
        nan: p.nan,
    };
    let factors = [&p.a, &p.b];
    let add = |x, y| to.add(x, y);
    let products = pairs(inputs).map(|(a, b)| to.multiply(factors, a, b));
    let fused = |start| {
        pairs(inputs).fold(start, |d, (a, b)| {
            to.fma(factors, &p.accumulator, [a, b, d])
        })
    };
    match p.order {
        Order::Sequential => products.fold(inputs.c, add),
        Order::SequentialFma => fused(inputs.c),
        Order::FmaThenAccumulator => add(inputs.c, fused(0)),
        Order::Pairwise => add(inputs.c, pairwise(&products.collect::<Vec<_>>(), &add)),
    }
}

/// One rounding of the sum of all; `format` is that of `c`.
pub fn exact(p: &Exact, format: &Format, inputs: &Inputs) -> u64 {
    let to = Target {
        format: p.out,
        rounding: p.rounding,
        nan: p.nan,
    };
    let products = pairs(inputs).map(|(a, b)| product(&value(&p.a, a), &value(&p.b, b)));
    let mut terms: Vec<_> = products.collect();
    terms.push(value(format, inputs.c));
    to.sum(&terms)
}
