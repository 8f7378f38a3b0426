//! The fused dot-add written once more, from Xie et al. §IV-C and the table of keys in
//! DESIGN.md, over integers of any size; the steps are those of the paper.

use super::arithmetic::{Number, Target, Value, infinity, nan, special_or_numbers, value};
use super::exact::{Datum, decode, locate, register};
use super::parameters::fda::{Carry, NegativeZeros, Params};
use super::parameters::{Products, SubnormalC};
use super::terms::{Term, largest, operand, product};
use super::unit::{Kind, Unit};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::{BlockScales, FlushedResults, SumOverflow};
use mmasmt_numbers::float::{Format, NanCode, Overflow, Rounding};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, Zero};

/// The exponent of the leading one.
fn leading(number: &Number) -> i64 {
    number.unit + number.magnitude.bits() as i64 - 1
}

/// Steps 1 and 2, without scales.
fn factors(p: &Params, a: u64, b: u64) -> Term {
    if let Some(format) = p.rounded_products {
        let to = Target {
            format,
            rounding: Rounding::Rne,
            nan: NanCode::Quiet,
        };
        return operand(&format, p.zero, to.multiply([&p.a, &p.b], a, b));
    }
    let mut term = product([&p.a, &p.b], p.zero, a, b);
    if let (Products::Normalised, Value::Number(number)) = (p.products, &term.value)
        && !number.magnitude.is_zero()
    {
        term.exponent = leading(number);
    }
    term
}

/// A product times both scales of its block, powers of two.
fn scaled(format: &Format, term: Term, scales: [u64; 2]) -> Term {
    scales
        .into_iter()
        .fold(term, |term, bits| match decode(format, bits) {
            Datum::Finite(scale) => term.scaled(scale.exponent),
            _ => Term {
                value: Value::Nan,
                ..term
            },
        })
}

fn addend(p: &Params, c: u64) -> Term {
    let mut term = operand(&p.c, p.zero, c);
    // f32 has no normal numbers below 2^-126; wider formats are not widened.
    if let (SubnormalC::Widened, Datum::Finite(x)) = (p.subnormal_c, decode(&p.c, c))
        && x.exponent > -126
        && !x.is_zero()
    {
        term.exponent = leading(term.number());
    }
    term
}

/// Steps 1 to 5 for a part of the operands.
fn fused(p: &Params, part: &Inputs) -> u64 {
    let pairs = part.a.iter().zip(&part.b).enumerate();
    let mut terms: Vec<Term> = pairs
        .map(|(k, (&a, &b))| {
            let product = factors(p, a, b);
            match p.scales {
                None => product,
                Some(scales) => {
                    let block = k / scales.block as usize;
                    let both = [part.a_scales[block], part.b_scales[block]];
                    scaled(&scales.format, product, both)
                }
            }
        })
        .collect();
    terms.push(addend(p, part.c));
    let values = terms.iter().map(|term| &term.value);
    match special_or_numbers(values, &p.out, p.nan) {
        Err(special) => special,
        Ok(_) => finite(p, &terms),
    }
}

/// Steps 3 to 5.
fn finite(p: &Params, terms: &[Term]) -> u64 {
    let limit = p.min_exponent.map(i64::from);
    let largest = largest(terms, p.zero).max(limit).unwrap_or(0);

    let unit = largest - i64::from(p.fraction_bits);
    let mut sum: BigInt = terms
        .iter()
        .map(|term| term.number().cut(unit, p.align))
        .sum();
    if let Carry::Bits(n) = p.carry {
        let modulus = BigInt::one() << (2 + n + p.fraction_bits);
        let half = &modulus >> 1;
        sum = match p.overflow {
            SumOverflow::Wrap => ((sum + &half) % &modulus + &modulus) % &modulus - half,
            SumOverflow::Saturate => sum.clamp(-&half, half - 1),
        };
    }

    let format = p.out.with_fraction(p.result_fraction);
    let negative = sum.sign() == Sign::Minus;
    // What alignment lost is less than any place that rounding sees of the sum.
    let is_lost = |term: &Term| {
        term.number().cut(unit, Rounding::Rz) << FAR != term.number().in_units(unit - FAR)
    };
    let (mut magnitude, mut unit) = (sum.magnitude().clone(), unit);
    if p.sticky && !magnitude.is_zero() && terms.iter().any(is_lost) {
        (magnitude, unit) = ((magnitude << FAR) + 1u32, unit - FAR);
    }
    let Some((magnitude, unit)) = by_way_of(p, &magnitude, unit) else {
        return infinity(&format, negative);
    };
    let position = locate(&format, &magnitude, unit);
    let code = position.round(&format, negative, p.rounding, Overflow::Infinity);
    if is_flushed(p, &format, &magnitude, unit, negative, code) {
        return register(&format, negative, 0);
    }
    let all_negative_zeros = terms
        .iter()
        .all(|term| term.number().negative && term.is_zero());
    let negative = match p.negative_zeros {
        NegativeZeros::Minus if all_negative_zeros => true,
        _ => negative && code != 0,
    };
    register(&format, negative, code)
}

