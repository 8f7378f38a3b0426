//! SFMA: fused multiply-adds in sequence (Xie et al. §IV-A, Algorithm 1): DMMA of NVIDIA, FP64 and
//! FP32 MFMA of AMD.

use super::{DotAdd, Operands, Signature, Stages, Step};
use crate::numbers::bits::{Bv, Prop, mux};
use crate::numbers::float::{Arithmetic, Format, NanCode, Rounding, first_nan, ieee_fma, unpack};

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

impl DotAdd for Sfma {
    fn signature(&self) -> Signature {
        Signature {
            a: self.format,
            b: self.format,
            c: self.format,
            d: self.format,
            products: self.products,
            scales: None,
        }
    }

    fn nan(&self) -> NanCode {
        match self.nan {
            FmaNan::Code(code) => code,
            FmaNan::Dmma => NanCode::Quiet,
        }
    }

    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        let format = &self.format;
        let to = Arithmetic {
            format: *format,
            rounding: Rounding::Rne,
            nan: self.nan(),
        };
        let mut d = operands.c.clone();
        let mut d_is_nan = unpack(format, &d).nan;
        for (k, (a, b)) in operands.a.iter().zip(operands.b).enumerate() {
            let sum = ieee_fma(&to, [format, format], format, a, b, &d);
            d = match self.nan {
                FmaNan::Code(_) => sum,
                FmaNan::Dmma => {
                    d_is_nan = is_nan(format, [a, b], &d_is_nan, &sum);
                    let invalid = format.nan(NanCode::Quiet) | format.sign_mask();
                    let invalid = B::lit(format.width(), invalid);
                    let nan = first_nan(format, [b, &d, a].map(|one| (format, one)), &invalid);
                    mux(&d_is_nan, &nan, &sum)
                }
            };
            stages.push(Step::Rounded {
                what: "sum after product",
                index: Some(k),
                format: *format,
                value: d.clone(),
            });
        }
        d
    }
}

/// Whether `sum`, the product of `factors` added to the previous sum, is a NaN. `before` says
/// whether the previous sum is a NaN. With finite factors, `sum` is a NaN only if the previous sum
/// is a NaN, so that programs for finite operands need not test any sum.
fn is_nan<B: Bv>(format: &Format, factors: [&B; 2], before: &B::Bool, sum: &B) -> B::Bool {
    let [x, y] = factors.map(|factor| unpack(format, factor));
    let special = B::Bool::any([x.nan, x.infinite, y.nan, y.infinite, before.clone()]);
    special.and(&unpack(format, sum).nan)
}
