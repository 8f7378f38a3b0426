//! The distance of a result from the exact sum of its operands, in exact binary fractions.
//!
//! | what | file |
//! | --- | --- |
//! | a register that sums of products fit in without loss | `accumulator` |
//! | the exact sum of the terms, and of their magnitudes | `exact_sum` |
//! | the error of a result, in several units | `error` |
//! | quotients of binary fractions, compared exactly | `quotient` |

mod accumulator;
mod error;
mod exact_sum;
mod quotient;

pub use error::Measure;
pub use exact_sum::{ExactSum, Summer};
pub use quotient::Quotient;
