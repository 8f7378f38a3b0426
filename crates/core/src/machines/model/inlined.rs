//! The steps of a whole model: a chain or a composition with the steps of its units in place, so that what is known of
//! steps is known of it.

use super::Algorithm;
use crate::machines::algorithms::descriptions::{
    Action, Extent, Integers, MOST_STEPS, Nan, Program, ProgramNode, Round, RoundSource, Slot,
    Specials, TermStep, ValueKind, ZeroSign,
};
use crate::machines::algorithms::{
    DotAdd, FlushedResults, Operand, Operation, Signature, ValueLabel,
};
use crate::machines::compositions::Composition;
use crate::machines::sums::{Calculation, Operator, Splitting, Sums};
use mmasmt_numbers::float::{Format, NanCode, Overflow, Rounding};
use std::ops::Range;

impl Algorithm {
    /// The steps of the whole algorithm, from operands to the result. `None` if the language of steps has no word for a part
    /// of it (a design, Ozaki's schemes, parts of numbers), or if there are more than a million.
    pub fn steps(&self) -> Option<Program> {
        let signature = self.signature();
        let mut steps = InlineSteps { nodes: Vec::new() };
        let operands = steps.operands(&signature);
        let result = steps.algorithm(self, &operands)?;
        Some(Program {
            signature,
            nodes: steps.nodes,
            result,
        })
    }
}

/// The registers that an instruction takes.
#[derive(Clone)]
struct InstructionRegisters {
    a: Vec<Slot>,
    b: Vec<Slot>,
    c: Slot,
    a_scales: Vec<Slot>,
    b_scales: Vec<Slot>,
}

struct InlineSteps {
    nodes: Vec<ProgramNode>,
}

impl InlineSteps {
    fn push(&mut self, node: ProgramNode) -> Slot {
        self.nodes.push(node);
        (self.nodes.len() - 1) as Slot
    }

    fn register(&mut self, name: &'static str, action: Action, format: Format) -> Slot {
        self.push(ProgramNode {
            name,
            index: None,
            action,
            kind: ValueKind::Register(format),
        })
    }

    fn constant(&mut self, format: Format, code: u64) -> Slot {
        self.register("constant", Action::Constant(code), format)
    }

    fn operands(&mut self, signature: &Signature) -> InstructionRegisters {
        let mut row = |row: Operand, format: Format, count: u32| -> Vec<Slot> {
            let each = (0..count as usize).map(|index| {
                self.push(ProgramNode {
                    name: row.name(),
                    index: Some(index),
                    action: Action::Operand(row, index),
                    kind: ValueKind::Register(format),
                })
            });
            each.collect()
        };
        let Signature {
            a, b, c, products, ..
        } = *signature;
        let scale = signature.scales.map_or(a, |scales| scales.format);
        let scales = signature.scale_count();
        let [right, right_scales] = match signature.is_conversion() {
            true => [0, 0],
            false => [products, scales],
        };
        let [a, b] = [row(Operand::A, a, products), row(Operand::B, b, right)];
        let own_c = row(Operand::C, c, signature.has_c().into());
        let a_scales = row(Operand::AScales, scale, scales);
        let b_scales = row(Operand::BScales, scale, right_scales);
        InstructionRegisters {
            a,
            b,
            c: own_c
                .first()
                .copied()
                .unwrap_or_else(|| self.constant(c, 0)),
            a_scales,
            b_scales,
        }
    }

    fn algorithm(&mut self, algorithm: &Algorithm, taken: &InstructionRegisters) -> Option<Slot> {
        match algorithm {
            Algorithm::Operation(operation) => self.operation(operation, taken),
            Algorithm::Chain(chain) => {
                let signature = chain.first().signature();
                let mut d = taken.c;
                for link in 0..chain.links() as usize {
                    let unit = if link == 0 {
                        chain.first()
                    } else {
                        chain.rest()
                    };
                    let part = taken.part(&signature, link * signature.products as usize, d);
                    d = self.operation(unit, &part)?;
                }
                Some(d)
            }
            Algorithm::Composition(composition) => self.composition(composition, taken),
            Algorithm::Design(_) => None,
        }
    }

