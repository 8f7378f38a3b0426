//! A device that executes the instruction of a kernel on the memory that the kernel would read: operands are found
//! where a `Case` says, each element of D is computed by the model.

use super::layouts::{Case, Layout, Operands, Strides};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::Format;
use mmasmt_questions::vectors::device::ptx::PtxProgram;
use mmasmt_questions::vectors::device::{Device, DeviceError, Elements};
use std::collections::HashMap;

/// Bit offsets of elements, by row and column (of B: by k and column).
type Map = HashMap<(u32, u32), u32>;

pub struct Emulated {
    program: PtxProgram,
    model: Model,
    a: Map,
    b: Map,
    c: Map,
    d: Map,
    scales: [u32; 2],
}

fn size(strides: Strides) -> u32 {
    strides.iter().map(|(size, _)| size).product()
}

fn at(strides: Strides, mut index: u32) -> u32 {
    let mut sum = 0;
    for (size, stride) in strides {
        sum += index % size * stride;
        index /= size;
    }
    sum
}

/// The room of a value in a register, and how far it is shifted there.
fn cell(format: &Format, depth: u32) -> (u32, u32) {
    match (format.width(), depth) {
        (4, 64) => (4, 0),
        (4, _) => (8, 2),
        (6, _) => (8, 0),
        (width, _) => (width, 0),
    }
}

/// The bank of registers that starts at bit `start`, and its end. `lanes` are the threads of the instruction.
fn bank(
    layout: Layout,
    rows: u32,
    (room, shift): (u32, u32),
    lanes: u32,
    start: u32,
) -> (Map, u32) {
    let register = if room == 64 { 64 } else { 32 };
    let (group, values) = (size(layout.threads), size(layout.values));
    let mut map = Map::new();
    for lane in 0..lanes {
        // Four quad pairs: lanes 0-3 and 16-19 are the first.
        let (thread, copy) = match group {
            8 => (lane % 4 + lane / 16 * 4, lane % 16 / 4),
            _ => (lane, 0),
        };
        for value in 0..values {
            let (number, within) = (value * room / register, value * room % register);
            let element = at(layout.threads, thread) + at(layout.values, value);
            let offset = start + (number * lanes + lane) * register + within + shift;
            let before = map.insert((element % rows + copy * rows, element / rows), offset);
            assert_eq!(before, None, "an element twice");
        }
    }
    let registers = (values * room).div_ceil(register);
    (map, start + registers * lanes * register)
}

/// The distances of core matrices along k and along rows, in bytes, from the descriptor in the text.
fn distances(text: &str) -> (u32, u32) {
    let constant = text
        .split("or.b64 ab0, ab0, 0x")
        .nth(1)
        .unwrap()
        .split(';')
        .next()
        .unwrap();
    let descriptor = u64::from_str_radix(constant, 16).unwrap();
    let field = |from: u32| ((descriptor >> from & 0x3fff) << 4) as u32;
    (field(16), field(32))
}

fn shared(rows: u32, depth: u32, width: u32, start: u32, (along_k, along_rows): (u32, u32)) -> Map {
    let per_line = depth / 2;
    let mut map = Map::new();
    for row in 0..rows {
        for k in 0..depth {
            let line = start + row / 8 * along_rows + k / per_line * along_k + row % 8 * 16;
            map.insert((row, k), 8 * line + k % per_line * width);
        }
    }
    map
}

fn dense(rows: u32, columns: u32, width: u32, start: u32) -> Map {
    let place = |row, column| ((row, column), 8 * start + (row * columns + column) * width);
    (0..rows)
        .flat_map(|row| (0..columns).map(move |column| place(row, column)))
        .collect()
}

impl Emulated {
    pub fn new(program: PtxProgram, case: &Case) -> Emulated {
        let Signature {
            a,
            b,
            c,
            d,
            products: depth,
            ..
        } = program.signature;
        let extent = program.tile.extent;
        let (rows, columns, lanes) = (extent.rows, extent.columns, program.threads);
        let (map_a, map_b, map_c, map_d, end) = match case.operands {
            Operands::Registers { a: la, b: lb } => {
                let (map_a, end) = bank(la, rows, cell(&a, depth), lanes, 0);
                let (map_b, end) = bank(lb, columns, cell(&b, depth), lanes, end);
                let (map_c, end) = bank(case.accumulator, rows, (c.width(), 0), lanes, end);
                let (map_d, _) = bank(case.accumulator, rows, (d.width(), 0), lanes, 0);
                (map_a, map_b, map_c, map_d, end)
            }
            Operands::Shared => {
                let distances = distances(&program.text);
                let b_start: u32 = program
                    .text
                    .split("add.u64 ab1, ab0, ")
                    .nth(1)
                    .unwrap()
                    .split(';')
                    .next()
                    .unwrap()
                    .parse()
                    .unwrap();
                let words = match extent.blocks {
                    0 => 0,
                    _ => rows.div_ceil(32) + columns.div_ceil(32),
                };
                let behind_c = program.tile.input_bytes - words * 4 * lanes;
                let c_start = behind_c - program.tile.output_bytes;
                // In tensor memory f16 takes a word.
                let room = if lanes == rows { 32 } else { c.width() };
                let (map_c, end) = bank(case.accumulator, rows, (room, 0), lanes, 8 * c_start);
                let (map_d, _) = bank(case.accumulator, rows, (room, 0), lanes, 0);
                let map_a = shared(rows, depth, a.width(), 0, distances);
                let map_b = shared(columns, depth, b.width(), 16 * b_start, distances);
                (map_a, map_b, map_c, map_d, end)
            }
            Operands::Memory => {
                let b_start = rows * depth * a.width() / 8;
                let c_start = b_start + columns * depth * b.width() / 8;
                let map_a = dense(rows, depth, a.width(), 0);
                let map_b = dense(columns, depth, b.width(), b_start);
                let map_c = dense(rows, columns, c.width(), c_start);
                (map_a, map_b, map_c, dense(rows, columns, d.width(), 0), 0)
            }
        };
        let words_of_a = if lanes == 32 { 1 } else { rows.div_ceil(32) };
        Emulated {
            model: Model::parse(&program.instruction).unwrap(),
            scales: [end, end + words_of_a * lanes * 32],
            a: map_a,
            b: map_b,
            c: map_c,
            d: map_d,
            program,
        }
    }

