//! The scheme of Markidis et al. 2018 (arXiv 1803.04014): each f32 is split into an f16 and a
//! remainder, both rounded to nearest even, and one accumulator sums all four products.

use super::parts::{PartRounding, Processor, runs};
use crate::machines::algorithms::{DotAdd, Operands};
use crate::numbers::bits::Bv;
use crate::numbers::float::Format;

/// The scheme, which adds `A B + R_A B + A R_B + R_A R_B`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Markidis {
    /// The order in which the four products are added.
    pub order: ProductOrder,
}

/// The order in which the products of parts are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProductOrder {
    /// The large products first, as in the formula; each product is summed over all k before the
    /// next product.
    LargeFirst,
    /// The order of `LargeFirst` reversed, as in the printed equation 6 of Valpey et al.
    SmallFirst,
    /// For each instruction along k, all four products are added, the large ones first.
    Interleaved,
}

impl Markidis {
    pub(super) fn dot_add<A: DotAdd, B: Bv>(
        &self,
        mut on: Processor<'_, A, B>,
        operands: Operands<'_, B>,
    ) -> B {
        let rne = PartRounding::Rne;
        let mut split = |names: [&'static str; 2], row| {
            on.split_in_two(Format::F16, names.map(|name| (name, rne)), 0, row)
        };
        let a = split(["A", "R_A"], operands.a);
        let b = split(["B", "R_B"], operands.b);

        let mut products = [
            ("sum with A B", &a.big, &b.big),
            ("sum with R_A B", &a.small, &b.big),
            ("sum with A R_B", &a.big, &b.small),
            ("sum with R_A R_B", &a.small, &b.small),
        ];
        if self.order == ProductOrder::SmallFirst {
            products.reverse();
        }
        let count = operands.a.len();
        let at_once = match self.order {
            ProductOrder::Interleaved => on.unit.step(),
            ProductOrder::LargeFirst | ProductOrder::SmallFirst => count,
        };
        let mut d = operands.c.clone();
        for (index, k) in runs(count, at_once).enumerate() {
            for (what, x, y) in products {
                d = on.chained((what, Some(index)), [&x[k.clone()], &y[k.clone()]], &d);
            }
        }
        d
    }
}
