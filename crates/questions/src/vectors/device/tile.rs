//! Tiles: the positions of one matrix instruction's vectors in the memory that its kernel reads and
//! writes.
//!
//! A matrix instruction computes `rows x columns` dot-adds, one for every row of A and every column
//! of B. Vector `i` of a tile is row `i` of A, column `i` of B and element `(i, i)` of C; its
//! result is element `(i, i)` of D. The other elements of D are computed too, and ignored; a vector in
//! every row, column and element shows whether all of them are computed in the same way.

use super::elements::Elements;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::algorithms::{Inputs, Misfit};

/// The dimensions of an instruction: how many dot-adds it computes, and of how many products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileExtent {
    /// The number of independent products of matrices in one instruction; 4 for `mma.m8n8k4` of
    /// f16, else 1.
    pub copies: u32,
    /// The number of rows of A and D.
    pub rows: u32,
    /// The number of columns of B and D.
    pub columns: u32,
    /// The number of columns of A and of rows of B.
    pub depth: u32,
    /// The number of scale factors of a row of A or a column of B; 0 without block scales.
    pub blocks: u32,
}

impl TileExtent {
    /// The number of vectors of a copy, which is the length of the diagonal.
    fn diagonal(&self) -> u32 {
        self.rows.min(self.columns)
    }

    /// The position of element `k` of row `row` of A among all elements of A.
    pub fn a(&self, copy: u32, row: u32, k: u32) -> usize {
        ((copy * self.rows + row) * self.depth + k) as usize
    }

    /// The position of element `k` of column `column` of B among all elements of B.
    pub fn b(&self, copy: u32, column: u32, k: u32) -> usize {
        ((copy * self.columns + column) * self.depth + k) as usize
    }

    /// The position of an element of C or D among all elements of that matrix.
    pub fn d(&self, copy: u32, row: u32, column: u32) -> usize {
        ((copy * self.rows + row) * self.columns + column) as usize
    }

    /// The position of scale `block` of a row of A or a column of B among all scales of that
    /// matrix.
    pub fn scale(&self, row: u32, block: u32) -> usize {
        (row * self.blocks + block) as usize
    }
}

/// The places of one matrix's elements: offsets in bits. An element has several places if several
/// threads hold it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TilePlaces {
    width: u32,
    each: usize,
    offsets: Vec<u32>,
}

impl TilePlaces {
    /// The places of elements of `width` bits, from pairs of an element's position and an offset,
    /// in any order.
    pub fn new(width: u32, pairs: impl IntoIterator<Item = (usize, u32)>) -> TilePlaces {
        let mut pairs: Vec<_> = pairs.into_iter().collect();
        pairs.sort_unstable();
        let elements = pairs.last().map_or(0, |(last, _)| last + 1);
        TilePlaces {
            width,
            each: pairs.len() / elements.max(1),
            offsets: pairs.into_iter().map(|(_, offset)| offset).collect(),
        }
    }

    /// The number of bits of an element.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The offsets of an element, in bits.
    pub fn of(&self, element: usize) -> &[u32] {
        &self.offsets[element * self.each..][..self.each]
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.offsets.len() / self.each.max(1)
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }

    fn write(&self, memory: &mut [u8], element: usize, value: u64) {
        for &offset in self.of(element) {
            write_bits(memory, offset, self.width, value);
        }
    }
}

/// The places of one instruction's matrices: the operands in the input memory, D in the output
/// memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// The dimensions of the instruction.
    pub extent: TileExtent,
    /// The number of bytes of the input memory.
    pub input_bytes: u32,
    /// The number of bytes of the output memory.
    pub output_bytes: u32,
    /// The places of A, row by row.
    pub a: TilePlaces,
    /// The places of B, column by column.
    pub b: TilePlaces,
    /// The places of C, row by row.
    pub c: TilePlaces,
    /// The places of D, row by row.
    pub d: TilePlaces,
    /// The places of the scale factors of A, row by row.
    pub a_scales: TilePlaces,
    /// The places of the scale factors of B, column by column.
    pub b_scales: TilePlaces,
}

impl Tile {
    /// The number of vectors of one instruction.
    pub fn vectors(&self) -> usize {
        (self.extent.copies * self.extent.diagonal()) as usize
    }

    /// The copy and the diagonal index of vector `slot`.
    fn place_of(&self, slot: usize) -> (u32, u32) {
        let diagonal = self.extent.diagonal();
        (slot as u32 / diagonal, slot as u32 % diagonal)
    }

    /// The input memory for `inputs`, one tile after the other; unused places are +0.
    ///
    /// # Errors
    /// If one of `inputs` does not fit `signature`, which is that of the instruction.
    pub fn scatter(&self, signature: &Signature, inputs: &[Inputs]) -> Result<Vec<u8>, Misfit> {
        for inputs in inputs {
            inputs.checked(signature)?;
        }
        let tiles = inputs.len().div_ceil(self.vectors());
        let mut memory = vec![0; tiles * self.input_bytes as usize];
        let parts = memory.chunks_exact_mut(self.input_bytes as usize);
        for (part, inputs) in parts.zip(inputs.chunks(self.vectors())) {
            for (slot, inputs) in inputs.iter().enumerate() {
                self.scatter_one(part, slot, inputs);
            }
        }
        Ok(memory)
    }

