//! Which thread holds which element, as CuTe states it (`cute/atom/mma_traits_sm*.hpp` of CUTLASS): shapes and strides
//! of threads and values, which give row plus `rows` times column; of `mma.sp` as the PTX ISA draws it.

/// Sizes and strides, the fastest first.
pub type Strides = &'static [(u32, u32)];

/// What a thread holds: strides of the threads of a group, and of the values of a thread.
#[derive(Clone, Copy)]
pub struct Layout {
    pub threads: Strides,
    pub values: Strides,
}

/// Where the operands lie.
#[derive(Clone, Copy)]
pub enum Operands {
    /// A, B and C in registers, one bank after the other; D in registers.
    Registers { a: Layout, b: Layout },
    /// A and B in shared memory, in core matrices whose distances are in the kernel's descriptor; C and D in
    /// registers.
    Shared,
    /// All in plain memory, A, C and D row by row, B column by column.
    Memory,
}

pub struct Case {
    pub instruction: &'static str,
    pub operands: Operands,
    pub accumulator: Layout,
}

/// Four times eight threads, as everywhere in `mma.m16n8`.
const fn quads(stride: u32) -> [(u32, u32); 2] {
    [(4, stride), (8, 1)]
}

const Q8: Strides = &quads(8);
const Q16: Strides = &quads(16);
const Q32: Strides = &quads(32);
const Q64: Strides = &quads(64);
const Q128: Strides = &quads(128);

const fn layout(threads: Strides, values: Strides) -> Layout {
    Layout { threads, values }
}

const fn registers(a: Layout, b: Layout) -> Operands {
    Operands::Registers { a, b }
}

const C_16X8: Layout = layout(Q32, &[(2, 16), (2, 8)]);
const C_8X8: Layout = layout(Q16, &[(2, 8)]);
/// Eight threads of a quad pair.
const PAIR: Strides = &[(4, 1), (2, 4)];
const C_PAIR_F32: Layout = layout(&[(2, 1), (2, 16), (2, 4)], &[(2, 8), (2, 2), (2, 32)]);

const fn case(instruction: &'static str, a: Layout, b: Layout, accumulator: Layout) -> Case {
    Case {
        instruction,
        operands: registers(a, b),
        accumulator,
    }
}

const A_1688: Layout = layout(Q32, &[(2, 16), (2, 8)]);
const B_1688: Layout = layout(Q16, &[(2, 8)]);
const A_16816: Layout = layout(Q32, &[(2, 16), (2, 8), (2, 128)]);
const B_16816: Layout = layout(Q16, &[(2, 8), (2, 64)]);
const A_16832: Layout = layout(Q64, &[(4, 16), (2, 8), (2, 256)]);
const B_16832: Layout = layout(Q32, &[(4, 8), (2, 128)]);
const A_16864: Layout = layout(Q128, &[(8, 16), (2, 8), (2, 512)]);
const B_16864: Layout = layout(Q64, &[(8, 8), (2, 256)]);
/// Registers of one element each: TF32 and f64.
const A_1684: Layout = layout(Q16, &[(2, 8)]);
const B_1684: Layout = layout(Q8, &[(1, 0)]);
const A_1688_WIDE: Layout = layout(Q16, &[(2, 8), (2, 64)]);
const B_1688_WIDE: Layout = layout(Q8, &[(2, 32)]);
const A_16816_WIDE: Layout = layout(Q16, &[(2, 8), (4, 64)]);
const B_16816_WIDE: Layout = layout(Q8, &[(4, 32)]);
/// Four warps, 16 rows each.
const C_64X8: Layout = layout(&[(4, 128), (8, 1), (4, 16)], &[(2, 64), (2, 8), (1, 512)]);
const C_64X64: Layout = layout(&[(4, 128), (8, 1), (4, 16)], &[(2, 64), (2, 8), (8, 512)]);
/// A thread is a row.
const C_128X8: Layout = layout(&[(128, 1)], &[(8, 128)]);

const fn shared(instruction: &'static str, accumulator: Layout) -> Case {
    Case {
        instruction,
        operands: Operands::Shared,
        accumulator,
    }
}

const fn memory(instruction: &'static str) -> Case {
    Case {
        instruction,
        operands: Operands::Memory,
        accumulator: C_16X8,
    }
}

