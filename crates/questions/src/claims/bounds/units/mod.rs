//! Bounds of units, chains and compositions: a rule for each of their steps.
//!
//! Every number and register that is made of products and of `c` stands for the exact sum of these.
//! It has two amounts, each with a multiple of |c|, a multiple of the sum P of the magnitudes of its
//! own products, and an absolute part:
//!
//! - its *error*: the distance from the exact sum;
//! - its *reach*: a bound of 2^e, where e is the exponent by which it is compared and aligned. For a
//!   normal number, 2^e is at most its magnitude. Subnormal numbers, and zeros under some rules, have
//!   an exponent that is greater than that of their value: it is at most some floor, or it exceeds the
//!   exponent of the value by at most some distance.
//!
//! *Two sums of different products* together have the greater multiple of P, and the sum of the
//! absolute parts of their errors. The greatest exponent has the greater absolute part of the reaches.
//!
//! *Alignment.* A term that keeps F bits below the greatest exponent e loses less than 2^(e-F), or
//! half of that if it is rounded to nearest. The term with the exponent e loses nothing if it has at
//! most F fraction bits. So each term may be the one that sets e; the others then lose in proportion
//! to its reach.
//!
//! *Sums in one format, to nearest.* Let x be a register of the format of the result with an error of at
//! most α times the magnitudes T of its terms, and y another one with β and U, or an exact product with
//! β = 0. The error of their rounded sum is at most (α + β + u)(T + U), u half a last place of 1: the
//! rounding is off by at most u times the sum and by at most |y| (and |x|), as x (and y) could be the
//! result. If U ≤ u T, it is at most |y| ≤ (1 + β) U, or, where u α ≤ β (1 - u), u times the sum is
//! enough; if neither U ≤ u T nor T ≤ u U, then u α T ≤ α U and u β U ≤ β T. So n additions have an error of at most n u, in any order (Jeannerod and Rump 2013).
//!
//! *Rounding.* A result differs from what is rounded by at most one last place, or half of one to
//! nearest; below the normal numbers the last place is that of the least normal number. A product
//! whose significand fits is exact unless it underflows. A sum of two numbers of one format never
//! underflows: it is a multiple of the format's least number. A flushed result was below the least
//! normal number.
//!
//! *Products in parts* are in `parts`.
//!
//! Each product and `c` may count once: steps that use a sum twice have no bound.

mod amounts;
mod facts;
mod grids;
mod parts;
mod peaks;
mod products;
mod rounds;
mod values;
mod walk;

use super::bound::ErrorBound;
use super::factors::Factors;
use super::last_rounding::LastRounding;
pub use amounts::{Amount, Linear};
pub(in crate::claims) use facts::facts;
pub(in crate::claims) use grids::has_room;
use mmasmt_core::machines::algorithms::descriptions::Program;
use mmasmt_numbers::float::Dyadic;
pub use peaks::Peak;
pub(super) use peaks::finite_below;
pub use values::{BoundedSum, BoundsValue, FactorDistance, OperandNumber, SignificandPart};
pub use walk::BoundsWalk;

/// The bound of the error of a unit, the last rounding of its result, if that is known, the bound of
/// its magnitude, and the magnitudes at which it may overflow, if all of them are known.
pub struct UnitBounds {
    pub bound: ErrorBound,
    /// True if `c` is one of the terms; if not, the bound is of the sum of the products.
    pub has_c: bool,
    /// The factors that `c` and the products are multiplied by.
    pub(super) gains: [Dyadic; 2],
    pub(super) last: Option<LastRounding>,
    pub(super) most: Amount,
    pub peaks: Option<Vec<Peak>>,
}

/// The bound of the error of these steps; `None` if a step has no rule.
pub fn of_steps(program: &Program, factors: Factors) -> Option<UnitBounds> {
    let signature = program.signature;
    let mut walk = BoundsWalk::along(program, factors);
    let result = walk.sum(program.result)?;
    let scales = signature.scales.is_some();
    let parts = walk.cells.iter().filter(|cells| !cells.is_empty()).count();
    let result = match parts {
        0 => result,
        _ => {
            let left_out = walk.left_out(&result)?;
            let error = result.error.plus(&left_out);
            let (reach, most) = (result.reach.clone(), result.most.clone());
            BoundedSum {
                rounded: None,
                ..result.with(error, reach).within(most)
            }
        }
    };
    // Each product counts once, as a whole or in parts.
    let is_twice = walk
        .cells
        .iter()
        .zip(&walk.pairs)
        .any(|(cells, is_whole)| *is_whole && !cells.is_empty());
    let is_whole = !is_twice && result.count + parts == signature.products as usize;
    (is_whole && result.scaled == [scales; 2]).then(|| UnitBounds {
        bound: result.bound(),
        has_c: result.has_c,
        most: result.most_of_terms(),
        gains: result.gains,
        last: result.rounded,
        peaks: walk.knows_peaks.then_some(walk.peaks),
    })
}
