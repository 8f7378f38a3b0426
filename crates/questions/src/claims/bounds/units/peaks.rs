//! The magnitudes at which a unit may give an infinity or a NaN.

use super::super::bound::scaled;
use super::amounts::Amount;
use mmasmt_numbers::float::{Dyadic, Format, Rounding};

/// A number on the way that must stay below a limit.
pub struct Peak {
    /// A bound of its magnitude, as long as nothing overflowed before.
    magnitude: Amount,
    /// The number stays finite if its magnitude is less.
    limit: Dyadic,
}

/// A magnitude below which all numbers are rounded to finite ones. What rounds to the greatest number lies less
/// than one last place above it, or half of one to nearest, or nowhere.
pub(in crate::claims::bounds) fn finite_below(format: &Format, by: Rounding) -> Option<Dyadic> {
    let greatest = Dyadic::of(format, format.greatest())?;
    let place = i64::from(format.max_exponent()) - i64::from(format.fraction_bits);
    Some(match by {
        Rounding::Rz => greatest.plus(&scaled(1, place)),
        by if by.is_to_nearest() => greatest.plus(&scaled(1, place - 1)),
        _ => greatest,
    })
}

impl Peak {
    /// The peak of a number that is rounded to `format`.
    pub(super) fn of_rounding(magnitude: Amount, format: &Format, by: Rounding) -> Option<Peak> {
        let limit = finite_below(format, by)?;
        Some(Peak { magnitude, limit })
    }

    /// The peak of a number that is infinite from `2^exponent` on.
    pub(super) fn of_cap(magnitude: Amount, exponent: i64) -> Peak {
        let limit = scaled(1, exponent);
        Peak { magnitude, limit }
    }

    /// Whether the number stays finite where `c` and the sum of the magnitudes of all products are at
    /// most so large.
    pub fn fits(&self, terms: [&Dyadic; 2]) -> bool {
        self.limit.magnitude_exceeds(&self.magnitude.at(terms))
    }
}
