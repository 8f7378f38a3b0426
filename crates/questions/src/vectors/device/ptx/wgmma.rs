//! `wgmma.mma_async`: a warpgroup multiplies matrices in shared memory, and adds the product to
//! registers (PTX ISA, "Asynchronous warpgroup level matrix instructions").

use super::bank::Bank;
use super::core_matrices::{FragmentOperand, array, copy_and_describe, whole_copies};
use super::kernel::{PtxKernel, accumulator_kind};
use super::shape::TileShape;
use crate::vectors::device::tile::{Tile, TileExtent, TilePlaces};

const THREADS: u32 = 128;

pub(super) fn kernel(shape: &TileShape) -> PtxKernel {
    let signature = shape.signature;
    let (rows, columns, depth) = (shape.rows, shape.columns, shape.depth);
    let extent = TileExtent {
        copies: 1,
        rows,
        columns,
        depth,
        blocks: 0,
    };
    let a = FragmentOperand::new(0, rows, depth, &signature.a);
    let b = FragmentOperand::new(a.end(), columns, depth, &signature.b);
    let copied = whole_copies(b.end());
    let width = signature.d.width();
    let bank = |start| Bank {
        name: "d",
        kind: accumulator_kind(&signature.d),
        count: rows * columns * width / 32 / THREADS,
        threads: THREADS,
        start,
    };
    let (c, d) = (bank(copied), bank(0));
    // Each warp holds 16 rows. Its first registers hold the first 8 columns of these rows, laid
    // out as in `mma.m16n8`, the next registers the next 8 columns, and so on.
    let accumulator = |(thread, i, offset): (u32, u32, u32)| {
        let row = thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8;
        let column = i / 4 * 8 + thread % 4 * 2 + i % 2;
        (extent.d(0, row, column), offset)
    };
    let tile = Tile {
        extent,
        input_bytes: c.end(),
        output_bytes: d.end(),
        a: TilePlaces::new(
            a.width,
            a.elements().map(|(row, k, bit)| (extent.a(0, row, k), bit)),
        ),
        b: TilePlaces::new(
            b.width,
            b.elements()
                .map(|(column, k, bit)| (extent.b(0, column, k), bit)),
        ),
        c: TilePlaces::new(width, c.elements(width).map(accumulator)),
        d: TilePlaces::new(width, d.elements(width).map(accumulator)),
        a_scales: TilePlaces::default(),
        b_scales: TilePlaces::default(),
    };
    // The immediates set the scales of A and B to 1. For formats of 16 bits, which could be
    // transposed, they also turn transposition off. Integer instructions have no immediates.
    let immediates = match depth {
        _ if signature.is_integer() => "",
        16 => ", 1, 1, 0, 0",
        _ => ", 1, 1",
    };
    let opcode = format!(
        "wgmma.mma_async.sync.aligned.{}{}.{}.{}.{}",
        shape.text(),
        shape.clamp(),
        signature.d,
        signature.a,
        signature.b
    );
    let body = copy_and_describe(copied, b.start, 0)
        + &c.load()
        // The predicate `add` is true: the product is added to D.
        + ".reg .pred add;\nsetp.eq.u32 add, 0, 0;\nwgmma.fence.sync.aligned;\n"
        + &format!("{opcode} {}, ab0, ab1, add{immediates};\n", d.braced())
        + "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"
        + &d.store();
    PtxKernel {
        threads: THREADS,
        word: 4,
        tile,
        body,
        shared: array(copied),
    }
}
