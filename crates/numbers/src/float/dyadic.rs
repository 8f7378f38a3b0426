//! Exact binary fractions, for parsing and printing values.

use super::Format;
use num_bigint::{BigInt, Sign};
use num_traits::{Signed, Zero};
use std::fmt;

/// `mantissa * 2^exponent`, where the mantissa is odd or zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dyadic {
    mantissa: BigInt,
    exponent: i64,
}

impl Dyadic {
    /// `mantissa * 2^exponent`.
    pub fn new(mantissa: BigInt, exponent: i64) -> Self {
        match mantissa.trailing_zeros() {
            None => Dyadic {
                mantissa,
                exponent: 0,
            },
            Some(zeros) => Dyadic {
                mantissa: mantissa >> zeros,
                exponent: exponent + zeros as i64,
            },
        }
    }

    /// The value of a register of `format`; `None` for infinities and NaNs.
    pub fn of(format: &Format, register: u64) -> Option<Dyadic> {
        let number = format.number(register)?;
        let mantissa = BigInt::from(number.mantissa);
        let mantissa = if number.negative { -mantissa } else { mantissa };
        Some(Dyadic::new(mantissa, number.exponent))
    }

    /// The odd (or zero) mantissa.
    pub fn mantissa(&self) -> &BigInt {
        &self.mantissa
    }
    /// The exponent `e` in `mantissa * 2^e`.
    pub fn exponent(&self) -> i64 {
        self.exponent
    }
    /// The difference `self - other`.
    #[must_use]
    pub fn minus(&self, other: &Dyadic) -> Dyadic {
        let unit = self.exponent.min(other.exponent);
        let on_unit = |value: &Dyadic| &value.mantissa << (value.exponent - unit);
        Dyadic::new(on_unit(self) - on_unit(other), unit)
    }
    /// The sum `self + other`.
    #[must_use]
    pub fn plus(&self, other: &Dyadic) -> Dyadic {
        self.minus(&other.negated())
    }
    /// The number without its sign.
    #[must_use]
    pub fn magnitude(&self) -> Dyadic {
        if self.is_negative() {
            self.negated()
        } else {
            self.clone()
        }
    }

    /// The value with its sign changed.
    #[must_use]
    pub fn negated(&self) -> Dyadic {
        Dyadic::new(-&self.mantissa, self.exponent)
    }
    /// Whether the value is less than zero.
    pub fn is_negative(&self) -> bool {
        self.mantissa.is_negative()
    }
    /// The value times `2^places`.
    #[must_use]
    pub fn shifted(&self, places: i64) -> Dyadic {
        Dyadic::new(self.mantissa.clone(), self.exponent + places)
    }
    /// The register of `format` with exactly this value, +0 for zero; `None` if no register has it.
    pub fn register(&self, format: &Format) -> Option<u64> {
        if format.is_integer() {
            return self.integer(format);
        }
        let fraction_bits = i64::from(format.fraction_bits);
        let Some(leading) = self.leading_exponent() else {
            return format.has_zero().then_some(0);
        };
        let least = i64::from(format.min_exponent());
        let unit = leading.max(least) - fraction_bits;
        if self.exponent < unit || leading > i64::from(format.max_exponent()) {
            return None;
        }
        let significand = (self.mantissa.abs() << (self.exponent - unit))
            .iter_u64_digits()
            .next()?;
        let subnormal = leading < least;
        if subnormal && !format.has_zero() {
            return None;
        }
        let magnitude = if subnormal {
            significand
        } else {
            let field = (leading + i64::from(format.bias())) as u64;
            (field << fraction_bits) + significand - (1 << fraction_bits)
        };
        let negative = self.mantissa.is_negative();
        if magnitude > format.max_finite_of(negative) || negative && format.sign_mask() == 0 {
            return None;
        }
        Some(format.signed(negative, magnitude))
    }
    fn integer(&self, format: &Format) -> Option<u64> {
        let exponent = u64::try_from(self.exponent).ok().filter(|e| *e < 64)?;
        let magnitude = u64::try_from(self.mantissa.magnitude() << exponent).ok()?;
        let negative = self.mantissa.is_negative();
        // The magnitude of the least number in two's complement is one more than that of the
        // greatest.
        let most = format.max_finite_of(negative);
        let has = magnitude <= most && (format.is_signed() || !negative);
        has.then(|| format.signed(negative, magnitude))
    }
    /// The product `self * other`.
    #[must_use]
    pub fn times(&self, other: &Dyadic) -> Dyadic {
        Dyadic::new(
            &self.mantissa * &other.mantissa,
            self.exponent + other.exponent,
        )
    }
    /// Whether the magnitude is greater than that of `other`.
    pub fn magnitude_exceeds(&self, other: &Dyadic) -> bool {
        let magnitude = |value: &Dyadic| Dyadic::new(value.mantissa.abs(), value.exponent);
        magnitude(self)
            .minus(&magnitude(other))
            .mantissa
            .is_positive()
    }
    /// The exponent of the leading one bit; `None` for zero.
    pub fn leading_exponent(&self) -> Option<i64> {
        let bits = self.mantissa.bits() as i64;
        (bits > 0).then(|| self.exponent + bits - 1)
    }
}

/// Writes the value in C99 hexadecimal notation with a leading one: `-0x1.8p-3`.
impl fmt::Display for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.mantissa.sign() == Sign::Minus {
            "-"
        } else {
            ""
        };
        if self.mantissa.is_zero() {
            return write!(f, "0x0p+0");
        }
        let magnitude = self.mantissa.abs();
        let fraction_bits = magnitude.bits() - 1;
        let digits = fraction_bits.div_ceil(4) as usize;
        let fraction = (&magnitude - (BigInt::from(1) << fraction_bits))
            << (digits as u64 * 4 - fraction_bits);
        let exponent = self.exponent + fraction_bits as i64;
        match digits {
            0 => write!(f, "{sign}0x1p{exponent:+}"),
            _ => write!(
                f,
                "{sign}0x1.{:0digits$x}p{exponent:+}",
                fraction.magnitude()
            ),
        }
    }
}
