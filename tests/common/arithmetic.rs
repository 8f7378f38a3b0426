//! Exact products and sums with signed zeros, infinities and NaNs, rounded once: IEEE 754 from its
//! text, over integers of any size.

use super::exact::{Datum, decode, locate, ones, register};
use mmasmt_numbers::float::{Format, NanCode, Overflow, Rounding};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::Zero;

/// A value before it is rounded.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Number(Number),
    Infinite { negative: bool },
    Nan,
}

/// `(-1)^negative * magnitude * 2^unit`; zeros have a sign too.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    pub negative: bool,
    pub magnitude: BigUint,
    pub unit: i64,
}

impl Number {
    /// In units of `2^unit`, which is not above its own.
    pub fn in_units(&self, unit: i64) -> BigInt {
        signed(self.negative, &self.magnitude << (self.unit - unit))
    }

    /// In units of `2^unit`, what lies below them cut off by this mode.
    pub fn cut(&self, unit: i64, by: Rounding) -> BigInt {
        let down = unit - self.unit;
        if down <= 0 {
            return self.in_units(unit);
        }
        let below = &self.magnitude >> down;
        let twice = (&self.magnitude - (&below << down)) << 1u32;
        let (is_inexact, is_odd) = (!twice.is_zero(), below.bit(0));
        let (is_tie, is_above) = {
            let whole = BigUint::from(1u32) << down;
            (twice == whole, twice > whole)
        };
        let is_up = match by {
            Rounding::Rz => false,
            Rounding::Ra => is_inexact,
            Rounding::Rd => is_inexact && self.negative,
            Rounding::Ru => is_inexact && !self.negative,
            Rounding::Odd => is_inexact && !is_odd,
            Rounding::Rne => is_above || is_tie && is_odd,
            Rounding::Rno => is_above || is_tie && !is_odd,
            Rounding::Rna => is_above || is_tie,
            Rounding::Rnz => is_above,
            Rounding::Rnu => is_above || is_tie && !self.negative,
            Rounding::Rnd => is_above || is_tie && self.negative,
            Rounding::Sr(_) => panic!("no term is aligned stochastically"),
        };
        signed(self.negative, below + u32::from(is_up))
    }
}

/// The magnitude with a sign.
pub fn signed(negative: bool, magnitude: BigUint) -> BigInt {
    let magnitude = BigInt::from(magnitude);
    if negative { -magnitude } else { magnitude }
}

/// A format, how to round to it, and the code of a NaN.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub format: Format,
    pub rounding: Rounding,
    pub nan: NanCode,
}

/// The register of a NaN result.
pub fn nan(format: &Format, code: NanCode) -> u64 {
    let width = format.width();
    match code {
        NanCode::Ones => ones(width - 1),
        NanCode::Quiet | NanCode::Any => {
            ones(format.exponent_bits + 1) << (width - 2 - format.exponent_bits)
        }
    }
}

/// The register of an infinity.
pub fn infinity(format: &Format, negative: bool) -> u64 {
    register(
        format,
        negative,
        ones(format.exponent_bits) << format.fraction_bits,
    )
}

/// What a register holds.
pub fn value(format: &Format, bits: u64) -> Value {
    match decode(format, bits) {
        Datum::Nan => Value::Nan,
        Datum::Infinite { negative } => Value::Infinite { negative },
        Datum::Finite(x) => Value::Number(Number {
            negative: x.negative,
            magnitude: x.significand.into(),
            unit: x.unit,
        }),
    }
}

/// The exact product; that of zero and infinity is a NaN.
pub fn product(x: &Value, y: &Value) -> Value {
    match (x, y) {
        (Value::Nan, _) | (_, Value::Nan) => Value::Nan,
        (Value::Infinite { negative }, Value::Infinite { negative: other }) => Value::Infinite {
            negative: negative != other,
        },
        (Value::Infinite { .. }, Value::Number(n)) | (Value::Number(n), Value::Infinite { .. })
            if n.magnitude.is_zero() =>
        {
            Value::Nan
        }
        (Value::Infinite { negative }, Value::Number(n))
        | (Value::Number(n), Value::Infinite { negative }) => Value::Infinite {
            negative: *negative != n.negative,
        },
        (Value::Number(x), Value::Number(y)) => Value::Number(Number {
            negative: x.negative != y.negative,
            magnitude: &x.magnitude * &y.magnitude,
            unit: x.unit + y.unit,
        }),
    }
}

/// The register of a sum that has a NaN or an infinity among its terms; all numbers if there is
/// none.
pub fn special_or_numbers<'x>(
    terms: impl IntoIterator<Item = &'x Value>,
    format: &Format,
    code: NanCode,
) -> Result<Vec<&'x Number>, u64> {
    let mut numbers = Vec::new();
    let (mut infinities, mut invalid) = ([false; 2], false);
    for term in terms {
        match term {
            Value::Number(number) => numbers.push(number),
            Value::Infinite { negative } => infinities[usize::from(*negative)] = true,
            Value::Nan => invalid = true,
        }
    }
    match infinities {
        _ if invalid => Err(nan(format, code)),
        [true, true] => Err(nan(format, code)),
        [false, false] => Ok(numbers),
        [_, negative] => Err(infinity(format, negative)),
    }
}

impl Target {
    /// The exact sum, rounded once. An exact zero has the sign that all terms share, or else that
    /// which IEEE 754 §6.3 gives it in the rounding mode.
    pub fn sum(&self, terms: &[Value]) -> u64 {
        let numbers = match special_or_numbers(terms, &self.format, self.nan) {
            Ok(numbers) => numbers,
            Err(special) => return special,
        };
        let unit = numbers.iter().map(|term| term.unit).min().unwrap_or(0);
        let sum: BigInt = numbers.iter().map(|term| term.in_units(unit)).sum();
        let negative = match sum.sign() {
            Sign::Minus => true,
            Sign::Plus => false,
            Sign::NoSign if self.rounding == Rounding::Rd => {
                numbers.iter().any(|term| term.negative)
            }
            Sign::NoSign => numbers.iter().all(|term| term.negative),
        };
        let position = locate(&self.format, sum.magnitude(), unit);
        let code = position.round(&self.format, negative, self.rounding, Overflow::Ieee);
        register(&self.format, negative, code)
    }

    /// `x + y`, registers of this format.
    pub fn add(&self, x: u64, y: u64) -> u64 {
        self.sum(&[value(&self.format, x), value(&self.format, y)])
    }

    /// `a * b`.
    pub fn multiply(&self, factors: [&Format; 2], a: u64, b: u64) -> u64 {
        self.sum(&[product(&value(factors[0], a), &value(factors[1], b))])
    }

    /// `a * b + c`.
    pub fn fma(&self, factors: [&Format; 2], addend: &Format, [a, b, c]: [u64; 3]) -> u64 {
        let product = product(&value(factors[0], a), &value(factors[1], b));
        self.sum(&[product, value(addend, c)])
    }
}
