//! Exactness analysis: conclusions from multiples and magnitudes alone, for any number of products.
//!
//! A domain gives a `u` and an `m` for every operand: the operand is a multiple of `2^u` and below
//! `2^m`. A `u` and an `m` for every product and every sum follow from these. If alignment to the
//! greatest possible exponent keeps the place `2^u`, it cuts nothing. If a sum fits the integer
//! bits of the unit, it does not wrap. If the format of the result holds all multiples of `2^u` up
//! to the greatest sum, rounding changes nothing. A number with few significant bits of which one
//! is low must be small; a sum with a low bit is therefore well below the greatest sum. Each model
//! is run on sets of numbers that are given in this way. The outcome is an exact sum of products
//! and `c`, or a tree of exact sums, each rounded once. Two models with the same tree are equal.
//!
//! The analysis is one-sided: it may fail to answer, but it never says that a bit is lost.
//!
//! | file | |
//! | --- | --- |
//! | `set` | a set of multiples |
//! | `operand`, `operands` | the values that a domain admits for one operand, and for all |
//! | `sum` | exact sums, and the sign of zero |
//! | `rounded` | rounded sums |
//! | `units` | products, and the sums rounded so far |
//! | `steps` | models on such operands: a rule for each of their steps |
//! | `integers` | sums that become integers |
//! | `terms` | terms on a grid, and the bits that alignment cuts from them |
//! | `flushed` | numbers below the normal ones that become zero |
//! | `cases` | the exponents of the only nonzero product, a few at a time |
//! | `claim` | claims that follow from the analysis |
//! | `sizes` | the powers of two between which terms lie |
//! | `finding` | the findings, in words and as JSON |
//! | `facts` | what is known of each step, as facts of a certificate |

mod cases;
mod claim;
mod facts;
mod finding;
mod flushed;
mod integers;
mod operand;
mod operands;
mod rounded;
mod set;
mod sizes;
mod steps;
mod sum;
mod terms;
mod units;

#[doc(hidden)]
pub use cases::{halves, last_binade, least_code};
pub use claim::holds;
pub(super) use facts::facts;
pub use finding::{ExactnessConclusion, Finding};
#[doc(hidden)]
pub use operand::OperandValues;
#[doc(hidden)]
pub use rounded::SumConversion;
#[doc(hidden)]
pub use set::Multiples;
pub use sizes::{OperandSizes, gives_zero_of_zeros};
#[doc(hidden)]
pub use steps::{
    Addend, Bounds, ExactnessValue, ExactnessWalk, Factor, FusedSum, LoneAddend, Register,
};
#[doc(hidden)]
pub use sum::{NegativeZero, OverflowValue, Sum, SumLeaf, Zero};
#[doc(hidden)]
pub use terms::{GridTerm, ZeroRule, exponent_of};
#[doc(hidden)]
pub use units::{Product, Units};
