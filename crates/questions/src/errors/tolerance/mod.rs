//! Tolerances for a test of a product: what is proved, what random operands need, and which wrong kernels
//! a tolerance lets pass.
//!
//! | what | file |
//! | --- | --- |
//! | the bound of errors, and the `atol` of operands within a range | `proved` |
//! | a tolerance that somebody's test has | `own` |
//! | matrices of one's own: the bound of each element | `elements` |
//! | kernels that are wrong in one respect | `wrong` |
//! | how the errors of a kernel are distributed | `quantiles` |
//! | random operands: errors of the right kernel, and results of wrong ones that are out | `drawn` |

mod drawn;
mod elements;
mod own;
mod proved;
mod quantiles;
mod wrong;

pub use drawn::{ErrorSample, OutsideCounts, Percentile, Sizes, Tolerances, drawn};
pub use elements::{ElementError, ElementTolerance, MatrixTolerance, OutsideElements};
pub use own::OwnTolerance;
pub use proved::{Range, ToleranceBounds};
pub use quantiles::ErrorQuantiles;
pub use wrong::{WrongKernel, wrong_kernels};
