//! The scheme of Markidis et al. 2018 (arXiv 1803.04014): each f32 is split into an f16 and a
//! remainder, both rounded to nearest even, and one accumulator sums all four products.

use super::parts::{Processor, runs};
use crate::machines::sums::{PartRounding, Sums};
use mmasmt_numbers::float::Format;

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
    pub(super) fn sum<S: Sums>(&self, mut on: Processor<'_, S>) -> Result<S::Sum, S::Stop> {
        let rne = PartRounding::Rne;
        let names = [["A", "R_A"], ["B", "R_B"]];
        let [a, b] = on.split_in_two(Format::F16, names, [rne; 2], 0)?;

        let mut products = [
            ("sum with A B", &a.big, &b.big),
            ("sum with R_A B", &a.small, &b.big),
            ("sum with A R_B", &a.big, &b.small),
            ("sum with R_A R_B", &a.small, &b.small),
        ];
        if self.order == ProductOrder::SmallFirst {
            products.reverse();
        }
        let count = on.count();
        let at_once = match self.order {
            ProductOrder::Interleaved => on.unit.products as usize,
            ProductOrder::LargeFirst | ProductOrder::SmallFirst => count,
        };
        let mut d = on.c()?;
        for (index, k) in runs(count, at_once).enumerate() {
            for (what, x, y) in products {
                d = on.chained((what, Some(index)), [x, y], k.clone(), d)?;
            }
        }
        Ok(d)
    }
}