pub const CASES: &[Case] = &[
    case(
        "volta/mma.m8n8k4.f32.f16.f16.f32",
        layout(PAIR, &[(4, 8)]),
        layout(PAIR, &[(4, 8)]),
        C_PAIR_F32,
    ),
    case(
        "volta/mma.m8n8k4.f16.f16.f16.f16",
        layout(PAIR, &[(4, 8)]),
        layout(PAIR, &[(4, 8)]),
        layout(PAIR, &[(8, 8)]),
    ),
    case("hopper/mma.m16n8k8.f32.f16.f16.f32", A_1688, B_1688, C_16X8),
    case(
        "hopper/mma.m16n8k16.f32.f16.f16.f32",
        A_16816,
        B_16816,
        C_16X8,
    ),
    case(
        "hopper/mma.m16n8k16.f16.f16.f16.f16",
        A_16816,
        B_16816,
        C_16X8,
    ),
    case(
        "hopper/mma.m16n8k16.f32.bf16.bf16.f32",
        A_16816,
        B_16816,
        C_16X8,
    ),
    case(
        "hopper/mma.m16n8k4.f32.tf32.tf32.f32",
        A_1684,
        B_1684,
        C_16X8,
    ),
    case(
        "hopper/mma.m16n8k8.f32.tf32.tf32.f32",
        A_1688_WIDE,
        B_1688_WIDE,
        C_16X8,
    ),
    case(
        "ada/mma.m16n8k16.f32.e4m3.e5m2.f32",
        layout(Q64, &[(4, 16), (2, 8)]),
        layout(Q32, &[(4, 8)]),
        C_16X8,
    ),
    case(
        "ada/mma.m16n8k32.f16.e5m2.e4m3.f16",
        A_16832,
        B_16832,
        C_16X8,
    ),
    case(
        "rtx-blackwell/mma.m16n8k32.f32.e2m1.e3m2.f32",
        A_16832,
        B_16832,
        C_16X8,
    ),
    case(
        "rtx-blackwell/mma.block_scale.m16n8k32.block32.f32.e4m3.e2m1.f32.ue8m0",
        A_16832,
        B_16832,
        C_16X8,
    ),
    case(
        "rtx-blackwell/mma.block_scale.m16n8k64.block32.f32.e2m1.e2m1.f32.ue8m0",
        A_16864,
        B_16864,
        C_16X8,
    ),
    case(
        "rtx-blackwell/mma.block_scale.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3",
        A_16864,
        B_16864,
        C_16X8,
    ),
    case(
        "ampere/mma.m8n8k4.f64.f64.f64.f64",
        layout(Q8, &[(1, 0)]),
        B_1684,
        C_8X8,
    ),
    case("hopper/mma.m16n8k4.f64.f64.f64.f64", A_1684, B_1684, C_16X8),
    case(
        "hopper/mma.m16n8k8.f64.f64.f64.f64",
        A_1688_WIDE,
        B_1688_WIDE,
        C_16X8,
    ),
    case(
        "hopper/mma.m16n8k16.f64.f64.f64.f64",
        A_16816_WIDE,
        B_16816_WIDE,
        C_16X8,
    ),
    // What A keeps lies as in the dense instruction of as many products, B as in that of twice as many.
    case(
        "ampere/mma.sp.m16n8k16.f32.f16.f16.f32",
        A_1688,
        B_16816,
        C_16X8,
    ),
    case(
        "hopper/mma.sp.m16n8k32.f16.f16.f16.f16",
        A_16816,
        layout(Q16, &[(2, 8), (4, 64)]),
        C_16X8,
    ),
    case(
        "hopper/mma.sp.m16n8k8.f32.tf32.tf32.f32",
        A_1684,
        B_1688_WIDE,
        C_16X8,
    ),
    case(
        "ampere/mma.sp.m16n8k16.f32.tf32.tf32.f32",
        A_1688_WIDE,
        B_16816_WIDE,
        C_16X8,
    ),
    case(
        "rtx-blackwell/mma.sp.m16n8k64.f32.e4m3.e5m2.f32",
        A_16832,
        layout(Q32, &[(4, 8), (4, 128)]),
        C_16X8,
    ),
    case(
        "ada/mma.sp.m16n8k64.satfinite.s32.u8.s8.s32",
        A_16832,
        layout(Q32, &[(4, 8), (4, 128)]),
        C_16X8,
    ),
    memory("volta/wmma.m16n16k16.f32.f16.f16.f32"),
    memory("hopper/wmma.m16n16k16.f16.f16.f16.f16"),
    memory("hopper/wmma.m16n16k8.f32.tf32.tf32.f32"),
    memory("hopper/wmma.m8n8k4.f64.f64.f64.f64"),
    shared("hopper/wgmma.m64nNk16.f32.f16.f16", C_64X8),
    shared("hopper/wgmma.m64nNk16.f16.f16.f16", C_64X8),
    shared("hopper/wgmma.m64n64k8.f32.tf32.tf32", C_64X64),
    shared("hopper/wgmma.m64nNk32.f32.e4m3.e5m2", C_64X8),
    shared("blackwell/tcgen05.mma.mMnNk16.f32.bf16.bf16", C_128X8),
    shared("blackwell/tcgen05.mma.mMnNk16.f16.f16.f16", C_128X8),
    shared("blackwell/tcgen05.mma.mMnNk32.f32.e2m1.e3m2", C_128X8),
    shared(
        "blackwell/tcgen05.mma.block_scale.mMnNk32.block32.f32.e4m3.e2m3.ue8m0",
        C_128X8,
    ),
    shared(
        "blackwell/tcgen05.mma.block_scale.mMnNk64.block32.f32.e2m1.e2m1.ue8m0",
        C_128X8,
    ),
    shared(
        "blackwell/tcgen05.mma.block_scale.mMnNk64.block16.f32.e2m1.e2m1.ue4m3",
        C_128X8,
    ),
];

/// Not what CuTe states.
pub const EXCHANGED: Case = case(
    "hopper/mma.m16n8k16.f32.f16.f16.f32",
    layout(Q32, &[(2, 16), (2, 128), (2, 8)]),
    B_16816,
    C_16X8,
);
