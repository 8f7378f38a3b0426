//! Predicates: what a clause can assume of an operand.

use mmasmt_numbers::float::Format;

/// An assumption on an operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// No infinity, no NaN.
    Finite,
    /// A normal number.
    Normal,
    /// A normal number, or zero of either sign.
    ZeroOrNormal,
    /// A subnormal number other than zero.
    Subnormal,
    /// +0 or -0; +0 alone in a format without -0.
    Zero,
    /// Neither +0 nor -0.
    Nonzero,
    /// The sign bit is 0.
    Positive,
    /// The sign bit is 1.
    Negative,
    /// The exponent lies between these two exponents, both included. Zero and subnormal numbers
    /// have the least exponent of their format.
    Exponent(i64, i64),
    /// Only this many bits of the significand, counted from the leading one, may be 1.
    Bits(u32),
    /// A finite number that this other format also represents.
    In(Format),
    /// An integer between these two limits, both included.
    Between(i64, i64),
    /// This register.
    Is(u64),
}

impl Predicate {
    /// True if no infinity and no NaN satisfies it.
    pub(super) fn is_finite(&self) -> bool {
        match self {
            Predicate::Finite
            | Predicate::Normal
            | Predicate::ZeroOrNormal
            | Predicate::Subnormal
            | Predicate::Zero
            | Predicate::Exponent(..)
            | Predicate::In(_)
            | Predicate::Between(..) => true,
            Predicate::Nonzero
            | Predicate::Positive
            | Predicate::Negative
            | Predicate::Bits(_)
            | Predicate::Is(_) => false,
        }
    }

    /// Whether it can be assumed of integers.
    pub(super) fn is_of_integers(&self) -> bool {
        match self {
            Predicate::Finite
            | Predicate::Zero
            | Predicate::Nonzero
            | Predicate::Positive
            | Predicate::Negative
            | Predicate::Between(..)
            | Predicate::Is(_) => true,
            Predicate::Normal
            | Predicate::ZeroOrNormal
            | Predicate::Subnormal
            | Predicate::Exponent(..)
            | Predicate::Bits(_)
            | Predicate::In(_) => false,
        }
    }

    /// Whether only a format with a zero has such numbers.
    pub(super) fn asks_for_zeros(&self) -> bool {
        matches!(
            self,
            Predicate::Zero | Predicate::In(_) | Predicate::Between(..)
        )
    }
}
