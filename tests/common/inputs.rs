//! Inputs to draw: random bits, and the neighbourhoods in which models go wrong.

use super::exact::{self, Datum, bias, decode, greatest_code, ones, register};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_numbers::float::{Format, Overflow, Rounding, SpecialCodes};
use num_bigint::BigUint;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// How a register is drawn.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Bits,
    Finite,
    Boundary,
    /// An exponent close to this one.
    Near(i64),
    Zero,
}

/// Registers at the edges of a format: zeros, subnormal and normal numbers at both ends, around
/// one, infinities and NaNs, both signs.
pub fn boundary(format: &Format) -> Vec<u64> {
    let (top, one) = (ones(format.exponent_bits), bias(format) as u64);
    let all = ones(format.fraction_bits);
    let mut registers = Vec::new();
    for field in [0, 1, 2, one - 1, one, one + 1, top - 1, top].map(|field| field.min(top)) {
        for fraction in [0, 1, (all >> 1) + 1, all.saturating_sub(1), all] {
            let code = field << format.fraction_bits | fraction & all;
            registers.extend([false, true].map(|negative| register(format, negative, code)));
        }
    }
    // The NaN that has the place of -0.
    if format.specials == SpecialCodes::NegativeZero {
        registers.push(1 << (format.width() - 1));
    }
    registers.sort_unstable();
    registers.dedup();
    registers
}

/// A finite register.
pub fn finite(rng: &mut ChaCha8Rng, format: &Format) -> u64 {
    let code = rng.random_range(0..=greatest_code(format));
    register(format, rng.random(), code) | dropped(rng, format)
}

/// A finite register with an exponent at most two from `exponent`, as far as the format goes.
pub fn near(rng: &mut ChaCha8Rng, format: &Format, exponent: i64) -> u64 {
    let field = exponent + bias(format) + rng.random_range(-2..=2);
    let field = field.clamp(0, ones(format.exponent_bits) as i64 - 1) as u64;
    let fraction = rng.random::<u64>() & ones(format.fraction_bits);
    let fraction = if rng.random_ratio(1, 4) { 0 } else { fraction };
    let code = field << format.fraction_bits | fraction;
    register(format, rng.random(), code) | dropped(rng, format)
}

/// Bits that the format drops.
fn dropped(rng: &mut ChaCha8Rng, format: &Format) -> u64 {
    rng.random::<u64>() & ((1 << format.dropped_bits) - 1)
}

fn draw_register(rng: &mut ChaCha8Rng, format: &Format, kind: Kind) -> u64 {
    match kind {
        Kind::Bits => rng.random::<u64>() & ones(format.width()),
        Kind::Finite => finite(rng, format),
        Kind::Boundary => *boundary(format).choose(rng).unwrap(),
        Kind::Near(exponent) => near(rng, format, exponent),
        Kind::Zero => register(format, rng.random(), 0),
    }
}

/// Inputs of one of several kinds; in some, products cancel each other or `c`.
pub fn draw(rng: &mut ChaCha8Rng, signature: &Signature) -> Inputs {
    if signature.is_conversion() {
        return Inputs::zero(signature).map(signature, |format, _| match *format == Format::NONE {
            true => 0,
            false => rng.random::<u64>() >> (64 - format.width()),
        });
    }
    if signature.a.is_integer() {
        return super::integer_reference::draw(rng, signature);
    }
    let exponent =
        |rng: &mut ChaCha8Rng, format: &Format| rng.random_range(1 - bias(format)..=bias(format));
    // A kind for all registers, or none: each its own.
    let common = match rng.random_range(0..8) {
        0 => Some(Kind::Bits),
        1 => Some(Kind::Finite),
        2 => Some(Kind::Boundary),
        3 => None,
        _ => Some(Kind::Near(0)),
    };
    // The exponents of `a`, `b` and `c` are such that the terms are close; some are next to those
    // at which f32 ends.
    let x = exponent(rng, &signature.a);
    let y = match rng.random_range(0..8) {
        0 => 127 - x,
        1 => -130 - x,
        _ => exponent(rng, &signature.b),
    };
    let limit = bias(&signature.b);
    let y = if (1 - limit..=limit).contains(&y) {
        y
    } else {
        exponent(rng, &signature.b)
    };
    let mut one = |format: &Format, exponent: i64| {
        let kind = common.unwrap_or_else(|| {
            let zero = if rng.random() {
                Kind::Zero
            } else {
                Kind::Near(exponent)
            };
            *[
                Kind::Bits,
                Kind::Finite,
                Kind::Boundary,
                zero,
                Kind::Near(exponent),
            ]
            .choose(rng)
            .unwrap()
        });
        let kind = if let Kind::Near(_) = kind {
            Kind::Near(exponent)
        } else {
            kind
        };
        draw_register(rng, format, kind)
    };
    let products = signature.products;
    let mut inputs = Inputs::new(
        (0..products).map(|_| one(&signature.a, x)).collect(),
        (0..products).map(|_| one(&signature.b, y)).collect(),
        one(&signature.c, x + y),
    );
    if let Some(scales) = signature.scales {
        // Any, near one, or each its own.
        let kinds: &[Kind] = match rng.random_range(0..3) {
            0 => &[Kind::Bits],
            1 => &[Kind::Near(0)],
            _ => &[Kind::Near(0), Kind::Near(0), Kind::Boundary, Kind::Bits],
        };
        let count = signature.scale_count();
        let mut row = || {
            (0..count)
                .map(|_| {
                    let kind = *kinds.choose(rng).unwrap();
                    draw_register(rng, &scales.format, kind)
                })
                .collect()
        };
        (inputs.a_scales, inputs.b_scales) = (row(), row());
    }
    match rng.random_range(0..8) {
        0 | 1 => cancel(rng, signature, &mut inputs),
        2 => tie(rng, signature, &mut inputs),
        _ => {}
    }
    inputs
}

