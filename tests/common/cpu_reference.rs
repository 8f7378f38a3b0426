//! The dot instructions of processors once more, over integers: every operation is an exact sum of products and registers,
//! rounded once; what is tiny is told from the exact sum.

use super::arithmetic::{Target, Value, product, special_or_numbers, value};
use super::exact::{Datum, decode, locate, register};
use super::parameters::{CpuDot, DotOrder, FlushedOperands, NanRule};
use mmasmt_core::machines::algorithms::FlushedResults;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_numbers::float::{Format, NanCode, Overflow, Rounding};
use num_bigint::{BigInt, BigUint, Sign};

const F32: Format = Format::F32;
const SIGN: u64 = 0x8000_0000;
const QUIET: u64 = 0x7fc0_0000;

/// A register with its format.
type Register<'x> = (&'x Format, u64);

/// A subnormal number as the zero of its sign.
fn flushed(format: &Format, bits: u64) -> u64 {
    match decode(format, bits) {
        Datum::Finite(x) if x.significand >> format.fraction_bits == 0 => {
            register(format, x.negative, 0)
        }
        _ => bits,
    }
}

/// The NaN of an operation on these registers.
fn nan(rule: NanRule, operands: &[Register<'_>]) -> u64 {
    let default = match rule {
        NanRule::Default => return QUIET,
        NanRule::X86 => QUIET | SIGN,
        NanRule::Power => QUIET,
    };
    let first = operands
        .iter()
        .find(|(format, bits)| decode(format, *bits) == Datum::Nan);
    first.map_or(default, |(format, bits)| {
        let payload = (bits >> format.dropped_bits) & ((1 << format.fraction_bits) - 1);
        let negative = bits >> (format.width() - 1) == 1;
        QUIET | payload << (23 - format.fraction_bits) | if negative { SIGN } else { 0 }
    })
}

/// Whether the exact sum, `magnitude * 2^unit`, is below 2^-126 once it is rounded to 24 bits.
fn is_tiny_when_rounded(
    magnitude: &BigUint,
    unit: i64,
    negative: bool,
    rounding: Rounding,
) -> bool {
    // A number of 24 bits is below 2^-126 if it is so as a multiple of 2^1000 times itself.
    let shift = 100 - (unit + magnitude.bits() as i64);
    let position = locate(&F32, magnitude, unit + shift);
    let code = position.round(&F32, negative, rounding, Overflow::Infinity);
    // 2^100 and more is another binade than that of the sum.
    let carried = code >= register(&F32, false, (100 + 127) << 23);
    let leading = -shift + 99 + i64::from(carried);
    leading < -126
}

/// The exact sum of the terms, rounded and flushed; NaNs by their rule.
fn operation(p: &CpuDot, terms: &[Value], operands: &[Register<'_>]) -> u64 {
    let to = Target {
        format: F32,
        rounding: p.rounding,
        nan: NanCode::Quiet,
    };
    let numbers = match special_or_numbers(terms, &F32, NanCode::Quiet) {
        Err(QUIET) => return nan(p.nan, operands),
        Err(infinity) => return infinity,
        Ok(numbers) => numbers,
    };
    let result = to.sum(terms);
    let unit = numbers.iter().map(|term| term.unit).min().unwrap();
    let sum: BigInt = numbers.iter().map(|term| term.in_units(unit)).sum();
    if sum.sign() == Sign::NoSign {
        return result;
    }
    let (magnitude, negative) = (sum.magnitude(), sum.sign() == Sign::Minus);
    let is_tiny = match p.results {
        FlushedResults::Kept => false,
        FlushedResults::BeforeRounding => unit + (magnitude.bits() as i64) <= -126,
        FlushedResults::AfterRounding => {
            is_tiny_when_rounded(magnitude, unit, negative, p.rounding)
        }
        FlushedResults::Register => result & 0x7f80_0000 == 0,
    };
    if is_tiny {
        register(&F32, negative, 0)
    } else {
        result
    }
}

/// All steps.
pub fn cpu(p: &CpuDot, inputs: &Inputs) -> u64 {
    let (flush_factors, flush_c) = match p.operands {
        FlushedOperands::Neither => (false, false),
        FlushedOperands::Addend => (false, true),
        FlushedOperands::All => (true, true),
    };
    let row = |format: &Format, row: &[u64]| -> Vec<u64> {
        let factor = |bits: &u64| {
            if flush_factors {
                flushed(format, *bits)
            } else {
                *bits
            }
        };
        row.iter().map(factor).collect()
    };
    let (a, b) = (row(&p.a, &inputs.a), row(&p.b, &inputs.b));
    let c = if flush_c {
        flushed(&F32, inputs.c)
    } else {
        inputs.c
    };
    let term = |k: usize| product(&value(&p.a, a[k]), &value(&p.b, b[k]));
    let fma = |sum: u64, k: usize| {
        let operands = [(&p.a, a[k]), (&p.b, b[k]), (&F32, sum)];
        operation(p, &[term(k), value(&F32, sum)], &operands)
    };
    let add = |x: u64, y: u64| {
        let terms = [value(&F32, x), value(&F32, y)];
        operation(p, &terms, &[(&F32, x), (&F32, y)])
    };
    let count = a.len();
    let sum = match p.order {
        DotOrder::LastFirst => return (0..count).rev().fold(c, fma),
        DotOrder::FirstFirst => return (0..count).fold(c, fma),
        DotOrder::Late => (0..count).fold(0, fma),
        DotOrder::EvenOdd => {
            let chain = |first: usize| (first..count).step_by(2).fold(0, fma);
            add(chain(0), chain(1))
        }
        DotOrder::Pairwise => {
            let multiply = |k: usize| operation(p, &[term(k)], &[(&p.a, a[k]), (&p.b, b[k])]);
            let products: Vec<u64> = (0..count).map(multiply).collect();
            halves(&products, &add)
        }
        DotOrder::Fused => {
            let terms: Vec<Value> = (0..count).map(term).collect();
            let left = a.iter().map(|bits| (&p.a, *bits));
            // fma(a0, b0, a1 * b1): a0, then what the product is, then b0.
            let right = (0..count).rev().flat_map(|k| {
                let invalid = match nan(p.nan, &[]) {
                    default if is_zero_times_infinity(p, a[k], b[k]) => default,
                    _ => 0,
                };
                [(&p.b, b[k]), (&F32, invalid)]
            });
            operation(p, &terms, &left.chain(right).collect::<Vec<_>>())
        }
    };
    match p.nan {
        NanRule::Power => add(sum, c),
        NanRule::Default | NanRule::X86 => add(c, sum),
    }
}

fn is_zero_times_infinity(p: &CpuDot, a: u64, b: u64) -> bool {
    let factors = [decode(&p.a, a), decode(&p.b, b)];
    let is_zero = |x: &Datum| matches!(x, Datum::Finite(x) if x.significand == 0);
    let is_infinite = |x: &Datum| matches!(x, Datum::Infinite { .. });
    factors.iter().any(is_zero) && factors.iter().any(is_infinite)
}

fn halves(values: &[u64], add: &impl Fn(u64, u64) -> u64) -> u64 {
    match values {
        [only] => *only,
        _ => {
            let (left, right) = values.split_at(values.len() / 2);
            add(halves(left, add), halves(right, add))
        }
    }
}
