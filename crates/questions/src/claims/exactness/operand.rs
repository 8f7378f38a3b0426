//! The set of values that a domain admits for one operand.

use super::set::Multiples;
use crate::inputs::OperandRange;
use mmasmt_numbers::float::Format;
use num_bigint::BigUint;
use num_traits::Zero;
use std::ops::RangeInclusive;

/// The set of finite numbers that an operand may have as its value.
#[derive(Clone, Debug)]
pub struct OperandValues {
    pub values: Multiples,
    /// The greatest significand of any value, as an integer that includes the leading one, in units
    /// of the format's last place.
    pub significand: BigUint,
    /// Whether the operand may be zero.
    pub zero: bool,
    /// Whether the sign bit of the operand may be 1.
    pub minus: bool,
    /// The operand is zero where its number is below two to the power of this; `None` if no number was
    /// replaced so.
    pub small: Option<i64>,
}

impl OperandValues {
    /// The operand that is +0.
    pub fn plus_zero() -> Self {
        OperandValues {
            values: Multiples::zero(),
            significand: BigUint::zero(),
            zero: true,
            minus: false,
            small: None,
        }
    }

    /// The admitted finite numbers of a format; `None` if there are none.
    pub fn of(format: &Format, numbers: &OperandRange) -> Option<Self> {
        let ranges = &numbers.codes;
        if format.is_integer() {
            return OperandValues::of_integers(ranges);
        }
        let least = ranges.iter().map(|(_, range)| *range.start()).min()?;
        let greatest = ranges.iter().map(|(_, range)| *range.end()).max()?;
        let zero = format.has_zero() && least == 0;
        let step = 1u64 << numbers.cleared_bits;
        let minus = ranges.iter().any(|(negative, _)| *negative);
        if zero && greatest == 0 {
            return Some(OperandValues {
                minus,
                ..OperandValues::plus_zero()
            });
        }
        // Find the least code of a nonzero number.
        let ends = ranges.iter().filter(|(_, range)| *range.end() > 0 || !zero);
        let starts = ends.map(|(_, range)| {
            if format.has_zero() && *range.start() == 0 {
                step.min(*range.end())
            } else {
                *range.start()
            }
        });
        let least = starts.min()?;
        let (low, high) = (Number::of(format, least), Number::of(format, greatest));
        let fraction = format.fraction_bits;
        let cleared = if least == greatest {
            low.significand.trailing_zeros()
        } else {
            numbers.cleared_bits
        };
        let unit = low.unit + i64::from(cleared);
        let most = BigUint::from(high.significand) << (high.unit - low.unit);
        // Below the highest exponent there may be greater significands.
        let full = (2u64 << fraction) - 1;
        let significand = if low.unit == high.unit {
            high.significand
        } else {
            full
        };
        let leading = low.unit + i64::from(low.significand.ilog2());
        // Use the unit and the least magnitude that the domain gives, which the codes do not show.
        let coarser = (numbers.unit.unwrap_or(unit) - unit).max(0);
        let leading = numbers.least.map_or(leading, |least| leading.max(least));
        Some(OperandValues {
            values: Multiples::new(
                unit + coarser,
                most >> (i64::from(cleared) + coarser),
                u64::from(fraction + 1 - cleared.min(fraction)),
                leading,
            ),
            significand: significand.into(),
            zero,
            minus,
            small: None,
        })
    }

    /// The operand for integers whose magnitudes are in these ranges; the `bool` of a range says
    /// whether its integers are negative. `None` if there are no ranges.
    fn of_integers(ranges: &[(bool, RangeInclusive<u64>)]) -> Option<Self> {
        let most = ranges.iter().map(|(_, range)| *range.end()).max()?;
        Some(OperandValues {
            values: Multiples::new(0, most.into(), u64::MAX, 0),
            significand: most.into(),
            zero: ranges.iter().any(|(_, range)| *range.start() == 0),
            minus: ranges.iter().any(|(negative, _)| *negative),
            small: None,
        })
    }

    /// An operand that may have the values of `self` and those of `other`.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        OperandValues {
            values: self.values.or(&other.values),
            significand: self.significand.clone().max(other.significand.clone()),
            zero: self.zero || other.zero,
            minus: self.minus || other.minus,
            small: self.small.max(other.small),
        }
    }

    /// The operand in a wider format, where subnormal numbers may have a leading one.
    #[must_use]
    pub fn widened(&self, format: &Format) -> Self {
        OperandValues {
            significand: if self.values.is_zero() {
                BigUint::zero()
            } else {
                ((2u64 << format.fraction_bits) - 1).into()
            },
            ..self.clone()
        }
    }
}

/// The greatest exponent that a unit sees for these numbers of the format; a subnormal number has
/// the format's least exponent.
pub(super) fn highest_exponent(values: &Multiples, format: &Format) -> i64 {
    let least = i64::from(format.min_exponent());
    values.top().map_or(least, |top| least.max(top - 1))
}

/// The number `significand * 2^unit`.
struct Number {
    significand: u64,
    unit: i64,
}

impl Number {
    fn of(format: &Format, code: u64) -> Number {
        let fraction = format.fraction_bits;
        let (field, low) = (code >> fraction, code & format.max_fraction());
        let is_subnormal = field == 0 && format.has_subnormals();
        let (field, leading) = if is_subnormal {
            (1, 0)
        } else {
            (field, 1 << fraction)
        };
        Number {
            significand: low | leading,
            unit: field as i64 - i64::from(format.bias()) - i64::from(fraction),
        }
    }
}
