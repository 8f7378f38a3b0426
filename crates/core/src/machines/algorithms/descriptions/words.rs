//! The steps of a description on machine words, where the result alone is wanted: sums take their terms
//! from registers in one loop for terms that are alike, and what does not depend on content is known
//! before the first run.

use super::elements::ElementFactor;
use super::fuse::of_sum;
use super::number::{ExactNumber, Signs, TermSpecials, TermSummary};
use super::program::{Action, Extent, Program, ProgramNode, Slot, SumZeros, ValueKind};
use super::rows::{Rows, SumWidth, each_value};
use super::run::{RunValue, RunValues};
use super::summed::{SumResult, SumSource};
use super::tables::DescriptionTable;
use crate::machines::algorithms::{Operand, Operands, Stages};
use mmasmt_numbers::bits::{Bv, Concrete, Prop, W64};
use mmasmt_numbers::float::{Format, SpecialTerm};
use std::sync::atomic::{AtomicU32, Ordering};

/// The steps, of which sums take their terms in rows.
#[derive(Debug)]
pub(super) struct WordProgram {
    program: Program,
    /// The number of runs so far, up to [`OFTEN`].
    runs: AtomicU32,
    /// For each step the rows of its terms, if it is a sum that takes them so.
    sums: Vec<Option<Rows>>,
}

/// The runs after which a program takes operands from tables, which are long.
pub const OFTEN: u32 = 1 << 13;

impl WordProgram {
    /// The steps of a program for a result alone.
    pub(super) fn of(program: &Program) -> WordProgram {
        let slots = 0..program.nodes.len() as Slot;
        let rows = |slot| {
            let node = &program.nodes[slot as usize];
            Rows::of(program, slot).filter(|rows| rows.fit_words(node, &program.extent(slot)))
        };
        let mut sums: Vec<Option<Rows>> = slots.map(rows).collect();
        let mut program = program.clone();
        let mut live = vec![false; sums.len()];
        live[program.result as usize] = true;
        for slot in (0..sums.len()).rev() {
            if live[slot] {
                each_value(&mut program.nodes[slot], &mut sums[slot], |of| {
                    live[*of] = true
                });
            }
        }
        let mut renamed = Vec::with_capacity(live.len());
        let mut count = 0;
        for is_live in &live {
            renamed.push(count);
            count += usize::from(*is_live);
        }
        for (node, rows) in program.nodes.iter_mut().zip(&mut sums) {
            each_value(node, rows, |of| *of = renamed[*of]);
        }
        let mut kept = live.iter();
        program.nodes.retain(|_| kept.next() == Some(&true));
        let mut kept = live.iter();
        sums.retain(|_| kept.next() == Some(&true));
        program.result = renamed[program.result as usize] as Slot;
        WordProgram {
            program,
            runs: AtomicU32::new(0),
            sums,
        }
    }
}

/// Terms of operands and of earlier steps.
struct Words<'x, 'v, 'p, B: Bv> {
    operands: Operands<'x, B>,
    values: &'v RunValues<'p, B>,
    /// Whether the program runs often.
    is_often: bool,
}

impl<B: Bv> SumSource<W64> for Words<'_, '_, '_, B> {
    #[inline(always)]
    fn factor(
        &self,
        factor: &ElementFactor,
        table: &Option<DescriptionTable>,
        place: (Option<Operand>, usize),
    ) -> ExactNumber<W64> {
        let register = self.register(&factor.register, place);
        match table.as_ref().filter(|_| self.is_often) {
            Some(table) => table.number(factor, &register),
            None => factor.number(&register),
        }
    }
    #[inline(always)]
    fn register(&self, _: &Format, (row, place): (Option<Operand>, usize)) -> W64 {
        word(match row {
            Some(Operand::A) => &self.operands.a[place],
            Some(Operand::B) => &self.operands.b[place],
            Some(Operand::C) => self.operands.c,
            Some(Operand::AScales) => &self.operands.a_scales[place],
            Some(Operand::BScales) => &self.operands.b_scales[place],
            None => self.values.register(place as Slot).0,
        })
    }
    #[inline(always)]
    fn number(&self, place: usize, _: &Extent) -> ExactNumber<W64> {
        let number = self.values.number(place as Slot).0;
        // A sum of these takes the significand and the sign.
        ExactNumber {
            significand: word(&number.significand),
            exponent: word(&number.exponent),
            zero: truth::<B>(&number.zero),
            special: SpecialTerm {
                nan: truth::<B>(&number.special.nan),
                infinite: truth::<B>(&number.special.infinite),
                sign: truth::<B>(&number.special.sign),
            },
            absent: truth::<B>(&number.absent),
            signs: Signs {
                all: truth::<B>(&number.signs.all),
                any: truth::<B>(&number.signs.any),
                zeros: truth::<B>(&number.signs.zeros),
            },
            complement: None,
            sticky: None,
        }
    }
}

