//! Facts carried from one sum to the next sum, whose `c` is the result of the first.

use super::sum::SumTerms;
use mmasmt_numbers::bits::term::{Formula, Term};
use mmasmt_numbers::float::Format;

/// A sum whose result is the same in both models, and the `c` of the next sum.
pub(super) struct PrecedingSum {
    pub format: Format,
    pub numbers: SumTerms,
    /// The exponent of a power of two of which all terms of the sum are multiples; `None` if no
    /// such power was looked for.
    pub unit: Option<i64>,
}

/// Numbers that may be taken as arbitrary, and the facts known about them.
#[derive(Default)]
pub(super) struct ArbitraryNumbers {
    pub numbers: Vec<Term>,
    pub known: Vec<Formula>,
}
