//! Registers: numbers that are rounded, and operations of IEEE 754.

use super::super::rounded::RoundingRule;
use super::super::set::Multiples;
use super::super::sum::{OverflowValue, Sum, SumLeaf, ieee_zero};
use super::super::units::Product;
use super::values::{ExactnessValue, Factor, FusedSum, LoneAddend, Register};
use super::walk::ExactnessWalk;
use crate::claims::bounds::has_numbers_of;
use mmasmt_core::machines::algorithms::descriptions::{
    Integers, Nan, Round, RoundSource, Specials, ValueKind, ZeroSign as SignOfZero,
};
use mmasmt_core::machines::algorithms::{FlushedResults, SumOverflow};
use mmasmt_numbers::float::{Format, Overflow, Rounding};

impl ExactnessWalk<'_> {
    pub(super) fn round(
        &mut self,
        round: &Round,
        kind: &ValueKind,
        c: &Sum,
    ) -> Option<ExactnessValue> {
        let ValueKind::Register(format) = *kind else {
            return None;
        };
        if round.specials == Specials::None {
            return None;
        }
        if format.is_integer() {
            let RoundSource::Number(slot) = round.of else {
                return None;
            };
            let overflow = match round.integers {
                Integers::Wrap => SumOverflow::Wrap,
                Integers::Saturate => SumOverflow::Saturate,
                Integers::Symmetric => return None,
            };
            let sum = self.exact(slot)?;
            let rises = !self.products.iter().any(Product::may_be_negative)
                && self.are_in(&sum, &format, c);
            return self
                .units
                .in_integers(sum, &format, overflow, rises)
                .map(ExactnessValue::register);
        }
        let target = format.with_fraction(round.fraction);
        // Without -0, a number that is flushed and was negative has the code of a NaN.
        if !format.has_negative_zero() && round.tiny != FlushedResults::Kept {
            return None;
        }
        let to = RoundingRule {
            format: target,
            rounding: round.by,
            overflow: round.overflow,
            signed_underflow: matches!(round.zero, SignOfZero::Ieee | SignOfZero::Total)
                || round.tiny != FlushedResults::Kept && round.overflow == Overflow::Infinity,
        };
        // The addend that is all that is left of a fused sum.
        let lone = match round.of {
            RoundSource::Number(slot) => match &self.values[slot as usize] {
                ExactnessValue::Fused(FusedSum {
                    alone: Some(alone), ..
                }) if alone.is_rounded_to_addend(round, &target) => Some(alone.addend.clone()),
                _ => None,
            },
            _ => None,
        };
        let sum = match round.of {
            RoundSource::Number(slot) => match &lone {
                Some(addend) => addend.clone().with_unknown_zero(),
                None => self.exact(slot)?,
            },
            RoundSource::Register(slot) => match self.values[slot as usize].clone() {
                ExactnessValue::Factor(factor) if has_numbers_of(&target, &factor.format) => {
                    let operand = match round.tiny {
                        FlushedResults::Kept => factor.operand,
                        _ => factor.operand.flushed(&target),
                    };
                    return Some(ExactnessValue::Factor(Factor {
                        operand: operand.widened(&target),
                        format: target,
                        loses_sign: factor.loses_sign || !target.has_negative_zero(),
                        ..factor
                    }));
                }
                ExactnessValue::Register(found) => {
                    let from = self.program.format(slot)?;
                    let is_finer = from.precision() >= target.precision() + 2
                        && from.exponent_bits > target.exponent_bits
                        && found.sum.overflow == OverflowValue::Nothing;
                    found.before.filter(|_| is_finer).unwrap_or(found.sum)
                }
                _ => return None,
            },
            RoundSource::Multiply([x, y]) => self.multiplied(x, y)?,
            RoundSource::Add([x, y]) => {
                let (x, y) = (self.exact(x)?, self.exact(y)?);
                return self.added(x, y, round, &to);
            }
            RoundSource::Fma([x, y, z]) => {
                let (z, product) = (self.exact(z)?, self.multiplied(x, y)?);
                return self.added(z, product, round, &to);
            }
        };
        // What becomes zero beside an addend of zero is no exact zero: it may keep its sign.
        let is_plain = (round.tiny, round.zero) == (FlushedResults::Kept, SignOfZero::Plus);
        let sum = match round.zero {
            _ if lone.is_some() && !is_plain => sum.with_unknown_zero(),
            SignOfZero::Ieee => ieee_zero(sum, round.by),
            SignOfZero::Plus | SignOfZero::Total => sum.with_plus_zero(),
            SignOfZero::Shared => sum,
        };
        let before = is_plain_odd(round, &format).then(|| sum.clone());
        let negative = sum.negative;
        let mut sum = self.units.rounded.round_flushed(sum, &to, round.tiny)?;
        if may_be_replaced(round, &sum) {
            return None;
        }
        // Here a number that is flushed has its sign if it is no zero once it is rounded.
        let is_mixed = round.tiny != FlushedResults::Kept && !to.signed_underflow;
        if is_mixed && negative {
            sum = sum.with_unknown_zero();
        }
        if !format.has_negative_zero() {
            sum = sum.with_plus_zero();
        }
        Some(ExactnessValue::Register(Register { sum, before }))
    }

    /// Whether all summands but products are integers of the format.
    fn are_in(&self, sum: &Sum, format: &Format, c: &Sum) -> bool {
        sum.leaves.iter().all(|leaf| match leaf {
            SumLeaf::Product(_) | SumLeaf::FlushedProduct(..) => true,
            SumLeaf::Addend => {
                let greatest = Multiples::new(0, ends(format).into(), u64::MAX, 0);
                !c.negative || format.is_signed() && !c.values.is_beyond(&greatest)
            }
            SumLeaf::Rounded(number) => {
                let rounded = self.units.rounded.get(*number);
                rounded.is_some_and(|rounded| rounded.format == *format)
            }
        })
    }

    pub(super) fn added(
        &mut self,
        x: Sum,
        y: Sum,
        round: &Round,
        to: &RoundingRule,
    ) -> Option<ExactnessValue> {
        let before =
            is_plain_odd(round, &to.format).then(|| ieee_zero(x.clone().plus(y.clone()), round.by));
        let sum = self.units.rounded.add(x, y, to, round.tiny)?;
        if may_be_replaced(round, &sum) {
            return None;
        }
        let sum = ieee_zero(sum, round.by);
        Some(ExactnessValue::Register(Register { sum, before }))
    }
}

