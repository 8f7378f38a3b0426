//! What a composition is built from: runs of its unit along k, and calculations on their results.
//!
//! A composition is written once over [`Sums`]. An instance says what a sum is: a register of any
//! bit-vector ([`OnRegisters`](super::OnRegisters)), the elements of a part of a product of
//! matrices, or a set of values.

use crate::machines::algorithms::{Core, Stages};
use crate::numbers::bits::Bv;
use crate::numbers::float::{Format, NanCode, Rounding};

/// A description of a value in words, and its index among several values with this description.
pub type What = (&'static str, Option<usize>);

/// The products of one dot-add of a composition, and arithmetic on sums of them.
pub trait Sums {
    /// A register of a sum.
    type Sum: Clone;
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
    pub operation: Calculated,
}

/// The operation of a [`Calculation`] on operands x, y and z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Calculated {
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
}

impl Calculated {
    /// The number of operands.
    pub fn operands(&self) -> usize {
        match self {
            Calculated::Convert(_) | Calculated::Saturate(_) | Calculated::Relu => 1,
            Calculated::Add(_) | Calculated::Multiply(_) => 2,
            Calculated::Fma(_) => 3,
        }
    }
}

impl Calculation {
    /// Format of the result.
    pub fn result(&self) -> Format {
        match self.operation {
            Calculated::Convert(to) | Calculated::Saturate(to) => to,
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
            (Calculated::Add(to), [x, y]) => core.add(what, to, x, y),
            (Calculated::Multiply(to), [x, y]) => core.multiply(what, to, x, y),
            (Calculated::Fma(to), [x, y, z]) => core.fma(what, to, [x, y, z]),
            (Calculated::Convert(to), [x]) => core.convert(what, to, Rounding::Rne, x),
            (Calculated::Saturate(to), [x]) => core.saturate(what, to, x),
            (Calculated::Relu, [x]) => core.relu(what, x),
            _ => unreachable!(
                "{:?} takes {} operands",
                self.operation,
                self.operation.operands()
            ),
        }
    }
}

/// Addition in `format`.
pub(super) fn add(format: Format, rounding: Rounding) -> Calculation {
    Calculation {
        format,
        operation: Calculated::Add(rounding),
    }
}
