//! A step of a program: an operation with the columns that it reads and writes.

use super::columns::Memory;

/// The columns and constants of one operation; each operation uses only some of these fields.
pub(super) struct Step {
    /// The column that is written.
    pub to: u16,
    /// Columns that are read.
    pub args: [u16; 4],
    /// Constant shift amounts. `shifts[1]` may also be a number of entries of the list.
    pub shifts: [u32; 2],
    pub constants: [u128; 2],
    /// Columns that are read by operations on any number of columns.
    pub list: Box<[[u16; 4]]>,
}

impl Step {
    /// The first `shifts[1]` entries of the list, and the others.
    #[inline(always)]
    pub(super) fn parts(&self) -> (&[[u16; 4]], &[[u16; 4]]) {
        let first = self.shifts[1] as usize;
        self.list.split_at(first.min(self.list.len()))
    }
}

/// An operation on columns. Implementations are inlined into one function for each set of processor
/// features.
pub(super) trait Operation {
    fn run(memory: &mut Memory, step: &Step);
}
