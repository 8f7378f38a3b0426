//! The scheme of Ootomo and Yokota 2022 (arXiv 2203.03341), as in their library wmma_extension:
//! each f32 is split into an f16 and the remainder times 2^11 as an f16, or into two tf32. The
//! large products are added outside of the unit, the corrections inside.

use super::parts::{Processor, runs};
use crate::machines::sums::{PartRounding, Sums};
use mmasmt_numbers::float::Format;

/// The scheme, which computes `A B + (dA B + A dB) / 2^11`; nothing is divided where the parts are
/// tf32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OotomoYokota {
    /// Where the products of large parts are added up.
    pub main: SumPlacement,
    /// How f32 is rounded to tf32. If the parts are f16, f32 is rounded to nearest even instead.
    pub tf32: PartRounding,
    /// Whether `dA dB / 2^22` is added; the unit then sums `dA dB` in a separate accumulator.
    pub low: SmallProducts,
}

/// Where sums of a unit are added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SumPlacement {
    /// The ordinary core adds the sums of the unit, rounded to nearest; each sum of the unit begins
    /// at +0.
    Outside,
    /// The unit adds its sums up in its accumulator.
    Inside,
}

/// Treatment of the products of two small parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SmallProducts {
    /// These products are left out.
    Dropped,
    /// These products are added like the others.
    Kept,
}

impl OotomoYokota {
    pub(super) fn sum<S: Sums>(&self, mut on: Processor<'_, S>) -> Result<S::Sum, S::Stop> {
        // A block has the products of one WMMA instruction.
        let part = on.unit.a;
        let (rounding, scale, block) = if part == Format::TF32 {
            (self.tf32, 0, 8)
        } else {
            (PartRounding::Rne, 11, 16)
        };
        let names = [["A", "dA"], ["B", "dB"]];
        let [a, b] = on.split_in_two(part, names, [rounding; 2], scale)?;

        let (mut d, mut dd, mut low) = (on.c()?, on.zero()?, on.zero()?);
        for (index, k) in runs(on.count(), block).enumerate() {
            let index = Some(index);
            let factors = [&a.big, &b.big];
            d = match self.main {
                SumPlacement::Inside => {
                    on.chained(("sum with A B", index), factors, k.clone(), d)?
                }
                SumPlacement::Outside => {
                    let main = on.dot(("A B", index), factors, k.clone())?;
                    on.add(("sum outside with A B", index), &d, &main)?
                }
            };
            let factors = [&a.small, &b.big];
            dd = on.chained(("correction with dA B", index), factors, k.clone(), dd)?;
            let factors = [&a.big, &b.small];
            dd = on.chained(("correction with A dB", index), factors, k.clone(), dd)?;
            if self.low == SmallProducts::Kept {
                let factors = [&a.small, &b.small];
                low = on.chained(("sum with dA dB", index), factors, k, low)?;
            }
        }
        if self.low == SmallProducts::Kept {
            let low = scaled_back(&mut on, scale, low)?;
            dd = on.add(("correction with dA dB", None), &dd, &low)?;
        }
        let dd = scaled_back(&mut on, scale, dd)?;
        on.add(("sum with correction", None), &d, &dd)
    }
}

/// `x` divided by `2^scale`, the factor that remainders were multiplied by.
fn scaled_back<S: Sums>(
    on: &mut Processor<'_, S>,
    scale: i32,
    x: S::Sum,
) -> Result<S::Sum, S::Stop> {
    match scale {
        0 => Ok(x),
        _ => on.scale(("scaled back", None), &x, -scale),
    }
}
