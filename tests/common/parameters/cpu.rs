//! Dot-product instructions of CPUs: IEEE 754 operations in f32, in the order that manuals state or
//! silicon shows, with rules for subnormal numbers and for NaNs (AVX512_BF16, AMX, Arm BFDOT and
//! BFMMLA, POWER10, RISC-V).

use mmasmt_core::machines::algorithms::FlushedResults;
use mmasmt_numbers::float::{Format, Rounding};

/// The order in which the products are added to `c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DotOrder {
    /// A chain of fused multiply-adds that starts with `c` and takes the last product first
    /// (VDPBF16PS).
    LastFirst,
    /// A chain of fused multiply-adds that starts with `c` and takes the first product first.
    FirstFirst,
    /// A chain of fused multiply-adds that starts with +0; its result is then added to `c`
    /// (TMMULTF32PS).
    Late,
    /// Two chains of fused multiply-adds that start with +0, one over the even and one over the odd
    /// products, then `c + (even + odd)` (TDPBF16PS).
    EvenOdd,
    /// Each product is rounded, the products are added pairwise, and their sum is then added to `c`
    /// (BFDOT).
    Pairwise,
    /// The products are summed exactly, the sum is rounded once, and it is then added to `c` (BFDOT
    /// with FPCR.EBF, XVBF16GER2PP).
    Fused,
}

/// A dot instruction with its parameters; `c` and the result are f32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuDot {
    /// Format of the left factors.
    pub a: Format,
    /// Format of the right factors.
    pub b: Format,
    /// Number of products.
    pub products: u32,
    /// Order of the operations.
    pub order: DotOrder,
    /// Rounding of every operation.
    pub rounding: Rounding,
    /// Subnormal operands that count as zeros.
    pub operands: FlushedOperands,
    /// Tiny results that become zeros.
    pub results: FlushedResults,
    /// The rule for the NaN result of an operation.
    pub nan: NanRule,
}

/// The subnormal operands that count as zeros of the same sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FlushedOperands {
    /// No operands are flushed.
    Neither,
    /// Only `c` is flushed; subnormal factors keep their value.
    Addend,
    /// Factors and `c` are flushed.
    All,
}

/// The rule for the NaN result of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NanRule {
    /// `7fc00000` (Arm with default NaNs, RISC-V).
    Default,
    /// The first NaN among the operands, made quiet, with its sign and payload; `ffc00000` if no
    /// operand is a NaN. Factors come before the sum of the earlier products, and `c` comes before
    /// the sum of products.
    X86,
    /// The first NaN among the operands, made quiet, with its sign and payload; `7fc00000` if no
    /// operand is a NaN. The left factors come first, in their order; then come the right factors
    /// in reverse order, as in `fma(a0, b0, a1 * b1)`, whose addend comes before the right factor
    /// `b0`. The sum of products comes before `c`.
    Power,
}
