//! Tolerances for a test of a product: what is proved, what random operands need, and which wrong kernels
//! a tolerance lets pass.
//!
//! | what | file |
//! | --- | --- |
//! | the bound of errors, and the `atol` of operands within a range | `proved` |
//! | a tolerance that somebody's test has | `own` |
//! | kernels that are wrong in one respect | `wrong` |
//! | random operands: errors of the right kernel, and results of wrong ones that are out | `drawn` |

mod drawn;
mod own;
mod proved;
mod wrong;

pub use drawn::{Drawn, Outside, Percentile, Sizes, Tolerances, drawn};
pub use own::OwnTolerance;
pub use proved::{Proved, Range};
pub use wrong::{Wrong, wrong_kernels};
