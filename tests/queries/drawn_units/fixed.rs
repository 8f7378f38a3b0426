//! Registers as numbers in fixed point, and rounding by cutting at the last place: from the definitions of the formats alone.

use crate::common::exact::{Datum, Finite, decode, greatest_code, register};
use mmasmt_numbers::float::{Format, Rounding, SignBit, SpecialCodes};

/// All numbers here are multiples of two to the power of this.
const UNIT: i64 = -80;

/// What a register holds, integers as well.
pub fn datum(format: &Format, bits: u64) -> Datum {
    if format.exponent_bits > 0 {
        return decode(format, bits);
    }
    let width = format.width();
    let negative = format.sign == SignBit::TwosComplement && bits >> (width - 1) == 1;
    let significand = match negative {
        true => (1 << width) - bits,
        false => bits,
    };
    Datum::Finite(Finite {
        negative,
        significand,
        unit: 0,
        exponent: 0,
    })
}

/// `significand * 2^unit` with a sign, if it fits.
fn placed(negative: bool, significand: i128, unit: i64) -> Option<i128> {
    if significand == 0 {
        return Some(0);
    }
    let up = u32::try_from(unit - UNIT).ok()?;
    let is_within = up < 126 && significand < 1 << (126 - up);
    let magnitude = is_within.then(|| significand << up)?;
    Some(if negative { -magnitude } else { magnitude })
}

/// The number of a register; none if it is not finite or too large or fine for this file.
pub fn number(format: &Format, bits: u64) -> Option<i128> {
    match datum(format, bits) {
        Datum::Finite(x) => placed(x.negative, x.significand.into(), x.unit),
        _ => None,
    }
}

/// The product of numbers, if it fits.
pub fn product(factors: &[Finite]) -> Option<i128> {
    let negative = factors.iter().filter(|x| x.negative).count() % 2 == 1;
    let significand = factors
        .iter()
        .try_fold(1i128, |all, x| all.checked_mul(x.significand.into()))?;
    placed(negative, significand, factors.iter().map(|x| x.unit).sum())
}

/// A number as one of the host, to show and to compare with a margin.
pub fn approximate(x: i128) -> f64 {
    x as f64 * 2f64.powi(UNIT as i32)
}

/// What is rounded to a format.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Held {
    Number(i128),
    Infinite(bool),
    Nan,
}

pub fn held(format: &Format, bits: u64) -> Option<Held> {
    Some(match datum(format, bits) {
        Datum::Finite(_) => Held::Number(number(format, bits)?),
        Datum::Infinite { negative } => Held::Infinite(negative),
        Datum::Nan => Held::Nan,
    })
}

/// The numbers of a format next to a magnitude.
struct Between {
    below: i128,
    above: Option<i128>,
    is_odd: bool,
    /// Half the way from the number below to where the next one would be.
    middle: i128,
}

fn between(format: &Format, magnitude: i128, negative: bool) -> Option<Between> {
    let least = 1 - crate::common::exact::bias(format);
    let leading = match magnitude {
        0 => UNIT,
        _ => i64::from(127 - magnitude.leading_zeros()) + UNIT,
    };
    let place = leading.max(least) - i64::from(format.fraction_bits);
    let greatest = match format.sign {
        SignBit::TwosComplement => return None,
        _ => number(format, register(format, false, greatest_code(format)))?,
    };
    debug_assert!(!negative || format.sign == SignBit::Signed);
    let shift = place - UNIT;
    if shift <= 0 {
        let below = magnitude.min(greatest);
        return Some(Between {
            below,
            above: None,
            is_odd: false,
            middle: below,
        });
    }
    if shift > 120 {
        return None;
    }
    let below = magnitude >> shift << shift;
    let step = 1i128 << shift;
    if below >= greatest {
        let last = i64::from(127 - greatest.leading_zeros()) - i64::from(format.fraction_bits);
        let is_odd = greatest >> last & 1 == 1;
        return Some(Between {
            below: greatest,
            above: None,
            is_odd,
            middle: greatest + (1i128 << last) / 2,
        });
    }
    Some(Between {
        below,
        above: Some(below + step),
        is_odd: below >> shift & 1 == 1,
        middle: below + step / 2,
    })
}

/// Whether the format has the number; none if that is beyond this file.
pub fn has(format: &Format, x: i128) -> Option<bool> {
    if format.exponent_bits == 0 {
        let (whole, rest) = (x >> -UNIT, x & ((1 << -UNIT) - 1));
        let bits = format.width();
        let [low, high] = match format.sign {
            SignBit::TwosComplement => [-(1i128 << (bits - 1)), (1 << (bits - 1)) - 1],
            _ => [0, (1 << bits) - 1],
        };
        return Some(rest == 0 && whole >= low && whole <= high);
    }
    let near = between(format, x.abs(), x < 0)?;
    Some(near.below == x.abs())
}

/// A number rounded to a format of floating point; none if that is beyond this file.
pub fn rounded(format: &Format, rounding: Rounding, x: i128) -> Option<Held> {
    if format.exponent_bits == 0 {
        return None;
    }
    let (magnitude, negative) = (x.abs(), x < 0);
    let near = between(format, magnitude, negative)?;
    let signed = |magnitude: i128| if negative { -magnitude } else { magnitude };
    if near.below == magnitude {
        return Some(Held::Number(x));
    }
    let toward_zero = match rounding {
        Rounding::Rz => true,
        Rounding::Ra => false,
        Rounding::Rd => !negative,
        Rounding::Ru => negative,
        Rounding::Rne => magnitude < near.middle || magnitude == near.middle && !near.is_odd,
        _ => return None,
    };
    Some(match (toward_zero, near.above) {
        (true, _) => Held::Number(signed(near.below)),
        (false, Some(above)) => Held::Number(signed(above)),
        (false, None) => match format.specials {
            SpecialCodes::Ieee => Held::Infinite(negative),
            SpecialCodes::NanOnly => Held::Nan,
            // Without a code beyond all numbers there is nowhere else to go.
            SpecialCodes::NegativeZero | SpecialCodes::None => Held::Number(signed(near.below)),
        },
    })
}

/// The last place of a register, in the unit of this file, as a number of the host.
pub fn last_place(format: &Format, bits: u64) -> f64 {
    match datum(format, bits) {
        Datum::Finite(x) => 2f64.powi(x.unit as i32),
        _ => f64::INFINITY,
    }
}
