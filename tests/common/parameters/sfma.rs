//! SFMA: fused multiply-adds in sequence (Xie et al. §IV-A, Algorithm 1): DMMA of NVIDIA, FP64 and
//! FP32 MFMA of AMD.

use mmasmt_numbers::float::{Format, NanCode};

/// `products` fused multiply-adds in one format, each rounded to nearest even.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sfma {
    /// Format of all operands and of the result.
    pub format: Format,
    /// Number of products.
    pub products: u32,
    /// The rule for the NaN of a result.
    pub nan: FmaNan,
}

/// The rule for the NaN that a fused multiply-add gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FmaNan {
    /// Always the same code.
    Code(NanCode),
    /// The first NaN among `b`, the sum so far and `a`, made quiet, with its sign and payload. If
    /// none of these is a NaN: the negative quiet NaN without payload (recorded: H100,
    /// `tests/hardware/h100`).
    Dmma,
}
