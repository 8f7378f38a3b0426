//! Claims about errors and overflow that follow from the proved error bound of a model.

use crate::claims::bounds::{ErrorUnit, gives_finite_results, greatest_error};
use crate::claims::property::{BoundUnit, Claim, ErrorLimit, Property, ReferenceSum};
use crate::vectors::measure::{Measure, Quotient};
use mmasmt_numbers::float::Dyadic;

/// Whether the claim says that errors stay within a bound, and follows from the proved bound of its
/// model.
pub(super) fn follows_from_bound(claim: &Claim) -> bool {
    let (mantissa, exponent, unit) = match &claim.property {
        Property::Error(ErrorLimit::Units(bound)) => {
            let unit = match bound.unit {
                BoundUnit::Ulp => ErrorUnit::Measured(Measure::Ulp),
                BoundUnit::Max => ErrorUnit::LargestExponent,
                BoundUnit::One => ErrorUnit::Measured(Measure::Absolute),
            };
            (bound.mantissa, bound.exponent, unit)
        }
        Property::Error(ErrorLimit::Relative(bound)) => {
            let measure = match bound.of {
                ReferenceSum::Sum => Measure::Relative,
                ReferenceSum::Magnitudes => Measure::RelativeToSum,
            };
            (bound.mantissa, bound.exponent, ErrorUnit::Measured(measure))
        }
        _ => return false,
    };
    let claimed = Dyadic::new(mantissa.into(), exponent);
    let claimed = Quotient::new(&claimed, &Dyadic::new(1.into(), 0));
    greatest_error(&claim.model, &claim.domain, unit).is_some_and(|greatest| greatest <= claimed)
}

/// Whether the claim says that results are finite, and bounds of magnitudes show that nothing
/// overflows.
pub(super) fn stays_within_limits(claim: &Claim) -> bool {
    let is_asked = matches!(claim.property, Property::FiniteResults(_));
    is_asked && gives_finite_results(&claim.model, &claim.domain)
}
