//! `wmma.mma`: the assignment of elements to threads is unspecified, so whole matrices are loaded
//! and stored. In memory, A, C and D are row by row, B column by column.

use super::kernel::PtxKernel;
use super::shape::TileShape;
use crate::vectors::device::tile::{Tile, TileExtent, TilePlaces};
use mmasmt_numbers::float::Format;

const THREADS: u32 = 32;

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
    let dense = |format: &Format, count: u32, start: u32| {
        let width = format.width();
        TilePlaces::new(
            width,
            (0..count).map(|i| (i as usize, 8 * start + i * width)),
        )
    };
    let bytes = |format: &Format, count: u32| count * format.width() / 8;
    let at_b = bytes(&signature.a, rows * depth);
    let at_c = at_b + bytes(&signature.b, columns * depth);
    let tile = Tile {
        extent,
        input_bytes: at_c + bytes(&signature.c, rows * columns),
        output_bytes: bytes(&signature.d, rows * columns),
        a: dense(&signature.a, rows * depth, 0),
        b: dense(&signature.b, columns * depth, at_b),
        c: dense(&signature.c, rows * columns, at_c),
        d: dense(&signature.d, rows * columns, 0),
        a_scales: TilePlaces::default(),
        b_scales: TilePlaces::default(),
    };

    let size = shape.text();
    let load = |name: &str, order: &str, format: &Format, count: u32, at: u32, stride: u32| {
        let (kind, count) = registers(name, format, count);
        let names = braced(name, count);
        format!(
            ".reg .{kind} {name}<{count}>;\nadd.u64 place, from, {at};\n\
             wmma.load.{name}.sync.aligned.{order}.{size}.global.{format} {names}, [place], {stride};\n"
        )
    };
    let (kind, d_count) = registers("d", &signature.d, rows * columns);
    let types = if signature.a == Format::F16 {
        format!("{}.{}", signature.d, signature.c)
    } else {
        shape.types()
    };
    let (a_count, b_count, c_count) = (
        registers("a", &signature.a, rows * depth).1,
        registers("b", &signature.b, columns * depth).1,
        registers("c", &signature.c, rows * columns).1,
    );
    let operands = [
        ("d", d_count),
        ("a", a_count),
        ("b", b_count),
        ("c", c_count),
    ]
    .map(|(name, count)| braced(name, count));
    let body = ".reg .u64 place;\n".to_owned()
        + &load("a", "row", &signature.a, rows * depth, 0, depth)
        + &load("b", "col", &signature.b, columns * depth, at_b, depth)
        + &load("c", "row", &signature.c, rows * columns, at_c, columns)
        + &format!(".reg .{kind} d<{d_count}>;\n")
        + &format!(
            "wmma.mma.sync.aligned.row.col.{size}.{types} {};\n",
            operands.join(", ")
        )
        + &format!(
            "wmma.store.d.sync.aligned.row.{size}.global.{} [to], {}, {columns};\n",
            signature.d,
            braced("d", d_count)
        );
    // The threads share one matrix, so no thread has a place of its own.
    PtxKernel {
        threads: THREADS,
        word: 0,
        tile,
        body,
        shared: String::new(),
    }
}

/// The type and number of a thread's registers for a matrix of `count` elements. Factors of f16
/// take eight registers in every shape, since each factor is held more than once.
fn registers(name: &str, format: &Format, count: u32) -> (&'static str, u32) {
    match (name, *format) {
        ("a" | "b", Format::F16) => ("b32", 8),
        (_, Format::F64) => ("f64", count / THREADS),
        (_, Format::F32) => ("f32", count / THREADS),
        _ => ("b32", count * format.width() / 32 / THREADS),
    }
}

fn braced(name: &str, count: u32) -> String {
    let names: Vec<_> = (0..count).map(|i| format!("{name}{i}")).collect();
    format!("{{{}}}", names.join(", "))
}
