//! Numbers on the way to a result, as sums of what is known by a name.

use super::set::Multiples;
use mmasmt_core::base::limits::work;

/// What a sum takes, in bytes of nodes of a formula made in the same time.
const SUM_WORK: u64 = 64;

/// What sums consist of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Leaf {
    /// The exact product of factors with this index, and of their scales.
    Product(usize),
    /// The same where factors below the normal numbers of their format are zero, and some are.
    FlushedProduct(usize),
    /// The accumulator.
    Addend,
    /// A sum that was rounded: its number in [`Rounded`].
    Rounded(usize),
}

/// A number that is the exact sum of its leaves, unless one of them overflows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sum {
    /// None of them is always zero, but one that rounding makes zero: nothing is added to that.
    pub leaves: Vec<Leaf>,
    pub values: Multiples,
    pub zero: Zero,
    /// Whether it may be below zero.
    pub negative: bool,
    /// What it may be where one overflows.
    pub overflow: Beyond,
}

/// What a sum may be in place of the exact one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beyond {
    /// Nothing else.
    Nothing,
    /// The infinity of the only leaf that may be infinite, or of several that are not negative:
    /// sums with finite numbers leave it as it is.
    Infinity,
    /// A greatest number, an infinity, or a NaN.
    Unknown,
}

/// The sign of a sum that is zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Zero {
    /// It is not -0.
    Plus,
    /// It is -0 where all these are so; else it is not.
    SharedBy(Vec<Minus>),
    /// Nothing is known.
    Unknown,
}

/// How a summand is -0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Minus {
    /// It is -0.
    Zero(Leaf),
    /// It was negative or -0, and became zero as it was too small. Of a rounded sum: the sum was
    /// negative.
    Small(Leaf),
}

impl Sum {
    /// +0.
    pub fn nothing() -> Self {
        Sum {
            leaves: Vec::new(),
            values: Multiples::zero(),
            zero: Zero::Plus,
            negative: false,
            overflow: Beyond::Nothing,
        }
    }

    /// A leaf by itself. `zero` and `minus` say whether it may be zero, and whether its sign bit
    /// may be 1.
    pub fn leaf(leaf: Leaf, values: Multiples, zero: bool, minus: bool) -> Self {
        let is_zero = values.is_zero();
        Sum {
            leaves: if is_zero { Vec::new() } else { vec![leaf] },
            negative: minus && !is_zero,
            values,
            zero: if zero && minus {
                Zero::SharedBy(vec![Minus::Zero(leaf)])
            } else {
                Zero::Plus
            },
            overflow: Beyond::Nothing,
        }
    }

    /// The exact sum. It is zero with the sign that all summands share, if it is zero.
    #[must_use]
    pub fn plus(self, other: Sum) -> Self {
        let is_negative = self.negative || other.negative;
        let of = |values: &Multiples, leaves| if values.is_zero() { Vec::new() } else { leaves };
        // Behind those that are there: a long sum is made one by one.
        let mut leaves = of(&self.values, self.leaves);
        leaves.extend(of(&other.values, other.leaves));
        work(SUM_WORK);
        Sum {
            leaves,
            values: self.values.plus(&other.values),
            zero: self.zero.shared_with(other.zero),
            negative: is_negative,
            overflow: match (self.overflow, other.overflow) {
                (Beyond::Nothing, beyond) | (beyond, Beyond::Nothing) => beyond,
                (Beyond::Infinity, Beyond::Infinity) if !is_negative => Beyond::Infinity,
                // Two infinities may have different signs.
                _ => Beyond::Unknown,
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

impl Minus {
    /// What is small, by its sign: that of a product does not change where a factor becomes zero.
    pub fn small(leaf: Leaf) -> Minus {
        Minus::Small(match leaf {
            Leaf::FlushedProduct(index) => Leaf::Product(index),
            other => other,
        })
    }

    /// The summand.
    pub fn leaf(self) -> Leaf {
        match self {
            Minus::Zero(leaf) | Minus::Small(leaf) => leaf,
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