/// Puts a product at the last places of `c` and a smaller one far below it; the others are zeros.
/// Then results are ties, or a last bit that is kept or cut away from one.
fn tie(rng: &mut ChaCha8Rng, signature: &Signature, inputs: &mut Inputs) {
    let Signature { a, b, c, d, .. } = signature;
    let (least, greatest) = (2 - bias(a) - bias(b), bias(a) + bias(b));
    let top = rng.random_range(least..=greatest);
    let ones_or_none = [0, ones(c.fraction_bits)].choose(rng).copied().unwrap();
    let exponent = top + i64::from(d.precision()) + rng.random_range(-3..=2);
    let field = (exponent + bias(c)).clamp(0, ones(c.exponent_bits) as i64 - 1) as u64;
    let code = field << c.fraction_bits | ones_or_none;
    inputs.c = register(c, rng.random(), code);

    inputs.a.fill(0);
    let count = inputs.a.len();
    for exponent in [top, top - rng.random_range(1..=12)] {
        let k = rng.random_range(0..count);
        let left = exponent - (exponent / 2).clamp(1 - bias(b), bias(b));
        inputs.a[k] = simple(rng, a, left);
        inputs.b[k] = simple(rng, b, exponent - left);
    }
}

/// 1 or 1.5 times a power of two, as near as the format has it.
fn simple(rng: &mut ChaCha8Rng, format: &Format, exponent: i64) -> u64 {
    let field = (exponent + bias(format)).clamp(0, ones(format.exponent_bits) as i64 - 1) as u64;
    let half = if rng.random_ratio(1, 4) {
        1 << format.fraction_bits >> 1
    } else {
        0
    };
    register(format, rng.random(), field << format.fraction_bits | half)
}

/// Makes neighbouring products opposite, or `c` opposite to the first one.
fn cancel(rng: &mut ChaCha8Rng, signature: &Signature, inputs: &mut Inputs) {
    let sign = 1 << (signature.b.width() - 1);
    for k in (1..inputs.a.len()).step_by(2) {
        let nudge = u64::from(rng.random_ratio(1, 4)) << signature.a.dropped_bits;
        inputs.a[k] = inputs.a[k - 1] ^ nudge;
        inputs.b[k] = inputs.b[k - 1] ^ sign;
    }
    let factors = [&signature.a, &signature.b];
    if rng.random()
        && let Some(c) = opposite(factors, [inputs.a[0], inputs.b[0]], &signature.c)
    {
        inputs.c = c;
    }
}

/// The register next to the negative of a product, on the side of zero.
pub fn opposite(factors: [&Format; 2], [a, b]: [u64; 2], format: &Format) -> Option<u64> {
    let (Datum::Finite(a), Datum::Finite(b)) = (decode(factors[0], a), decode(factors[1], b))
    else {
        return None;
    };
    let product = BigUint::from(a.significand) * b.significand;
    let position = exact::locate(format, &product, a.unit + b.unit);
    let code = position.round(format, false, Rounding::Rz, Overflow::Ieee);
    Some(register(format, a.negative == b.negative, code))
}