impl LoneAddend {
    /// Whether a sum of which the addend is all that is left is rounded as the addend is.
    fn is_rounded_to_addend(&self, round: &Round, target: &Format) -> bool {
        let least = i64::from(target.least_exponent());
        let is_flushed = round.tiny != FlushedResults::Kept;
        let is_small = are_rounded_to_zero(self.top, target, round.by)
            || is_flushed && self.top < target.min_exponent().into();
        let Some(off) = self.off else {
            return is_small;
        };
        let values = &self.addend.values;
        let [fits, has_room] = [0, 1].map(|more| {
            let least = if is_flushed {
                i64::MIN / 2
            } else {
                least + i64::from(more)
            };
            values.has_bits(u64::from(target.precision() - more), least)
        });
        // Relative to a last place of the format: half of one is a tie, and even if the last bit is. Below a power of two
        // the places are half as far apart.
        let units = off.units.next_power_of_two().ilog2();
        let distance = i64::from(units) - off.places + i64::from(target.precision());
        let is_near = match off.away {
            true => distance < 0 && fits || distance == 0 && has_room,
            false => distance < 0 && fits,
        };
        // A number just below the normal ones is flushed before it is rounded to them.
        let is_plain = round.by == Rounding::Rne && round.tiny != FlushedResults::BeforeRounding;
        is_small && is_plain && off.least <= target.min_exponent().into() && is_near
    }
}

/// Whether a sum is rounded to odd in all places of the format, and nothing else: a later rounding to fewer bits then
/// gives the same as if it rounded the sum.
fn is_plain_odd(round: &Round, format: &Format) -> bool {
    round.by == Rounding::Odd
        && round.tiny == FlushedResults::Kept
        && round.fraction == format.fraction_bits
        && format.dropped_bits == 0
}

/// Whether the result may be a NaN that becomes another register.
fn may_be_replaced(round: &Round, sum: &Sum) -> bool {
    matches!(round.nan, Nan::First(..)) && sum.overflow == OverflowValue::Unknown
}

/// The greatest magnitude of an integer of the format.
fn ends(format: &Format) -> u64 {
    format.max_finite() + u64::from(format.is_signed())
}

/// Whether a number below `2^top` is rounded to zero.
fn are_rounded_to_zero(top: i64, format: &Format, rounding: Rounding) -> bool {
    match rounding {
        Rounding::Rz => top <= format.least_exponent().into(),
        Rounding::Rne => top < format.least_exponent().into(),
        _ => false,
    }
}
