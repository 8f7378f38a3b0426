//! The numbers of a fused sum that comparisons use.

use mmasmt_core::machines::algorithms::FusedStages;
use mmasmt_numbers::bits::Bv;
use mmasmt_numbers::bits::term::{Formula, Term};

/// The width in bits of every exponent, with its offset added.
const EXPONENT_BITS: u32 = 20;

/// The numbers of a fused sum, after numbers that were proved equal were replaced.
pub(super) struct SumTerms {
    /// The significand of each term before it is shifted, and the number of its fraction bits.
    pub significands: Vec<Term>,
    pub fractions: Vec<u32>,
    pub signs: Vec<Formula>,
    /// The exponent of each term; all terms are aligned to the exponent `largest`.
    pub exponents: Vec<Term>,
    /// The exponent from which `exponents` and `largest` are counted.
    pub least: i64,
    pub largest: Term,
    /// The distance by which each term is shifted.
    pub distances: Vec<Term>,
    /// The terms, shifted and cut.
    pub aligned: Vec<Term>,
    /// The number of fraction bits of the aligned terms and of their sum.
    pub fraction: u32,
    pub sum: Term,
    pub result: Term,
}

impl SumTerms {
    /// The numbers of a stage. `now` replaces numbers that were proved equal; exponents are counted
    /// from `least`.
    pub fn of(
        stage: &FusedStages<Term>,
        least: i32,
        now: impl Fn(&Term) -> Option<Term>,
    ) -> Option<SumTerms> {
        let offset = i64::from(stage.grid.exponent_offset - least);
        let count = stage.terms.len();
        let exponents: Vec<Term> = stage.exponents[..count]
            .iter()
            .map(&now)
            .collect::<Option<_>>()?;
        let largest = now(&stage.max_exponent)?;
        let counted = |e: &Term| e.zext(EXPONENT_BITS).add_const(offset);
        let significands = stage.terms.iter().map(|term| now(&term.significand));
        Some(SumTerms {
            significands: significands.collect::<Option<_>>()?,
            fractions: vec![stage.grid.term_fraction; count],
            signs: stage.terms.iter().map(|term| term.special.sign).collect(),
            distances: exponents.iter().map(|e| largest.sub(e)).collect(),
            exponents: exponents.iter().map(counted).collect(),
            least: least.into(),
            largest: counted(&largest),
            aligned: stage.aligned.iter().map(&now).collect::<Option<_>>()?,
            fraction: stage.grid.fraction_bits,
            sum: now(&stage.sum)?,
            result: now(&stage.result)?,
        })
    }
}
