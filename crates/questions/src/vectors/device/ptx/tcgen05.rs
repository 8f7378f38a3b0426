//! `tcgen05.mma`: multiplies matrices in shared memory, and adds the product to an accumulator in
//! tensor memory, where block scales lie as well (PTX ISA, "TensorCore 5th generation family
//! instructions"). We compiled these kernels, but have not run them yet: no such device was
//! available.

use super::bank::Bank;
use super::core_matrices::{FragmentOperand, array, copy_and_describe, whole_copies};
use super::kernel::PtxKernel;
use super::scale_factors::ScaleFactors;
use super::shape::TileShape;
use crate::vectors::device::tile::{Tile, TileExtent, TilePlaces};
use mmasmt_numbers::float::Format;

const THREADS: u32 = 128;
/// The smallest allocation of tensor memory, in columns; larger ones are powers of two.
const COLUMNS: u32 = 32;
/// The number of columns for the scale factors of A, and for those of B. They follow the columns of
/// D.
const SCALES: u32 = 8;
/// Bits 46 to 48 of a descriptor, which are always 001.
const DESCRIPTOR_FIXED: u64 = 1 << 46;

pub(super) fn kernel(shape: &TileShape) -> PtxKernel {
    let signature = shape.signature;
    let (rows, columns, depth) = (shape.rows, shape.columns, shape.depth);
    let extent = TileExtent {
        copies: 1,
        rows,
        columns,
        depth,
        blocks: signature.scale_count(),
    };
    let a = FragmentOperand::new(0, rows, depth, &signature.a);
    let b = FragmentOperand::new(a.end(), columns, depth, &signature.b);
    let copied = whole_copies(b.end());
    let bank = |start| Bank {
        name: "d",
        kind: "b32",
        count: columns,
        threads: THREADS,
        start,
    };
    let (c, d) = (bank(copied), bank(0));
    // Element `(m, n)` of C or D is in lane `m` and column `n` of tensor memory, and in the
    // registers of thread `m`. An f16 element takes the low half of a word.
    let accumulator = |bank: Bank| {
        let elements = bank.elements(32);
        let place = |(row, column, offset)| (extent.d(0, row, column), offset);
        TilePlaces::new(signature.d.width(), elements.map(place))
    };
    let a_scales = ScaleFactors::new("sa", rows, THREADS, c.end(), columns);
    let b_scales = ScaleFactors::new("sb", columns, THREADS, a_scales.end(), columns + SCALES);
    let scales = signature.scales.map(|_| [&a_scales, &b_scales]);
    let tile = Tile {
        extent,
        input_bytes: scales.map_or(c.end(), |[_, b]| b.end()),
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
        c: accumulator(c),
        d: accumulator(d),
        a_scales: scales.map_or_else(TilePlaces::default, |[a, _]| a.places(extent)),
        b_scales: scales.map_or_else(TilePlaces::default, |[_, b]| b.places(extent)),
    };
    let kind = shape.block_scale().unwrap_or_else(|| {
        let kind = match signature.a {
            Format::F16 | Format::BF16 => "f16",
            Format::TF32 => "tf32",
            _ if signature.is_integer() => "i8",
            _ => "f8f6f4",
        };
        format!(".kind::{kind}")
    });
    let of_scales = |text: fn(&ScaleFactors) -> String| {
        scales.map_or_else(String::new, |both| both.map(text).concat())
    };
    let (registers, number) = (d.braced(), columns);
    let taken = (columns + 2 * SCALES).next_power_of_two().max(COLUMNS);
    let body = allocate(taken)
        + &copy_and_describe(copied, b.start, DESCRIPTOR_FIXED)
        + &c.load()
        + "tcgen05.fence::after_thread_sync;\nld.shared.u32 whole, [base];\n"
        // A warp can only access its own 32 lanes.
        + "shl.b32 part, tid, 16;\nand.b32 part, part, 0x600000;\nadd.u32 part, part, whole;\n"
        + &format!("tcgen05.st.sync.aligned.32x32b.x{number}.b32 [part], {registers};\n")
        + &of_scales(ScaleFactors::store)
        + "tcgen05.wait::st.sync.aligned;\n"
        + "tcgen05.fence::before_thread_sync;\nbar.sync 0;\ntcgen05.fence::after_thread_sync;\n"
        + "setp.ne.u32 idle, tid, 0;\n@idle bra waiting;\n"
        + &format!(
            "mov.b32 idesc, {:#x};\n\
             tcgen05.mma.cta_group::1{kind} [whole], ab0, ab1, idesc, {}add;\n",
            instruction_descriptor(shape),
            of_scales(|scales| scales.operand() + ", ")
        )
        + "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [done];\n"
        + "waiting:\nmbarrier.try_wait.parity.shared::cta.b64 add, [done], 0;\n@!add bra waiting;\n"
        + "tcgen05.fence::after_thread_sync;\n"
        + &format!("tcgen05.ld.sync.aligned.32x32b.x{number}.b32 {registers}, [part];\n")
        + "tcgen05.wait::ld.sync.aligned;\n"
        + &d.store()
        + "bar.sync 0;\n@other_warp bra end;\n"
        + &format!("tcgen05.dealloc.cta_group::1.sync.aligned.b32 whole, {taken};\nend:\n");
    let shared = array(copied) + ".shared .align 8 .b64 ready;\n.shared .align 4 .b32 slot;\n";
    PtxKernel {
        threads: THREADS,
        word: 4,
        tile,
        body,
        shared,
    }
}

/// PTX in which the first warp allocates tensor memory; the address is stored at `slot`.
fn allocate(columns: u32) -> String {
    format!(
        ".reg .pred idle, add, other_warp;\n.reg .b32 whole, part, base, done, idesc;\n\
         mov.u32 base, slot;\nmov.u32 done, ready;\n\
         setp.ge.u32 other_warp, tid, 32;\n@other_warp bra taken;\n\
         tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [base], {columns};\n\
         tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\n\
         setp.ne.u32 idle, tid, 0;\n@!idle mbarrier.init.shared::cta.b64 [done], 1;\n\
         taken:\nsetp.eq.u32 add, 0, 0;\ntcgen05.fence::before_thread_sync;\n"
    )
}

/// The instruction descriptor: the types and sizes of the matrices, and the type of the scales (PTX
/// ISA, "Instruction descriptor"). The scale factors begin with the first byte of their words, so
/// the fields that give the number of this byte are 0.
fn instruction_descriptor(shape: &TileShape) -> u32 {
    let signature = shape.signature;
    let code = |format: Format| match format {
        Format::BF16 | Format::E5M2 | Format::S8 => 1,
        Format::TF32 => 2,
        Format::E2M3 => 3,
        Format::E3M2 => 4,
        // In the kinds of depth 64, which have no other format, the code of E2M1 is 1.
        Format::E2M1 if shape.depth == 64 => 1,
        Format::E2M1 => 5,
        _ => 0,
    };
    let d = match signature.scales {
        Some(scales) => u32::from(scales.format == Format::UE8M0) << 23,
        None if signature.is_integer() => 2 << 4 | u32::from(shape.saturates) << 3,
        None => u32::from(signature.d == Format::F32) << 4,
    };
    d | code(signature.a) << 7
        | code(signature.b) << 10
        | (shape.columns >> 3) << 17
        | (shape.rows >> 4) << 24
}
