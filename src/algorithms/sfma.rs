//! SFMA: fused multiply-adds in sequence (mma-sim.txt §IV-A, Algorithm 1): DMMA of NVIDIA, FP64 and
//! FP32 MFMA of AMD.

use super::{DotAdd, Operands, Signature, Stages, Step};
use crate::bits::Bv;
use crate::float::{Arithmetic, Format, NanCode, Rounding, ieee_fma};

/// `products` fused multiply-adds in one format, round to nearest even.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sfma {
    /// Format of all operands and of the result.
    pub format: Format,
    /// Number of products.
    pub products: u32,
    /// Code of a NaN result.
    pub nan: NanCode,
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
        self.nan
    }

    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        let format = &self.format;
        let to = Arithmetic {
            format: *format,
            rounding: Rounding::Rne,
            nan: self.nan,
        };
        let mut d = operands.c.clone();
        for (k, (a, b)) in operands.a.iter().zip(operands.b).enumerate() {
            d = ieee_fma(&to, [format, format], format, a, b, &d);
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
