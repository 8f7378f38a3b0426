//! Numbers on the way to a result, as sums of what is known by a name.

use super::flushed::round_to_zero;
use super::set::Multiples;
use crate::float::{Format, Overflow, Rounding};
use std::collections::HashMap;

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
    /// The infinity of the only leaf that may be infinite: sums with finite numbers leave it as it is.
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
    /// It was negative or -0, and became zero as it was too small. Of a rounded sum: the sum was negative.
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

    /// A leaf by itself. `zero` and `minus` say whether it may be zero, and whether its sign bit may be 1.
    pub fn leaf(leaf: Leaf, values: Multiples, zero: bool, minus: bool) -> Self {
        let is_zero = values.is_zero();
        Sum {
            leaves: if is_zero { Vec::new() } else { vec![leaf] },
            negative: minus && !is_zero,
            values,
            zero: match zero && minus {
                true => Zero::SharedBy(vec![Minus::Zero(leaf)]),
                false => Zero::Plus,
            },
            overflow: Beyond::Nothing,
        }
    }

    /// The exact sum. It is zero with the sign that all summands share, if it is zero.
    #[must_use]
    pub fn plus(self, other: Sum) -> Self {
        let both = [&self, &other].into_iter();
        let others = both.filter(|sum| !sum.values.is_zero());
        Sum {
            leaves: others.flat_map(|sum| sum.leaves.clone()).collect(),
            values: self.values.plus(&other.values),
            zero: self.zero.shared_with(other.zero),
            negative: self.negative || other.negative,
            overflow: match (self.overflow, other.overflow) {
                (Beyond::Nothing, beyond) | (beyond, Beyond::Nothing) => beyond,
                // Two infinities may have different signs.
                _ => Beyond::Unknown,
            },
        }
    }

    /// The same where a zero is +0.
    #[must_use]
    pub fn with_plus_zero(self) -> Self {
        Sum {
            zero: Zero::Plus,
            ..self
        }
    }

    /// The same where nothing is known of the sign of a zero.
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

/// How a sum is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct To {
    pub format: Format,
    pub rounding: Rounding,
    pub overflow: Overflow,
    /// Whether what becomes zero keeps its sign; else it is +0.
    pub signed_underflow: bool,
}

impl To {
    /// As IEEE 754 has it.
    pub fn ieee(format: Format, rounding: Rounding) -> To {
        To {
            format,
            rounding,
            overflow: Overflow::Ieee,
            signed_underflow: true,
        }
    }

    /// As fused sums have it: infinity for what is too large, +0 for what becomes zero.
    pub fn fused(format: Format, rounding: Rounding) -> To {
        To {
            format,
            rounding,
            overflow: Overflow::Infinity,
            signed_underflow: false,
        }
    }
}

/// A sum that was rounded, its leaves in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct RoundedSum {
    pub format: Format,
    pub how: How,
    pub leaves: Vec<Leaf>,
}

impl RoundedSum {
    /// The leaf, where it is one.
    pub fn only(&self) -> Option<Leaf> {
        match self.leaves[..] {
            [only] => Some(only),
            _ => None,
        }
    }
}

/// How a sum was brought into its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum How {
    /// It was rounded.
    Rounded {
        rounding: Rounding,
        /// What becomes of a number that is too large; none where there is none.
        overflow: Option<Overflow>,
    },
    /// It was rounded to nearest even or towards zero, which is the same of this sum.
    RoundedEitherWay,
    /// What is below the normal numbers of the format became zero; nothing was rounded.
    Flushed,
    /// The nearest integer of the format.
    Saturated {
        /// Whether all that was added to an integer of the format is zero or more.
        rises: bool,
    },
}

/// All sums that were rounded, each once: two that are the same have one number.
#[derive(Debug, Default)]
pub(super) struct Rounded {
    all: Vec<RoundedSum>,
    numbers: HashMap<RoundedSum, usize>,
    /// Whether numbers other than zero became zero, as they were too small.
    pub has_lost: bool,
}

