//! Parts of significands, numbers that are compared by another exponent, and sums of which a unit
//! loses some.

use super::super::terms::Term as OnGrid;
use super::super::terms::ZeroRule;
use super::values::{Factor, Value};
use super::walk::Walk;
use mmasmt_core::machines::algorithms::descriptions::{Slot, Term, Zeros};

impl Walk<'_> {
    /// The highest bits of the significand of a factor, if they are all that it has.
    pub(super) fn part(&self, of: Slot, low: u32, bits: u32) -> Option<Value> {
        let Value::Factor(factor) = &self.values[of as usize] else {
            return None;
        };
        let values = &factor.operand.values;
        let is_highest = low + bits == self.program.extent(of).width;
        let is_normal = !values.goes_below(factor.format.min_exponent().into());
        let is_all = values.has_bits(bits.into(), i64::MIN / 2);
        if !(is_highest && is_normal && is_all && bits > 1) {
            return None;
        }
        let format = match bits <= factor.format.fraction_bits {
            true => factor.format.with_fraction(bits - 1),
            false => factor.format,
        };
        Some(Value::Factor(Factor {
            operand: factor.operand.widened(&format),
            format,
            ..factor.clone()
        }))
    }

    /// A number that is compared by another exponent where it is zero.
    pub(super) fn compared(&self, term: &Term) -> Option<Value> {
        if term.shift != 0 || term.room != 0 {
            return None;
        }
        match (&self.values[term.of as usize], term.zeros) {
            (Value::Factor(factor), Zeros::None) if factor.rule == ZeroRule::Skip => {
                Some(Value::Factor(factor.clone()))
            }
            (Value::Products(_), Zeros::At(zero)) => {
                let term = self.on_grid(term.of)?;
                let exponent = term.exponent.map_or(zero, |exponent| exponent.max(zero));
                Some(Value::Number(OnGrid {
                    exponent: Some(exponent),
                    ..term
                }))
            }
            _ => None,
        }
    }

    /// A number that is never dropped: where it is not zero, it is too large for so small an exponent.
    pub(super) fn dropped(&self, of: Slot, exponent: i64) -> Option<Value> {
        let term = self.on_grid(of)?;
        let integers = self.program.extent(of).integer_bits();
        let stays = |least: i64| least - integers >= exponent;
        term.sum
            .values
            .least()
            .is_none_or(stays)
            .then_some(Value::Number(term))
    }

    /// A sum that is never minus one in the last place.
    pub(super) fn counted(&self, of: Slot) -> Option<Value> {
        let term = self.on_grid(of)?;
        let fraction = self.program.extent(of).fraction;
        let is_greater = |least: i64| {
            term.exponent
                .is_some_and(|exponent| least > exponent - fraction)
        };
        let is_safe = term.sum.values.least().is_none_or(is_greater);
        is_safe.then_some(Value::Number(term))
    }
}
