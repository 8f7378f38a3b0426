//! The walk over the steps of a description: each value from those before it.

use super::value::{MonotoneValue, MovingOperands};
use crate::claims::places::Places;
use mmasmt_core::machines::algorithms::Operand;
use mmasmt_core::machines::algorithms::descriptions::{
    Action, Cut, Nan, Program, Round, RoundSource, Slot, Specials, SumZeros, TermStep, ValueKind,
    Zeros,
};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Dyadic, Format};

/// Whether no result of `model` falls where an operand rises to the next one, infinities included.
pub fn never_falls(model: &Model, moving: MovingOperands) -> bool {
    let steps = model.algorithm().steps();
    steps.is_some_and(|steps| rises(&steps, moving))
}

/// Whether the result of these steps rises with the operands that move.
fn rises(program: &Program, moving: MovingOperands) -> bool {
    let walk = MonotoneWalk::along(program, moving);
    walk.at(program.result).summand().is_some()
}

/// `2^exponent`.
pub(super) fn power(exponent: i64) -> Dyadic {
    Dyadic::new(1.into(), exponent)
}

pub struct MonotoneWalk<'p> {
    pub(super) program: &'p Program,
    moving: MovingOperands,
    pub values: Vec<MonotoneValue>,
}

impl<'p> MonotoneWalk<'p> {
    pub fn of(program: &'p Program, moving: MovingOperands) -> Self {
        MonotoneWalk {
            program,
            moving,
            values: Vec::with_capacity(program.nodes.len()),
        }
    }

    /// The walk over all steps.
    pub(super) fn along(program: &'p Program, moving: MovingOperands) -> Self {
        let mut walk = MonotoneWalk::of(program, moving);
        for node in &program.nodes {
            let value = walk.value(&node.action, &node.kind);
            walk.values.push(value.unwrap_or(MonotoneValue::Unknown));
        }
        walk
    }
}

