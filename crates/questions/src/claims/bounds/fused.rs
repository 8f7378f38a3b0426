//! Bounds of fused sums: terms aligned to the largest exponent, cut, summed exactly, and rounded.
//!
//! *Alignment.* The significand of a normal number is at least 1, so that the magnitude of a term
//! with the exponent k is at least 2^k. Products of subnormal factors, subnormal `c`, and zeros
//! under some rules are exceptions: their exponents are at most a floor f. All terms are aligned to
//! e, which is the largest exponent or, if that is greater, the limit `emin`. Either 2^e is at most
//! the greatest magnitude M, or e is at most f. If the least exponents of the factors are known,
//! another bound holds for a product of subnormal factors with the exponent k: 2^k is at most 2^x
//! times the magnitude of the product, where x is the distance from these exponents up to the least
//! normal ones.
//!
//! *Cutting.* A term loses less than 2^(e-F). A term with the exponent e loses nothing if its
//! significand has no bits below 2^-F. If 2^e is at most M, n terms lose less than n 2^-F M, or
//! (n-1) 2^-F M if one of them loses nothing. If e is at most f, they lose less than n 2^(f-F). If
//! a product of subnormal factors has the exponent e, they lose less than n 2^(x-F) times that
//! product. The bound is the sum of these three.
//!
//! *Rounding.* The rounding of the sum is a step of its own, after the cut.

use super::bound::{ErrorBound, scaled};
use super::factors::{Factors, Low, low_products};
use super::rounded;
use mmasmt_core::machines::algorithms::fda::{Carry, Params};
use mmasmt_core::machines::algorithms::{FlushedResults, Hmma8, Products, SubnormalC, ZeroRule};
use mmasmt_core::numbers::float::{Format, Rounding};

pub(super) fn of_fda(params: &Params, factors: Factors) -> Option<ErrorBound> {
    let is_plain = params.rounded_products.is_none() && params.results == FlushedResults::Kept;
    // With a sticky bit, a sum that is exact on the grid may still be rounded away from zero.
    let is_to_nearest = matches!(params.rounding, Rounding::Rz | Rounding::Rne);
    if !has_room(params) || !is_plain || params.sticky && !is_to_nearest {
        return None;
    }
    let terms = u64::from(params.products_per_sum) + 1;
    let fraction = params.fraction_bits;
    let normalised = u32::from(params.products == Products::Normalised);
    let product = params.a.fraction_bits + params.b.fraction_bits + normalised;
    let is_kept = fraction >= product.max(params.c.fraction_bits);
    let cut_terms = if is_kept { terms - 1 } else { terms };
    let low = low(params, factors);
    let lost = |exponent: Option<i64>| match exponent {
        None => scaled(0, 0),
        Some(exponent) => scaled(terms, exponent - i64::from(fraction)),
    };
    let cut = ErrorBound {
        of_all: scaled(cut_terms, -i64::from(fraction)),
        of_products: lost(low.excess),
        absolute: lost(low.exponent),
    };
    let result = params.out;
    let last = ErrorBound::of_rounding(
        params.rounding,
        params.result_fraction,
        result.min_exponent().into(),
    );
    let via = params
        .via
        .map(|via| rounded::of_format(Rounding::Rz, &via))
        .unwrap_or_else(ErrorBound::none);
    Some(cut.then(&via).then(&last))
}

/// The bound of a chain of two sums in f16 that starts from +0, and of the addition of its result
/// to `c`.
pub(super) fn of_hmma8(hmma8: &Hmma8, factors: Factors) -> Option<ErrorBound> {
    let half = of_fda(hmma8.half().params(), factors)?;
    let addition = rounded::of_addition(Rounding::Rne, &hmma8.half().params().out);
    Some(half.repeated(2).added_to_c(&addition))
}

/// Whether the sum never wraps. In units of 2^e, a product is below 4, or below 2 if products are
/// normalised, and `c` is below 2.
fn has_room(params: &Params) -> bool {
    let products = u64::from(params.products_per_sum);
    let product = match params.products {
        Products::Exact => 4,
        Products::Normalised => 2,
    };
    match params.carry {
        Carry::Full => true,
        Carry::Bits(bits) => {
            1u64.checked_shl(1 + bits).unwrap_or(u64::MAX) >= product * products + 2
        }
    }
}

/// The floor f and the excess x of the exponents, as defined at the head of this file.
fn low(params: &Params, factors: Factors) -> Low {
    let formats = [&params.a, &params.b];
    let factors = match params.products {
        Products::Exact => factors,
        // The exponent of a normalised product is that of its leading one.
        Products::Normalised => factors.as_normal(formats),
    };
    let products = low_products(formats, params.zero, factors);
    // Scales add at most their greatest exponents, and normalisation adds 1 to the exponent of a
    // zero.
    let scales = params
        .scales
        .map_or(0, |scales| 2 * i64::from(scales.format.max_exponent()));
    let product = products.exponent.map(|exponent| exponent + scales + 1);
    // Only formats of a smaller range than f32 have subnormal numbers that are normal in f32.
    let widens = params.subnormal_c == SubnormalC::Widened
        && params.c.min_exponent() > Format::F32.min_exponent();
    let c = match (params.subnormal_c, params.zero) {
        (SubnormalC::Widened, ZeroRule::Skip) if widens => None,
        (SubnormalC::Widened, ZeroRule::Min) => Some(-126),
        _ => Some(i64::from(params.c.min_exponent())),
    };
    Low {
        exponent: product.max(c).max(params.min_exponent.map(i64::from)),
        ..products
    }
}
