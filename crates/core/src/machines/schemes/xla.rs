//! `BF16_BF16_F32_X3`, `_X6`, `_X9` and `TF32_TF32_F32_X3` of XLA (dot_algorithm_rewriter.cc):
//! masks split operands into parts; each product of parts is a whole dot product from +0,
//! and separate additions sum these dot products.

use super::parts::Processor;
use crate::machines::sums::{Operator, PartRounding, Splitting, Sums};
use mmasmt_numbers::float::Format;

/// The scheme: whole dot products are added, the small ones first; a NaN in their sum becomes +0
/// before the largest dot product is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Xla {
    /// The formats of the parts, and the number of products of parts.
    pub algorithm: DotAlgorithm,
    /// Whether `c` is added to the result; XLA leaves this addition to another operation.
    pub addend: AddendRule,
}

/// An algorithm of `PrecisionConfig`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DotAlgorithm {
    /// Two bf16, three products.
    Bf16X3,
    /// Three bf16, six products.
    Bf16X6,
    /// Three bf16, all nine products.
    Bf16X9,
    /// Two tf32, the second not rounded, three products.
    Tf32X3,
}

/// Treatment of `c` where the scheme itself has no `c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddendRule {
    /// `c` is added to the result, rounded to nearest.
    Outside,
    /// `c` is not read.
    None,
}

/// A product of parts: its name, and the numbers of the part of `a` and of the part of `b`.
type Product = (&'static str, usize, usize);

const X3: &[Product] = &[("low high", 1, 0), ("high low", 0, 1)];
const X6: &[Product] = &[
    ("mid mid", 1, 1),
    ("high low", 0, 2),
    ("low high", 2, 0),
    ("high mid", 0, 1),
    ("mid high", 1, 0),
];
const X9: &[Product] = &[
    ("low low", 2, 2),
    ("low mid", 2, 1),
    ("mid low", 1, 2),
    ("mid mid", 1, 1),
    ("high low", 0, 2),
    ("low high", 2, 0),
    ("high mid", 0, 1),
    ("mid high", 1, 0),
];

impl Xla {
    /// The format of the parts.
    pub(super) fn part(&self) -> Format {
        match self.algorithm {
            DotAlgorithm::Tf32X3 => Format::TF32,
            DotAlgorithm::Bf16X3 | DotAlgorithm::Bf16X6 | DotAlgorithm::Bf16X9 => Format::BF16,
        }
    }

    pub(super) fn sum<S: Sums>(&self, mut on: Processor<'_, S>) -> Result<S::Sum, S::Stop> {
        let mask = PartRounding::Rz;
        let two = |last| vec![("high part", mask), ("low part", last)];
        let three = || {
            let low = ("low part", PartRounding::Rne);
            vec![("high part", mask), ("mid part", mask), low]
        };
        let (parts, small) = match self.algorithm {
            DotAlgorithm::Tf32X3 => (two(PartRounding::None), X3),
            DotAlgorithm::Bf16X3 => (two(PartRounding::Rne), X3),
            DotAlgorithm::Bf16X6 => (three(), X6),
            DotAlgorithm::Bf16X9 => (three(), X9),
        };
        let splitting = Splitting {
            format: self.part(),
            parts: &parts,
            scale: 0,
        };
        let [a, b] = on.split(&splitting)?;
        let all = 0..on.count();

        let mut sum: Option<S::Sum> = None;
        for (index, &(what, i, j)) in small.iter().enumerate() {
            let dot = on.dot((what, None), [&a[i], &b[j]], all.clone())?;
            sum = Some(match sum {
                None => dot,
                Some(sum) => on.add(("sum of small products", Some(index)), &sum, &dot)?,
            });
        }
        let sum = match sum {
            None => on.zero()?,
            Some(sum) => sum,
        };
        let what = ("small products, NaN as +0", None);
        let sum = on.core(what, Operator::NanToZero, &[&sum])?;
        let high = on.dot(("high high", None), [&a[0], &b[0]], all)?;
        let sum = on.add(("sum with high high", None), &sum, &high)?;
        match self.addend {
            AddendRule::None => Ok(sum),
            AddendRule::Outside => {
                let c = on.c()?;
                on.add(("c added", None), &sum, &c)
            }
        }
    }
}
