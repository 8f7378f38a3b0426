//! Multiplication of f32 numbers in parts.
//!
//! With a part that is off by u of its number at most, and the rest by u of the rest, n parts leave u^n of a number,
//! and their magnitudes sum to at most (1 + u)^n of it. So the products of all parts differ from `a b` by (1 + u^n)^2 - 1 of it at
//! most, and those that are summed have magnitudes of at most (1 + u)^(2n) T. A part that underflows is off by the least number
//! of its format, times the other factor, which its own format does not exceed.

use super::Factors;
use super::bound::{ErrorBound, scaled};
use crate::algorithms::Signature;
use crate::float::{Dyadic, Format};
use crate::schemes::{Method, PartRounding, Scheme};

pub(super) fn of_scheme(
    scheme: &Scheme,
    run: impl Fn(Factors) -> Option<ErrorBound>,
    unit: &Signature,
    factors: Factors,
) -> Option<ErrorBound> {
    let products = u64::from(scheme.products);
    let runs = products.div_ceil(u64::from(unit.products));
    let (parts, rounding, sums) = match scheme.method {
        Method::Plain(plain) => (1, plain.round, runs),
        Method::Markidis(_) => (2, PartRounding::Rne, 4 * runs),
        _ => return None,
    };
    let format = &unit.a;
    let last = match rounding {
        PartRounding::Rne | PartRounding::RneFinite | PartRounding::Rna => {
            -i64::from(format.fraction_bits) - 1
        }
        PartRounding::Rz | PartRounding::None => -i64::from(format.fraction_bits),
    };
    // These do not say by their result that they overflow.
    let is_cut_to_f16 = rounding == PartRounding::Rz && format.max_exponent() < 127;
    if rounding == PartRounding::RneFinite || is_cut_to_f16 {
        return None;
    }
    // The rest of a normal number may be subnormal, and so may be a number in a format of another range.
    let same_range = format.min_exponent() == Format::F32.min_exponent();
    let are_normal = parts == 1 && same_range && factors == Factors::Normal;
    let of_parts = if are_normal {
        Factors::Normal
    } else {
        Factors::Finite
    };
    let sum = run(of_parts)?.repeated(sums);
    let one = scaled(1, 0);
    let left = scaled(1, last * parts);
    let split = square(&one.plus(&left)).minus(&one);
    let mut grown = one.plus(&scaled(1, last));
    for _ in 0..parts {
        grown = square(&grown);
    }
    let relative = sum.relative().times(&grown).plus(&split);
    // Each part of each factor, and once more for the magnitudes that are summed.
    let least = i64::from(format.min_exponent()) + last;
    let greatest = i64::from(format.max_exponent()) + 2;
    let count = if are_normal {
        0
    } else {
        products * 4 * parts as u64
    };
    let underflow = scaled(count, least + greatest);
    let bound = ErrorBound {
        of_all: relative,
        absolute: sum
            .absolute
            .plus(&underflow.times(&one.plus(&sum.relative()))),
        ..ErrorBound::none()
    };
    Some(bound.then(&ErrorBound::none()))
}

fn square(x: &Dyadic) -> Dyadic {
    x.times(x)
}