/// The word as one of 64 bits, which hold it.
#[inline(always)]
fn word<B: Bv>(of: &B) -> W64 {
    W64::lit(of.width(), of.as_word().unwrap_or(0))
}

#[inline(always)]
fn truth<B: Bv>(of: &B::Bool) -> bool {
    B::from_prop(1, of).as_word() == Some(1)
}

#[inline(always)]
fn same<B: Bv>(of: bool) -> B::Bool {
    B::Bool::constant(of)
}

#[inline(always)]
fn wide<B: Bv>(of: &W64) -> B {
    B::lit(of.width(), of.to_u64())
}

fn wide_special<B: Bv>(of: &SpecialTerm<W64>) -> SpecialTerm<B> {
    SpecialTerm {
        nan: same::<B>(of.nan),
        infinite: same::<B>(of.infinite),
        sign: same::<B>(of.sign),
    }
}

fn wide_signs<B: Bv>(of: &Signs<W64>) -> Signs<B> {
    Signs {
        all: same::<B>(of.all),
        any: same::<B>(of.any),
        zeros: same::<B>(of.zeros),
    }
}

fn wide_number<B: Bv>(of: &ExactNumber<W64>) -> ExactNumber<B> {
    ExactNumber {
        significand: wide(&of.significand),
        exponent: wide(&of.exponent),
        zero: same::<B>(of.zero),
        special: wide_special(&of.special),
        absent: same::<B>(of.absent),
        signs: wide_signs(&of.signs),
        complement: of.complement.as_ref().map(wide),
        sticky: of.sticky.map(same::<B>),
    }
}

impl WordProgram {
    /// The register of the result, on machine words.
    pub(super) fn run<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        let mut values = RunValues::of(&self.program);
        let runs = self.runs.load(Ordering::Relaxed);
        if runs < OFTEN {
            self.runs.store(runs + 1, Ordering::Relaxed);
        }
        for (node, rows) in self.program.nodes.iter().zip(&self.sums) {
            let value = match (node.kind, rows) {
                (ValueKind::Register(format), _) => {
                    RunValue::Register(values.make_register(&node.action, &format, operands))
                }
                (ValueKind::Number(extent), Some(rows)) => {
                    let source = Words {
                        operands,
                        values: &values,
                        is_often: runs >= OFTEN,
                    };
                    let sum = rows.number(node, &extent, &source, stages.words());
                    RunValue::Number(match sum {
                        SumResult::Number(number) => wide_number(&number),
                        SumResult::Halves(sums, terms) => rows.joined(node, sums, &terms, &extent),
                    })
                }
                (ValueKind::Number(extent), None) => {
                    RunValue::Number(values.make_sum(node, &extent, stages))
                }
            };
            values.all.push(value);
        }
        values.register(self.program.result).0.clone()
    }
}

impl Rows {
    /// The exact sum of two halves.
    fn joined<B: Bv>(
        &self,
        node: &ProgramNode,
        [low, high]: [W64; 2],
        terms: &TermSummary<W64>,
        extent: &Extent,
    ) -> ExactNumber<B> {
        let half = match self.form {
            SumWidth::Halves(half) => half,
            SumWidth::Fused(_) | SumWidth::Exact => 0,
        };
        let zeros = match &node.action {
            Action::Sum { zeros, .. } => *zeros,
            _ => SumZeros::None,
        };
        let [low, high] = [low, high].map(|sum| wide::<B>(&sum).sext(extent.width + 1));
        let total = low.add(&high.shl(&B::lit(u32::BITS, half.into())));
        let terms = TermSummary {
            specials: TermSpecials {
                nan: same::<B>(terms.specials.nan),
                up: same::<B>(terms.specials.up),
                down: same::<B>(terms.specials.down),
            },
            signs: wide_signs(&terms.signs),
            absent: same::<B>(terms.absent),
        };
        of_sum(total, &terms, zeros, extent)
    }
}
