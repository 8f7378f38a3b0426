//! `tf32x3`, `bf16x3` and `bf16x6` of Triton (F32DotTC.cpp). All products are summed in one
//! accumulator from +0, the small ones first. A NaN in the sum is replaced by +0 before the largest
//! product. `c` is then added outside.

use super::ootomo_yokota::Place;
use super::parts::{PartRounding, Processor, Splitting, runs};
use crate::machines::algorithms::{DotAdd, Operands};
use crate::numbers::bits::Bv;
use crate::numbers::float::Format;

/// `tl.dot` in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triton {
    /// The parts, and the number of their products.
    pub precision: InputPrecision,
    /// Products of one `tl.dot`; `None`: all.
    pub block: Option<u32>,
    /// Where `c` is added: outside, or inside as the initial value of the accumulator.
    pub addend: Place,
    /// Treatment of a NaN before the largest product.
    pub nan: NanRule,
}

/// `input_precision` of `tl.dot`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputPrecision {
    /// Two tf32 and three products; the first part with ties away, the second not rounded.
    Tf32x3,
    /// Two bf16 to nearest even, and three products.
    Bf16x3,
    /// Three bf16 to nearest even, and six products.
    Bf16x6,
}

/// Treatment of a NaN among the sums before the largest product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NanRule {
    /// The NaN becomes +0, so that an infinite operand gives infinity.
    Zero,
    /// The NaN stays.
    Kept,
}

/// Names of the parts of a and of b, the largest first, for as many as there are.
const PARTS: [&str; 3] = ["large part", "middle part", "low part"];

/// A product: the name of the sum with it, and the numbers of its parts.
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

    pub(super) fn dot_add<A: DotAdd, B: Bv>(
        &self,
        mut on: Processor<'_, A, B>,
        operands: Operands<'_, B>,
    ) -> B {
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
        let a = on.split(&splitting, operands.a);
        let b = on.split(&splitting, operands.b);

        let count = operands.a.len();
        let block = self.block.map_or(count, |block| block as usize);
        let mut d = operands.c.clone();
        for (index, k) in runs(count, block).enumerate() {
            let index = Some(index);
            let add = |on: &mut Processor<'_, A, B>, (what, i, j): Product, sum: &B| {
                on.chained((what, index), [&a[i][k.clone()], &b[j][k.clone()]], sum)
            };
            let mut sum = match self.addend {
                Place::Inside => d.clone(),
                Place::Outside => on.unit.zero(),
            };
            for &product in low {
                sum = add(&mut on, product, &sum);
            }
            if self.nan == NanRule::Zero {
                sum = on.core().nan_to_zero("small products, NaN as +0", &sum);
            }
            sum = add(&mut on, HIGHEST, &sum);
            d = match self.addend {
                Place::Inside => sum,
                Place::Outside => on.add(("sum outside", index), &sum, &d),
            };
        }
        d
    }
}