impl Rounded {
    /// The sum rounded; where its format holds it, it is the sum itself. None for a sum of which it is not known what it becomes where it
    /// overflows.
    pub fn round(&mut self, sum: Sum, to: &To) -> Option<Sum> {
        if sum.overflow == Beyond::Unknown {
            return None;
        }
        if sum.values.are_in(&to.format) {
            return Some(sum);
        }
        let either_way = matches!(to.rounding, Rounding::Rne | Rounding::Rz)
            && sum.values.has_ties_above_powers_alone(&to.format);
        let rounding = match either_way {
            true => Rounding::Rz,
            false => to.rounding,
        };
        let values = sum.values.rounded(&to.format, rounding);
        let overflows = values.exceeds(&to.format);
        let values = match overflows {
            true => values.up_to_greatest(&to.format),
            false => values,
        };
        // To nearest and to odd, what is too large is infinite in IEEE 754 as well.
        let overflow = match to.rounding {
            Rounding::Rne | Rounding::Ra | Rounding::Odd => Overflow::Infinity,
            _ => to.overflow,
        };
        // Of numbers of the format and greater ones, only the latter are rounded, to infinity.
        let (precision, least) = (to.format.precision(), to.format.least_exponent());
        let is_held = sum.values.has_bits(precision.into(), least.into());
        let to_rounding = match is_held && overflow == Overflow::Infinity {
            true => Rounding::Rz,
            false => to.rounding,
        };
        let mut leaves = sum.leaves.clone();
        leaves.sort_unstable();
        let number = self.number(RoundedSum {
            format: to.format,
            how: match either_way && !overflows {
                true => How::RoundedEitherWay,
                false => How::Rounded {
                    rounding: to_rounding,
                    overflow: overflows.then_some(overflow),
                },
            },
            leaves,
        });
        let leaf = Leaf::Rounded(number);
        let least = i64::from(to.format.least_exponent());
        let underflows = sum.values.unit().is_some_and(|unit| unit < least);
        let zero = match underflows && to.signed_underflow {
            true => self.zero_of_its_sign(&sum, number),
            false => sum.zero,
        };
        if round_to_zero(&sum.values, to) {
            self.has_lost = true;
            return Some(Sum {
                leaves: vec![leaf],
                zero,
                ..Sum::nothing()
            });
        }
        Some(Sum {
            leaves: vec![leaf],
            values,
            zero,
            negative: sum.negative,
            overflow: match overflows {
                false => sum.overflow,
                true if overflow == Overflow::Infinity && to.format.has_infinity() => {
                    Beyond::Infinity
                }
                true => Beyond::Unknown,
            },
        })
    }

    /// The integer of the format that is nearest to a sum, in which all but one is a product; `rises` where none of the products is negative.
    ///
    /// Where sums only rise, one that saturated before has reached the greatest integer and stays there: it is the sum of all that saturates once.
    pub fn saturated(&mut self, sum: Sum, format: &Format, rises: bool) -> Sum {
        let (mut leaves, negative) = (Vec::new(), sum.negative);
        for leaf in sum.leaves {
            match leaf {
                Leaf::Rounded(number) if rises && self.has_risen(number, format) => {
                    leaves.extend_from_slice(&self.all[number].leaves);
                }
                other => leaves.push(other),
            }
        }
        leaves.sort_unstable();
        let most = format.max_finite() + u64::from(format.is_signed());
        let leaf = Leaf::Rounded(self.number(RoundedSum {
            format: *format,
            how: How::Saturated { rises },
            leaves,
        }));
        let values = Multiples::new(0, most.into(), u64::MAX, 0);
        Sum {
            negative,
            ..Sum::leaf(leaf, values, false, false)
        }
    }

    fn has_risen(&self, number: usize, format: &Format) -> bool {
        let how = How::Saturated { rises: true };
        self.get(number)
            .is_some_and(|sum| sum.how == how && sum.format == *format)
    }

    /// The number of what is rounded so.
    pub fn number(&mut self, rounding: RoundedSum) -> usize {
        if let Some(number) = self.numbers.get(&rounding) {
            return *number;
        }
        let number = self.all.len();
        self.all.push(rounding.clone());
        self.numbers.insert(rounding, number);
        number
    }

    /// What was rounded.
    pub fn get(&self, number: usize) -> Option<&RoundedSum> {
        self.all.get(number)
    }
}
