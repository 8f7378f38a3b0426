//! `mma.m8n8k4` of f16: four independent matrix products, each computed by eight threads, a "quad
//! pair" (PTX ISA, "Matrix fragments for mma.m8n8k4 with .f16").

use super::bank::Bank;
use super::kernel::{PtxKernel, accumulator_kind};
use super::shape::TileShape;
use crate::vectors::device::tile::{Tile, TileExtent, TilePlaces};

const THREADS: u32 = 32;

pub(super) fn kernel(shape: &TileShape) -> PtxKernel {
    let signature = shape.signature;
    let bank = |name, kind, count, start| Bank {
        name,
        kind,
        count,
        threads: THREADS,
        start,
    };
    // Each thread holds eight elements of C and eight of D.
    let accumulator = |name, format: &mmasmt_numbers::float::Format, start| {
        bank(name, accumulator_kind(format), format.width() / 4, start)
    };
    let a = bank("a", "b32", 2, 0);
    let b = bank("b", "b32", 2, a.end());
    let c = accumulator("c", &signature.c, b.end());
    let d = accumulator("d", &signature.d, 0);
    let extent = TileExtent {
        copies: 4,
        rows: 8,
        columns: 8,
        depth: 4,
        blocks: 0,
    };

    let place = |width: u32| {
        move |(thread, i, offset): (u32, u32, u32)| {
            let (pair, line) = quad_pair(thread);
            let (row, column) = match width {
                16 => (line, i),
                _ => (
                    line % 2 + i / 2 % 2 * 2 + line / 4 * 4,
                    i / 4 * 4 + line / 2 % 2 * 2 + i % 2,
                ),
            };
            (extent.d(pair, row, column), offset)
        }
    };
    let accumulators =
        |bank: Bank, width| TilePlaces::new(width, bank.elements(width).map(place(width)));
    let factors = |bank: Bank| {
        let place = |(thread, k, offset)| {
            let (pair, line) = quad_pair(thread);
            // Rows of A and columns of B are numbered alike.
            (extent.a(pair, line, k), offset)
        };
        TilePlaces::new(16, bank.elements(16).map(place))
    };
    let tile = Tile {
        extent,
        input_bytes: c.end(),
        output_bytes: d.end(),
        a: factors(a),
        b: factors(b),
        c: accumulators(c, signature.c.width()),
        d: accumulators(d, signature.d.width()),
        a_scales: TilePlaces::default(),
        b_scales: TilePlaces::default(),
    };
    let opcode = format!("mma.sync.aligned.m8n8k4.row.col.{}", shape.types());
    let operands = [d, a, b, c].map(|bank| bank.braced()).join(", ");
    let body = a.load()
        + &b.load()
        + &c.load()
        + &d.declare()
        + &format!("{opcode} {operands};\n")
        + &d.store();
    PtxKernel {
        threads: THREADS,
        word: 4,
        tile,
        body,
        shared: String::new(),
    }
}

/// The number of a thread's quad pair, and the number of the row of A and of the column of B that
/// the thread holds, and of its row of C if C is f16. Threads 0 to 3 and 16 to 19 are the first
/// quad pair.
fn quad_pair(thread: u32) -> (u32, u32) {
    (thread % 16 / 4, thread % 4 + thread / 16 * 4)
}
