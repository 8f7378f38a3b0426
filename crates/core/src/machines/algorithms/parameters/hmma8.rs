//! FP8 `mma.sync` where there is no FP8 unit: the compiler converts to f16 and issues two f16
//! fused dot-adds and an addition.
//!
//! Source: machine code for sm_90 and sm_100 (12 `F2FP.F16.E4M3.UNPACK_B`, 2 `HMMA.16816`, 4
//! `FADD`). The model reproduces the recorded H100, H200 and B200 rows.

use super::fda::Params;
use crate::machines::algorithms::Signature;
use crate::numbers::float::Format;

/// Two f16 fused dot-adds over interleaved halves of the products: the first starts with +0, the
/// second with the result of the first. Then `c` is added by an IEEE addition, rounded to nearest
/// even.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hmma8 {
    /// Format of the left factors, of FP8.
    pub a: Format,
    /// Format of the right factors, of FP8.
    pub b: Format,
    /// The f16 fused dot-add. Its `c` and its result have the same format, and the number of its products is
    /// even.
    pub half: Params,
}

impl Hmma8 {
    /// The formats and numbers of the operands, and the format of the result.
    pub fn signature(&self) -> Signature {
        let half = self.half.signature();
        Signature {
            a: self.a,
            b: self.b,
            products: 2 * half.products,
            ..half
        }
    }
}
