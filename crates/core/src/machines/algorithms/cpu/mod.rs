//! Dot-product instructions of CPUs: IEEE 754 operations in f32, in the order that manuals state or
//! silicon shows, with rules for subnormal numbers and for NaNs (AVX512_BF16, AMX, Arm BFDOT and
//! BFMMLA, POWER10, RISC-V).

mod steps;

pub use steps::{FlushedOperands, NanRule};

use super::pairwise::pairwise_sum;
use super::{DotAdd, FlushedResults, Operands, Signature, Stages, Step};
use crate::numbers::bits::Bv;
use crate::numbers::float::{Format, NanCode, Rounding};
use steps::Steps;

/// The order in which the products are added to `c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DotOrder {
    /// A chain of fused multiply-adds that starts with `c` and takes the last product first
    /// (VDPBF16PS).
    LastFirst,
    /// A chain of fused multiply-adds that starts with `c` and takes the first product first.
    FirstFirst,
    /// A chain of fused multiply-adds that starts with +0; its result is then added to `c`
    /// (TMMULTF32PS).
    Late,
    /// Two chains of fused multiply-adds that start with +0, one over the even and one over the odd
    /// products, then `c + (even + odd)` (TDPBF16PS).
    EvenOdd,
    /// Each product is rounded, the products are added pairwise, and their sum is then added to `c`
    /// (BFDOT).
    Pairwise,
    /// The products are summed exactly, the sum is rounded once, and it is then added to `c` (BFDOT
    /// with FPCR.EBF, XVBF16GER2PP).
    Fused,
}

/// A dot instruction with its parameters; `c` and the result are f32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuDot {
    /// Format of the left factors.
    pub a: Format,
    /// Format of the right factors.
    pub b: Format,
    /// Number of products.
    pub products: u32,
    /// Order of the operations.
    pub order: DotOrder,
    /// Rounding of every operation.
    pub rounding: Rounding,
    /// Subnormal operands that count as zeros.
    pub operands: FlushedOperands,
    /// Tiny results that become zeros.
    pub results: FlushedResults,
    /// The rule for the NaN result of an operation.
    pub nan: NanRule,
}

const F32: Format = Format::F32;

impl CpuDot {
    fn steps(&self) -> Steps {
        Steps {
            factors: [self.a, self.b],
            rounding: self.rounding,
            results: self.results,
            nan: self.nan,
        }
    }
}

impl DotAdd for CpuDot {
    fn signature(&self) -> Signature {
        Signature {
            a: self.a,
            b: self.b,
            c: F32,
            d: F32,
            products: self.products,
            scales: None,
        }
    }

    fn nan(&self) -> NanCode {
        NanCode::Quiet
    }

    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        let steps = self.steps();
        let factor = |format: &Format, bits: &B| self.operands.factor(format, bits);
        let a: Vec<B> = operands.a.iter().map(|x| factor(&self.a, x)).collect();
        let b: Vec<B> = operands.b.iter().map(|x| factor(&self.b, x)).collect();
        let c = self.operands.addend(operands.c);
        let zero = B::lit(F32.width(), 0);
        // The chain of fused multiply-adds that starts with `start` and takes the products in
        // `order`.
        let chain = |stages: &mut Stages<B>, start: &B, order: &mut dyn Iterator<Item = usize>| {
            order.fold(start.clone(), |sum, k| {
                let sum = steps.fma(&a[k], &b[k], &sum);
                push(stages, "sum after product", Some(k), &sum);
                sum
            })
        };
        let count = a.len();
        let sum = match self.order {
            DotOrder::LastFirst => return chain(stages, &c, &mut (0..count).rev()),
            DotOrder::FirstFirst => return chain(stages, &c, &mut (0..count)),
            DotOrder::Late => chain(stages, &zero, &mut (0..count)),
            DotOrder::EvenOdd => {
                let even = chain(stages, &zero, &mut (0..count).step_by(2));
                let odd = chain(stages, &zero, &mut (1..count).step_by(2));
                steps.add(&even, &odd)
            }
            DotOrder::Pairwise => {
                let product = |k: usize| {
                    let product = steps.multiply(&a[k], &b[k]);
                    push(stages, "product", Some(k), &product);
                    product
                };
                let products: Vec<B> = (0..count).map(product).collect();
                pairwise_sum(&products, &|x, y| steps.add(x, y), &mut |_| {})
            }
            DotOrder::Fused => steps.exact_sum(&a, &b),
        };
        push(stages, "sum of products", None, &sum);
        let d = steps.add_to_c(&c, &sum);
        push(stages, "c added", None, &d);
        d
    }
}

fn push<B: Bv>(stages: &mut Stages<B>, what: &'static str, index: Option<usize>, value: &B) {
    stages.push(Step::Rounded {
        what,
        index,
        format: F32,
        value: value.clone(),
    });
}
