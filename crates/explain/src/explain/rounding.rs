//! The rounding of a fused sum to its result: normalisation, the bits that are kept, and the bits
//! that are cut.

use super::ExplainedSum;
use mmasmt_numbers::float::{Dyadic, Format};
use num_traits::{Signed, Zero};

/// How a sum is rounded to a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedRounding {
    /// The exponent of the first bit that is kept.
    pub exponent: i64,
    /// Whether the result is subnormal, so its first bit may be 0.
    pub subnormal: bool,
    /// The bits of the magnitude for which the result's format has room.
    pub kept: String,
    /// The bits of the sum below the kept bits.
    pub cut: String,
    /// The position of the result relative to the sum.
    pub direction: RoundingDirection,
}

/// The position of a result relative to the sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundingDirection {
    /// The result is the sum.
    Exact,
    /// The magnitude of the result is greater than that of the sum.
    AwayFromZero,
    /// The magnitude of the result is less than that of the sum.
    TowardZero,
    /// The result is zero, although the format has numbers as small as the sum.
    Flushed,
}

impl RoundingDirection {
    /// The direction in words.
    pub fn describe(self) -> &'static str {
        match self {
            RoundingDirection::Exact => "exact",
            RoundingDirection::AwayFromZero => "rounded away from zero",
            RoundingDirection::TowardZero => "rounded toward zero",
            RoundingDirection::Flushed => "flushed to zero",
        }
    }
}

impl ExplainedSum {
    /// The rounding of the sum; `None` if it was not rounded, is zero, or became an infinity or a
    /// NaN.
    pub fn rounding(&self) -> Option<ExplainedRounding> {
        let (format, register) = self.result?;
        ExplainedRounding::of(&self.sum, &format, register)
    }
}

impl ExplainedRounding {
    /// The rounding of a number to a register; `None` if the number is zero, or became an infinity or
    /// a NaN, or an integer.
    pub fn of(number: &Dyadic, format: &Format, register: u64) -> Option<ExplainedRounding> {
        if format.is_integer() {
            return None;
        }
        let leading = number.leading_exponent()?;
        let rounded = Dyadic::of(format, register)?;
        let least = i64::from(format.min_exponent());
        let exponent = leading.max(least);
        let last_kept = exponent - i64::from(format.precision() - 1);
        let is_flushed =
            rounded.mantissa().is_zero() && leading >= i64::from(format.least_exponent());
        let direction = match (rounded == *number, rounded.magnitude_exceeds(number)) {
            (true, _) => RoundingDirection::Exact,
            (false, true) => RoundingDirection::AwayFromZero,
            (false, false) if is_flushed => RoundingDirection::Flushed,
            (false, false) => RoundingDirection::TowardZero,
        };
        Some(ExplainedRounding {
            exponent,
            subnormal: leading < least,
            kept: binary(number, exponent, last_kept),
            cut: binary(number, last_kept - 1, number.exponent()),
            direction,
        })
    }
}

/// The bits of the magnitude of `value` from `2^high` down to `2^low`.
pub fn binary(value: &Dyadic, high: i64, low: i64) -> String {
    let magnitude = value.mantissa().abs();
    let bit = |exponent: i64| match u64::try_from(exponent - value.exponent()) {
        Ok(index) if magnitude.bit(index) => '1',
        _ => '0',
    };
    (low..=high).rev().map(bit).collect()
}
