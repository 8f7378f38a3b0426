//! GFDRDA, group-fused-dot-round-down-add (Xie et al. §IV-H): FP8 MFMA of CDNA3.

use super::late::{FarC, LateParams, LateUnit};
use super::{DotAdd, Grid, Operands, Signature, Stages};
use crate::numbers::bits::Bv;
use crate::numbers::float::NanCode;

/// Two fused dot products, one of the even and one of the odd products, are added and rounded down.
/// A later step adds `c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gfdrda(LateUnit);

impl Gfdrda {
    /// The unit with these parameters, in which the number of products is even.
    pub fn new(params: LateParams) -> Self {
        debug_assert!(params.products.is_multiple_of(2));
        Gfdrda(LateUnit::new(params, FarC::Truncated))
    }

    /// The parameters of this unit.
    pub fn params(&self) -> &LateParams {
        &self.0.params
    }
}

impl DotAdd for Gfdrda {
    fn signature(&self) -> Signature {
        self.0.signature()
    }

    fn nan(&self) -> NanCode {
        self.0.params.nan
    }

    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        let products = self.0.products(operands);
        let dots = [("even products", 0), ("odd products", 1)].map(|(what, first)| {
            let group = products.iter().skip(first).step_by(2);
            let grid = Grid {
                what,
                first,
                step: 2,
                ..Grid::PRODUCTS
            };
            self.0.dot(group, grid, stages)
        });
        let dot = self.0.both(&dots, stages);
        self.0.add_late(&dot, &products, operands.c, stages)
    }
}
