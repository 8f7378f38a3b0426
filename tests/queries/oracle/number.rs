//! What registers hold, as exact rationals, and rounding by looking for the numbers next to one.

use crate::common::exact::{Datum, Finite, decode, greatest_code, register};
use mmasmt_numbers::float::{Format, Rounding, SignBit, SpecialCodes};
use num_bigint::BigInt;
use num_traits::{One, Signed};

/// An exact number.
pub type BigRational = num_rational::Ratio<BigInt>;

/// What a register holds; a zero keeps its sign.
#[derive(Clone, Debug, PartialEq)]
pub enum Held {
    Number { value: BigRational, negative: bool },
    Infinite { negative: bool },
    Nan,
}

pub fn power(exponent: i64) -> BigRational {
    let one = BigRational::one();
    match exponent {
        0.. => one * (BigInt::one() << exponent),
        _ => one / (BigInt::one() << -exponent),
    }
}

fn rational(x: &Finite) -> BigRational {
    let magnitude = power(x.unit) * BigInt::from(x.significand);
    if x.negative { -magnitude } else { magnitude }
}

pub fn held(format: &Format, bits: u64) -> Held {
    match decode(format, bits) {
        Datum::Finite(x) => Held::Number {
            value: rational(&x),
            negative: x.negative,
        },
        Datum::Infinite { negative } => Held::Infinite { negative },
        Datum::Nan => Held::Nan,
    }
}

/// The value, if it is finite.
pub fn value(format: &Format, bits: u64) -> Option<BigRational> {
    match held(format, bits) {
        Held::Number { value, .. } => Some(value),
        _ => None,
    }
}

/// The exponent that a register has as a term: that of the least normal number at least; none for
/// zeros and what is not finite.
pub fn exponent(format: &Format, bits: u64) -> Option<i64> {
    match decode(format, bits) {
        Datum::Finite(x) if !x.is_zero() => Some(x.exponent),
        _ => None,
    }
}

/// The exponent of the last place of a finite register.
pub fn last_place(format: &Format, bits: u64) -> i64 {
    match decode(format, bits) {
        Datum::Finite(x) => x.unit,
        other => panic!("{other:?} has no last place"),
    }
}

/// Whether both are one number, the two zeros being one, or both NaNs.
pub fn same(left: &Held, right: &Held) -> bool {
    match (left, right) {
        (Held::Number { value: x, .. }, Held::Number { value: y, .. }) => x == y,
        _ => left == right,
    }
}

/// Whether `left` is greater than `right`; never if one is a NaN.
pub fn greater(left: &Held, right: &Held) -> bool {
    match (left, right) {
        (Held::Nan, _) | (_, Held::Nan) => false,
        (Held::Number { value: x, .. }, Held::Number { value: y, .. }) => x > y,
        (Held::Infinite { negative }, right) => {
            !negative && *right != Held::Infinite { negative: false }
        }
        (_, Held::Infinite { negative }) => *negative,
    }
}

/// The greatest number of the format whose magnitude is at most `magnitude`, the next one, and
/// whether the first has an odd last bit; past the greatest number there is no next one.
struct Between {
    below: BigRational,
    above: Option<BigRational>,
    below_is_odd: bool,
}

fn between(format: &Format, magnitude: &BigRational) -> Between {
    let number = |code| value(format, register(format, false, code)).unwrap();
    let (mut low, mut high) = (0, greatest_code(format) + 1);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match number(middle) <= *magnitude {
            true => low = middle,
            false => high = middle,
        }
    }
    Between {
        below: number(low),
        above: (high <= greatest_code(format)).then(|| number(high)),
        below_is_odd: low % 2 == 1,
    }
}

/// Whether the format has the number.
pub fn has(format: &Format, x: &BigRational) -> bool {
    match format.sign {
        SignBit::TwosComplement => {
            let half = power(i64::from(format.width()) - 1);
            let whole = x * power(format.fraction_bits.into());
            whole.is_integer() && -&half <= whole && whole < half
        }
        SignBit::Ignored | SignBit::Absent if x.is_negative() => false,
        _ => between(format, &x.abs()).below == x.abs(),
    }
}

/// `x` rounded to the format, as IEEE 754 has it; beyond the greatest number there is infinity, a
/// NaN in a format without it, and the greatest number in a format without both.
pub fn rounded(format: &Format, rounding: Rounding, x: &BigRational) -> Held {
    let (magnitude, negative) = (x.abs(), x.is_negative());
    let near = between(format, &magnitude);
    let number = |magnitude: BigRational| Held::Number {
        value: if negative { -magnitude } else { magnitude },
        negative,
    };
    if near.below == magnitude {
        return number(near.below);
    }
    let toward_zero = match rounding {
        Rounding::Rz => true,
        Rounding::Ra => false,
        Rounding::Odd => near.below_is_odd,
        Rounding::Rd => !negative,
        Rounding::Ru => negative,
        Rounding::Rne => {
            // Beyond the greatest number the next one would be as far away as the one before.
            let step = power(last_place(
                format,
                register(format, false, greatest_code(format)),
            ));
            let above = near.above.clone().unwrap_or(&near.below + step);
            let twice = &magnitude + &magnitude;
            let sum = &near.below + &above;
            twice < sum || twice == sum && !near.below_is_odd
        }
        _ => unreachable!("no claim names it"),
    };
    match (toward_zero, near.above) {
        (true, _) => number(near.below),
        (false, Some(above)) => number(above),
        (false, None) => match format.specials {
            SpecialCodes::Ieee => Held::Infinite { negative },
            SpecialCodes::NanOnly => Held::Nan,
            SpecialCodes::NegativeZero | SpecialCodes::None => number(near.below),
        },
    }
}

/// The nearest whole number in that direction; `x` in units of the last place.
pub fn whole(rounding: Rounding, x: &BigRational) -> BigInt {
    let half = BigRational::new(1.into(), 2.into());
    match rounding {
        Rounding::Rz => x.trunc(),
        Rounding::Rd => x.floor(),
        Rounding::Ru => x.ceil(),
        Rounding::Ra if x.is_negative() => x.floor(),
        Rounding::Ra => x.ceil(),
        Rounding::Odd => {
            let (below, above) = (x.floor(), x.ceil());
            if below.to_integer().bit(0) {
                below
            } else {
                above
            }
        }
        Rounding::Rne => {
            let below = x.floor();
            let rest = x - &below;
            let odd = below.to_integer().bit(0);
            match rest > half || rest == half && odd {
                true => below + BigRational::one(),
                false => below,
            }
        }
        _ => unreachable!("no claim names it"),
    }
    .to_integer()
}
