//! Intermediate values as exact sums of named terms.

use super::set::Multiples;
use mmasmt_numbers::base::limits::work;
use mmasmt_numbers::float::Rounding;

/// The work of making one sum, counted as the bytes of formula nodes that are made in the same
/// time.
const SUM_WORK: u64 = 64;

/// A term of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SumLeaf {
    /// The exact product of the factors with this index and of their scales.
    Product(usize),
    /// The product with this index, where factors below two to the power of these exponents are zeros; a side
    /// without an exponent is not flushed.
    FlushedProduct(usize, [Option<i64>; 2]),
    /// The accumulator.
    Addend,
    /// A sum that was rounded or flushed, by its number in [`RoundedSums`](super::rounded::RoundedSums).
    Rounded(usize),
}

/// A number that is the exact sum of its leaves, unless one of them overflows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sum {
    /// The terms of the sum. Terms that are always zero are left out, except a single rounded sum
    /// that is always zero.
    pub leaves: Vec<SumLeaf>,
    pub values: Multiples,
    pub zero: Zero,
    /// Whether the sum may be below zero.
    pub negative: bool,
    /// The values that the sum may have instead of the exact one if a leaf overflows.
    pub overflow: OverflowValue,
}

/// The values that a sum may have in place of the exact one, if a leaf overflows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverflowValue {
    /// No other value.
    Nothing,
    /// An infinity. Either only one leaf may be infinite, or several leaves may be and none of them
    /// is negative. Adding finite numbers does not change the infinity.
    Infinity,
    /// The greatest number of a format, an infinity, or a NaN.
    Unknown,
}

/// The sign that a sum has if it is zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Zero {
    /// A zero sum is never -0.
    Plus,
    /// A zero sum is -0 if all of these summands are -0; otherwise it is +0.
    SharedBy(Vec<NegativeZero>),
    /// The sign of a zero sum is unknown.
    Unknown,
}

/// How a summand becomes -0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NegativeZero {
    /// The leaf itself is -0.
    Zero(SumLeaf),
    /// The leaf was negative or -0, and became zero because it was too small. If the leaf is a
    /// rounded sum, that sum was negative before rounding.
    Small(SumLeaf),
}

impl Sum {
    /// The sum of no terms, which is +0.
    pub fn nothing() -> Self {
        Sum {
            leaves: Vec::new(),
            values: Multiples::zero(),
            zero: Zero::Plus,
            negative: false,
            overflow: OverflowValue::Nothing,
        }
    }

    /// The sum of one leaf. `zero` and `minus` say whether the leaf may be zero, and whether its
    /// sign bit may be 1.
    pub fn leaf(leaf: SumLeaf, values: Multiples, zero: bool, minus: bool) -> Self {
        let is_zero = values.is_zero();
        Sum {
            leaves: if is_zero { Vec::new() } else { vec![leaf] },
            negative: minus && !is_zero,
            values,
            zero: if zero && minus {
                Zero::SharedBy(vec![NegativeZero::Zero(leaf)])
            } else {
                Zero::Plus
            },
            overflow: OverflowValue::Nothing,
        }
    }

    /// The exact sum of two sums. If the exact sum is zero, it is -0 only if all summands are -0.
    #[must_use]
    pub fn plus(self, other: Sum) -> Self {
        let is_negative = self.negative || other.negative;
        let of = |values: &Multiples, leaves| if values.is_zero() { Vec::new() } else { leaves };
        // The leaves of `other` are appended, since a long sum is made one term at a time.
        let mut leaves = of(&self.values, self.leaves);
        leaves.extend(of(&other.values, other.leaves));
        work(SUM_WORK);
        Sum {
            leaves,
            values: self.values.plus(&other.values),
            zero: self.zero.shared_with(other.zero),
            negative: is_negative,
            overflow: match (self.overflow, other.overflow) {
                (OverflowValue::Nothing, beyond) | (beyond, OverflowValue::Nothing) => beyond,
                (OverflowValue::Infinity, OverflowValue::Infinity) if !is_negative => {
                    OverflowValue::Infinity
                }
                // Two infinities may have different signs.
                _ => OverflowValue::Unknown,
            },
        }
    }

    /// The same sum, except that a zero result is +0.
    #[must_use]
    pub fn with_plus_zero(self) -> Self {
        Sum {
            zero: Zero::Plus,
            ..self
        }
    }

    /// The same sum, except that the sign of a zero result is unknown.
    #[must_use]
    pub fn with_unknown_zero(self) -> Self {
        Sum {
            zero: Zero::Unknown,
            ..self
        }
    }
}

impl NegativeZero {
    /// How a summand becomes -0 if this leaf becomes zero because it was too small. A product with
    /// flushed factors has the sign of the exact product.
    pub fn small(leaf: SumLeaf) -> NegativeZero {
        NegativeZero::Small(match leaf {
            SumLeaf::FlushedProduct(index, _) => SumLeaf::Product(index),
            other => other,
        })
    }

    /// The summand that becomes -0.
    pub fn leaf(self) -> SumLeaf {
        match self {
            NegativeZero::Zero(leaf) | NegativeZero::Small(leaf) => leaf,
        }
    }
}

impl Zero {
    fn shared_with(self, other: Zero) -> Zero {
        match (self, other) {
            (Zero::Plus, _) | (_, Zero::Plus) => Zero::Plus,
            (Zero::Unknown, _) | (_, Zero::Unknown) => Zero::Unknown,
            (Zero::SharedBy(mut left), Zero::SharedBy(right)) => {
                left.extend(right);
                Zero::SharedBy(left)
            }
        }
    }
}

/// The sum with the sign that IEEE 754 gives to an exact zero. If rounding is down, that sign may
/// differ from the sign that all terms share; it then counts as unknown.
pub(super) fn ieee_zero(sum: Sum, rounding: Rounding) -> Sum {
    match rounding {
        Rounding::Rd => sum.with_unknown_zero(),
        _ => sum,
    }
}
