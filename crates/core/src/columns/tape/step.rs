//! A step of a program: an operation with the columns that it reads and writes.

use super::columns::Memory;

/// Numbers of columns and constants; which of them mean something is up to the operation.
pub(super) struct Step {
    /// The column that is written.
    pub to: u16,
    /// Columns that are read.
    pub args: [u16; 4],
    /// Shifts by constants.
    pub shifts: [u32; 2],
    pub constants: [u128; 2],
    /// Columns that are read, of operations with any number.
    pub list: Box<[[u16; 4]]>,
}

impl Step {
    /// The first `shifts[1]` of the list, and the others.
    #[inline(always)]
    pub(super) fn parts(&self) -> (&[[u16; 4]], &[[u16; 4]]) {
        let first = self.shifts[1] as usize;
        self.list.split_at(first.min(self.list.len()))
    }
}

/// An operation on columns. Implementations are inlined into functions for each set of processor
/// features.
pub(super) trait Operation {
    fn run(memory: &mut Memory, step: &Step);
}
