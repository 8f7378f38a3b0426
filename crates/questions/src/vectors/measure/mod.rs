//! The distance of a result from the exact sum of a dot-add's terms, computed without rounding.
//!
//! | what | file |
//! | --- | --- |
//! | a register that holds sums of products without loss | `accumulator` |
//! | the exact sum of the terms, and of their magnitudes | `exact_sum` |
//! | the error of a result, in several units | `error` |
//! | what an epilogue makes of the exact sum | `linear_map` |
//! | quotients of binary fractions, compared exactly | `quotient` |

mod accumulator;
mod error;
mod exact_sum;
mod linear_map;
mod quotient;

pub use error::Measure;
pub use exact_sum::{ExactSum, Summer};
pub use linear_map::LinearMap;
pub use quotient::Quotient;
