//! A fused sum in numbers: its terms before and after alignment, and the parts cut from them.

use mmasmt_core::machines::algorithms::{FusedStages, Grid, ValueLabel};
use mmasmt_numbers::bits::{Big, Bv, Concrete};
use mmasmt_numbers::float::{Dyadic, Format};
use num_bigint::BigInt;

/// A fused sum in numbers.
#[derive(Clone, Debug)]
pub struct ExplainedSum {
    /// The name of the sum, if a dot-add has several sums; otherwise empty.
    pub what: String,
    /// The terms in order; if `c` is a term, it is the last one.
    pub terms: Vec<ExplainedTerm>,
    /// The exponent that all terms are aligned to.
    pub max_exponent: i64,
    /// The exponent of the last bit that is kept.
    pub unit: i64,
    /// The sticky bit, which is 1 if alignment cut a bit that is 1; `None` if the unit does not
    /// keep a sticky bit.
    pub sticky: Option<bool>,
    /// The sum.
    pub sum: Dyadic,
    /// The sum as a multiple of `2^unit`.
    pub sum_on_grid: BigInt,
    /// The number of integer bits that the unit keeps of the sum, without its sign.
    pub integer_bits: u32,
    /// The number of fraction bits that the unit keeps of the aligned terms and of the sum.
    pub fraction_bits: u32,
    /// The format and register of the rounded sum; `None` if the sum is not rounded.
    pub result: Option<(Format, u64)>,
}

/// A term of a fused sum in numbers.
#[derive(Clone, Debug)]
pub struct ExplainedTerm {
    /// `product[0]`, …, `addend`.
    pub name: String,
    /// The exact value of the term.
    pub value: Dyadic,
    /// The exponent of the term before alignment.
    pub exponent: i64,
    /// The number of places by which the term is shifted.
    pub shift: i64,
    /// The part of the term that is kept, as a multiple of `2^unit`.
    pub aligned: BigInt,
    /// The amount by which alignment reduced the magnitude of the term; negative if the magnitude
    /// grew, as it can where a negative term is rounded down.
    pub lost: Dyadic,
}

impl ExplainedTerm {
    /// Whether bits of the term at or above `2^unit` were cut too. This happens in a unit that cuts
    /// a term twice.
    pub fn is_cut_above(&self, unit: i64) -> bool {
        self.lost
            .leading_exponent()
            .is_some_and(|leading| leading >= unit)
    }
}

impl ExplainedSum {
    /// A text about the sticky bit, if the unit keeps one.
    pub fn sticky_text(&self) -> Option<&'static str> {
        self.sticky.map(|sticky| {
            if sticky {
                "sticky bit 1: alignment lost a one"
            } else {
                "sticky bit 0: alignment lost nothing"
            }
        })
    }
}

/// The name of a value, with its number among those of the name: `product[3]`.
pub(super) fn label((name, index): ValueLabel) -> String {
    match index {
        None => name.to_owned(),
        // Words of a step that has no name in a text.
        Some(index) if name.contains(' ') => format!("{name} {index}"),
        Some(index) => format!("{name}[{index}]"),
    }
}

/// The stages of `fused` as numbers.
pub(super) fn sum(fused: &FusedStages<Big>) -> ExplainedSum {
    let grid = &fused.grid;
    let max_exponent = exponent(grid, &fused.max_exponent);
    let unit = max_exponent - i64::from(grid.fraction_bits);
    let terms = fused
        .terms
        .iter()
        .zip(&fused.exponents)
        .zip(&fused.aligned)
        .enumerate();
    let terms = terms.map(|(k, ((term, own), aligned))| {
        let fraction = grid.term_fraction;
        let name = fused.names.get(k).cloned();
        let name = name.unwrap_or_else(|| format!("term {k}"));
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
        ExplainedTerm {
            name,
            value: Dyadic::new(signed, lowest),
            exponent: own,
            shift: max_exponent - own,
            lost: Dyadic::new(magnitude, lowest).minus(&Dyadic::new(kept, unit)),
            aligned,
        }
    });
    let sum_on_grid = fused.sum.signed();
    ExplainedSum {
        what: label((grid.what, grid.index)),
        terms: terms.collect(),
        max_exponent,
        unit,
        sticky: fused.sticky,
        sum: Dyadic::new(sum_on_grid.clone(), unit),
        sum_on_grid,
        integer_bits: fused.sum.width() - 1 - grid.fraction_bits,
        fraction_bits: grid.fraction_bits,
        result: grid.result.map(|format| (format, fused.result.to_u64())),
    }
}

/// The true exponent of a `stored` exponent: the stages hold every exponent less the offset of the
/// grid.
fn exponent(grid: &Grid, stored: &Big) -> i64 {
    stored.to_u64() as i64 + i64::from(grid.exponent_offset)
}
