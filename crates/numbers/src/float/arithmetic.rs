//! The format and the rounding of the result of an IEEE 754 operation.

use super::{Format, NanCode, Rounding};

/// The format, rounding and NaN of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Arithmetic {
    /// Format of the result.
    pub format: Format,
    /// Rounding of the result.
    pub rounding: Rounding,
    /// Code of a NaN result.
    pub nan: NanCode,
}
