//! 3xTF32 of CUTLASS (`OpMultiplyAddFastF32`, mma_tensor_op_fast_f32.h): each f32 is split into two
//! tf32, the first cut, the second rounded to nearest with ties away. One accumulator sums the
//! products of each k-step.

use super::markidis::ProductOrder;
use super::ootomo_yokota::SmallProducts;
use super::parts::{Processor, runs};
use crate::machines::sums::{PartRounding, Sums};
use mmasmt_numbers::float::Format;

/// The scheme, which adds `small big + big small + big big` in every k-step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutlassTf32 {
    /// How the large part is rounded (`kRoundBig`).
    pub big: PartRounding,
    /// How the small part is rounded (`kRoundSmall`).
    pub small: PartRounding,
    /// Whether `small small` is added last in every k-step (`k4xTF32`).
    pub low: SmallProducts,
    /// The order in which the three products are added.
    pub order: ProductOrder,
    /// Number of products of a k-step; by default, the products of one m16n8k8 instruction.
    pub step: u32,
}

impl CutlassTf32 {
    pub(super) fn sum<S: Sums>(&self, mut on: Processor<'_, S>) -> Result<S::Sum, S::Stop> {
        let names = [["big of a", "small of a"], ["big of b", "small of b"]];
        let [a, b] = on.split_in_two(Format::TF32, names, [self.big, self.small], 0)?;

        let mut products = vec![
            ("sum with small big", &a.small, &b.big),
            ("sum with big small", &a.big, &b.small),
            ("sum with big big", &a.big, &b.big),
        ];
        if self.order == ProductOrder::LargeFirst {
            products.rotate_right(1);
        }
        if self.low == SmallProducts::Kept {
            products.push(("sum with small small", &a.small, &b.small));
        }
        let mut d = on.c()?;
        for (index, k) in runs(on.count(), self.step as usize).enumerate() {
            for (what, x, y) in &products {
                d = on.chained((what, Some(index)), [x, y], k.clone(), d)?;
            }
        }
        Ok(d)
    }
}
