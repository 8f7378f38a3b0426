//! Bounds of Ozaki's schemes on integers. Let M be a power of two above all numbers of a row, and N one of the other row.
//!
//! *What is cut.* Scheme I keeps `b s` bits of a number below M, the highest of them free, and leaves out the products of
//! slices i and j with i + j > s + 1. A number loses less than `M 2^(1 - b s)`; what is left out of a product is, for each
//! slice i > 1 of one factor, which is below `M 2^(1 - b (i - 1))`, that slice times less than `N 2^(1 - b (s + 1 - i))` of the
//! other one. Together a product loses less than `s M N 2^(2 - b s)`. Scheme II keeps t bits: a product loses less than
//! `M N 2^(1 - t)`. A product with a factor zero loses nothing; so where factors have a least exponent, this is a share of
//! each product.
//!
//! *What is rounded.* All slices of a number have its sign, so that the magnitudes of all that is added are at most those of
//! the products. Scheme I adds s (s + 1) / 2 exact terms in f64, and multiplies by M and by N, where a result below the normal
//! numbers is off by half of the least number, before it is multiplied by N. Scheme II rounds the exact sum once.
//!
//! A number beyond f64 becomes an infinity, which stays one.

use super::bound::{ErrorBound, scaled};
use super::factors::{Factors, Underflow};
use super::rounded;
use mmasmt_core::machines::algorithms::{Operation, OzakiResidues, OzakiSlices};
use mmasmt_numbers::float::{Dyadic, Exponents, Format, Rounding};

const F64: Format = Format::F64;

/// The bound of one of Ozaki's schemes; `None` for other operations.
pub(super) fn of_ozaki(operation: &Operation, factors: Factors) -> Option<ErrorBound> {
    let sum = match operation {
        Operation::OzakiSlices(scheme) => of_slices(scheme, factors)?,
        Operation::OzakiResidues(scheme) => of_residues(scheme, factors),
        _ => return None,
    };
    let addition = rounded::of_addition(Rounding::Rne, &F64);
    Some(sum.added_to_c(&addition))
}

fn of_slices(scheme: &OzakiSlices, factors: Factors) -> Option<ErrorBound> {
    let [bits, slices] = [scheme.slice_bits(), scheme.slices].map(i64::from);
    let least = i64::from(F64.least_exponent());
    // Every term is an int32 times a power of two, and f64 has it.
    if !scheme.sums_fit() || 2 - bits * (slices + 1) < least {
        return None;
    }
    let share = scaled(slices as u64, 2 - bits * slices);
    let cut = cut_of(&share, scheme.products, factors);
    let additions = (slices * (slices + 1) / 2) as u64;
    let addition = rounded::of_addition(Rounding::Rne, &F64);
    let below_normal = scaled(1, least - 1);
    let by_second = below_normal.shifted(above(factors.b));
    Some(ErrorBound {
        of_all: addition.repeated(additions).of_all,
        absolute: cut.absolute.plus(&by_second).plus(&below_normal),
        ..cut
    })
}

fn of_residues(scheme: &OzakiResidues, factors: Factors) -> ErrorBound {
    let share = scaled(1, 1 - i64::from(scheme.bits()));
    let cut = cut_of(&share, scheme.products, factors);
    let rounding = rounded::of_format(Rounding::Rne, &F64);
    ErrorBound {
        of_all: rounding.of_all,
        absolute: cut.absolute.plus(&rounding.absolute),
        ..cut
    }
}

/// The bound of what products lose, each less than `share` times M N.
fn cut_of(share: &Dyadic, products: u32, factors: Factors) -> ErrorBound {
    let of_product = share.shifted(above(factors.a) + above(factors.b));
    match factors.underflow {
        Underflow::Absolute => ErrorBound {
            absolute: of_product.times(&scaled(products.into(), 0)),
            ..ErrorBound::none()
        },
        Underflow::Relative => {
            let least = i64::from(factors.a.lowest) + i64::from(factors.b.lowest);
            ErrorBound {
                of_products: of_product.shifted(-least),
                ..ErrorBound::none()
            }
        }
    }
}

/// The exponent of the power of two M of a row.
fn above(exponents: Exponents) -> i64 {
    i64::from(exponents.highest.max(F64.min_exponent())) + 1
}
