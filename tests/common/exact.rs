//! Exact values of registers and exact rounding, from the definitions alone: nothing of the crate
//! is used but the constants that describe a [`Format`].

use mmasmt_numbers::float::{Format, LeastField, Overflow, Rounding, SignBit, SpecialCodes};
use num_bigint::BigUint;
use std::cmp::Ordering;

/// What a register holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Datum {
    Finite(Finite),
    Infinite { negative: bool },
    Nan,
}

/// `(-1)^negative * significand * 2^unit`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finite {
    pub negative: bool,
    pub significand: u64,
    /// Exponent of the last place of the significand.
    pub unit: i64,
    /// Exponent of the place that a leading one has, subnormal numbers being those without it.
    pub exponent: i64,
}

impl Finite {
    pub fn is_zero(&self) -> bool {
        self.significand == 0
    }

    /// Exact for every format here: the significand has at most 53 bits, and the power of two is
    /// split so that neither half is out of range.
    pub fn to_f64(self) -> f64 {
        let half = (self.unit / 2) as i32;
        let rest = self.unit as i32 - half;
        let magnitude = self.significand as f64 * 2f64.powi(half) * 2f64.powi(rest);
        if self.negative { -magnitude } else { magnitude }
    }
}

/// `2^bits - 1`.
pub fn ones(bits: u32) -> u64 {
    if bits == 0 {
        return 0;
    }
    u64::MAX >> (64 - bits)
}

pub fn bias(format: &Format) -> i64 {
    let half = 1 << (format.exponent_bits - 1);
    match format.specials {
        SpecialCodes::NegativeZero => half,
        // Sign and magnitude in fixed point: both fields are those of the same last place.
        _ if format.exponent_bits == 1 => 1,
        _ => half - 1,
    }
}

/// The greatest code, sign apart, that is a number.
pub fn greatest_code(format: &Format) -> u64 {
    let all = ones(format.exponent_bits + format.fraction_bits);
    match format.specials {
        SpecialCodes::Ieee => all - (1 << format.fraction_bits),
        SpecialCodes::NanOnly => all - 1,
        SpecialCodes::NegativeZero | SpecialCodes::None => all,
    }
}

pub fn decode(format: &Format, register: u64) -> Datum {
    if format.sign == SignBit::TwosComplement {
        return Datum::Finite(fixed_point(register as u8 as i8));
    }
    let code_bits = format.exponent_bits + format.fraction_bits;
    let code = register >> format.dropped_bits;
    let negative = format.sign == SignBit::Signed && code >> code_bits == 1;
    let code = code & ones(code_bits);
    if negative && code == 0 && format.specials == SpecialCodes::NegativeZero {
        return Datum::Nan;
    }
    match code.cmp(&(greatest_code(format) + 1)) {
        Ordering::Less => Datum::Finite(number(format, negative, code)),
        Ordering::Equal if format.specials == SpecialCodes::Ieee => Datum::Infinite { negative },
        _ => Datum::Nan,
    }
}

/// An element of MXINT8, in units of 1/64. Its least number is 1.0 with the next exponent.
fn fixed_point(element: i8) -> Finite {
    Finite {
        negative: element < 0,
        significand: element.unsigned_abs().into(),
        unit: -6,
        exponent: i64::from(element == i8::MIN),
    }
}

/// The number behind a code; special codes as if they were numbers too.
fn number(format: &Format, negative: bool, code: u64) -> Finite {
    let field = code >> format.fraction_bits;
    let fraction = code & ones(format.fraction_bits);
    let subnormal = field == 0 && format.least == LeastField::Subnormal;
    let hidden = if subnormal {
        0
    } else {
        1 << format.fraction_bits
    };
    let exponent = (field + u64::from(subnormal)) as i64 - bias(format);
    Finite {
        negative,
        significand: hidden + fraction,
        unit: exponent - i64::from(format.fraction_bits),
        exponent,
    }
}