impl MonotoneWalk<'_> {
    pub(super) fn at(&self, slot: Slot) -> &MonotoneValue {
        &self.values[slot as usize]
    }

    pub fn value(&self, action: &Action, kind: &ValueKind) -> Option<MonotoneValue> {
        if let Action::Operand(row, index) = action {
            return self.operand(*row, *index, kind);
        }
        if let (Action::Constant(code), ValueKind::Register(format)) = (action, kind) {
            return Some(MonotoneValue::Fixed {
                is_negative_never: code & format.sign_mask() == 0,
            });
        }
        if let Some(fixed) = self.fixed(action) {
            return Some(fixed);
        }
        match action {
            Action::Flush(of, _) => Some(self.vanishing(*of)),
            Action::Positive(of) => self
                .at(*of)
                .summand()
                .map(|_| self.at(*of).clone().with_step(None)),
            Action::Term(term) => self.term(term),
            Action::Normalise(of) => self.normalised(*of),
            Action::Product([x, y]) => self.product(*x, *y),
            Action::Cap { of, exponent } => self.capped(*of, *exponent),
            Action::Special { of, from } => {
                MonotoneValue::of_all([of].into_iter().chain(from).map(|slot| self.at(*slot)))
            }
            Action::Sum { terms, zeros } => self.sum(terms, *zeros),
            Action::Fuse(fuse) => self.fuse(fuse),
            Action::Cut(cut) => self.cut(cut),
            Action::Round(round) => self.round(round, kind),
            Action::Operand(..)
            | Action::Constant(_)
            | Action::Differ(_)
            | Action::Greatest(_)
            | Action::Inverse(_)
            | Action::Scaled { .. }
            | Action::Part { .. }
            | Action::Replace { .. }
            | Action::Drop { .. }
            | Action::Miscount { .. } => None,
        }
    }

    /// The value of a step that takes nothing that moves.
    fn fixed(&self, action: &Action) -> Option<MonotoneValue> {
        let (mut are_fixed, mut are_positive) = (true, true);
        action.each_slot(|slot| match self.at(slot) {
            MonotoneValue::Fixed { is_negative_never } => are_positive &= is_negative_never,
            _ => are_fixed = false,
        });
        let keeps_sign = matches!(action, Action::Term(_) | Action::Product(_));
        are_fixed.then_some(MonotoneValue::Fixed {
            is_negative_never: are_positive && keeps_sign,
        })
    }

    fn operand(&self, row: Operand, index: usize, kind: &ValueKind) -> Option<MonotoneValue> {
        let ValueKind::Register(format) = kind else {
            return None;
        };
        if format.is_integer() {
            return None;
        }
        let factor = |side| match self.moving {
            MovingOperands::C => MonotoneValue::FIXED,
            MovingOperands::Products => MonotoneValue::Factor {
                side,
                index,
                may_vanish: false,
            },
        };
        Some(match (row, self.moving) {
            (Operand::A, _) => factor(0),
            (Operand::B, _) => factor(1),
            (Operand::C, MovingOperands::C) => MonotoneValue::rising(Places::one(0), None),
            (Operand::C, MovingOperands::Products) => MonotoneValue::FIXED,
            (Operand::AScales | Operand::BScales, _) => MonotoneValue::Fixed {
                is_negative_never: !format.is_signed(),
            },
        })
    }

    /// The value where small numbers may become zero.
    fn vanishing(&self, of: Slot) -> MonotoneValue {
        match self.at(of) {
            MonotoneValue::Factor { side, index, .. } => MonotoneValue::Factor {
                side: *side,
                index: *index,
                may_vanish: true,
            },
            other => other.clone(),
        }
    }

    /// A number that is infinite from a power of two on. Bits below its place of 1 are not seen: where it is compared by
    /// a greater exponent, it must have none above them.
    fn capped(&self, of: Slot, exponent: i64) -> Option<MonotoneValue> {
        self.at(of).summand()?;
        let highest = match self.program.nodes[of as usize].action {
            Action::Product([x, y]) => {
                let [x, y] = [x, y].map(|slot| self.program.extent(slot));
                (x.lowest + y.highest).max(x.highest + y.lowest)
            }
            _ => self.program.extent(of).highest,
        };
        (exponent > highest).then(|| self.at(of).clone())
    }

    /// The number of a register, or one that is compared by another exponent. That of zero must not be
    /// above those of all other numbers.
    fn term(&self, term: &TermStep) -> Option<MonotoneValue> {
        let lowest = match self.program.kind(term.of) {
            ValueKind::Register(format) => i64::from(format.min_exponent()),
            ValueKind::Number(extent) => extent.lowest,
        };
        let is_low = match term.zeros {
            Zeros::None | Zeros::Field => true,
            Zeros::At(exponent) => exponent <= lowest,
        };
        if term.shift != 0 || !is_low {
            return None;
        }
        let value = self.at(term.of).clone();
        match (self.program.kind(term.of), &value) {
            // The exponent of a zero would change with the other factor alone.
            (
                _,
                MonotoneValue::Factor {
                    may_vanish: true, ..
                },
            ) if term.zeros != Zeros::None => None,
            // An infinity would be a number.
            (ValueKind::Register(_), MonotoneValue::Rising(_))
                if term.specials == Specials::None =>
            {
                None
            }
            (ValueKind::Register(format), MonotoneValue::Rising(_)) => {
                Some(value.with_step(self.step_of(term.of, &format)))
            }
            // Whether a fused sum is zero says nothing about its exponent.
            (ValueKind::Number(_), MonotoneValue::Rising(_))
                if !self.is_product(term.of) || term.zeros == Zeros::Field =>
            {
                Some(value.with_step(None))
            }
            _ => Some(value),
        }
    }

    /// The step of a register as a number: a multiple of its last place. The exponent of a computed
    /// register may change by more than one: it then changes by half of its greater power of two at
    /// least, which with 7 fraction bits exceeds all that is cut of it where it is not the greatest.
    fn step_of(&self, slot: Slot, format: &Format) -> Option<Dyadic> {
        let least = if self.is_operand(slot) { 1 } else { 7 };
        (format.fraction_bits >= least).then(|| power(-i64::from(format.fraction_bits)))
    }

    fn is_operand(&self, slot: Slot) -> bool {
        match self.program.nodes[slot as usize].action {
            Action::Operand(..) => true,
            Action::Flush(of, _) => self.is_operand(of),
            _ => false,
        }
    }

    /// Whether a number is the product of two factors, with or without scales.
    pub(super) fn is_product(&self, slot: Slot) -> bool {
        let Action::Product([x, y]) = self.program.nodes[slot as usize].action else {
            return false;
        };
        let is_of = |x: Slot, y: Slot| {
            matches!(self.at(y), MonotoneValue::Fixed { .. }) && self.is_product(x)
        };
        matches!(self.at(x), MonotoneValue::Factor { .. }) || is_of(x, y) || is_of(y, x)
    }

    /// The number with its leading one as the highest bit. Relative to that, a product changes by at
    /// least half of a last place of one factor.
    fn normalised(&self, of: Slot) -> Option<MonotoneValue> {
        self.at(of).summand()?;
        let value = self.at(of).clone();
        let MonotoneValue::Rising(rising) = &value else {
            return Some(value);
        };
        let last = power(-self.program.extent(of).fraction);
        let step = rising.step.as_ref().filter(|_| self.is_product(of));
        let step = step.map(|step| match step.magnitude_exceeds(&last) {
            true => last,
            false => step.clone(),
        });
        Some(value.with_step(step))
    }

    fn product(&self, x: Slot, y: Slot) -> Option<MonotoneValue> {
        let value = self.multiplied(x, y)?;
        let MonotoneValue::Rising(rising) = &value else {
            return Some(value);
        };
        let fractions = [x, y].map(|slot| self.program.extent(slot).fraction);
        let is_of_factors = matches!(self.at(x), MonotoneValue::Factor { .. });
        let step = match is_of_factors {
            // Both have a last place below their leading one.
            true => {
                (fractions[0] > 0 && fractions[1] > 0).then(|| power(-fractions[0] - fractions[1]))
            }
            // A scale that is no zero is at least its last place.
            false => {
                let scale = usize::from(self.at(x).summand()?.is_some());
                let step = rising
                    .step
                    .clone()
                    .filter(|_| self.hides_zeros([x, y][scale]));
                step.map(|step| step.shifted(-fractions[scale]))
            }
        };
        Some(value.with_step(step))
    }

    /// Whether a scale has no exponent where it is zero; otherwise that of a product of zero would
    /// change.
    fn hides_zeros(&self, scale: Slot) -> bool {
        match &self.program.nodes[scale as usize].action {
            Action::Term(term) => {
                let format = self.program.format(term.of);
                term.zeros == Zeros::None || format.is_some_and(|format| !format.has_zero())
            }
            _ => false,
        }
    }

    /// The product of two factors of one place, or of something that rises and a scale.
    fn multiplied(&self, x: Slot, y: Slot) -> Option<MonotoneValue> {
        match (self.at(x), self.at(y)) {
            (
                MonotoneValue::Factor { side, index, .. },
                MonotoneValue::Factor {
                    side: other,
                    index: place,
                    ..
                },
            ) => (side != other && index == place)
                .then(|| MonotoneValue::rising(Places::one(*index), None)),
            (MonotoneValue::Rising(rising), MonotoneValue::Fixed { is_negative_never })
            | (MonotoneValue::Fixed { is_negative_never }, MonotoneValue::Rising(rising)) => {
                is_negative_never.then(|| MonotoneValue::Rising(rising.clone()))
            }
            _ => None,
        }
    }

    /// The exact sum, in fixed point: every change is at least a last place, and no exponent changes
    /// but that of zero.
    fn sum(&self, terms: &[Slot], zeros: SumZeros) -> Option<MonotoneValue> {
        let sum = MonotoneValue::of_all(terms.iter().map(|slot| self.at(*slot)))?;
        let finest = terms
            .iter()
            .map(|slot| self.program.extent(*slot))
            .map(|extent| extent.lowest - extent.fraction)
            .min()?;
        // Where a sum of zero may have an exponent or none, it changes by nothing.
        let step = (zeros != SumZeros::Terms).then(|| power(finest));
        Some(sum.with_step(step))
    }

    /// Fewer significant bits, where the place of the last one depends on the number alone.
    fn cut(&self, cut: &Cut) -> Option<MonotoneValue> {
        self.at(cut.of).summand()?;
        let extent = self.program.extent(cut.of);
        let highest = self.floor(cut.of).max(extent.lowest) + extent.integer_bits() - 1;
        let is_of_number = cut.least.is_none_or(|least| highest >= least);
        is_of_number.then(|| self.at(cut.of).clone().with_step(None))
    }

    /// The least exponent that a fused sum has because some term always has one.
    fn floor(&self, slot: Slot) -> i64 {
        let Action::Fuse(fuse) = &self.program.nodes[slot as usize].action else {
            return i64::MIN / 2;
        };
        let floors = fuse.terms.iter().filter_map(|term| {
            let Action::Term(term_of) = &self.program.nodes[term.of as usize].action else {
                return None;
            };
            (term_of.zeros != Zeros::None).then(|| self.program.extent(term.of).lowest)
        });
        floors.chain(fuse.least).max().unwrap_or(i64::MIN / 2)
    }

    fn round(&self, round: &Round, kind: &ValueKind) -> Option<MonotoneValue> {
        let ValueKind::Register(format) = kind else {
            return None;
        };
        // Without infinities, a result that is too large is another number.
        if format.is_integer() || round.specials == Specials::None {
            return None;
        }
        // A NaN that becomes a number lies between numbers.
        let becomes_number = match &round.nan {
            Nan::First(_, otherwise) => !format.is_nan(*otherwise),
            Nan::Code(_) => false,
        };
        if becomes_number || !format.has_nan() {
            return None;
        }
        let value = match round.of {
            RoundSource::Register(slot) => match self.at(slot) {
                MonotoneValue::Factor { .. } => return Some(self.vanishing(slot)),
                value => value.summand().map(|_| value.clone())?,
            },
            RoundSource::Number(slot) => self.at(slot).summand().map(|_| self.at(slot).clone())?,
            RoundSource::Multiply([x, y]) => self.multiplied(x, y)?,
            RoundSource::Add([x, y]) => {
                MonotoneValue::of_all([x, y].iter().map(|slot| self.at(*slot)))?
            }
            RoundSource::Fma([x, y, z]) => {
                let product = match self.fixed(&Action::Product([x, y])) {
                    Some(fixed) => fixed,
                    None => self.multiplied(x, y)?,
                };
                MonotoneValue::of_all([&product, self.at(z)].into_iter())?
            }
        };
        Some(value.with_step(None))
    }
}
