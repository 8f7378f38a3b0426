//! Scale factors in tensor memory (PTX ISA, "Scale factor A layout"). The scale factors of row `r`
//! of A, or of column `r` of B, are the bytes of the word in lane `r mod 32` and column `r / 32`.
//! Each of the four warps has a copy of all scale factors in its lanes.

use super::bank::Bank;
use crate::vectors::device::tile::{TileExtent, TilePlaces};

/// The number of lanes of a warp.
const LANES: u32 = 32;

/// The scale factors of A or of B, in the registers of all threads, and in tensor memory.
pub(super) struct ScaleFactors {
    bank: Bank,
    /// The number of rows of A, or of columns of B.
    rows: u32,
    /// The first column of the scale factors in tensor memory.
    column: u32,
}

impl ScaleFactors {
    /// The scale factors of `rows` rows of A or columns of B, in the input memory from byte `start`
    /// on.
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

    /// The places of the scale factors in the input memory. Each scale factor has four places, one
    /// for every warp.
    pub fn places(&self, extent: TileExtent) -> TilePlaces {
        let elements = self.bank.elements(8).map(|(thread, byte, offset)| {
            let row = byte / 4 * LANES + thread % LANES;
            (row, byte % 4, offset)
        });
        let used = elements.filter(|(row, block, _)| *row < self.rows && *block < extent.blocks);
        TilePlaces::new(
            8,
            used.map(|(row, block, offset)| (extent.scale(row, block), offset)),
        )
    }

    /// PTX that loads the scale factors, and stores them in tensor memory at the lanes whose
    /// address is in the register `part`. The register `at_NAME` then holds the address of the
    /// scale factors.
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

    /// The operand that gives the instruction the scale factors.
    pub fn operand(&self) -> String {
        format!("[at_{}]", self.bank.name)
    }
}
