//! Bounds of operations of IEEE 754 that a composition runs beside its unit.
//!
//! An addition of two numbers of one format never underflows: their sum is a multiple of the
//! format's least number.

use super::bound::{ErrorBound, scaled};
use mmasmt_numbers::float::{Format, Rounding};

/// The bound of a rounding to the format.
pub(super) fn of_format(rounding: Rounding, format: &Format) -> ErrorBound {
    ErrorBound::of_rounding(rounding, format.fraction_bits, format.min_exponent().into())
}

/// The bound of an addition of two numbers of the format.
pub(super) fn of_addition(rounding: Rounding, format: &Format) -> ErrorBound {
    ErrorBound {
        absolute: scaled(0, 0),
        ..of_format(rounding, format)
    }
}
