//! Claims about errors that follow from the proved error bound of a model. The bound is `r T + t`,
//! where T is the sum of the magnitudes of `c` and all products.

use crate::claims::bounds::{ErrorBound, Factors, Underflow, error_bound};
use crate::claims::exactness::{Sizes, gives_zero_of_zeros};
use crate::claims::property::{BoundUnit, Claim, Property, RelativeTo};
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::float::{Dyadic, Format};

/// Whether the claim says that errors stay within a bound, and follows from the proved bound of its
/// model.
pub(super) fn follows_from_bound(claim: &Claim) -> bool {
    let Some(claimed) = Claimed::of(&claim.property) else {
        return false;
    };
    let signature = claim.model.signature();
    let Some(sizes) = Sizes::of(&signature, &claim.domain) else {
        return false;
    };
    let limit = power(signature.d.max_exponent().into());
    if sizes.below.magnitude_exceeds(&limit) {
        // A value may overflow: the proved bound does not hold then.
        return false;
    }
    let [a, b] = sizes.factors;
    let mut ways = [Underflow::Absolute, Underflow::Relative].into_iter();
    ways.any(|underflow| {
        let bound = error_bound(&claim.model, Factors { a, b, underflow });
        bound.is_some_and(|bound| claimed.is_kept(&claim.model, &sizes, &bound))
    })
}

/// The unit or the number that a claimed bound is a multiple of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Measure {
    Absolute,
    /// The last place of the result.
    Ulp,
    /// The power of two of the largest exponent.
    Max,
    /// The exact sum.
    Sum,
    /// T, the sum of magnitudes.
    Magnitudes,
}

struct Claimed {
    most: Dyadic,
    of: Measure,
}

impl Claimed {
    fn of(property: &Property) -> Option<Claimed> {
        let (mantissa, exponent, of) = match property {
            Property::Error(bound) => {
                let of = match bound.unit {
                    BoundUnit::Ulp => Measure::Ulp,
                    BoundUnit::Max => Measure::Max,
                    BoundUnit::One => Measure::Absolute,
                };
                (bound.mantissa, bound.exponent, of)
            }
            Property::RelativeError(bound) => {
                let of = match bound.of {
                    RelativeTo::Sum => Measure::Sum,
                    RelativeTo::Magnitudes => Measure::Magnitudes,
                };
                (bound.mantissa, bound.exponent, of)
            }
            _ => return None,
        };
        let most = Dyadic::new(mantissa.into(), exponent);
        Some(Claimed { most, of })
    }

    /// Whether `bound` is at most the claimed bound, for all operands of these sizes.
    fn is_kept(&self, model: &Model, sizes: &Sizes, bound: &ErrorBound) -> bool {
        let is_exact = bound.absolute.mantissa().sign() == num_bigint::Sign::NoSign;
        if sizes.may_be_zero && !is_exact && !gives_zero_of_zeros(model) {
            return false;
        }
        let Some(least) = &sizes.least else {
            return true;
        };
        let signature = model.signature();
        let at_most = |x: &Dyadic, y: &Dyadic| !x.magnitude_exceeds(y);
        match self.of {
            Measure::Absolute => at_most(&bound.at(&sizes.below), &self.most),
            // The absolute part of the proved bound weighs most where T is least.
            Measure::Magnitudes => at_most(&bound.at(least), &self.most.times(least)),
            Measure::Sum => sizes.is_positive && at_most(&bound.at(least), &self.most.times(least)),
            Measure::Max => {
                // A product is less than four times the power of two of its exponent, and c less
                // than twice.
                let times = Dyadic::new((4 * i64::from(signature.products) + 2).into(), 0);
                let unit = sizes.least_exponent.map(power);
                unit.is_some_and(|unit| {
                    at_most(&bound.at(&times.times(&unit)), &self.most.times(&unit))
                })
            }
            Measure::Ulp => self.is_kept_in_last_places(&signature.d, sizes, bound, least),
        }
    }

    /// Whether `bound` is at most the claimed number of last places. The last place is at least the
    /// least number of the format. Where no term is negative, a result is at least `T - (r T + t)`,
    /// and its last place is at least `2^-precision` times the result.
    fn is_kept_in_last_places(
        &self,
        format: &Format,
        sizes: &Sizes,
        bound: &ErrorBound,
        least: &Dyadic,
    ) -> bool {
        let place = power(format.least_exponent().into());
        if !bound
            .at(&sizes.below)
            .magnitude_exceeds(&self.most.times(&place))
        {
            return true;
        }
        let error = bound.at(least);
        let result = least.minus(&error);
        let place = result.shifted(-i64::from(format.precision()));
        sizes.is_positive
            && !result.is_negative()
            && !error.magnitude_exceeds(&self.most.times(&place))
    }
}

fn power(exponent: i64) -> Dyadic {
    Dyadic::new(1.into(), exponent)
}
