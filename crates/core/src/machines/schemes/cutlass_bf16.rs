//! 9xBF16 of CUTLASS for sm_100 (sm100_mma_warpspecialized_emulated.hpp): each f32 is split into
//! three bf16, and each remainder is multiplied by 2^8 before it is rounded. The products are added
//! in five bands, the smallest first. From band to band, the unit scales its accumulator by 2^-8.

use super::parts::{Processor, runs};
use super::xla::AddendRule;
use crate::machines::algorithms::ValueLabel;
use crate::machines::sums::{Operator, PartRounding, Splitting, Sums};
use mmasmt_numbers::float::{Format, Rounding};
use std::ops::Range;

/// The scheme: the unit adds the bands of each k-block from +0; the sums of k-blocks are added
/// outside of the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutlassBf16 {
    /// Number of bands (`NumBandsToCompute`): 3, 4 or 5, which have 6, 8 or 9 products of parts.
    pub bands: u32,
    /// How the unit adds its accumulator times 2^-8 (`scale-input-d`).
    pub scaled: ScaledAccumulator,
    /// Number of products of a k-block; the sum of each k-block is added outside of the unit.
    pub step: u32,
    /// Whether `c` is added to the result; CUTLASS leaves this addition to the epilogue.
    pub addend: AddendRule,
}

/// How much of the accumulator times 2^-8 is added. PTX does not define the effect of bits that lie
/// below the bits that the unit aligns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScaledAccumulator {
    /// The unit takes the scaled accumulator like any other accumulator, and cuts it where it cuts
    /// terms. Before that, bits below the least f32 number are cut.
    Cut,
    /// As `Cut`, but bits below the least f32 number are rounded to nearest.
    Rounded,
    /// The unit sums the products from +0; the whole scaled accumulator is added to that sum, and
    /// the result is rounded to nearest.
    Whole,
}

/// A product of parts: the name of the sum after the product is added, and the numbers of the part
/// of `a` and of the part of `b`.
type Product = (&'static str, usize, usize);

/// The bands; the band with the smallest products comes first.
const BANDS: [&[Product]; 5] = [
    &[("sum with A2 B2", 2, 2)],
    &[("sum with A1 B2", 1, 2), ("sum with A2 B1", 2, 1)],
    &[
        ("sum with A0 B2", 0, 2),
        ("sum with A1 B1", 1, 1),
        ("sum with A2 B0", 2, 0),
    ],
    &[("sum with A0 B1", 0, 1), ("sum with A1 B0", 1, 0)],
    &[("sum with A0 B0", 0, 0)],
];

impl CutlassBf16 {
    pub(super) fn sum<S: Sums>(&self, mut on: Processor<'_, S>) -> Result<S::Sum, S::Stop> {
        let splitting = Splitting {
            format: Format::BF16,
            parts: &["A0", "A1", "A2"].map(|part| (part, PartRounding::RneFinite)),
            scale: 8,
        };
        let [a, b] = on.split(&splitting)?;

        let mut sum = on.zero()?;
        for (index, k) in runs(on.count(), self.step as usize).enumerate() {
            let index = Some(index);
            let mut d = on.zero()?;
            let bands = BANDS.iter().skip(BANDS.len() - self.bands as usize);
            for (band, products) in bands.enumerate() {
                for (number, &(what, i, j)) in products.iter().enumerate() {
                    let factors = [&a[i], &b[j]];
                    d = if band > 0 && number == 0 {
                        self.with_scaled(&mut on, (what, index), factors, k.clone(), &d)?
                    } else {
                        on.chained((what, index), factors, k.clone(), d)?
                    };
                }
            }
            sum = on.add(("sum outside", index), &sum, &d)?;
        }
        match self.addend {
            AddendRule::None => Ok(sum),
            AddendRule::Outside => {
                let c = on.c()?;
                on.add(("c added", None), &sum, &c)
            }
        }
    }

    /// Adds the products of `factors` to `d` times 2^-8.
    fn with_scaled<S: Sums>(
        &self,
        on: &mut Processor<'_, S>,
        what: ValueLabel,
        factors: [&S::Row; 2],
        k: Range<usize>,
        d: &S::Sum,
    ) -> Result<S::Sum, S::Stop> {
        let f32 = Format::F32;
        let down = on.on.constant(f32, f32.register(-8, 0, false))?;
        let rounding = match self.scaled {
            ScaledAccumulator::Cut => Rounding::Rz,
            ScaledAccumulator::Rounded | ScaledAccumulator::Whole => Rounding::Rne,
        };
        if self.scaled == ScaledAccumulator::Whole {
            let products = on.dot(("products of the band", what.1), factors, k)?;
            return on.core(what, Operator::Fma(rounding), &[d, &down, &products]);
        }
        let scaled = ("accumulator scaled", what.1);
        let scaled = on.core(scaled, Operator::Multiply(rounding), &[d, &down])?;
        on.chained(what, factors, k, scaled)
    }
}