/// Where a magnitude lies among the codes of a format.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// The greatest code whose number does not exceed it, at most the first beyond all numbers.
    below: u64,
    /// How what is left compares with half the way to the next code; nothing is left if `None`.
    excess: Option<Ordering>,
    /// What is left, in parts of 2^32 of the way to the next code, cut to a whole number of them.
    share: u64,
}

/// The position of `magnitude * 2^unit`, found by bisection over all codes.
pub fn locate(format: &Format, magnitude: &BigUint, unit: i64) -> Position {
    let common = unit.min(number(format, false, 0).unit);
    let wanted = magnitude << (unit - common);
    let value = |code| {
        let number = number(format, false, code);
        BigUint::from(number.significand) << (number.unit - common)
    };
    let (mut below, mut above) = (0, greatest_code(format) + 1);
    if wanted >= value(above) {
        return Position {
            below: above,
            excess: None,
            share: 0,
        };
    }
    while above - below > 1 {
        let middle = below + (above - below) / 2;
        if value(middle) <= wanted {
            below = middle;
        } else {
            above = middle;
        }
    }
    let exact = value(below) == wanted;
    let excess = (&wanted * 2u32).cmp(&(value(below) + value(above)));
    let share = ((wanted - value(below)) << 32u32) / (value(above) - value(below));
    Position {
        share: share.try_into().unwrap(),
        below,
        excess: (!exact).then_some(excess),
    }
}

impl Position {
    /// The code, sign apart, that a magnitude here is rounded to.
    pub fn round(
        self,
        format: &Format,
        negative: bool,
        rounding: Rounding,
        overflow: Overflow,
    ) -> u64 {
        let up = self.excess.is_some_and(|excess| match rounding {
            Rounding::Rz => false,
            Rounding::Rne => {
                excess == Ordering::Greater || excess == Ordering::Equal && self.below % 2 == 1
            }
            Rounding::Rd => negative,
            Rounding::Ru => !negative,
            Rounding::Ra => true,
            Rounding::Odd => self.below.is_multiple_of(2),
            Rounding::Rna => excess != Ordering::Less,
            Rounding::Rnz => excess == Ordering::Greater,
            Rounding::Rnu => excess == Ordering::Greater || excess == Ordering::Equal && !negative,
            Rounding::Rnd => excess == Ordering::Greater || excess == Ordering::Equal && negative,
            Rounding::Rno => {
                excess == Ordering::Greater
                    || excess == Ordering::Equal && self.below.is_multiple_of(2)
            }
            Rounding::Sr(stochastic) => {
                (self.share >> (32 - stochastic.bits)) + stochastic.random >= 1 << stochastic.bits
            }
        });
        let code = self.below + u64::from(up);
        let greatest = greatest_code(format);
        let stays_finite = match rounding {
            Rounding::Rz => true,
            Rounding::Rd => !negative,
            Rounding::Ru => negative,
            _ => false,
        };
        // Without a code for it there is nowhere else to go.
        let saturates = format.specials == SpecialCodes::None || overflow == Overflow::Greatest;
        if code <= greatest {
            code
        } else if saturates || overflow == Overflow::Ieee && stays_finite {
            greatest
        } else {
            greatest + 1
        }
    }
}

/// The register with that sign, where the format has room for one, and that code. A code beyond the
/// numbers of an FNUZ format is its NaN, which has the place of -0.
pub fn register(format: &Format, negative: bool, code: u64) -> u64 {
    if format.specials == SpecialCodes::NegativeZero {
        let is_nan = code > greatest_code(format);
        let negative = is_nan || negative && code > 0;
        let low = if is_nan { 0 } else { code };
        return (u64::from(negative) << (format.width() - 1)) | low << format.dropped_bits;
    }
    let negative = negative && format.sign == SignBit::Signed;
    let sign = u64::from(negative) << (format.exponent_bits + format.fraction_bits);
    (sign | code) << format.dropped_bits & ones(format.width())
}
