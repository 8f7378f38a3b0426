//! Equation 24 of Ootomo and Yokota 2022 as a formula, with each of its sums rounded. The formula
//! that Valpey et al. §6 compares with the scheme of Markidis also adds the product of the
//! small parts.

use super::ootomo_yokota::SmallProducts;
use super::parts::Processor;
use crate::machines::sums::{PartRounding, Sums};
use mmasmt_numbers::float::Format;

/// `((dA dB / 2^22 + (A dB + dA B) / 2^11) + A B) + c`. The unit computes the sums of products from
/// +0; the other sums and the quotients are rounded to nearest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Equation24 {
    /// Whether `dA dB / 2^22` is added.
    pub low: SmallProducts,
}

impl Equation24 {
    pub(super) fn sum<S: Sums>(&self, mut on: Processor<'_, S>) -> Result<S::Sum, S::Stop> {
        let rne = PartRounding::Rne;
        let names = [["A", "dA"], ["B", "dB"]];
        let [a, b] = on.split_in_two(Format::F16, names, [rne; 2], 11)?;
        let all = 0..on.count();

        let main = on.dot(("A B", None), [&a.big, &b.big], all.clone())?;
        let middle = on.dot(("A dB", None), [&a.big, &b.small], all.clone())?;
        let factors = [&a.small, &b.big];
        let middle = on.chained(("A dB + dA B", None), factors, all.clone(), middle)?;
        let mut sum = on.scale(("scaled back", None), &middle, -11)?;
        if self.low == SmallProducts::Kept {
            let low = on.dot(("dA dB", None), [&a.small, &b.small], all)?;
            let low = on.scale(("scaled back", None), &low, -22)?;
            sum = on.add(("corrections", None), &low, &sum)?;
        }
        let sum = on.add(("sum with A B", None), &sum, &main)?;
        let c = on.c()?;
        on.add(("c added", None), &sum, &c)
    }
}
