//! FDRDA, fused-dot-round-down-add (Xie et al. §IV-F): 16-bit and xf32 MFMA of CDNA3.

use super::late::{FarC, LateParams, LateUnit};
use super::{DotAdd, Grid, Operands, Signature, Stages};
use crate::numbers::bits::Bv;
use crate::numbers::float::NanCode;

/// A fused dot product without `c`, and a later step that rounds down and adds `c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fdrda(LateUnit);

impl Fdrda {
    /// The unit with these parameters.
    pub fn new(params: LateParams) -> Self {
        Fdrda(LateUnit::new(params, FarC::Same))
    }

    /// The parameters of this unit.
    pub fn params(&self) -> &LateParams {
        &self.0.params
    }
}

impl DotAdd for Fdrda {
    fn signature(&self) -> Signature {
        self.0.signature()
    }

    fn nan(&self) -> NanCode {
        self.0.params.nan
    }

    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        let products = self.0.products(operands);
        let grid = Grid {
            what: "products",
            ..Grid::PRODUCTS
        };
        let dot = self.0.dot(products.iter(), grid, stages);
        self.0.add_late(&dot, &products, operands.c, stages)
    }
}
