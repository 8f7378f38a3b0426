//! Markidis et al. 2018 (arXiv 1803.04014): an f16 and what it leaves over, both rounded to nearest even, and
//! all four products in one accumulator.

use super::parts::{add_products, core, nearest};
use crate::algorithms::{DotAdd, Operands, Stages, Unit};
use crate::bits::Bv;
use crate::float::{Format, Rounding};

/// `A B + R_A B + A R_B + R_A R_B`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Markidis {
    /// Number of products.
    pub products: u32,
    /// In which order the four products are added.
    pub order: ProductOrder,
}

/// In which order the products of parts are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProductOrder {
    /// As the formula has it, each over all k before the next.
    LargeFirst,
    /// The other way round, as equation 6 of smt-formalization.txt is printed.
    SmallFirst,
    /// All four for each instruction, the large first.
    Interleaved,
}

impl Markidis {
    pub(super) fn dot_add<A: DotAdd, B: Bv>(
        &self,
        unit: &Unit<A>,
        operands: Operands<'_, B>,
        stages: &mut Stages<B>,
    ) -> B {
        let mut split = |what: [&'static str; 2], row: &[B]| -> (Vec<B>, Vec<B>) {
            let mut core = core(unit, stages);
            let parts = row.iter().enumerate().map(|(k, x)| {
                let (big, rest) = nearest(&mut core, (what[0], k), Format::F16, x);
                let small = core.convert((what[1], Some(k)), Format::F16, Rounding::Rne, &rest);
                (big, small)
            });
            parts.unzip()
        };
        let (a, ra) = split(["A", "R_A"], operands.a);
        let (b, rb) = split(["B", "R_B"], operands.b);

        let mut products = [
            ("sum with A B", &a, &b),
            ("sum with R_A B", &ra, &b),
            ("sum with A R_B", &a, &rb),
            ("sum with R_A R_B", &ra, &rb),
        ];
        if self.order == ProductOrder::SmallFirst {
            products.reverse();
        }
        let at_once = match self.order {
            ProductOrder::Interleaved => unit.step(),
            ProductOrder::LargeFirst | ProductOrder::SmallFirst => a.len(),
        };
        let mut d = operands.c.clone();
        for start in (0..a.len()).step_by(at_once) {
            let end = (start + at_once).min(a.len());
            for (what, x, y) in products {
                let factors = [&x[start..end], &y[start..end]];
                d = add_products(unit, (what, Some(start / at_once)), factors, &d, stages);
            }
        }
        d
    }
}
