//! What the comparison of a sum takes over from the sum before it, whose result is `c`.

use super::sum::SumTerms;
use mmasmt_core::numbers::bits::term::{Formula, Term};
use mmasmt_core::numbers::float::Format;

/// A sum whose result is the same in both models, and the `c` of the next sum.
pub(super) struct Before {
    pub format: Format,
    pub numbers: SumTerms,
    /// What its terms are multiples of, if that was looked for.
    pub unit: Option<i64>,
}

/// What stands for the making of numbers: what is known of them, whatever they are.
#[derive(Default)]
pub(super) struct Given {
    pub numbers: Vec<Term>,
    pub known: Vec<Formula>,
}
