//! Flushing: operands and results below the normal numbers become zeros.

use super::operand::OperandValues;
use super::rounded::{RoundedSum, RoundedSums, RoundingRule, SumConversion};
use super::sum::{OverflowValue, Sum, SumLeaf, Zero};
use mmasmt_core::machines::algorithms::FlushedResults;
use mmasmt_numbers::float::{FlushedZero, Format, Rounding};

impl OperandValues {
    /// The operand after flushing: each number below the normal numbers of the format becomes a
    /// zero of the same sign.
    pub(super) fn flushed(&self, format: &Format) -> OperandValues {
        let least = i64::from(format.min_exponent());
        if !self.values.goes_below(least) {
            return self.clone();
        }
        let small = self.small.max(Some(least));
        match self.values.top() {
            Some(top) if top > least => OperandValues {
                values: self.values.clone().none_below(least),
                zero: true,
                small,
                ..self.clone()
            },
            _ => OperandValues {
                minus: self.minus,
                small,
                ..OperandValues::plus_zero()
            },
        }
    }
}

impl RoundedSums {
    /// The sum after flushing: each value below the normal numbers of the format becomes a zero.
    pub fn flush(&mut self, sum: Sum, format: &Format, to: FlushedZero) -> Sum {
        let least = i64::from(format.min_exponent());
        let Some(top) = sum.values.top().filter(|_| sum.values.goes_below(least)) else {
            return match to {
                FlushedZero::Plus => sum.with_plus_zero(),
                FlushedZero::SameSign => sum,
            };
        };
        self.has_lost = true;
        let mut leaves = sum.leaves.clone();
        leaves.sort_unstable();
        let number = self.number(RoundedSum {
            format: *format,
            how: SumConversion::Flushed,
            leaves,
        });
        let zero = match to {
            FlushedZero::Plus => Zero::Plus,
            FlushedZero::SameSign => self.zero_of_its_sign(&sum, number),
        };
        if top <= least {
            Sum {
                zero,
                ..Sum::nothing()
            }
        } else {
            Sum {
                leaves: vec![SumLeaf::Rounded(number)],
                values: sum.values.none_below(least),
                zero,
                ..sum
            }
        }
    }

    /// The sum after rounding and flushing. `flushed` says which results are flushed; they become a
    /// zero of the same sign.
    pub fn round_flushed(
        &mut self,
        sum: Sum,
        to: &RoundingRule,
        flushed: FlushedResults,
    ) -> Option<Sum> {
        let zero = FlushedZero::SameSign;
        match flushed {
            FlushedResults::Kept => self.round(sum, to),
            FlushedResults::BeforeRounding => self.flush_before_rounding(sum, to, zero),
            FlushedResults::Register if !are_held_where_small(&sum, to) => {
                let rounded = self.round(sum, to)?;
                Some(self.flush(rounded, &to.format, zero))
            }
            FlushedResults::AfterRounding | FlushedResults::Register => {
                self.flush_after_rounding(sum, to, zero)
            }
        }
    }

    fn flush_before_rounding(
        &mut self,
        sum: Sum,
        to: &RoundingRule,
        zero: FlushedZero,
    ) -> Option<Sum> {
        let large = self.flush(sum, &to.format, zero);
        self.round(large, to)
    }

    /// The sum rounded as if exponents had no limit, then flushed if the rounded sum is below the
    /// normal numbers.
    pub fn flush_after_rounding(
        &mut self,
        sum: Sum,
        to: &RoundingRule,
        zero: FlushedZero,
    ) -> Option<Sum> {
        if are_held_where_small(&sum, to) {
            return self.flush_before_rounding(sum, to, zero);
        }
        let unlimited = RoundingRule {
            format: to.format.with_more_range(),
            ..*to
        };
        let rounded = self.round(sum, &unlimited)?;
        self.flush_before_rounding(rounded, to, zero)
    }

    /// The sum of `x` and `y`, rounded and flushed. If rounding is to nearest even and the format
    /// holds one of the addends, the other addend does not change it if the other is below half of
    /// the least number of the format. It may make the least normal number a smaller one: whether that
    /// is flushed is known where subnormal results are.
    pub fn add(
        &mut self,
        x: Sum,
        y: Sum,
        to: &RoundingRule,
        flushed: FlushedResults,
    ) -> Option<Sum> {
        let least = i64::from(to.format.least_exponent());
        let is_held = |sum: &Sum| sum.values.are_in(&to.format);
        let is_small = |sum: &Sum| {
            sum.overflow == OverflowValue::Nothing
                && sum.values.top().is_some_and(|top| top < least)
        };
        let normal = i64::from(to.format.min_exponent());
        let stays = |kept: &Sum, small: &Sum| match flushed {
            FlushedResults::Kept | FlushedResults::Register => true,
            FlushedResults::BeforeRounding | FlushedResults::AfterRounding => {
                !kept.negative && !small.negative
                    || !kept.values.goes_below(normal + 1)
                    || kept.values.top().is_none_or(|top| top <= normal)
            }
        };
        let (kept, small) = match to.rounding {
            Rounding::Rne if is_small(&y) && is_held(&x) && stays(&x, &y) => (x, y),
            Rounding::Rne if is_small(&x) && is_held(&y) && stays(&y, &x) => (y, x),
            _ => return self.round_flushed(x.plus(y), to, flushed),
        };
        self.has_lost = true;
        // A sum of zero takes the sign of the small addend.
        let kept = if !small.negative && small.zero == Zero::Plus {
            kept.with_plus_zero()
        } else {
            kept.with_unknown_zero()
        };
        self.round_flushed(kept, to, flushed)
    }
}

/// Whether the format holds all values of the sum that are below its normal numbers; flushing
/// before rounding and flushing after it then give the same.
fn are_held_where_small(sum: &Sum, to: &RoundingRule) -> bool {
    let least = i64::from(to.format.least_exponent());
    let is_large = !sum.values.goes_below(to.format.min_exponent().into());
    is_large || sum.values.unit().is_none_or(|unit| unit >= least)
}
