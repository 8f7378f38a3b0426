//! Exact numbers of toy formats, and rounding as its definition says: what judges rules, apart from what they
//! and the steps are made of.

use mmasmt_core::machines::algorithms::descriptions::made::StepValue;
use mmasmt_numbers::float::{Format, LeastField, Rounding, SignBit, SpecialCodes};

/// All numbers are multiples of 2 to the power of this.
pub const UNIT: i64 = -60;

/// A number in units of `2^UNIT`, an infinity, or a NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Real {
    Finite(i128),
    Infinite(bool),
    Nan,
}

impl Real {
    pub fn plus(self, other: Real) -> Real {
        match (self, other) {
            (Real::Finite(x), Real::Finite(y)) => Real::Finite(x + y),
            (Real::Infinite(x), Real::Infinite(y)) if x != y => Real::Nan,
            (Real::Nan, _) | (_, Real::Nan) => Real::Nan,
            (Real::Infinite(sign), _) | (_, Real::Infinite(sign)) => Real::Infinite(sign),
        }
    }

    pub fn finite(self) -> Option<i128> {
        match self {
            Real::Finite(x) => Some(x),
            _ => None,
        }
    }
}

/// `2^exponent`; `None` below the unit.
pub fn power(exponent: i64) -> Option<i128> {
    let places = u32::try_from(exponent - UNIT).ok()?;
    1i128.checked_shl(places).filter(|_| places < 120)
}

/// The exact product; `None` below the unit.
pub fn times(x: i128, y: i128) -> Option<i128> {
    // Numbers have few bits above a low place.
    let (low_x, low_y) = (x.trailing_zeros(), y.trailing_zeros());
    if x == 0 || y == 0 {
        return Some(0);
    }
    let product = (x >> low_x) * (y >> low_y);
    let places = i64::from(low_x) + i64::from(low_y) + UNIT;
    (0..100).contains(&places).then(|| product << places)
}

/// The greatest `e` with `2^e <= |x|`.
pub fn leading(x: i128) -> Option<i64> {
    (x != 0).then(|| i64::from(x.unsigned_abs().ilog2()) + UNIT)
}

/// The exponent of the lowest set bit.
pub fn lowest(x: i128) -> Option<i64> {
    (x != 0).then(|| i64::from(x.trailing_zeros()) + UNIT)
}

/// The value of a step, as its bits say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    pub real: Real,
    pub negative: bool,
    /// The exponent by which it is compared; `None` for a register, and where it takes no part.
    pub exponent: Option<i64>,
    pub is_sticky: bool,
}

impl Seen {
    /// `None` if the number has places below the unit.
    pub fn of(made: &StepValue, format: Option<&Format>) -> Option<Seen> {
        Some(match (made, format) {
            (StepValue::Register(bits), Some(format)) => {
                let (real, negative) = decoded(format, *bits)?;
                Seen {
                    real,
                    negative,
                    exponent: None,
                    is_sticky: false,
                }
            }
            (StepValue::Number(number), _) => {
                let magnitude = match number.significand {
                    0 => 0,
                    significand => {
                        let zeros = significand.trailing_zeros();
                        let unit = power(number.place + i64::from(zeros))?;
                        i128::from(significand >> zeros).checked_mul(unit)?
                    }
                };
                let real = match (number.is_nan, number.is_infinite) {
                    (true, _) => Real::Nan,
                    (_, true) => Real::Infinite(number.negative),
                    _ if number.negative => Real::Finite(-magnitude),
                    _ => Real::Finite(magnitude),
                };
                Seen {
                    real,
                    negative: number.negative,
                    exponent: (!number.is_absent).then_some(number.exponent),
                    is_sticky: number.is_sticky,
                }
            }
            (StepValue::Register(_), None) => return None,
        })
    }
}

