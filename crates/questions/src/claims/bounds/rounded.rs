//! Bounds of operations that are rounded one by one: IEEE 754 in sequence and pairwise, and the
//! sums of CDNA1 and CDNA2.
//!
//! A product whose significand fits its format is exact unless it underflows. An addition of two
//! numbers of one format never underflows: their sum is a multiple of the format's least number.

use super::bound::{ErrorBound, scaled};
use super::factors::{Factors, Underflow, low_products};
use mmasmt_core::machines::algorithms::{Gps, Ieee, Order, Sfma, Subnormals, ZeroRule};
use mmasmt_core::numbers::float::{Format, Rounding};

/// The bound of a rounding to the format.
pub(super) fn of_format(rounding: Rounding, format: &Format) -> ErrorBound {
    ErrorBound::of_rounding(rounding, format.fraction_bits, format.min_exponent().into())
}

/// The bound of an addition of two numbers of the format.
pub(super) fn of_addition(rounding: Rounding, format: &Format) -> ErrorBound {
    ErrorBound {
        absolute: scaled(0, 0),
        ..of_format(rounding, format)
    }
}

fn of_product(rounding: Rounding, [a, b]: [&Format; 2], to: &Format) -> ErrorBound {
    let rounded = of_format(rounding, to);
    if a.precision() + b.precision() <= to.precision() {
        ErrorBound {
            of_all: scaled(0, 0),
            ..rounded
        }
    } else {
        rounded
    }
}

pub(super) fn of_ieee(ieee: &Ieee) -> ErrorBound {
    let (rounding, format) = (ieee.rounding, &ieee.accumulator);
    let count = u64::from(ieee.products);
    let addition = of_addition(rounding, format);
    let product = of_product(rounding, [&ieee.a, &ieee.b], format);
    let fused = of_format(rounding, format).repeated(count);
    match ieee.order {
        Order::SequentialFma => fused,
        Order::FmaThenAccumulator => fused.added_to_c(&addition),
        Order::Sequential => product.added_to_c(&addition).repeated(count),
        Order::Pairwise => {
            let sum = product.added_up(count, depth(count), &addition);
            sum.added_to_c(&addition)
        }
    }
}

pub(super) fn of_sfma(sfma: &Sfma) -> ErrorBound {
    of_format(Rounding::Rne, &sfma.format).repeated(sfma.products.into())
}

/// The bound of a sum in which groups are summed pairwise, and the sums of groups are added to `c`
/// one after the other. If subnormal numbers are flushed, operands and results below the least
/// normal number are lost.
pub(super) fn of_gps(gps: &Gps, factors: Factors) -> ErrorBound {
    const F32: Format = Format::F32;
    let format = &gps.factors;
    let flushed_result = match gps.subnormals {
        Subnormals::Keep => scaled(0, 0),
        Subnormals::Flush | Subnormals::FlushBelowF32 => scaled(1, F32.min_exponent().into()),
    };
    let are_factors_flushed = match gps.subnormals {
        Subnormals::Keep => false,
        Subnormals::Flush => true,
        Subnormals::FlushBelowF32 => format.min_exponent() == F32.min_exponent(),
    };
    let factors = Factors {
        underflow: Underflow::Absolute,
        ..factors
    };
    let subnormal = low_products([format, format], ZeroRule::Skip, factors).exponent;
    let lost_product = match subnormal.filter(|_| are_factors_flushed) {
        None => scaled(0, 0),
        // A product with a flushed factor is below 2 to the power of `exponent + 1`.
        Some(exponent) => scaled(1, exponent + 1),
    };
    let addition = ErrorBound {
        absolute: flushed_result.clone(),
        ..of_addition(Rounding::Rne, &F32)
    };
    let product = of_product(Rounding::Rne, [format, format], &F32);
    let product = ErrorBound {
        absolute: product.absolute.plus(&flushed_result).plus(&lost_product),
        ..product
    };
    let group = product.added_up(gps.group.into(), depth(gps.group.into()), &addition);
    // c is flushed once.
    let c = ErrorBound {
        absolute: flushed_result,
        ..ErrorBound::none()
    };
    let groups = u64::from(gps.products.div_ceil(gps.group));
    c.then(&group.added_to_c(&addition).repeated(groups))
}

/// The most additions that a part goes through, if `parts` parts are added in a balanced tree.
pub(super) fn depth(parts: u64) -> u64 {
    u64::from(parts.next_power_of_two().trailing_zeros())
}
