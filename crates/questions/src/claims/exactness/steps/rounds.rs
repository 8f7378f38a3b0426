//! Registers: numbers that are rounded, and operations of IEEE 754.

use super::super::rounded::To;
use super::super::sum::{Sum, ieee_zero};
use super::super::tiny::are_rounded_to_zero;
use super::super::units::Product;
use super::values::{Factor, Register, Value};
use super::walk::Walk;
use mmasmt_core::machines::algorithms::SumOverflow;
use mmasmt_core::machines::algorithms::descriptions::{
    Integers, Kind, Round, Source, Specials, ZeroRule as SignOfZero,
};
use mmasmt_core::numbers::float::Rounding;

impl Walk<'_> {
    pub(super) fn round(&mut self, round: &Round, kind: &Kind) -> Option<Value> {
        let Kind::Register(format) = *kind else {
            return None;
        };
        if round.specials == Specials::None {
            return None;
        }
        if format.is_integer() {
            let Source::Number(slot) = round.of else {
                return None;
            };
            let overflow = match round.integers {
                Integers::Wrap => SumOverflow::Wrap,
                Integers::Saturate => SumOverflow::Saturate,
                Integers::Symmetric => return None,
            };
            let sum = self.exact(slot)?;
            let rises = !self.products.iter().any(Product::may_be_negative);
            return self
                .units
                .in_integers(sum, &format, overflow, rises)
                .map(Value::register);
        }
        let target = format.with_fraction(round.fraction);
        let to = To {
            format: target,
            rounding: round.by,
            overflow: round.overflow,
            signed_underflow: matches!(round.zero, SignOfZero::Ieee | SignOfZero::Total),
        };
        let sum = match round.of {
            Source::Number(slot) => match &self.values[slot as usize] {
                Value::Fused(_, Some(alone))
                    if are_rounded_to_zero(alone.top, &target, round.by) =>
                {
                    alone.addend.clone().with_unknown_zero()
                }
                _ => self.exact(slot)?,
            },
            Source::Register(slot) => match self.values[slot as usize].clone() {
                Value::Factor(factor) if target.has_all_of(&factor.format) => {
                    return Some(Value::Factor(Factor {
                        operand: factor.operand.widened(&target),
                        format: target,
                        ..factor
                    }));
                }
                Value::Register(found) => {
                    let from = self.program.format(slot)?;
                    let is_finer = from.precision() >= target.precision() + 2
                        && from.exponent_bits > target.exponent_bits;
                    found.before.filter(|_| is_finer).unwrap_or(found.sum)
                }
                _ => return None,
            },
            Source::Multiply([x, y]) => self.multiplied(x, y)?,
            Source::Add([x, y]) => {
                let (x, y) = (self.exact(x)?, self.exact(y)?);
                return self.added(x, y, round, &to);
            }
            Source::Fma([x, y, z]) => {
                let (z, product) = (self.exact(z)?, self.multiplied(x, y)?);
                return self.added(z, product, round, &to);
            }
        };
        let sum = match round.zero {
            SignOfZero::Ieee => ieee_zero(sum, round.by),
            SignOfZero::Plus | SignOfZero::Total => sum.with_plus_zero(),
            SignOfZero::Shared => sum,
        };
        let before = (round.by == Rounding::Odd).then(|| sum.clone());
        let sum = self.units.rounded.round_flushed(sum, &to, round.tiny)?;
        Some(Value::Register(Register { sum, before }))
    }

    pub(super) fn added(&mut self, x: Sum, y: Sum, round: &Round, to: &To) -> Option<Value> {
        let is_odd = round.by == Rounding::Odd;
        let before = is_odd.then(|| ieee_zero(x.clone().plus(y.clone()), round.by));
        let sum = self.units.rounded.add(x, y, to, round.tiny)?;
        let sum = ieee_zero(sum, round.by);
        Some(Value::Register(Register { sum, before }))
    }
}