    /// The steps of a unit, which takes these registers.
    fn operation(&mut self, operation: &Operation, taken: &InstructionRegisters) -> Option<Slot> {
        let program = operation.description()?.program();
        if self.nodes.len() + program.nodes.len() > MOST_STEPS {
            return None;
        }
        let mut slots: Vec<Slot> = Vec::with_capacity(program.nodes.len());
        for node in &program.nodes {
            let slot = match node.action {
                Action::Operand(row, index) => taken.row(row)[index],
                _ => {
                    let mut own = node.clone();
                    own.action
                        .each_slot_mut(|slot| *slot = slots[*slot as usize]);
                    self.push(own)
                }
            };
            slots.push(slot);
        }
        Some(slots[program.result as usize])
    }

    fn composition(
        &mut self,
        composition: &Composition<Algorithm>,
        taken: &InstructionRegisters,
    ) -> Option<Slot> {
        let unit = composition.unit();
        let mut on = StepSums {
            nan: unit.nan(),
            steps: self,
            unit,
            taken,
        };
        composition.kind().sum(&unit.signature(), &mut on).ok()?
    }
}

impl InstructionRegisters {
    fn row(&self, row: Operand) -> &[Slot] {
        match row {
            Operand::A => &self.a,
            Operand::B => &self.b,
            Operand::C => std::slice::from_ref(&self.c),
            Operand::AScales => &self.a_scales,
            Operand::BScales => &self.b_scales,
        }
    }

    /// What the instruction with this signature takes whose first product is number `first`, with the accumulator `c`.
    fn part(&self, signature: &Signature, first: usize, c: Slot) -> InstructionRegisters {
        let products = signature.products as usize;
        let scales = signature.scale_count() as usize;
        let block = signature.scales.map_or(1, |scales| scales.block as usize);
        let scale = if scales == 0 { 0 } else { first / block };
        let of = |row: &[Slot], first: usize, count: usize| row[first..first + count].to_vec();
        InstructionRegisters {
            a: of(&self.a, first, products),
            b: of(&self.b, first, products),
            c,
            a_scales: of(&self.a_scales, scale, scales),
            b_scales: of(&self.b_scales, scale, scales),
        }
    }
}

/// The sums of a composition, as steps.
struct StepSums<'x> {
    steps: &'x mut InlineSteps,
    unit: &'x Algorithm,
    taken: &'x InstructionRegisters,
    nan: NanCode,
}

/// The language of steps has no word for a part of the composition.
struct MissingWord;

impl StepSums<'_> {
    /// Instructions on these factors one after the other; zeros fill up the last one.
    fn along(&mut self, mut all: InstructionRegisters) -> Result<Slot, MissingWord> {
        let signature = self.unit.signature();
        let step = signature.products as usize;
        let whole = all.a.len().next_multiple_of(step);
        if whole > all.a.len() {
            let [a, b] = [signature.a, signature.b].map(|format| self.steps.constant(format, 0));
            all.a.resize(whole, a);
            all.b.resize(whole, b);
            if let Some(scales) = signature.scales {
                let one = self.steps.constant(scales.format, scales.format.one());
                let blocks = whole.div_ceil(scales.block as usize);
                all.a_scales.resize(blocks, one);
                all.b_scales.resize(blocks, one);
            }
        }
        let mut d = all.c;
        for first in (0..all.a.len()).step_by(step) {
            let part = all.part(&signature, first, d);
            d = self.steps.algorithm(self.unit, &part).ok_or(MissingWord)?;
        }
        Ok(d)
    }
}

