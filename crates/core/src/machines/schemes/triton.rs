//! `tf32x3`, `bf16x3` and `bf16x6` of Triton (F32DotTC.cpp). All products are summed in one
//! accumulator from +0, the small ones first. A NaN in the sum is replaced by +0 before the largest
//! product is added. `c` is then added outside of the unit.

use super::ootomo_yokota::SumPlacement;
use super::parts::{Processor, runs};
use crate::machines::sums::{Operator, PartRounding, Splitting, Sums};
use mmasmt_numbers::float::Format;

/// The scheme: `tl.dot` with operands that are split into parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triton {
    /// The formats of the parts, and the number of products of parts.
    pub precision: InputPrecision,
    /// Number of products of one `tl.dot`; `None`: all products.
    pub block: Option<u32>,
    /// Where `c` is added: outside of the unit, or inside as the initial value of the accumulator.
    pub addend: SumPlacement,
    /// Treatment of a NaN in the sum before the largest product is added.
    pub nan: NanRule,
}

/// `input_precision` of `tl.dot`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputPrecision {
    /// Two tf32 and three products; the first part is rounded with ties away, the second not
    /// rounded.
    Tf32x3,
    /// Two bf16 rounded to nearest even, and three products.
    Bf16x3,
    /// Three bf16 rounded to nearest even, and six products.
    Bf16x6,
}

/// Treatment of a NaN in the sum of the small products, before the largest product is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NanRule {
    /// The NaN becomes +0, so that an infinite operand gives infinity.
    Zero,
    /// The NaN stays.
    Kept,
}

/// Names of the parts of `a` and of `b`, the largest first; for two parts, the first two names are
/// used.
const PARTS: [&str; 3] = ["large part", "middle part", "low part"];

/// A product of parts: the name of the sum after the product is added, and the numbers of the part
/// of `a` and of the part of `b`.
type Product = (&'static str, usize, usize);

const HIGHEST: Product = ("sum with large large", 0, 0);
const TWO_PARTS: &[Product] = &[
    ("sum with small large", 1, 0),
    ("sum with large small", 0, 1),
];
const THREE_PARTS: &[Product] = &[
    ("sum with middle middle", 1, 1),
    ("sum with low large", 2, 0),
    ("sum with large low", 0, 2),
    ("sum with middle large", 1, 0),
    ("sum with large middle", 0, 1),
];

impl Triton {
    /// The format of the parts.
    pub(super) fn part(&self) -> Format {
        match self.precision {
            InputPrecision::Tf32x3 => Format::TF32,
            InputPrecision::Bf16x3 | InputPrecision::Bf16x6 => Format::BF16,
        }
    }

    pub(super) fn sum<S: Sums>(&self, mut on: Processor<'_, S>) -> Result<S::Sum, S::Stop> {
        use PartRounding::{None, Rna, Rne};
        let (roundings, low): (&[PartRounding], _) = match self.precision {
            InputPrecision::Tf32x3 => (&[Rna, None], TWO_PARTS),
            InputPrecision::Bf16x3 => (&[Rne, Rne], TWO_PARTS),
            InputPrecision::Bf16x6 => (&[Rne, Rne, Rne], THREE_PARTS),
        };
        let parts: Vec<_> = PARTS.into_iter().zip(roundings.iter().copied()).collect();
        let splitting = Splitting {
            format: self.part(),
            parts: &parts,
            scale: 0,
        };
        let [a, b] = on.split(&splitting)?;

        let count = on.count();
        let block = self.block.map_or(count, |block| block as usize);
        let mut d = on.c()?;
        for (index, k) in runs(count, block).enumerate() {
            let index = Some(index);
            let add = |on: &mut Processor<'_, S>, (what, i, j): Product, sum: S::Sum| {
                on.chained((what, index), [&a[i], &b[j]], k.clone(), sum)
            };
            let mut sum = match self.addend {
                SumPlacement::Inside => d.clone(),
                SumPlacement::Outside => on.zero()?,
            };
            for &product in low {
                sum = add(&mut on, product, sum)?;
            }
            if self.nan == NanRule::Zero {
                let what = ("small products, NaN as +0", Option::None);
                sum = on.core(what, Operator::NanToZero, &[&sum])?;
            }
            sum = add(&mut on, HIGHEST, sum)?;
            d = match self.addend {
                SumPlacement::Inside => sum,
                SumPlacement::Outside => on.add(("sum outside", index), &sum, &d)?,
            };
        }
        Ok(d)
    }
}
