//! The values of a walk: what they do where an operand rises.

use crate::claims::places::Places;
use mmasmt_core::numbers::float::Dyadic;

/// The operands of which one rises at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moving {
    /// `c`.
    C,
    /// The factors, each as the sign of the other one says.
    Products,
}

/// What is known of a value.
#[derive(Clone)]
pub enum Value {
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
    Rising(Rising),
    /// Nothing.
    Unknown,
}

/// A value that rises.
#[derive(Clone)]
pub struct Rising {
    /// The products that it is made of; `c` counts as product 0.
    pub of: Places,
    /// The least change where its exponent changes, relative to the power of two of the exponent;
    /// `None` if it is not known.
    pub step: Option<Dyadic>,
}

impl Value {
    pub(super) const FIXED: Value = Value::Fixed {
        is_negative_never: false,
    };

    pub(super) fn rising(of: Places, step: Option<Dyadic>) -> Value {
        Value::Rising(Rising { of, step })
    }

    /// The value as a summand; `None` if it is not known to rise.
    pub(super) fn summand(&self) -> Option<Option<&Rising>> {
        match self {
            Value::Fixed { .. } => Some(None),
            Value::Rising(rising) => Some(Some(rising)),
            Value::Factor { .. } | Value::Unknown => None,
        }
    }

    /// The value that is made of several summands, each of which it rises with; its step is not
    /// known.
    pub(super) fn of_all<'v>(summands: impl Iterator<Item = &'v Value>) -> Option<Value> {
        let mut all = Value::FIXED;
        for summand in summands {
            let Some(rising) = summand.summand()? else {
                continue;
            };
            all = match &all {
                Value::Rising(before) => Value::rising(before.of.joined(&rising.of).0, None),
                _ => Value::rising(rising.of.clone(), None),
            };
        }
        Some(all)
    }

    /// The same value with this step.
    pub fn with_step(self, step: Option<Dyadic>) -> Value {
        match self {
            Value::Rising(rising) => Value::Rising(Rising { step, ..rising }),
            other => other,
        }
    }
}
