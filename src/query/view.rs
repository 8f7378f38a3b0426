//! The stages of a fused sum as numbers, for showing and comparing.

use crate::algorithms::{Fused, Grid};
use crate::bits::{Big, Concrete};
use crate::float::Dyadic;
use num_bigint::BigInt;

/// A fused sum in numbers.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FusedView {
    /// The terms in order; where `c` is one of them it is the last.
    pub terms: Vec<TermView>,
    /// The exponent that all terms are aligned to.
    pub max_exponent: i64,
    /// The exponent of the last bit that is kept.
    pub unit: i64,
    /// The sum.
    pub sum: Dyadic,
    /// The sum as a multiple of `2^unit`.
    pub sum_on_grid: BigInt,
}

/// A term of a fused sum in numbers.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TermView {
    /// `product 0`, …, `c`.
    pub name: String,
    /// Its exact value.
    pub value: Dyadic,
    /// Its exponent, before alignment.
    pub exponent: i64,
    /// By how much it is shifted.
    pub shift: i64,
    /// What is kept of it, as a multiple of `2^unit`.
    pub aligned: BigInt,
    /// By how much the magnitude was cut; negative where it has grown, as rounding down can do.
    pub lost: Dyadic,
}

/// The stages of `fused` as numbers.
pub fn fused_view(fused: &Fused<Big>) -> FusedView {
    let grid = &fused.grid;
    let max_exponent = exponent(grid, &fused.max_exponent);
    let unit = max_exponent - i64::from(grid.fraction_bits);
    let count = fused.terms.len();
    let terms = fused
        .terms
        .iter()
        .zip(&fused.exponents)
        .zip(&fused.aligned)
        .enumerate();
    let terms = terms.map(|(k, ((term, own), aligned))| {
        let (name, fraction) = grid.term(k, count);
        let magnitude = BigInt::from(term.significand.to_big());
        let aligned = aligned.signed();
        let kept = BigInt::from(aligned.magnitude().clone());
        let own = exponent(grid, own);
        let lowest = own - i64::from(fraction);
        let signed = if term.special.sign {
            -&magnitude
        } else {
            magnitude.clone()
        };
        TermView {
            name,
            value: Dyadic::new(signed, lowest),
            exponent: own,
            shift: max_exponent - own,
            lost: Dyadic::new(magnitude, lowest).minus(&Dyadic::new(kept, unit)),
            aligned,
        }
    });
    let sum_on_grid = fused.sum.signed();
    FusedView {
        terms: terms.collect(),
        max_exponent,
        unit,
        sum: Dyadic::new(sum_on_grid.clone(), unit),
        sum_on_grid,
    }
}

/// The true exponent of a number of the stages.
fn exponent(grid: &Grid, stored: &Big) -> i64 {
    stored.to_u64() as i64 + i64::from(grid.exponent_offset)
}