/// The value of a register and its sign bit, by the definition of its format.
pub fn decoded(format: &Format, bits: u64) -> Option<(Real, bool)> {
    let bits = bits >> format.dropped_bits;
    let below = format.magnitude_bits();
    if format.is_integer() || format.sign == SignBit::TwosComplement {
        let places = match format.is_integer() {
            true => 0,
            false => -i64::from(format.fraction_bits),
        };
        let width = format.width() - format.dropped_bits;
        let is_negative = format.sign == SignBit::TwosComplement && bits >> (width - 1) == 1;
        let value = i128::from(bits) - if is_negative { 1i128 << width } else { 0 };
        return Some((Real::Finite(value * power(places)?), is_negative));
    }
    let negative = format.sign == SignBit::Signed && bits >> below == 1;
    let magnitude = bits & ((1 << below) - 1);
    let all = (1u64 << below) - 1;
    let field = magnitude >> format.fraction_bits;
    let fraction = magnitude & ((1 << format.fraction_bits) - 1);
    match format.specials {
        SpecialCodes::Ieee if field == (1 << format.exponent_bits) - 1 => {
            let real = match fraction {
                0 => Real::Infinite(negative),
                _ => Real::Nan,
            };
            return Some((real, negative));
        }
        SpecialCodes::NanOnly if magnitude == all => return Some((Real::Nan, negative)),
        SpecialCodes::NegativeZero if negative && magnitude == 0 => return Some((Real::Nan, true)),
        _ => {}
    }
    let is_subnormal = field == 0 && format.least == LeastField::Subnormal;
    let significand = fraction
        | if is_subnormal {
            0
        } else {
            1 << format.fraction_bits
        };
    let exponent = if is_subnormal { 1 } else { field as i64 } - i64::from(format.bias());
    let value = i128::from(significand) * power(exponent - i64::from(format.fraction_bits))?;
    let signed = if negative { -value } else { value };
    Some((Real::Finite(signed), negative))
}

/// The greatest finite number of a format.
pub fn greatest(format: &Format) -> i128 {
    let all = (1u64 << format.magnitude_bits()) - 1;
    let code = match (format.is_integer(), format.sign, format.specials) {
        (false, SignBit::TwosComplement, _) => all >> 1,
        (_, _, SpecialCodes::Ieee) => all - (1 << format.fraction_bits),
        (_, _, SpecialCodes::NanOnly) => all - 1,
        (_, _, SpecialCodes::NegativeZero | SpecialCodes::None) => all,
    };
    let value = decoded(format, code << format.dropped_bits);
    value.and_then(|(real, _)| real.finite()).unwrap_or(0)
}

/// The number with a significand of `precision` bits and no place below `2^least`.
pub fn rounded(x: i128, precision: u32, least: i64, by: Rounding) -> Option<i128> {
    let Some(top) = leading(x) else {
        return Some(0);
    };
    let last = (top + 1 - i64::from(precision)).max(least);
    let places = last - UNIT;
    if places <= 0 {
        return Some(x);
    }
    if places >= 100 {
        return None;
    }
    let (magnitude, negative) = (x.unsigned_abs(), x < 0);
    let (kept, rest) = (magnitude >> places, magnitude & ((1 << places) - 1));
    let half = 1u128 << (places - 1);
    let is_odd = kept & 1 == 1;
    let up = match by {
        Rounding::Rz => false,
        Rounding::Ra => rest > 0,
        Rounding::Rd => rest > 0 && negative,
        Rounding::Ru => rest > 0 && !negative,
        Rounding::Odd => rest > 0 && !is_odd,
        Rounding::Rne => rest > half || rest == half && is_odd,
        Rounding::Rno => rest > half || rest == half && !is_odd,
        Rounding::Rna => rest >= half,
        Rounding::Rnz => rest > half,
        Rounding::Rnu => rest > half || rest == half && !negative,
        Rounding::Rnd => rest > half || rest == half && negative,
        Rounding::Sr(random) => {
            let bits = i64::from(random.bits);
            let seen = match places >= bits {
                true => rest >> (places - bits),
                false => rest << (bits - places),
            };
            seen + u128::from(random.random) >= 1 << bits
        }
    };
    let whole = (kept + u128::from(up)) << places;
    Some(if negative {
        -(whole as i128)
    } else {
        whole as i128
    })
}
