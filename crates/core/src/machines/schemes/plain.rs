//! No scheme: f32 is rounded to the unit's format, and there is one product.

use super::parts::{PartRounding, Processor, Splitting};
use crate::machines::algorithms::{DotAdd, Operands};
use crate::numbers::bits::Bv;

/// The product of rounded operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plain {
    /// How f32 is rounded to the unit's format.
    pub round: PartRounding,
}

impl Plain {
    pub(super) fn dot_add<A: DotAdd, B: Bv>(
        &self,
        mut on: Processor<'_, A, B>,
        operands: Operands<'_, B>,
    ) -> B {
        let splitting = Splitting {
            format: on.unit.signature().a,
            parts: &[("rounded", self.round)],
            scale: 0,
        };
        let a = on.split(&splitting, operands.a);
        let b = on.split(&splitting, operands.b);
        on.chained(("sum", None), [&a[0], &b[0]], operands.c)
    }
}
