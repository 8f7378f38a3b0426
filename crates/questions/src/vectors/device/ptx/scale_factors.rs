//! Scale factors in tensor memory (PTX ISA, "Scale factor A layout"): those of row `r` (of A;
//! column of B) are the bytes of the word in lane `r mod 32` and column `r / 32`, and each of the
//! four warps has all of them in its lanes.

use super::bank::Bank;
use crate::vectors::device::tile::{Extent, Places};

/// Lanes of a warp.
const LANES: u32 = 32;

/// The scale factors of one side, in the registers of all threads, and in tensor memory from a
/// column on.
pub(super) struct ScaleFactors {
    bank: Bank,
    /// The number of rows or columns.
    rows: u32,
    /// The column of tensor memory.
    column: u32,
}

impl ScaleFactors {
    /// The scale factors of `rows` rows, in the input memory from byte `start` on.
    pub fn new(name: &'static str, rows: u32, threads: u32, start: u32, column: u32) -> Self {
        let bank = Bank {
            name,
            kind: "b32",
            count: rows.div_ceil(LANES),
            threads,
            start,
        };
        ScaleFactors { bank, rows, column }
    }

    /// The first byte after the scale factors.
    pub fn end(&self) -> u32 {
        self.bank.end()
    }

    /// The places of the scale factors, four for each.
    pub fn places(&self, extent: Extent) -> Places {
        let elements = self.bank.elements(8).map(|(thread, byte, offset)| {
            let row = byte / 4 * LANES + thread % LANES;
            (row, byte % 4, offset)
        });
        let used = elements.filter(|(row, block, _)| *row < self.rows && *block < extent.blocks);
        Places::new(
            8,
            used.map(|(row, block, offset)| (extent.scale(row, block), offset)),
        )
    }

    /// Loads the scale factors, and stores them in tensor memory at the lanes whose address is in
    /// `part`. Their own address is then in the register `at_NAME`.
    pub fn store(&self) -> String {
        let Bank { name, count, .. } = self.bank;
        let (column, registers) = (self.column, self.bank.braced());
        self.bank.load()
            + &format!(
                ".reg .b32 at_{name};\nadd.u32 at_{name}, part, {column};\n\
                 tcgen05.st.sync.aligned.32x32b.x{count}.b32 [at_{name}], {registers};\n\
                 add.u32 at_{name}, whole, {column};\n"
            )
    }

    /// The operand of the instruction.
    pub fn operand(&self) -> String {
        format!("[at_{}]", self.bank.name)
    }
}
