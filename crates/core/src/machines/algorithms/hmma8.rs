//! FP8 `mma.sync` where there is no FP8 unit: the compiler converts to f16 and issues two f16
//! fused dot-adds and an addition.
//!
//! Source: machine code for sm_90 and sm_100 (12 `F2FP.F16.E4M3.UNPACK_B`, 2 `HMMA.16816`, 4
//! `FADD`). The model reproduces the recorded H100, H200 and B200 rows.

use super::{DotAdd, Fda, Operands, Signature, Stages, Step};
use crate::numbers::bits::Bv;
use crate::numbers::float::{Format, NanCode, Rounding, ieee_add, widen};

/// Two f16 fused dot-adds over interleaved halves of the products: the first starts with +0, the
/// second with the result of the first. Then `c` is added by an IEEE addition, rounded to nearest
/// even.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hmma8 {
    a: Format,
    b: Format,
    half: Fda,
}

impl Hmma8 {
    /// The model with factors in the FP8 formats `a` and `b` on the f16 fused dot-add `half`. The
    /// `c` and the result of `half` have the same format, and the number of products of `half` is
    /// even.
    pub fn new(a: Format, b: Format, half: Fda) -> Self {
        debug_assert_eq!(half.signature().c, half.signature().d);
        debug_assert!(half.signature().products.is_multiple_of(2));
        Hmma8 { a, b, half }
    }

    /// The f16 fused dot-add.
    pub fn half(&self) -> &Fda {
        &self.half
    }
}

impl DotAdd for Hmma8 {
    fn signature(&self) -> Signature {
        let half = self.half.signature();
        Signature {
            a: self.a,
            b: self.b,
            products: 2 * half.products,
            ..half
        }
    }

    fn nan(&self) -> NanCode {
        self.half.nan()
    }

    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        let format = self.half.signature().c;
        // The first half takes the products k for which k mod 4 is 0 or 1, the second half all
        // others.
        let part = |values: &[B], from: &Format, second: bool| -> Vec<B> {
            let chosen = values
                .iter()
                .enumerate()
                .filter(|(k, _)| (k % 4 >= 2) == second);
            chosen.map(|(_, x)| widen(from, &Format::F16, x)).collect()
        };
        let mut d = B::lit(format.width(), 0);
        for second in [false, true] {
            let a = part(operands.a, &self.a, second);
            let b = part(operands.b, &self.b, second);
            d = self.half.dot_add(Operands::plain(&a, &b, &d), stages);
        }
        let result = ieee_add(&format, Rounding::Rne, NanCode::Ones, &d, operands.c);
        stages.push(Step::Rounded {
            what: "c added, rne",
            index: None,
            format,
            value: result.clone(),
        });
        result
    }
}
