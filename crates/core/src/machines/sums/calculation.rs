//! Calculations of the processor beside a unit.

use crate::machines::algorithms::{Core, Stages, ValueLabel};
use mmasmt_numbers::bits::Bv;
use mmasmt_numbers::float::{Format, NanCode, Rounding};

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
        what: ValueLabel,
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
