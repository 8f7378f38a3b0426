//! Intermediate values as exact sums of named terms.

use super::set::Multiples;
use mmasmt_core::base::limits::work;

/// The work of one sum, in bytes of formula nodes made in the same time.
const SUM_WORK: u64 = 64;

/// The terms that sums consist of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Leaf {
    /// The exact product of factors with this index, and of their scales.
    Product(usize),
    /// The same product with factors below the normal numbers of their format flushed, if some are.
    FlushedProduct(usize),
    /// The accumulator.
    Addend,
    /// A sum that was rounded: its number in [`Rounded`].
    Rounded(usize),
}

/// A number that is the exact sum of its leaves, unless one of them overflows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sum {
    /// No leaf is always zero, except one that rounding makes zero, to which nothing is added.
    pub leaves: Vec<Leaf>,
    pub values: Multiples,
    pub zero: Zero,
    /// Whether it may be below zero.
    pub negative: bool,
    /// The values it may have if a leaf overflows.
    pub overflow: Beyond,
}

/// The values that a sum may have in place of the exact one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beyond {
    /// No other value.
    Nothing,
    /// The infinity of the only leaf that may be infinite, or of several leaves that are not
    /// negative: adding finite numbers does not change it.
    Infinity,
    /// A greatest number, an infinity, or a NaN.
    Unknown,
}

/// The sign of a sum that is zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Zero {
    /// It is not -0.
    Plus,
    /// It is -0 if all of these are -0; otherwise it is not.
    SharedBy(Vec<Minus>),
    /// The sign is unknown.
    Unknown,
}

/// How a summand comes to be -0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Minus {
    /// It is -0.
    Zero(Leaf),
    /// It was negative or -0, and became zero because it was too small. For a rounded sum: the sum
    /// was negative.
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

    /// The exact sum. If it is zero, it has the sign that all summands share.
    #[must_use]
    pub fn plus(self, other: Sum) -> Self {
        let is_negative = self.negative || other.negative;
        let of = |values: &Multiples, leaves| if values.is_zero() { Vec::new() } else { leaves };
        // Appended to the leaves that are there: a long sum is made one term at a time.
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
    /// The sign of a leaf that was too small: a flushed factor does not change the sign of a
    /// product.
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
