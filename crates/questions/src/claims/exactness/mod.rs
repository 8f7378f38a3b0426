//! Nothing is lost: what follows from multiples and magnitudes alone, for any number of products.
//!
//! Of every operand a domain says that it is a multiple of `2^u` and below `2^m`; so of every
//! product and of every sum. Where alignment to the greatest exponent that there can be keeps the
//! place `2^u`, it cuts nothing; where the sum fits its integer bits, it does not wrap; where the
//! format of a result holds all multiples of `2^u` up to the greatest sum, rounding changes
//! nothing. Of numbers with few significant bits those with a low bit are small: a sum that has one
//! stays so much below the greatest. Each model is run on such sets: what comes out is an exact sum
//! of products and of `c`, or a tree of such sums, each rounded once. Two models with one tree are
//! equal.
//!
//! Where the analysis does not know, it says nothing: it never says that something is lost.
//!
//! | file | |
//! | --- | --- |
//! | `set` | a set of multiples |
//! | `operand`, `operands` | what a domain says of one operand, of all |
//! | `sum` | exact sums, and the sign of zero |
//! | `rounded` | rounded ones |
//! | `units` | products, and the sums rounded so far |
//! | `run`, `fused`, `grids`, `integers`, `processors` | models on such operands |
//! | `terms` | terms on a grid, and what alignment cuts of them |
//! | `flushed` | what becomes zero, as it is below the normal numbers |
//! | `tiny` | products beside which `c` stays as it is |
//! | `cases` | the exponents of the only product, a few at a time |
//! | `claim` | claims that follow |
//! | `sizes` | between which powers of two terms lie |
//! | `finding` | what is told of it |

mod cases;
mod claim;
mod finding;
mod flushed;
mod fused;
mod grids;
mod integers;
#[cfg(test)]
mod last_bits;
mod operand;
mod operands;
mod processors;
mod rounded;
mod run;
mod set;
mod sizes;
#[cfg(test)]
mod small;
#[cfg(test)]
mod soundness;
mod sum;
mod terms;
mod tiny;
mod units;

pub use claim::holds;
pub use finding::{Conclusion, Finding};
pub use sizes::{Sizes, gives_zero_of_zeros};
