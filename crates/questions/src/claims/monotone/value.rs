//! The values of a walk: what they do where an operand rises.

use crate::claims::places::Places;
use mmasmt_numbers::float::Dyadic;

/// The operands of which one rises at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MovingOperands {
    /// `c`.
    C,
    /// The factors, each as the sign of the other one says.
    Products,
}

/// What is known of a value.
#[derive(Clone)]
pub enum MonotoneValue {
    /// It stays as it is.
    Fixed { is_negative_never: bool },
    /// It rises with a factor, and is not negative where the factor is not.
    Factor {
        side: usize,
        index: usize,
        /// True if it may be a zero where the factor is none.
        may_vanish: bool,
    },
    /// It rises with the operands that it is made of.
    Rising(RisingValue),
    /// Nothing.
    Unknown,
}

/// A value that rises.
#[derive(Clone)]
pub struct RisingValue {
    /// The products that it is made of; `c` counts as product 0.
    pub of: Places,
    /// The least change where its exponent changes, relative to the power of two of the exponent;
    /// `None` if it is not known.
    pub step: Option<Dyadic>,
}

impl MonotoneValue {
    pub(super) const FIXED: MonotoneValue = MonotoneValue::Fixed {
        is_negative_never: false,
    };

    pub(super) fn rising(of: Places, step: Option<Dyadic>) -> MonotoneValue {
        MonotoneValue::Rising(RisingValue { of, step })
    }

    /// The value as a summand; `None` if it is not known to rise.
    pub(super) fn summand(&self) -> Option<Option<&RisingValue>> {
        match self {
            MonotoneValue::Fixed { .. } => Some(None),
            MonotoneValue::Rising(rising) => Some(Some(rising)),
            MonotoneValue::Factor { .. } | MonotoneValue::Unknown => None,
        }
    }

    /// The value that is made of several summands, each of which it rises with; its step is not
    /// known.
    pub(super) fn of_all<'v>(
        summands: impl Iterator<Item = &'v MonotoneValue>,
    ) -> Option<MonotoneValue> {
        let mut all = MonotoneValue::FIXED;
        for summand in summands {
            let Some(rising) = summand.summand()? else {
                continue;
            };
            all = match &all {
                MonotoneValue::Rising(before) => {
                    MonotoneValue::rising(before.of.joined(&rising.of).0, None)
                }
                _ => MonotoneValue::rising(rising.of.clone(), None),
            };
        }
        Some(all)
    }

    /// The same value with this step.
    pub fn with_step(self, step: Option<Dyadic>) -> MonotoneValue {
        match self {
            MonotoneValue::Rising(rising) => MonotoneValue::Rising(RisingValue { step, ..rising }),
            other => other,
        }
    }
}
