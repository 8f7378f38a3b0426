//! `mma.sync` on fragments of a warp: the elements that each thread holds (PTX ISA, "Matrix
//! fragments for mma.m16n8k…"), and the instruction.
//!
//! All shapes follow one rule. Group `g` of four neighbouring threads holds column `g` of B and row
//! `g` of A, and also row `g + 8` if A has 16 rows. Each register holds as many factors of
//! consecutive k as fit. The registers of A alternate between rows `g` and `g + 8`, then continue
//! along k. A compressed A is laid out like a dense A that has only the kept elements; B is whole,
//! with +0 for elements that have no partner in A.

use super::bank::Bank;
use super::kernel::{PtxKernel, accumulator_kind};
use super::shape::{METADATA, TileShape};
use crate::vectors::device::tile::{Tile, TileExtent, TilePlaces};
use mmasmt_numbers::float::Format;

const THREADS: u32 = 32;

pub(super) fn kernel(shape: &TileShape) -> PtxKernel {
    let signature = shape.signature;
    let (rows, columns, depth) = (shape.rows, shape.columns, shape.depth);
    let cell = FactorSlot::of(shape, &signature.a);
    let factor_kind = if signature.a == Format::F64 {
        "f64"
    } else {
        "b32"
    };
    let (c_bits, d_bits) = (signature.c.width(), signature.d.width());
    let a = bank("a", factor_kind, rows * depth * cell.room, 0);
    let bits_of_b = columns * shape.depth_of_b() * cell.room;
    let b = bank("b", factor_kind, bits_of_b, a.end());
    let c = bank(
        "c",
        accumulator_kind(&signature.c),
        rows * columns * c_bits,
        b.end(),
    );
    let d = bank(
        "d",
        accumulator_kind(&signature.d),
        rows * columns * d_bits,
        0,
    );
    let blocks = signature.scale_count();
    let extent = TileExtent {
        copies: 1,
        rows,
        columns,
        depth,
        blocks,
    };

    // The number of factors that a register holds, at consecutive k.
    let run = 8 * a.size() / cell.room;
    let halves = rows / 8;
    let places_a = a.elements(cell.room).map(|(thread, i, offset)| {
        let (register, within) = (i / run, i % run);
        let row = thread / 4 + 8 * (register % halves);
        let k = thread % 4 * run + within + register / halves * 4 * run;
        (extent.a(0, row, k), offset + cell.shift)
    });
    let cell_b = FactorSlot::of(shape, &signature.b);
    let places_b = b.elements(cell_b.room).filter_map(|(thread, i, offset)| {
        let (register, within) = (i / run, i % run);
        let k = thread % 4 * run + within + register * 4 * run;
        let met = shape.met_by(k)?;
        Some((extent.b(0, thread / 4, met), offset + cell_b.shift))
    });
    // A thread holds two neighbouring columns of row `g`, then of row `g + 8`.
    let accumulator = |(thread, i, offset): (u32, u32, u32)| {
        let (row, column) = (thread / 4 + i / 2 * 8, thread % 4 * 2 + i % 2);
        (extent.d(0, row, column), offset)
    };
    let mut tile = Tile {
        extent,
        input_bytes: c.end(),
        output_bytes: d.end(),
        a: TilePlaces::new(signature.a.width(), places_a),
        b: TilePlaces::new(signature.b.width(), places_b),
        c: TilePlaces::new(c_bits, c.elements(c_bits).map(accumulator)),
        d: TilePlaces::new(d_bits, d.elements(d_bits).map(accumulator)),
        a_scales: TilePlaces::default(),
        b_scales: TilePlaces::default(),
    };
    let mut operands = vec![d.braced(), a.braced(), b.braced(), c.braced()];
    let mut body = a.load() + &b.load() + &c.load();
    if blocks > 0 {
        body += &add_scales(&mut tile, &mut operands, c.end());
    }
    if shape.sparsity.is_some() {
        // All threads have the same metadata, so the choice of the threads that supply it does not
        // matter.
        body += &format!(".reg .b32 e;\nmov.b32 e, {METADATA:#x};\n");
        operands.extend(["e".into(), "0x0".into()]);
    }
    let opcode = opcode(shape);
    body += &d.declare();
    body += &format!("{opcode} {};\n", operands.join(", "));
    body += &d.store();
    PtxKernel {
        threads: THREADS,
        word: a.size(),
        tile,
        body,
        shared: String::new(),
    }
}

