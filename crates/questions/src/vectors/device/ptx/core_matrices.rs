//! Operands in shared memory, stored along k without swizzling, as "core matrices" of 8 rows of 16
//! bytes. Two core matrices lie one after the other along k, followed by the two core matrices of
//! the next 8 rows (PTX ISA, "Shared memory matrix layout", "Matrix descriptor").

use mmasmt_numbers::float::Format;

/// The number of bytes of a row of a core matrix.
const LINE: u32 = 16;
/// The number of bytes of a core matrix, which is the offset of the next one along k.
const CORE: u32 = 8 * LINE;
/// The number of bytes of two core matrices, which is the offset of the next 8 rows.
const GROUP: u32 = 2 * CORE;

/// A matrix in shared memory, from byte `start` on: A with `rows` rows, or B with `rows` columns.
#[derive(Clone, Copy)]
pub(super) struct FragmentOperand {
    pub start: u32,
    pub rows: u32,
    /// The number of elements along k.
    pub depth: u32,
    /// The number of bits of an element.
    pub width: u32,
}

impl FragmentOperand {
    pub fn new(start: u32, rows: u32, depth: u32, format: &Format) -> FragmentOperand {
        FragmentOperand {
            start,
            rows,
            depth,
            width: format.width(),
        }
    }

    /// The first byte after the matrix.
    pub fn end(&self) -> u32 {
        self.start + self.rows / 8 * GROUP
    }

    /// The offset in bits of element `k` of a row. Elements fill a line (a row of a core matrix)
    /// from its low end. Every line has the same number of elements, so elements of FP6 and FP4
    /// leave the rest of a line empty.
    pub fn bit(&self, row: u32, k: u32) -> u32 {
        let per_line = self.depth / 2;
        let line = self.start + row / 8 * GROUP + k / per_line * CORE + row % 8 * LINE;
        8 * line + k % per_line * self.width
    }

    /// Every element as (row, k, offset in bits).
    pub fn elements(self) -> impl Iterator<Item = (u32, u32, u32)> {
        (0..self.rows).flat_map(move |row| (0..self.depth).map(move |k| (row, k, self.bit(row, k))))
    }
}

/// PTX with which 128 threads copy the first `bytes` input bytes to the array `operands` in shared
/// memory. It also makes two descriptors: `ab0` for A at the start of the array, and `ab1` for B at
/// byte `b_start`. `fixed` holds further bits of both descriptors.
pub(super) fn copy_and_describe(bytes: u32, b_start: u32, fixed: u64) -> String {
    let mut text = ".reg .u32 where, word, line;\n.reg .u64 ab<2>;\n\
                    mov.u32 where, operands;\nmad.lo.u32 line, tid, 4, where;\n"
        .to_owned();
    for offset in (0..bytes).step_by(512) {
        text += &format!(
            "ld.global.u32 word, [from+{offset}];\nst.shared.u32 [line+{offset}], word;\n"
        );
    }
    let encoded = |bytes: u32| u64::from(bytes >> 4);
    let steps = encoded(CORE) << 16 | encoded(GROUP) << 32 | fixed;
    text + "fence.proxy.async;\nbar.sync 0;\n\
            shr.u32 where, where, 4;\nand.b32 where, where, 0x3fff;\ncvt.u64.u32 ab0, where;\n"
        + &format!(
            "or.b64 ab0, ab0, {steps:#x};\nadd.u64 ab1, ab0, {};\n",
            encoded(b_start)
        )
}

/// The declaration of the array that [`copy_and_describe`] fills.
pub(super) fn array(bytes: u32) -> String {
    format!(".shared .align 1024 .b8 operands[{bytes}];\n")
}

/// `bytes`, rounded up to a multiple of 512, since 128 threads copy a word of 4 bytes each at a
/// time.
pub(super) fn whole_copies(bytes: u32) -> u32 {
    bytes.next_multiple_of(512)
}
