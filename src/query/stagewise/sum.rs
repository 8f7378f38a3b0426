//! The numbers of a fused sum that are compared.

use crate::algorithms::Fused;
use crate::bits::Bv;
use crate::bits::term::Term;

/// Bits of every exponent with its offset.
const EXPONENT_BITS: u32 = 20;

/// The numbers of a fused sum, as they are after replacement.
pub(super) struct Sum {
    /// The exponent of each term, and the one that all are aligned to.
    pub exponents: Vec<Term>,
    pub largest: Term,
    /// How far each term is shifted.
    pub distances: Vec<Term>,
    /// The terms, shifted and cut.
    pub aligned: Vec<Term>,
    pub sum: Term,
    pub result: Term,
}

impl Sum {
    /// Those of a stage, `now` being what has become of each; exponents are counted from `least`.
    pub fn of(stage: &Fused<Term>, least: i32, now: impl Fn(&Term) -> Option<Term>) -> Option<Sum> {
        let offset = i64::from(stage.grid.exponent_offset - least);
        let count = stage.terms.len();
        let exponents: Vec<Term> = stage.exponents[..count]
            .iter()
            .map(&now)
            .collect::<Option<_>>()?;
        let largest = now(&stage.max_exponent)?;
        let counted = |e: &Term| e.zext(EXPONENT_BITS).add_const(offset);
        Some(Sum {
            distances: exponents.iter().map(|e| largest.sub(e)).collect(),
            exponents: exponents.iter().map(counted).collect(),
            largest: counted(&largest),
            aligned: stage.aligned.iter().map(&now).collect::<Option<_>>()?,
            sum: now(&stage.sum)?,
            result: now(&stage.result)?,
        })
    }
}
