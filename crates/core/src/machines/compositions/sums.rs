//! What a composition is built from: runs of its unit along k, and calculations on their results.
//!
//! A composition is written once over [`Sums`]. An instance says what a sum is: a register of any
//! bit-vector ([`OnRegisters`](super::OnRegisters)), the elements of a part of a product of
//! matrices, or a set of values.

use crate::machines::algorithms::{Core, Stages};
use crate::machines::schemes::Splitting;
use crate::numbers::bits::Bv;
use crate::numbers::float::{Format, NanCode, Rounding};
use std::ops::Range;

/// A description of a value in words, and its index among several values with this description.
pub type What = (&'static str, Option<usize>);

/// The products of one dot-add of a composition, and arithmetic on sums of them.
pub trait Sums {
    /// A register of a sum.
    type Sum: Clone;
    /// A row of factors: those of all products from one side.
    type Row;
    /// The reason that a sum is not computed.
    type Stop;

    /// The number of products.
    fn count(&self) -> usize;

    /// The accumulator of the composition.
    fn c(&mut self) -> Result<Self::Sum, Self::Stop>;

    /// The block scales with number `index` of A and of B.
    fn scales(&mut self, index: usize) -> Result<[Self::Sum; 2], Self::Stop>;

    /// A constant register of `format`.
    fn constant(&mut self, format: Format, register: u64) -> Result<Self::Sum, Self::Stop>;

    /// The unit's sum of the products with these numbers, in this order, which begins at `c`. The
    /// last instruction is filled up with products of zeros.
    fn run(&mut self, products: &[usize], c: Self::Sum) -> Result<Self::Sum, Self::Stop>;

    /// The factors of A and those of B.
    fn factors(&mut self) -> Result<[Self::Row; 2], Self::Stop>;

    /// The parts that the numbers of a row are split into: a row for each part.
    fn split(
        &mut self,
        splitting: &Splitting<'_>,
        row: &Self::Row,
    ) -> Result<Vec<Self::Row>, Self::Stop>;

    /// The unit's sum of the products of two rows at these places, which begins at `c`.
    fn run_rows(
        &mut self,
        rows: [&Self::Row; 2],
        places: Range<usize>,
        c: Self::Sum,
    ) -> Result<Self::Sum, Self::Stop>;

    /// Records a sum as `what`.
    fn note(&mut self, what: What, format: Format, sum: &Self::Sum);

    /// The result of a calculation, which is recorded as `what`.
    fn calculate(
        &mut self,
        what: What,
        calculation: Calculation,
        operands: &[&Self::Sum],
    ) -> Result<Self::Sum, Self::Stop>;
}

/// A calculation of the processor beside the unit, on registers of `format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Calculation {
    /// Format of the operands, and of the result of all but a conversion.
    pub format: Format,
    /// The operation.
    pub operation: Operator,
}

/// The operation of a [`Calculation`] on operands x, y and z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `x + y`.
    Add(Rounding),
    /// `x * y`.
    Multiply(Rounding),
    /// `x * y + z`, rounded once.
    Fma(Rounding),
    /// `x` in another format, rounded to nearest even.
    Convert(Format),
    /// `x` in another format, rounded to nearest even. A magnitude beyond the greatest number of
    /// that format becomes that number, with the sign of `x`.
    Saturate(Format),
    /// `x`, or +0 where `x` is negative; a NaN stays.
    Relu,
    /// `x`, or +0 where `x` is a NaN.
    NanToZero,
}

impl Operator {
    /// The number of operands.
    pub fn operands(&self) -> usize {
        match self {
            Operator::Convert(_) | Operator::Saturate(_) => 1,
            Operator::Relu | Operator::NanToZero => 1,
            Operator::Add(_) | Operator::Multiply(_) => 2,
            Operator::Fma(_) => 3,
        }
    }
}

impl Calculation {
    /// Format of the result.
    pub fn result(&self) -> Format {
        match self.operation {
            Operator::Convert(to) | Operator::Saturate(to) => to,
            _ => self.format,
        }
    }

    /// The result for as many operands as the operation has, recorded as `what`.
    pub fn of<B: Bv>(
        &self,
        what: What,
        nan: NanCode,
        operands: &[&B],
        stages: &mut Stages<B>,
    ) -> B {
        let mut core = Core {
            format: self.format,
            nan,
            stages,
        };
        match (self.operation, operands) {
            (Operator::Add(to), [x, y]) => core.add(what, to, x, y),
            (Operator::Multiply(to), [x, y]) => core.multiply(what, to, x, y),
            (Operator::Fma(to), [x, y, z]) => core.fma(what, to, [x, y, z]),
            (Operator::Convert(to), [x]) => core.convert(what, to, Rounding::Rne, x),
            (Operator::Saturate(to), [x]) => core.saturate(what, to, x),
            (Operator::Relu, [x]) => core.relu(what, x),
            (Operator::NanToZero, [x]) => core.nan_to_zero(what, x),
            _ => unreachable!(
                "{:?} takes {} operands",
                self.operation,
                self.operation.operands()
            ),
        }
    }
}

/// Addition in `format`.
pub fn add(format: Format, rounding: Rounding) -> Calculation {
    Calculation {
        format,
        operation: Operator::Add(rounding),
    }
}
