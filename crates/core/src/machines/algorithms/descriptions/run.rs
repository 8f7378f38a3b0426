//! The steps of a description on bit-vectors.

use super::number::ExactNumber;
use super::program::{
    Action, Extent, Integers, Nan, Program, ProgramNode, Round, RoundSource, Slot, ValueKind,
};
use super::round::{RoundingInput, RoundingOperands, is_beyond, round};
use super::{cut, fuse, scales};
use crate::machines::algorithms::{Grid, Operand, Operands, Stages, Step};
use mmasmt_numbers::bits::{Bv, Prop, mux};
use mmasmt_numbers::float::{Format, flush, positive, unpack};

/// A value: a register or a number.
pub(super) enum RunValue<B: Bv> {
    Register(B),
    Number(ExactNumber<B>),
}

/// The values so far.
pub(super) struct RunValues<'p, B: Bv> {
    program: &'p Program,
    pub all: Vec<RunValue<B>>,
}

impl<'p, B: Bv> RunValues<'p, B> {
    /// No values yet.
    pub fn of(program: &'p Program) -> Self {
        RunValues {
            program,
            all: Vec::with_capacity(program.nodes.len()),
        }
    }

    pub fn register(&self, slot: Slot) -> (&B, Format) {
        match (&self.all[slot as usize], self.program.kind(slot)) {
            (RunValue::Register(bits), ValueKind::Register(format)) => (bits, format),
            _ => unreachable!("elaboration gives registers to steps that take registers"),
        }
    }

    pub fn number(&self, slot: Slot) -> (&ExactNumber<B>, Extent) {
        match &self.all[slot as usize] {
            RunValue::Number(number) => (number, self.program.extent(slot)),
            RunValue::Register(_) => {
                unreachable!("elaboration gives numbers to steps that take numbers")
            }
        }
    }

    pub fn numbers(&self, slots: impl Iterator<Item = Slot>) -> Vec<(&ExactNumber<B>, Extent)> {
        slots.map(|slot| self.number(slot)).collect()
    }
}

impl Program {
    /// The register of the result; fused sums and registers are added to `stages`.
    pub fn run<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        let mut values = RunValues::of(self);
        for (slot, node) in self.nodes.iter().enumerate() {
            let value = self.step(&mut values, slot, node, operands, stages);
            values.all.push(value);
        }
        values.register(self.result).0.clone()
    }

    /// The value of a step, after those of the steps before it.
    pub(super) fn step<B: Bv>(
        &self,
        values: &mut RunValues<'_, B>,
        slot: usize,
        node: &ProgramNode,
        operands: Operands<'_, B>,
        stages: &mut Stages<B>,
    ) -> RunValue<B> {
        match (node.kind, &node.action) {
            (ValueKind::Register(format), Action::Round(step)) => {
                let register = match values.wrapped(step, &format) {
                    Some(wrapped) => wrapped,
                    None => values.make_register(&node.action, &format, operands),
                };
                if !self.is_widened(slot, &step.of) {
                    let is_of_sum = stages.are_kept() && self.is_last_sum(slot, &step.of);
                    let name = (node.name, node.index);
                    let format = match step.fraction < format.fraction_bits {
                        true => format.with_fraction(step.fraction),
                        false => format,
                    };
                    stages.push_rounded(name, format, &register, is_of_sum);
                }
                if let (RoundSource::Number(of), true) = (step.of, format.is_integer()) {
                    let (number, extent) = values.number(of);
                    stages.note_overflow(|| is_beyond(step, number, &extent, &format));
                }
                RunValue::Register(register)
            }
            (ValueKind::Register(format), action) => {
                RunValue::Register(values.make_register(action, &format, operands))
            }
            (ValueKind::Number(extent), _) => {
                let number = values.make_sum(node, &extent, stages);
                let integer = number.complement.as_ref().filter(|_| stages.are_kept());
                if let Some(value) = integer
                    && let Some(format) = self.integer_format(slot)
                {
                    let value = value.sext(format.width());
                    stages.push_rounded((node.name, node.index), format, &value, false);
                }
                RunValue::Number(number)
            }
        }
    }
}

