//! A unit that sums along k: it runs instructions in sequence, each with the result of the previous
//! one as its accumulator. The last instruction is filled up with products of zeros.

use super::{DotAdd, Operands, Signature, Stages};
use mmasmt_numbers::bits::Bv;
use mmasmt_numbers::float::NanCode;

/// The unit of a composition: an algorithm whose accumulator has the format of its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit<A> {
    instruction: A,
}

impl<A: DotAdd> Unit<A> {
    /// A unit of this instruction, if its accumulator has the format of its result.
    pub fn new(instruction: A) -> Option<Self> {
        let signature = instruction.signature();
        (signature.c == signature.d).then_some(Unit { instruction })
    }

    /// The same unit with its instruction replaced by the result of `change`, which must keep the
    /// signature.
    pub fn changed(&self, change: impl Fn(&A) -> A) -> Self {
        let instruction = change(&self.instruction);
        debug_assert_eq!(instruction.signature(), self.signature());
        Unit { instruction }
    }

    /// The instruction of every step along k.
    pub fn instruction(&self) -> &A {
        &self.instruction
    }

    /// The signature of one instruction.
    pub fn signature(&self) -> Signature {
        self.instruction.signature()
    }

    /// The code of a NaN result.
    pub fn nan(&self) -> NanCode {
        self.instruction.nan()
    }

    /// Whether the result depends on the accumulator.
    pub fn reads_c(&self) -> bool {
        self.instruction.reads_c()
    }

    /// The number of products of one instruction.
    pub fn step(&self) -> usize {
        self.signature().products as usize
    }

    /// An accumulator of +0.
    pub fn zero<B: Bv>(&self) -> B {
        B::lit(self.signature().d.width(), 0)
    }

    /// Adds any number of products to `c`, in the order of k, and returns the result register.
    pub fn run<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        let signature = self.signature();
        let (step, scales) = (self.step(), signature.scale_count() as usize);
        let block = signature.scales.map_or(1, |scales| scales.block as usize);
        let mut d = operands.c.clone();
        for start in (0..operands.a.len()).step_by(step) {
            let end = (start + step).min(operands.a.len());
            let first = if scales == 0 { 0 } else { start / block };
            let row = |row: &[B], plain| filled(&row[start..end], step, plain);
            let scale_row = |row: &[B], plain| {
                let end = (first + scales).min(row.len());
                filled(&row[first..end], scales, plain)
            };
            let one = signature.scales.map(|scales| scales.format);
            let one = one.map_or_else(
                || B::lit(1, 0),
                |format| B::lit(format.width(), format.one()),
            );
            let a = row(operands.a, B::lit(signature.a.width(), 0));
            let b = row(operands.b, B::lit(signature.b.width(), 0));
            let a_scales = scale_row(operands.a_scales, one.clone());
            let b_scales = scale_row(operands.b_scales, one);
            let part = Operands {
                a: &a,
                b: &b,
                c: &d,
                a_scales: &a_scales,
                b_scales: &b_scales,
            };
            d = self.instruction.dot_add(part, stages);
        }
        d
    }
}

/// `registers`, followed by copies of `plain` up to `length`.
fn filled<B: Bv>(registers: &[B], length: usize, plain: B) -> Vec<B> {
    let mut all = registers.to_vec();
    all.resize(length, plain);
    all
}