/// Below all places of terms and results.
const FAR: i64 = 8192;

/// Whether a result, a code that `magnitude * 2^unit` was rounded to, becomes a zero of its sign.
fn is_flushed(
    p: &Params,
    format: &Format,
    magnitude: &BigUint,
    unit: i64,
    negative: bool,
    code: u64,
) -> bool {
    let least = i64::from(format.min_exponent());
    let is_below = |x: &BigUint, unit: i64| !x.is_zero() && unit + x.bits() as i64 - 1 < least;
    match p.results {
        FlushedResults::Kept => false,
        _ if magnitude.is_zero() => false,
        FlushedResults::Register => code < 1 << format.fraction_bits,
        FlushedResults::BeforeRounding => is_below(magnitude, unit),
        FlushedResults::AfterRounding => {
            // Brought to the exponent of the least normal number, it is rounded as one.
            let up = least - (unit + magnitude.bits() as i64 - 1);
            let position = locate(format, magnitude, unit + up.max(0));
            let rounded = position.round(format, negative, p.rounding, Overflow::Infinity);
            // It is tiny unless rounding brings it up to the least normal number.
            up > 1 || up == 1 && rounded < 2 << format.fraction_bits
        }
    }
}

/// `magnitude * 2^unit`, cut to the format that the unit goes by way of; none beyond its numbers.
fn by_way_of(p: &Params, magnitude: &BigUint, unit: i64) -> Option<(BigUint, i64)> {
    let Some(wide) = &p.via else {
        return Some((magnitude.clone(), unit));
    };
    let position = locate(wide, magnitude, unit);
    let code = position.round(wide, false, Rounding::Rz, Overflow::Infinity);
    match value(wide, code) {
        Value::Number(number) => Some((number.magnitude, number.unit)),
        _ => None,
    }
}

/// The f16 register of the same number, infinity or NaN.
fn to_f16(from: &Format, bits: u64) -> u64 {
    let f16 = Format::F16;
    match value(from, bits) {
        Value::Nan => nan(&f16, NanCode::Quiet),
        Value::Infinite { negative } => infinity(&f16, negative),
        Value::Number(x) => {
            let position = locate(&f16, &x.magnitude, x.unit);
            let code = position.round(&f16, x.negative, Rounding::Ra, Overflow::Infinity);
            register(&f16, x.negative, code)
        }
    }
}

/// What `fused` gives for so many products after the other, each result the next `c`; factor `k`
/// of all has the scale `k / block`.
pub fn chain(
    inputs: &Inputs,
    products: usize,
    scales: Option<BlockScales>,
    mut fused: impl FnMut(usize, &Inputs) -> u64,
) -> u64 {
    let links = inputs.a.len() / products;
    (0..links).fold(inputs.c, |c, link| {
        let all = link * products..(link + 1) * products;
        let scales = |row: &[u64]| match scales {
            None => Vec::new(),
            Some(scales) => {
                let blocks = all.clone().map(|k| k / scales.block as usize);
                let mut blocks: Vec<_> = blocks.collect();
                blocks.dedup();
                blocks.into_iter().map(|block| row[block]).collect()
            }
        };
        let part = Inputs {
            a: inputs.a[all.clone()].to_vec(),
            b: inputs.b[all.clone()].to_vec(),
            c,
            a_scales: scales(&inputs.a_scales),
            b_scales: scales(&inputs.b_scales),
        };
        fused(link, &part)
    })
}

/// What a unit gives, by the reference.
pub fn evaluate(unit: &Unit, inputs: &Inputs) -> u64 {
    let p = &unit.fused;
    let step = p.products_per_sum as usize;
    match unit.kind {
        Kind::Chain(_) => {
            let rest = Params { c: p.out, ..*p };
            chain(inputs, step, p.scales, |link, part| {
                fused(if link == 0 { p } else { &rest }, part)
            })
        }
        Kind::Hmma8(a, b) => {
            let half = |c, second: bool| {
                let part = |from: &Format, row: &[u64]| -> Vec<u64> {
                    let chosen = row.chunks(2).skip(usize::from(second)).step_by(2).flatten();
                    chosen.map(|&bits| to_f16(from, bits)).collect()
                };
                fused(p, &Inputs::new(part(&a, &inputs.a), part(&b, &inputs.b), c))
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