impl<B: Bv> RunValues<'_, B> {
    /// A sum of integers modulo `2^width` of the format, where the step wraps: in a formula, a chain of such sums is one
    /// sum.
    fn wrapped(&self, step: &Round, format: &Format) -> Option<B> {
        let RoundSource::Number(of) = step.of else {
            return None;
        };
        let Action::Sum { terms, .. } = &self.program.nodes[of as usize].action else {
            return None;
        };
        if !format.is_integer() || step.integers != Integers::Wrap {
            return None;
        }
        let width = format.width();
        let low = |slot: &Slot| {
            let value = self.number(*slot).0.complement.as_ref()?;
            Some(value.sext(width.max(value.width())).resize(width))
        };
        let terms = terms.iter().map(low).collect::<Option<Vec<B>>>()?;
        Some(B::sum(&terms))
    }

    /// The operands of a rounding.
    pub(super) fn rounded(&self, step: &Round) -> RoundingInput<'_, B> {
        match &step.of {
            RoundSource::Number(slot) => {
                let (number, extent) = self.number(*slot);
                let uncut = match &self.program.nodes[*slot as usize].action {
                    Action::Cut(cut) => {
                        let (number, extent) = self.number(cut.of);
                        Some((cut, number, extent))
                    }
                    _ => None,
                };
                RoundingInput::Number(number, extent, uncut)
            }
            RoundSource::Register(slot) => {
                let (bits, from) = self.register(*slot);
                RoundingInput::Register(bits, from)
            }
            RoundSource::Multiply(slots) => {
                RoundingInput::Multiply(slots.map(|slot| self.register(slot)))
            }
            RoundSource::Add(slots) => RoundingInput::Add(slots.map(|slot| self.register(slot))),
            RoundSource::Fma(slots) => RoundingInput::Fma(slots.map(|slot| self.register(slot))),
        }
    }

    pub fn make_register(&self, action: &Action, format: &Format, operands: Operands<'_, B>) -> B {
        match action {
            Action::Operand(row, index) => match row {
                Operand::A => operands.a[*index].clone(),
                Operand::B => operands.b[*index].clone(),
                Operand::C => operands.c.clone(),
                Operand::AScales => operands.a_scales[*index].clone(),
                Operand::BScales => operands.b_scales[*index].clone(),
            },
            Action::Constant(code) => B::lit(format.width(), *code),
            Action::Positive(of) => positive(format, self.register(*of).0),
            Action::Greatest(terms) => {
                let terms = terms.iter().map(|slot| self.register(*slot).0);
                scales::greatest(format, terms)
            }
            Action::Inverse(of) => scales::inverse(self.register(*of).0),
            Action::Flush(of, to) => flush(format, *to, self.register(*of).0),
            Action::Round(step) => {
                let first: Vec<(&B, Format)> = match &step.nan {
                    Nan::Code(_) => Vec::new(),
                    Nan::First(slots, _) => slots.iter().map(|slot| self.register(*slot)).collect(),
                };
                let of = self.rounded(step);
                let random = step.random.map(|slot| match &self.all[slot as usize] {
                    RunValue::Register(bits) => bits,
                    RunValue::Number(number) => &number.significand,
                });
                let kept_nan = step.kept_nan.map(|(slot, kept)| {
                    let (bits, from) = self.register(slot);
                    (bits, from, kept)
                });
                let beside = RoundingOperands {
                    first,
                    random,
                    kept_nan,
                };
                round(step, &of, format, &beside)
            }
            Action::Replace { of, from, register } => {
                let is_nan = from.iter().map(|slot| match &self.all[*slot as usize] {
                    RunValue::Number(number) => number.special.nan.clone(),
                    RunValue::Register(bits) => unpack(&self.register(*slot).1, bits).nan,
                });
                let other = B::lit(format.width(), *register);
                mux(&B::Bool::any(is_nan), &other, self.register(*of).0)
            }
            _ => B::lit(format.width(), 0),
        }
    }

    /// The number of a step; a fused sum is added to `stages`.
    pub fn make_sum(
        &self,
        node: &ProgramNode,
        extent: &Extent,
        stages: &mut Stages<B>,
    ) -> ExactNumber<B> {
        let Action::Fuse(step) = &node.action else {
            return self.make_number(&node.action, extent);
        };
        let mut stage = stages.begin_fused(Grid::NONE);
        let terms = self.numbers(step.terms.iter().map(|term| term.of));
        let number = fuse::fuse(step, &terms, extent, (node.name, node.index), &mut stage);
        if stages.are_kept() {
            stage.names = self.program.names_of_terms(node, step);
        }
        stages.push(Step::Fused(stage));
        number
    }

    fn make_number(&self, action: &Action, extent: &Extent) -> ExactNumber<B> {
        match action {
            Action::Term(term) => match &self.all[term.of as usize] {
                RunValue::Register(bits) => {
                    let (_, format) = self.register(term.of);
                    ExactNumber::of_register(&format, bits, term, extent)
                }
                RunValue::Number(number) => {
                    number
                        .clone()
                        .compared(term, &self.program.extent(term.of), extent)
                }
            },
            Action::Product([x, y]) => {
                let [(x, left), (y, right)] = [self.number(*x), self.number(*y)];
                x.product(y, [&left, &right], extent)
            }
            Action::Differ([x, y]) => {
                ExactNumber::of_bit(&self.register(*x).0.xor(self.register(*y).0))
            }
            Action::Normalise(of) => {
                let (number, from) = self.number(*of);
                number.clone().normalised(&from, extent)
            }
            Action::Part { of, low, bits, by } => {
                let (number, _) = self.number(*of);
                number.clone().part(*low, *bits, *by, extent.width)
            }
            Action::Cap { of, exponent } => {
                let (number, from) = self.number(*of);
                number.clone().capped(&from, *exponent)
            }
            Action::Drop { of, exponent } => {
                let (number, from) = self.number(*of);
                number.clone().dropped(&from, *exponent)
            }
            Action::Scaled { of, .. } => self.number(*of).0.clone(),
            Action::Miscount { of, bits } => {
                self.number(*of).0.clone().miscounted(*bits, extent.width)
            }
            Action::Sum { terms, zeros } => {
                fuse::sum(&self.numbers(terms.iter().copied()), *zeros, extent)
            }
            Action::Cut(step) => {
                let (number, from) = self.number(step.of);
                cut::cut(step, number, &from, extent)
            }
            Action::Special { of, from } => {
                let others: Vec<&ExactNumber<B>> =
                    from.iter().map(|slot| self.number(*slot).0).collect();
                self.number(*of).0.with_special(&others)
            }
            Action::Operand(..)
            | Action::Constant(_)
            | Action::Positive(_)
            | Action::Greatest(_)
            | Action::Inverse(_)
            | Action::Flush(..)
            | Action::Round(_)
            | Action::Replace { .. }
            | Action::Fuse(_) => {
                unreachable!("these make registers, or are made with their stages")
            }
        }
    }
}
