//! The steps of a description on bit-vectors.

use super::number::Number;
use super::program::{Action, Extent, Kind, Nan, Node, Program, Slot, Source};
use super::round::{Rounded, is_beyond, round};
use super::{cut, fuse};
use crate::machines::algorithms::{Grid, Operand, Operands, Stages, Step};
use crate::numbers::bits::Bv;
use crate::numbers::float::{Format, flush};

/// A value: a register or a number.
pub(super) enum Value<B: Bv> {
    Register(B),
    Number(Number<B>),
}

/// The values so far.
pub(super) struct Values<'p, B: Bv> {
    program: &'p Program,
    pub all: Vec<Value<B>>,
}

impl<'p, B: Bv> Values<'p, B> {
    /// No values yet.
    pub fn of(program: &'p Program) -> Self {
        Values {
            program,
            all: Vec::with_capacity(program.nodes.len()),
        }
    }

    pub fn register(&self, slot: Slot) -> (&B, Format) {
        match (&self.all[slot as usize], self.program.kind(slot)) {
            (Value::Register(bits), Kind::Register(format)) => (bits, format),
            _ => unreachable!("elaboration gives registers to steps that take registers"),
        }
    }

    pub fn number(&self, slot: Slot) -> (&Number<B>, Extent) {
        match &self.all[slot as usize] {
            Value::Number(number) => (number, self.program.extent(slot)),
            Value::Register(_) => {
                unreachable!("elaboration gives numbers to steps that take numbers")
            }
        }
    }

    fn numbers(&self, slots: impl Iterator<Item = Slot>) -> Vec<(&Number<B>, Extent)> {
        slots.map(|slot| self.number(slot)).collect()
    }
}

impl Program {
    /// The register of the result; fused sums and registers are added to `stages`.
    pub fn run<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        let mut values = Values::of(self);
        for node in &self.nodes {
            let value = match node.kind {
                Kind::Register(format) => {
                    let register = values.make_register(&node.action, &format, operands);
                    if let Action::Round(step) = &node.action {
                        let name = (node.name, node.index);
                        let is_of_sum = self.is_sum_before(values.all.len(), &step.of);
                        stages.push_rounded(name, format, &register, is_of_sum);
                        if let (Source::Number(slot), true) = (step.of, format.is_integer()) {
                            let (number, extent) = values.number(slot);
                            stages.note_overflow(|| is_beyond(step, number, &extent, &format));
                        }
                    }
                    Value::Register(register)
                }
                Kind::Number(extent) => Value::Number(values.make_sum(node, &extent, stages)),
            };
            values.all.push(value);
        }
        values.register(self.result).0.clone()
    }
}

impl<B: Bv> Values<'_, B> {
    pub fn make_register(&self, action: &Action, format: &Format, operands: Operands<'_, B>) -> B {
        match action {
            Action::Operand(row, index) => match row {
                Operand::A => operands.a[*index].clone(),
                Operand::B => operands.b[*index].clone(),
                Operand::C => operands.c.clone(),
                Operand::AScales => operands.a_scales[*index].clone(),
                Operand::BScales => operands.b_scales[*index].clone(),
            },
            Action::Flush(of, to) => flush(format, *to, self.register(*of).0),
            Action::Round(step) => {
                let first: Vec<(&B, Format)> = match &step.nan {
                    Nan::Code(_) => Vec::new(),
                    Nan::First(slots, _) => slots.iter().map(|slot| self.register(*slot)).collect(),
                };
                let of = match &step.of {
                    Source::Number(slot) => {
                        let (number, extent) = self.number(*slot);
                        Rounded::Number(number, extent)
                    }
                    Source::Register(slot) => {
                        let (bits, from) = self.register(*slot);
                        Rounded::Register(bits, from)
                    }
                    Source::Multiply(slots) => {
                        Rounded::Multiply(slots.map(|slot| self.register(slot)))
                    }
                    Source::Add(slots) => Rounded::Add(slots.map(|slot| self.register(slot))),
                    Source::Fma(slots) => Rounded::Fma(slots.map(|slot| self.register(slot))),
                };
                round(step, &of, format, &first)
            }
            _ => B::lit(format.width(), 0),
        }
    }

    /// The number of a step; a fused sum is added to `stages`.
    pub fn make_sum(&self, node: &Node, extent: &Extent, stages: &mut Stages<B>) -> Number<B> {
        let Action::Fuse(step) = &node.action else {
            return self.make_number(&node.action, extent);
        };
        let mut stage = stages.begin_fused(Grid::PRODUCTS);
        let terms = self.numbers(step.terms.iter().map(|term| term.of));
        let number = fuse::fuse(step, &terms, extent, node.name, &mut stage);
        stages.push(Step::Fused(stage));
        number
    }

    fn make_number(&self, action: &Action, extent: &Extent) -> Number<B> {
        match action {
            Action::Term(term) => match &self.all[term.of as usize] {
                Value::Register(bits) => {
                    let (_, format) = self.register(term.of);
                    Number::of_register(&format, bits, term, extent)
                }
                Value::Number(number) => {
                    number
                        .clone()
                        .compared(term, &self.program.extent(term.of), extent)
                }
            },
            Action::Product([x, y]) => {
                let [(x, left), (y, right)] = [self.number(*x), self.number(*y)];
                x.product(y, [&left, &right], extent)
            }
            Action::Differ([x, y]) => Number::of_bit(&self.register(*x).0.xor(self.register(*y).0)),
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
                let others: Vec<&Number<B>> =
                    from.iter().map(|slot| self.number(*slot).0).collect();
                self.number(*of).0.with_special(&others)
            }
            Action::Operand(..)
            | Action::Zero
            | Action::Flush(..)
            | Action::Round(_)
            | Action::Fuse(_) => {
                unreachable!("these make registers, or are made with their stages")
            }
        }
    }
}