    fn scatter_one(&self, memory: &mut [u8], slot: usize, inputs: &Inputs) {
        let (copy, i) = self.place_of(slot);
        self.scatter_row(memory, copy, i, inputs);
        self.scatter_column(memory, copy, i, inputs);
        self.c.write(memory, self.extent.d(copy, i, i), inputs.c);
    }

    fn scatter_row(&self, memory: &mut [u8], copy: u32, row: u32, inputs: &Inputs) {
        for (k, &a) in (0..).zip(&inputs.a) {
            self.a.write(memory, self.extent.a(copy, row, k), a);
        }
        for (block, &scale) in (0..).zip(&inputs.a_scales) {
            let place = self.extent.scale(row, block);
            self.a_scales.write(memory, place, scale);
        }
    }

    fn scatter_column(&self, memory: &mut [u8], copy: u32, column: u32, inputs: &Inputs) {
        for (k, &b) in (0..).zip(&inputs.b) {
            self.b.write(memory, self.extent.b(copy, column, k), b);
        }
        for (block, &scale) in (0..).zip(&inputs.b_scales) {
            let place = self.extent.scale(column, block);
            self.b_scales.write(memory, place, scale);
        }
    }

    /// The input memory of a tile for each of `inputs`, which is in every row of A, column of B and
    /// element of C.
    ///
    /// # Errors
    /// If one of `inputs` does not fit `signature`, which is that of the instruction.
    pub fn scatter_everywhere(
        &self,
        signature: &Signature,
        inputs: &[Inputs],
    ) -> Result<Vec<u8>, Misfit> {
        let mut memory = vec![0; inputs.len() * self.input_bytes as usize];
        let parts = memory.chunks_exact_mut(self.input_bytes as usize);
        let TileExtent {
            copies,
            rows,
            columns,
            ..
        } = self.extent;
        for (part, inputs) in parts.zip(inputs) {
            inputs.checked(signature)?;
            for copy in 0..copies {
                (0..rows).for_each(|row| self.scatter_row(part, copy, row, inputs));
                (0..columns).for_each(|column| self.scatter_column(part, copy, column, inputs));
            }
            (0..self.c.len()).for_each(|element| self.c.write(part, element, inputs.c));
        }
        Ok(memory)
    }

    /// All elements of D of each tile, from the output memory.
    pub fn gather_everywhere(&self, memory: &[u8]) -> Vec<Elements> {
        let read = |part: &[u8], element| read_bits(part, self.d.of(element)[0], self.d.width);
        let elements = |part: &[u8]| Elements {
            rows: self.extent.rows as usize,
            columns: self.extent.columns as usize,
            results: (0..self.d.len())
                .map(|element| read(part, element))
                .collect(),
        };
        let parts = memory.chunks_exact(self.output_bytes as usize);
        parts.map(elements).collect()
    }

    /// The results of `count` vectors, from the output memory.
    pub fn gather(&self, memory: &[u8], count: usize) -> Vec<u64> {
        let parts = memory.chunks_exact(self.output_bytes as usize);
        let slots = parts.flat_map(|part| (0..self.vectors()).map(move |slot| (part, slot)));
        let result = |(part, slot): (&[u8], usize)| {
            let (copy, i) = self.place_of(slot);
            let offset = self.d.of(self.extent.d(copy, i, i))[0];
            read_bits(part, offset, self.d.width)
        };
        slots.take(count).map(result).collect()
    }

    /// Whether the results of the tile have the width, and its dot-adds the number of products,
    /// that `signature` states. This is a check of new kernels.
    pub fn fits(&self, signature: &Signature) -> bool {
        self.d.width == signature.d.width() && self.extent.depth == signature.products
    }
}

/// Writes `value`, which has at most `width` bits, to bits that are zero; `offset` counts bits from
/// the lowest bit of the first byte.
fn write_bits(memory: &mut [u8], offset: u32, width: u32, value: u64) {
    let (first, shift) = ((offset / 8) as usize, offset % 8);
    let bytes = (u128::from(value) << shift).to_le_bytes();
    let count = (shift + width).div_ceil(8) as usize;
    for (to, from) in memory[first..first + count].iter_mut().zip(bytes) {
        *to |= from;
    }
}

/// Reads a value of `width` bits that is laid out as [`write_bits`] writes it.
fn read_bits(memory: &[u8], offset: u32, width: u32) -> u64 {
    let (first, shift) = ((offset / 8) as usize, offset % 8);
    let count = (shift + width).div_ceil(8) as usize;
    let mut bytes = [0; 16];
    bytes[..count].copy_from_slice(&memory[first..first + count]);
    let value = (u128::from_le_bytes(bytes) >> shift) as u64;
    if width == 64 {
        value
    } else {
        value & ((1 << width) - 1)
    }
}
