//! The greatest error that a proved bound leaves possible on a domain, in each unit of errors. What
//! `worst` prints and what `prove error=` compares a claim with is this number.
//!
//! The bound is `r T + t`, where T is the sum of the magnitudes of `c` and all products:
//!
//! - *absolute*: T is at its greatest;
//! - *relative to T*: `r + t / T`, T at its least; where no term is negative, T is the exact sum;
//! - *the power of two of the largest exponent*, 2^e: a product is below four times 2^e, `c` below
//!   twice;
//! - *last places of the result*: a last place is at least the least number of the format. Where no
//!   term is negative, a result is at least `T - (r T + t)`, and its last place is at least
//!   2^-precision times the result. What the last rounding adds is a number of last places in any
//!   case (`last_rounding`).

use super::bound::{ErrorBound, scaled};
use super::composed::{error_bound, last_rounding};
use super::factors::{Factors, Underflow};
use super::overflow::{MagnitudeLimit, limits};
use crate::claims::exactness::{OperandSizes, gives_zero_of_zeros};
use crate::claims::property::Domain;
use crate::vectors::measure::{LinearMap, Measure, Quotient};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Dyadic, Format};
use num_bigint::Sign;

/// The unit in which an error is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorUnit {
    /// A unit in which errors are measured.
    Measured(Measure),
    /// The power of two of the largest exponent of a term.
    LargestExponent,
}

/// A number that no error of a finite result exceeds, for the operands in `domain`; `None` if no such
/// number is known.
pub fn greatest_error(model: &Model, domain: &Domain, unit: ErrorUnit) -> Option<Quotient> {
    let sizes = OperandSizes::of(&model.signature(), domain)?;
    let sizes = match LinearMap::of_scaled(model.algorithm()) {
        Some(map) => of_results(sizes, &map)?,
        None => sizes,
    };
    let ways = [Underflow::Absolute, Underflow::Relative].into_iter();
    let of = |underflow| {
        let [a, b] = sizes.factors;
        let factors = Factors {
            a,
            b,
            underflow,
            scales_below: sizes.scales_below,
        };
        in_unit(model, &sizes, factors, unit)
    };
    ways.filter_map(of).min()
}

/// The sizes of the terms of `alpha * sum + beta * c`; `None` if products are lost.
fn of_results(sizes: OperandSizes, map: &LinearMap) -> Option<OperandSizes> {
    let [of_c, of_products] = map.gains();
    let none = scaled(0, 0);
    if of_products == none {
        return None;
    }
    // Where `c` is lost, the domain has no other one than zero.
    let of_c = if of_c == none { &of_products } else { &of_c };
    let [c, products] = [of_c, &of_products].map(Dyadic::magnitude);
    let [less, more] = match products.magnitude_exceeds(&c) {
        true => [c, products],
        false => [products, c],
    };
    Some(OperandSizes {
        least: sizes.least.map(|least| least.times(&less)),
        below: sizes.below.times(&more),
        is_positive: sizes.is_positive && !of_c.is_negative() && !of_products.is_negative(),
        least_exponent: None,
        ..sizes
    })
}

/// A number that no error of a finite result exceeds, for such factors and any `c` for which the sum of
/// the magnitudes of `c` and all products is at most `magnitudes`; `None` if no such number is known.
pub fn error_within(model: &Model, factors: Factors, magnitudes: &Dyadic) -> Option<Dyadic> {
    if LinearMap::of_scaled(model.algorithm()).is_some() {
        return None;
    }
    let bound = error_bound(model, factors)?;
    bound_within(model, &bound, magnitudes)
}

/// The bound where the magnitudes of `c` and all products sum to `magnitudes`; `None` if an overflow may go unseen there.
pub fn bound_within(model: &Model, bound: &ErrorBound, magnitudes: &Dyadic) -> Option<Dyadic> {
    let below = magnitudes.plus(&scaled(1, magnitudes.exponent()));
    is_within_limits(model, &below, bound).then(|| bound.at(magnitudes))
}

/// True if every overflow shows: the magnitudes, which are below `below`, and half as much for errors,
/// stay within the formats whose overflow may not show.
fn is_within_limits(model: &Model, below: &Dyadic, bound: &ErrorBound) -> bool {
    match limits(model.algorithm()) {
        None => false,
        Some(MagnitudeLimit::Nowhere) => true,
        Some(MagnitudeLimit::Below(exponent)) => {
            let error = bound.at(below);
            !below.magnitude_exceeds(&scaled(1, exponent))
                && !error.magnitude_exceeds(&scaled(1, exponent - 1))
        }
    }
}

fn in_unit(
    model: &Model,
    sizes: &OperandSizes,
    factors: Factors,
    unit: ErrorUnit,
) -> Option<Quotient> {
    let bound = error_bound(model, factors)?;
    if !is_within_limits(model, &sizes.below, &bound) {
        return None;
    }
    let is_exact = bound.absolute.mantissa().sign() == Sign::NoSign;
    if sizes.may_be_zero && !is_exact && !gives_zero_of_zeros(model) {
        return None;
    }
    let one = scaled(1, 0);
    let Some(least) = &sizes.least else {
        return Some(Quotient::new(&scaled(0, 0), &one));
    };
    match unit {
        ErrorUnit::Measured(Measure::Absolute) => {
            Some(Quotient::new(&bound.at(&sizes.below), &one))
        }
        ErrorUnit::Measured(Measure::RelativeToSum) => Some(Quotient::new(&bound.at(least), least)),
        ErrorUnit::Measured(Measure::Relative) => {
            let of_sum = || Quotient::new(&bound.at(least), least);
            sizes.is_positive.then(of_sum)
        }
        ErrorUnit::Measured(Measure::Ulp) => {
            let of_rounding = last_rounding(model, factors);
            let of_rounding = of_rounding.and_then(|last| {
                in_last_places(model, sizes, &bound, (&last.before, &last.places))
            });
            let of_all = in_last_places(model, sizes, &bound, (&bound, &scaled(0, 0)));
            of_rounding.into_iter().chain(of_all).min()
        }
        ErrorUnit::LargestExponent => {
            let times = 2 + u64::from(sizes.product_limit) * u64::from(model.signature().products);
            let unit = scaled(1, sizes.least_exponent?);
            Some(Quotient::new(
                &bound.at(&unit.times(&scaled(times, 0))),
                &unit,
            ))
        }
    }
}

/// The number of last places of the result to which the bound `part` and `places` more come, where
/// `bound` bounds the whole error.
fn in_last_places(
    model: &Model,
    sizes: &OperandSizes,
    bound: &ErrorBound,
    (part, places): (&ErrorBound, &Dyadic),
) -> Option<Quotient> {
    let format: Format = model.signature().d;
    let with = |error: &Dyadic, place: &Dyadic| {
        let error = error.plus(&places.times(place));
        Quotient::new(&error, place)
    };
    let least_place = scaled(1, format.least_exponent().into());
    let of_least_place = with(&part.at(&sizes.below), &least_place);
    let Some(least) = sizes.least.as_ref().filter(|_| sizes.is_positive) else {
        return Some(of_least_place);
    };
    let result = least.minus(&bound.at(least));
    let place = result.shifted(-i64::from(format.precision()));
    let is_known = !place.is_negative() && place.mantissa().sign() != Sign::NoSign;
    let of_result = is_known.then(|| with(&part.at(least), &place));
    of_result.into_iter().chain([of_least_place]).min()
}