fn bank(name: &'static str, kind: &'static str, bits: u32, start: u32) -> Bank {
    let width = if kind == "f64" { 64 } else { 32 };
    Bank {
        name,
        kind,
        count: bits / THREADS / width,
        threads: THREADS,
        start,
    }
}

/// The slot of a factor in a register: its number of bits, and the position of the factor in it.
struct FactorSlot {
    room: u32,
    shift: u32,
}

impl FactorSlot {
    /// The slot of a factor. Integers are packed. In shapes with k32, FP6 and FP4 factors take a
    /// byte each, and FP4 is in the middle of the byte; in shapes with k64, FP4 is packed.
    fn of(shape: &TileShape, format: &Format) -> FactorSlot {
        if format.is_integer() {
            return FactorSlot {
                room: format.width(),
                shift: 0,
            };
        }
        let room = if shape.depth == 64 {
            4
        } else {
            format.width().max(8)
        };
        let shift = if room == 8 && format.width() == 4 {
            2
        } else {
            0
        };
        FactorSlot { room, shift }
    }
}

/// Adds the scales to the tile and the operands, and returns the PTX that loads them. A thread has
/// one register of scales of A and one of scales of B, with a scale in each byte. In group `g` of
/// four neighbouring threads, the even threads have the scales of row `g` of A, the odd threads
/// those of row `g + 8` of A, and all four have the scales of column `g` of B.
fn add_scales(tile: &mut Tile, operands: &mut Vec<String>, start: u32) -> String {
    let (extent, width) = (tile.extent, 8);
    let bank = |name, start| Bank {
        name,
        kind: "b32",
        count: 1,
        threads: THREADS,
        start,
    };
    let sa = bank("sa", start);
    let sb = bank("sb", sa.end());
    let used = move |(_, block, _): &(u32, u32, u32)| *block < extent.blocks;
    let row = |(thread, block, offset)| (extent.scale(thread / 4 + thread % 2 * 8, block), offset);
    let column = |(thread, block, offset)| (extent.scale(thread / 4, block), offset);
    tile.a_scales = TilePlaces::new(width, sa.elements(width).filter(used).map(row));
    tile.b_scales = TilePlaces::new(width, sb.elements(width).filter(used).map(column));
    tile.input_bytes = sb.end();
    // The selectors are 0: byte 0 is the first scale, and of four neighbouring threads the first
    // two provide the scales of A, the first one the scales of B.
    for scales in [&sa, &sb] {
        operands.extend([scales.braced(), "{0, 0}".into()]);
    }
    sa.load() + &sb.load()
}

fn opcode(shape: &TileShape) -> String {
    let (size, types) = (shape.text(), shape.types());
    if shape.sparsity.is_some() {
        let clamp = shape.clamp();
        return format!("mma.sp::ordered_metadata.sync.aligned.{size}.row.col{clamp}.{types}");
    }
    match (shape.block_scale(), shape.signature.scales) {
        (Some(kind), Some(scales)) => {
            let scale = scales.format;
            format!("mma.sync.aligned{kind}.{size}.row.col.{types}.{scale}")
        }
        _ if shape.signature.is_integer() => {
            let (clamp, bits) = (shape.clamp(), shape.bit_operation());
            format!("mma.sync.aligned.{size}.row.col{clamp}.{types}{bits}")
        }
        _ if shape.is_narrow() => format!("mma.sync.aligned.kind::f8f6f4.{size}.row.col.{types}"),
        _ => format!("mma.sync.aligned.{size}.row.col.{types}"),
    }
}
