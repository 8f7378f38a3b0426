//! Infinities and NaNs of a fused sum: step 1 of every fused algorithm.

use super::{Format, NanCode, Unpacked};
use crate::bits::{Bv, Prop, mux};

/// What infinities and NaNs make of `c + a[0]*b[0] + a[1]*b[1] + ...` (mma-sim.txt §IV-C step 1).
pub struct SpecialValues<B: Bv> {
    nan: B::Bool,
    positive_infinity: B::Bool,
    negative_infinity: B::Bool,
}

impl<B: Bv> SpecialValues<B> {
    /// Those of the empty sum: none.
    pub fn none() -> Self {
        let no = B::Bool::constant(false);
        SpecialValues { nan: no.clone(), positive_infinity: no.clone(), negative_infinity: no }
    }

    /// Takes the product of `a` and `b` into account: NaN if either is NaN, or for zero times
    /// infinity.
    #[inline(always)]
    pub fn add_product(&mut self, a: &Unpacked<B>, b: &Unpacked<B>) {
        let invalid = a.infinite.and(&b.zero).or(&a.zero.and(&b.infinite));
        let nan = a.nan.or(&b.nan).or(&invalid);
        self.add(&nan, &a.infinite.or(&b.infinite), &a.sign.xor(&b.sign));
    }

    /// Takes the summand `c` into account.
    #[inline(always)]
    pub fn add_summand(&mut self, c: &Unpacked<B>) {
        self.add(&c.nan, &c.infinite, &c.sign);
    }

    #[inline(always)]
    fn add(&mut self, nan: &B::Bool, infinite: &B::Bool, sign: &B::Bool) {
        self.nan = self.nan.or(nan);
        self.positive_infinity = self.positive_infinity.or(&infinite.and(&sign.not()));
        self.negative_infinity = self.negative_infinity.or(&infinite.and(sign));
    }

    /// The register of `format`: NaN or infinity where the sum is one, else `finite`.
    #[inline(always)]
    pub fn or_finite(&self, format: &Format, nan_code: NanCode, finite: &B) -> B {
        let nan = self.nan.or(&self.positive_infinity.and(&self.negative_infinity));
        let infinite = self.positive_infinity.or(&self.negative_infinity);
        let beyond = B::lit(format.magnitude_bits(), format.beyond_finite());
        let infinity = format.assemble(&self.negative_infinity, &beyond);
        let nan_register = B::lit(format.width(), format.nan(nan_code));
        mux(&nan, &nan_register, &mux(&infinite, &infinity, finite))
    }
}
