//! The state of a run: products with the values of their factors, and the sums that were rounded.

use super::operand::OperandValues;
use super::rounded::RoundedSums;
use super::sum::{NegativeZero, Sum, SumLeaf, Zero};
use mmasmt_numbers::float::Format;

/// A product: the values of its factors and of its scales.
#[derive(Clone, Debug)]
pub struct Product {
    pub index: usize,
    pub a: OperandValues,
    pub b: OperandValues,
    /// The scales of `a` and of `b`, each with its format; `None` if there are none.
    pub scales: Option<[(OperandValues, Format); 2]>,
}

impl Product {
    /// The exact value of the product.
    pub fn exact(&self) -> Sum {
        let mut values = self.a.values.times(&self.b.values);
        for (scale, _) in self.scales.iter().flatten() {
            values = values.times(&scale.values);
        }
        let small = [self.a.small, self.b.small];
        let is_flushed = small != [None; 2];
        let leaf = match is_flushed {
            true => SumLeaf::FlushedProduct(self.index, small),
            false => SumLeaf::Product(self.index),
        };
        let sum = Sum::leaf(leaf, values, self.may_be_zero(), self.may_be_negative());
        match sum.zero {
            Zero::SharedBy(_) if is_flushed => Sum {
                zero: Zero::SharedBy(vec![NegativeZero::small(leaf)]),
                ..sum
            },
            _ => sum,
        }
    }

    /// Whether a factor or a scale may be zero.
    pub fn may_be_zero(&self) -> bool {
        let mut scales = self.scales.iter().flatten();
        self.a.zero || self.b.zero || scales.any(|(scale, _)| scale.zero)
    }

    /// Whether the sign bit of a factor may be 1.
    pub fn may_be_negative(&self) -> bool {
        self.a.minus || self.b.minus
    }

    /// Whether a factor may be below the normal numbers of its format.
    pub fn may_be_subnormal(&self, [a, b]: [&Format; 2]) -> bool {
        let below = |factor: &OperandValues, format: &Format| {
            factor.values.goes_below(format.min_exponent().into())
        };
        below(&self.a, a) || below(&self.b, b)
    }
}

/// The rounded sums of all models that are run on the same operands. Equal sums have the same
/// number, so that models can be compared by these numbers.
#[derive(Default)]
pub struct Units {
    pub rounded: RoundedSums,
}
