//! A step of a program: an operation with the columns that it reads and writes.

use super::columns::Memory;
use super::double_vectors::DoubleVector;
use super::vectors::FloatVector;

/// The columns and constants of one operation; each operation uses only some of these fields.
pub(super) struct TapeStep {
    /// The column that is written.
    pub to: u16,
    /// Columns that are read.
    pub args: [u16; 4],
    /// Constant shift amounts. In some operations, `shifts[1]` is a number of entries of `list`
    /// instead.
    pub shifts: [u32; 2],
    pub constants: [u128; 2],
    /// Columns that are read by an operation on any number of columns; an entry has up to four
    /// columns.
    pub list: Box<[[u16; 4]]>,
}

impl TapeStep {
    /// The first `shifts[1]` entries of the list, and the remaining entries.
    #[inline(always)]
    pub(super) fn parts(&self) -> (&[[u16; 4]], &[[u16; 4]]) {
        let first = self.shifts[1] as usize;
        self.list.split_at(first.min(self.list.len()))
    }
}

/// An operation on columns that is written over the vector registers of the processor.
pub(super) trait VectorOperation {
    fn run<V: FloatVector>(memory: &mut Memory, step: &TapeStep);
}

/// An operation on columns that is written over vector registers of `f64`.
pub(super) trait DoubleOperation {
    fn run<V: DoubleVector>(memory: &mut Memory, step: &TapeStep);
}

/// An operation on columns. Implementations are inlined into one function for each set of processor
/// features.
pub(super) trait ColumnOperation {
    fn run(memory: &mut Memory, step: &TapeStep);
}
