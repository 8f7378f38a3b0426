//! Sums: the arithmetic that compositions and schemes are built from.
//!
//! A composition is written once over [`Sums`]. An instance says what a sum is: a register of any
//! bit-vector ([`RegisterSums`]), the elements of a part of a product of matrices, or a set of values.

mod calculation;
mod operations;
mod registers;
mod splitting;

pub use calculation::{Calculation, Operator, add};
pub use operations::Sums;
pub use registers::RegisterSums;
pub use splitting::{PartRounding, Splitting};
