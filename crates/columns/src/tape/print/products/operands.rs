//! The operands and programs of products of matrices.

use crate::tape::lower::Tape;
use crate::tape::print::array::Array;
use crate::tape::side::Side;
use crate::tape::split::TapeSplit;

/// Registers of one operand, in the order of a program's inputs.
#[derive(Clone, Debug)]
pub struct OperandRegisters {
    /// Their name, width and number in a dot-add.
    pub array: Array,
    /// The side that they belong to.
    pub side: Side,
    /// The register beyond the end of a matrix.
    pub plain: u64,
    /// The offset, mask and limit by which infinities and NaNs are told, where the format has them:
    /// `(x + offset) & mask` is above the limit.
    pub special: Option<[u64; 3]>,
}

/// The programs of a model, for products of matrices.
#[derive(Clone, Debug)]
pub struct ProductPrograms<'x> {
    /// The beginning of the names of all kernels.
    pub name: &'x str,
    /// Lines that say what is computed.
    pub about: &'x str,
    /// The programs for finite operands that the guards of the sides let pass.
    pub split: &'x TapeSplit,
    /// The program for any operands.
    pub whole: &'x Tape,
    /// The operands.
    pub operands: Vec<OperandRegisters>,
    /// The results.
    pub result: Array,
}

impl ProductPrograms<'_> {
    /// The operands of a side, each with the number of its first input.
    pub(super) fn of_side(&self, side: Side) -> impl Iterator<Item = (usize, &OperandRegisters)> {
        let mut first = 0;
        let numbered = self.operands.iter().map(move |one| {
            let own = first;
            first += one.array.length;
            (own, one)
        });
        numbered.filter(move |(_, one)| one.side == side)
    }

    /// The accumulator and the number of its input.
    pub(super) fn accumulator(&self) -> Option<(usize, &OperandRegisters)> {
        self.of_side(Side::Neither).next()
    }

    /// The bits of the integer that holds an element of the chain: an accumulator or a result.
    pub(super) fn state_bits(&self) -> u32 {
        let c = self.accumulator().map_or(8, |(_, one)| one.array.bits());
        c.max(self.result.bits())
    }
}