    /// One element of D of one copy.
    fn element(&self, memory: &[u8], copy: u32, row: u32, column: u32) -> u64 {
        let Signature {
            a, b, c, products, ..
        } = self.program.signature;
        let extent = self.program.tile.extent;
        let (row, at_column) = (row + copy * extent.rows, column + copy * extent.columns);
        let of_a = |k| read(memory, self.a[&(row, k)], a.width());
        let of_b = |k| read(memory, self.b[&(at_column, k)], b.width());
        let accumulator = read(memory, self.c[&(row, column)], c.width());
        let met = match self.model.sparsity() {
            None => (0..products).map(of_b).collect(),
            Some(sparsity) => {
                let whole: Vec<u64> = (0..2 * products).map(of_b).collect();
                let codes = vec![self.code(); products as usize / sparsity.kept()];
                let selected = sparsity.select(products as usize, &codes, &whole, true);
                selected.unwrap()
            }
        };
        let mut inputs = Inputs::new((0..products).map(of_a).collect(), met, accumulator);
        let [word_of_a, word_of_b] = self.words_of_scales(row, column);
        let scale = |start, word, block| read(memory, start + word * 32 + block * 8, 8);
        inputs.a_scales = (0..extent.blocks)
            .map(|block| scale(self.scales[0], word_of_a, block))
            .collect();
        inputs.b_scales = (0..extent.blocks)
            .map(|block| scale(self.scales[1], word_of_b, block))
            .collect();
        self.model.simulator().evaluate(&inputs).unwrap()
    }
}

impl Emulated {
    /// The code of every group, of which the metadata of a sparse instruction has eight that are alike.
    fn code(&self) -> u64 {
        let after = self.program.text.split("mov.b32 e, 0x").nth(1).unwrap();
        let metadata = u32::from_str_radix(after.split(';').next().unwrap(), 16).unwrap();
        assert_eq!(metadata, metadata.rotate_left(4));
        u64::from(metadata & 0xf)
    }

    /// The words of a bank that hold the scales of a row and of a column, a byte for each block.
    fn words_of_scales(&self, row: u32, column: u32) -> [u32; 2] {
        match self.program.threads {
            // Thread 0 or 1 of four has those of the two rows, thread 0 those of the column.
            32 => [row % 8 * 4 + row / 8, column * 4],
            // CUTLASS's `SfAtom`, lanes by columns of words; any of the four copies must do.
            threads => {
                let copy = (row + column) % 4;
                [row, column].map(|i| i / 32 * threads + copy * 32 + i % 32)
            }
        }
    }
}

impl Device for Emulated {
    fn signature(&self) -> Signature {
        self.program.signature
    }

    fn describe(&self) -> Vec<String> {
        Vec::new()
    }

    fn run(&mut self, inputs: &[Inputs]) -> Result<Vec<u64>, DeviceError> {
        let tile = &self.program.tile;
        let input = tile.scatter(&self.program.signature, inputs)?;
        Ok(tile.gather(&self.computed(&input), inputs.len()))
    }

    fn elements(&mut self, inputs: &[Inputs]) -> Result<Vec<Elements>, DeviceError> {
        let tile = &self.program.tile;
        let input = tile.scatter_everywhere(&self.program.signature, inputs)?;
        Ok(tile.gather_everywhere(&self.computed(&input)))
    }
}

impl Emulated {
    /// The output memory for an input memory of whole tiles.
    fn computed(&self, input: &[u8]) -> Vec<u8> {
        let tile = &self.program.tile;
        let mut output = Vec::new();
        for part in input.chunks(tile.input_bytes as usize) {
            let mut memory = vec![0; tile.output_bytes as usize];
            for copy in 0..tile.extent.copies {
                for row in 0..tile.extent.rows {
                    for column in 0..tile.extent.columns {
                        let d = self.element(part, copy, row, column);
                        let offset = self.d[&(row + copy * tile.extent.rows, column)];
                        write(&mut memory, offset, self.program.signature.d.width(), d);
                    }
                }
            }
            output.extend(memory);
        }
        output
    }
}

fn read(memory: &[u8], offset: u32, width: u32) -> u64 {
    let bit = |i: u32| u64::from(memory[(i / 8) as usize] >> (i % 8) & 1);
    (0..width).map(|i| bit(offset + i) << i).sum()
}

fn write(memory: &mut [u8], offset: u32, width: u32, value: u64) {
    for i in 0..width {
        memory[((offset + i) / 8) as usize] |= ((value >> i & 1) as u8) << ((offset + i) % 8);
    }
}
