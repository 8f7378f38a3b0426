//! Compares schemes: finds the errors of each scheme on each unit, over random operands and in the
//! worst case, and a bound that no error exceeds.
//!
//! | what | file |
//! | --- | --- |
//! | the model that a scheme makes of a unit | `fit` |
//! | random operands with exponents in a range | `operands` |
//! | median, 99.9th percentile and largest error over random operands | `distribution` |
//! | the errors of one model: over random operands, the largest found, and a bound | `errors` |

mod distribution;
mod errors;
mod fit;
mod operands;

pub use distribution::{Distribution, Sample, distribution};
pub use errors::{CompareError, Errors, errors};
pub use fit::{FitError, needs_unit, on_row, on_unit};
pub use operands::{OperandDraw, usual_exponents};
