//! The walk over the steps of a description: each value from those before it.

use super::super::sum::{OverflowValue, Sum};
use super::super::terms::ZeroRule;
use super::super::terms::{GridTerm as OnGrid, addend_term};
use super::super::units::{Product, Units};
use super::values::{Addend, ExactnessValue, Factor, Products, Scale};
use crate::claims::bounds::has_zero;
use mmasmt_core::machines::algorithms::Operand as Row;
use mmasmt_core::machines::algorithms::descriptions::{
    Action, Program, Slot, Specials, TermStep, ValueKind, Zeros,
};
use mmasmt_numbers::float::FlushedZero;

pub struct ExactnessWalk<'x> {
    pub units: &'x mut Units,
    pub program: &'x Program,
    pub products: &'x [Product],
    pub block: usize,
    pub values: Vec<ExactnessValue>,
}

fn rule_of(zeros: Zeros) -> Option<ZeroRule> {
    match zeros {
        Zeros::None => Some(ZeroRule::Skip),
        Zeros::Field => Some(ZeroRule::Raw),
        Zeros::At(-126) => Some(ZeroRule::Min),
        Zeros::At(_) => None,
    }
}

impl ExactnessWalk<'_> {
    pub fn value(&mut self, action: &Action, kind: &ValueKind, c: &Sum) -> Option<ExactnessValue> {
        match action {
            Action::Operand(row, index) => self.operand(*row, *index, kind, c),
            Action::Constant(0) if has_zero(kind) => Some(ExactnessValue::register(Sum::nothing())),
            Action::Flush(of, to) => self.flush(*of, *to),
            Action::Term(term) => self.term(term),
            Action::Product([x, y]) => self.product(*x, *y),
            Action::Normalise(of) => match self.products_at(*of) {
                Some(products) if products.group.is_none() && products.up == 0 => {
                    // Each significand is below 2.
                    let scales = products
                        .all
                        .iter()
                        .flat_map(|one| one.scales.iter().flatten());
                    let scaled = scales
                        .zip(products.scaled)
                        .filter(|((_, format), rule)| rule.is_some() && format.fraction_bits > 0);
                    Some(ExactnessValue::Products(Products {
                        up: 1 + scaled.count() as u32,
                        ..products.clone()
                    }))
                }
                _ => None,
            },
            Action::Cap { of, exponent } => {
                let is_below = |sum: &Sum| sum.values.top().is_none_or(|top| top <= *exponent);
                let value = self.values[*of as usize].clone();
                self.exact(*of).filter(is_below).map(|_| value)
            }
            Action::Special { of, from } => {
                let own = self.exact(*of);
                let is_own = |slot| own.as_ref().is_some_and(|own| self.is_in(slot, own));
                let mut others = from.iter().copied();
                let changes_nothing = others.all(|slot| self.is_finite(slot) || is_own(slot));
                changes_nothing.then(|| self.values[*of as usize].clone())
            }
            Action::Replace { of, from, .. } => {
                let are_finite = from.iter().all(|slot| self.is_finite(*slot));
                are_finite.then(|| match &self.values[*of as usize] {
                    ExactnessValue::Register(found) => ExactnessValue::register(found.sum.clone()),
                    other => other.clone(),
                })
            }
            Action::Sum { terms, zeros } => self.sum(terms, *zeros, kind),
            Action::Fuse(fuse) => self.fuse(fuse),
            Action::Cut(cut) => self.cut(cut, kind),
            Action::Round(round) => self.round(round, kind, c),
            Action::Part { of, low, bits, by } => self.part(*of, [*low, *low + *bits], *by),
            Action::Drop { of, exponent } => self.dropped(*of, *exponent),
            Action::Miscount { of, .. } => self.counted(*of),
            Action::Constant(_) | Action::Positive(_) | Action::Differ(_) => None,
            Action::Greatest(_) | Action::Inverse(_) | Action::Scaled { .. } => None,
        }
    }

    pub(super) fn operand(
        &self,
        row: Row,
        index: usize,
        kind: &ValueKind,
        c: &Sum,
    ) -> Option<ExactnessValue> {
        let ValueKind::Register(format) = *kind else {
            return None;
        };
        let factor = |side: usize| -> Option<ExactnessValue> {
            let product = self.products.get(index)?;
            let operand = if side == 0 { &product.a } else { &product.b };
            Some(ExactnessValue::Factor(Factor {
                side,
                index,
                operand: operand.clone(),
                format,
                rule: ZeroRule::Skip,
                loses_sign: false,
            }))
        };
        let scale = |side| {
            Some(ExactnessValue::Scale(Scale {
                side,
                index,
                rule: ZeroRule::Skip,
            }))
        };
        match row {
            Row::A => factor(0),
            Row::B => factor(1),
            Row::C => Some(ExactnessValue::register(c.clone())),
            Row::AScales => scale(0),
            Row::BScales => scale(1),
        }
    }

    /// Products, or one of parts that is known by itself.
    pub(super) fn products_at(&self, slot: Slot) -> Option<&Products> {
        match &self.values[slot as usize] {
            ExactnessValue::Products(products) => Some(products),
            ExactnessValue::PartOfProduct(part) => part.alone.as_ref(),
            _ => None,
        }
    }

    pub(super) fn flush(&mut self, of: Slot, to: FlushedZero) -> Option<ExactnessValue> {
        let format = self.program.format(of)?;
        let to = match format.has_negative_zero() {
            true => to,
            false => FlushedZero::Plus,
        };
        match self.values[of as usize].clone() {
            ExactnessValue::Factor(factor) => Some(ExactnessValue::Factor(Factor {
                operand: factor.operand.flushed(&factor.format),
                loses_sign: factor.loses_sign || to == FlushedZero::Plus,
                ..factor
            })),
            ExactnessValue::Register(found) => Some(ExactnessValue::register(
                self.units.rounded.flush(found.sum, &format, to),
            )),
            _ => None,
        }
    }

    /// Whether a register is `c`, or `c` whose subnormal numbers are zero.
    fn is_operand(&self, slot: Slot) -> bool {
        match self.program.nodes[slot as usize].action {
            Action::Operand(..) => true,
            Action::Flush(of, _) => self.is_operand(of),
            _ => false,
        }
    }

    pub(super) fn term(&self, term: &TermStep) -> Option<ExactnessValue> {
        let Some(format) = self.program.format(term.of) else {
            return self.compared(term);
        };
        let rule = rule_of(term.zeros)?;
        match &self.values[term.of as usize] {
            ExactnessValue::Factor(_) | ExactnessValue::Scale(_) if term.shift != 0 => None,
            ExactnessValue::Register(_) if term.room != 0 => None,
            // A register that overflowed before would be an ordinary number here.
            ExactnessValue::Register(_)
                if term.specials == Specials::None && !self.is_operand(term.of) =>
            {
                None
            }
            ExactnessValue::Factor(factor) if !term.widen => Some(ExactnessValue::Factor(Factor {
                rule,
                ..factor.clone()
            })),
            ExactnessValue::Scale(scale) if !term.widen => {
                Some(ExactnessValue::Scale(Scale { rule, ..*scale }))
            }
            ExactnessValue::Register(found) => {
                let least = match term.widen {
                    _ if format.is_integer() => 0,
                    true => format.least_exponent(),
                    false => format.min_exponent(),
                };
                let own = addend_term(found.sum.clone(), &format, rule);
                // The last place stays where it is.
                let fraction = own
                    .fraction
                    .map(|places| (i64::from(places) + term.shift).max(0));
                Some(ExactnessValue::Addend(Addend {
                    term: OnGrid {
                        exponent: own.exponent.map(|exponent| exponent + term.shift),
                        fraction: fraction.and_then(|places| u32::try_from(places).ok()),
                        ..own
                    },
                    least: i64::from(least) + term.shift,
                    shift: (!format.is_integer()).then_some(term.shift),
                }))
            }
            _ => None,
        }
    }

    /// True if the sum has all leaves of a value, so that an infinity of the value is one of the sum.
    fn is_in(&self, slot: Slot, sum: &Sum) -> bool {
        let is_infinite = |sum: &Sum| sum.overflow == OverflowValue::Infinity;
        let holds =
            |own: &Sum| is_infinite(own) && own.leaves.iter().all(|leaf| sum.leaves.contains(leaf));
        is_infinite(sum) && self.exact(slot).as_ref().is_some_and(holds)
    }

    /// Whether a value is known to be finite.
    fn is_finite(&self, slot: Slot) -> bool {
        let is_exact = |sum: &Sum| sum.overflow == OverflowValue::Nothing;
        match &self.values[slot as usize] {
            ExactnessValue::Factor(_) | ExactnessValue::Scale(_) | ExactnessValue::Products(_) => {
                true
            }
            ExactnessValue::Part(_) | ExactnessValue::PartOfProduct(_) => true,
            ExactnessValue::Register(found) => is_exact(&found.sum),
            ExactnessValue::Number(term) | ExactnessValue::Addend(Addend { term, .. }) => {
                is_exact(&term.sum)
            }
            ExactnessValue::Fused(fused) => {
                fused.exact.as_ref().is_some_and(|term| is_exact(&term.sum))
            }
            ExactnessValue::Unknown => false,
        }
    }

    /// The exact value of a number or a register.
    pub(super) fn exact(&self, slot: Slot) -> Option<Sum> {
        match &self.values[slot as usize] {
            ExactnessValue::Products(products) => products.exact(),
            ExactnessValue::PartOfProduct(part) => part.alone.as_ref()?.exact(),
            ExactnessValue::Register(found) => Some(found.sum.clone()),
            ExactnessValue::Number(term) | ExactnessValue::Addend(Addend { term, .. }) => {
                Some(term.sum.clone())
            }
            ExactnessValue::Fused(fused) => Some(fused.exact.as_ref()?.sum.clone()),
            ExactnessValue::Factor(_)
            | ExactnessValue::Part(_)
            | ExactnessValue::Scale(_)
            | ExactnessValue::Unknown => None,
        }
    }

    pub(super) fn on_grid(&self, slot: Slot) -> Option<OnGrid> {
        match &self.values[slot as usize] {
            ExactnessValue::Products(products) => products.on_grid(&self.program.extent(slot)),
            ExactnessValue::PartOfProduct(part) => {
                part.alone.as_ref()?.on_grid(&self.program.extent(slot))
            }
            ExactnessValue::Number(term) | ExactnessValue::Addend(Addend { term, .. }) => {
                Some(term.clone())
            }
            ExactnessValue::Fused(fused) => fused.exact.clone(),
            _ => None,
        }
    }
}
