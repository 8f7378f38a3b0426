//! Equation 24 of Ootomo and Yokota 2022 as a formula, with each of its sums rounded. The formula
//! that Valpey et al. §6 compares with the scheme of Markidis also adds the product of the
//! small parts.

use super::ootomo_yokota::Low;
use super::parts::{PartRounding, Processor};
use crate::machines::algorithms::{DotAdd, Operands};
use crate::numbers::bits::Bv;
use crate::numbers::float::Format;

/// `((dA dB / 2^22 + (A dB + dA B) / 2^11) + A B) + c`. The unit computes the sums of products from
/// +0; the other sums and the quotients are rounded to nearest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Equation24 {
    /// Whether `dA dB / 2^22` is added.
    pub low: Low,
}

impl Equation24 {
    pub(super) fn dot_add<A: DotAdd, B: Bv>(
        &self,
        mut on: Processor<'_, A, B>,
        operands: Operands<'_, B>,
    ) -> B {
        let rne = PartRounding::Rne;
        let mut split = |names: [&'static str; 2], row| {
            on.split_in_two(Format::F16, names.map(|name| (name, rne)), 11, row)
        };
        let a = split(["A", "dA"], operands.a);
        let b = split(["B", "dB"], operands.b);

        let main = on.dot(("A B", None), [&a.big, &b.big]);
        let middle = on.dot(("A dB", None), [&a.big, &b.small]);
        let middle = on.chained(("A dB + dA B", None), [&a.small, &b.big], &middle);
        let mut sum = on.core().scale(("scaled back", None), &middle, -11);
        if self.low == Low::Kept {
            let low = on.dot(("dA dB", None), [&a.small, &b.small]);
            let low = on.core().scale(("scaled back", None), &low, -22);
            sum = on.add(("corrections", None), &low, &sum);
        }
        let sum = on.add(("sum with A B", None), &sum, &main);
        on.add(("c added", None), &sum, operands.c)
    }
}