impl Sums for StepSums<'_> {
    type Sum = Slot;
    type Row = Vec<Slot>;
    type Stop = MissingWord;

    fn count(&self) -> usize {
        self.taken.a.len()
    }

    fn c(&mut self) -> Result<Slot, MissingWord> {
        Ok(self.taken.c)
    }

    fn scales(&mut self, index: usize) -> Result<[Slot; 2], MissingWord> {
        let of = |row: &[Slot]| row.get(index).copied().ok_or(MissingWord);
        Ok([of(&self.taken.a_scales)?, of(&self.taken.b_scales)?])
    }

    fn constant(&mut self, format: Format, register: u64) -> Result<Slot, MissingWord> {
        Ok(self.steps.constant(format, register))
    }

    fn run(&mut self, products: &[usize], c: Slot) -> Result<Slot, MissingWord> {
        let of = |row: &[Slot]| products.iter().map(|k| row[*k]).collect();
        let block = self
            .unit
            .signature()
            .scales
            .map(|scales| scales.block as usize);
        let scales = |row: &[Slot]| match block {
            None => Vec::new(),
            Some(block) => {
                let firsts = products.iter().step_by(block);
                firsts.map(|k| row[k / block]).collect()
            }
        };
        let all = InstructionRegisters {
            a: of(&self.taken.a),
            b: of(&self.taken.b),
            c,
            a_scales: scales(&self.taken.a_scales),
            b_scales: scales(&self.taken.b_scales),
        };
        self.along(all)
    }

    fn factors(&mut self) -> Result<[Vec<Slot>; 2], MissingWord> {
        Ok([self.taken.a.clone(), self.taken.b.clone()])
    }

    fn split(&mut self, _: &Splitting<'_>, _: &Vec<Slot>) -> Result<Vec<Vec<Slot>>, MissingWord> {
        Err(MissingWord)
    }

    fn run_rows(
        &mut self,
        [a, b]: [&Vec<Slot>; 2],
        places: Range<usize>,
        c: Slot,
    ) -> Result<Slot, MissingWord> {
        let all = InstructionRegisters {
            a: a[places.clone()].to_vec(),
            b: b[places].to_vec(),
            c,
            a_scales: Vec::new(),
            b_scales: Vec::new(),
        };
        self.along(all)
    }

    fn note(&mut self, _: ValueLabel, _: Format, _: &Slot) {}

    fn calculate(
        &mut self,
        (name, _): ValueLabel,
        calculation: Calculation,
        operands: &[&Slot],
    ) -> Result<Slot, MissingWord> {
        let result = calculation.result();
        let (of, by) = match (calculation.operation, operands) {
            (Operator::Add(by), [x, y]) => (RoundSource::Add([**x, **y]), by),
            (Operator::Multiply(by), [x, y]) => (RoundSource::Multiply([**x, **y]), by),
            (Operator::Fma(by), [x, y, z]) => (RoundSource::Fma([**x, **y, **z]), by),
            (Operator::Convert(_), [x]) => (RoundSource::Register(**x), Rounding::Rne),
            (Operator::Saturate(_), [x]) => {
                let number = self.steps.push(ProgramNode {
                    name,
                    index: None,
                    action: Action::Term(TermStep::plain(**x)),
                    kind: ValueKind::Number(Extent::of_format(&calculation.format)),
                });
                (RoundSource::Number(number), Rounding::Rne)
            }
            (Operator::Relu, [x]) => {
                return Ok(self.steps.register(name, Action::Positive(**x), result));
            }
            (Operator::NanToZero, [x]) => {
                let replaced = Action::Replace {
                    of: **x,
                    from: vec![**x],
                    register: 0,
                };
                return Ok(self.steps.register(name, replaced, result));
            }
            _ => return Err(MissingWord),
        };
        let round = Round {
            of,
            by,
            fraction: result.fraction_bits,
            tiny: FlushedResults::Kept,
            overflow: match calculation.operation {
                Operator::Saturate(_) => Overflow::Greatest,
                _ => Overflow::Ieee,
            },
            integers: Integers::Wrap,
            zero: ZeroSign::Ieee,
            nan: Nan::Code(self.nan),
            specials: Specials::Format,
            random: None,
            kept_nan: None,
        };
        Ok(self.steps.register(name, Action::Round(round), result))
    }
}
