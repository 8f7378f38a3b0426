//! Bounds of adapters of formats. Where each element, with or without its scale, is a number that the unit
//! takes, the unit adds the same products, and its bound is that of the adapter. Of elements that may be
//! rounded nothing is known.
//!
//! *Scales on sums.* The sum of a block begins at +0. Its error times both scales is relative to the
//! products of the block as before, and its part that does not shrink is times the greatest scales. One
//! operation of f32 adds it to the sum before.

use super::bound::ErrorBound;
use super::factors::Factors;
use super::rounded;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::compositions::{Adapt, ScalePlace};
use mmasmt_numbers::float::{Format, Rounding};

/// The bound of an adapter around a unit of this signature, of which `run` gives the bound for these
/// factors; `None` if an element or a scale may be rounded.
pub(super) fn of_adapter(
    adapt: &Adapt,
    signature: &Signature,
    run: &dyn Fn(Factors) -> Option<ErrorBound>,
    factors: Factors,
) -> Option<ErrorBound> {
    let step = u64::from(signature.products);
    let products = u64::from(adapt.products);
    match adapt.place {
        ScalePlace::Unit => {
            are_kept(adapt, signature).then_some(())?;
            let scales = adapt.scale.zip(signature.scales);
            let scales_fit =
                scales.is_none_or(|(from, own)| from == own.format || own.format.has_all_of(&from));
            scales_fit.then_some(())?;
            let factors = match products % step {
                0 => factors,
                _ => factors.filled_up(),
            };
            Some(run(factors)?.repeated(products.div_ceil(step)))
        }
        ScalePlace::Elements => {
            let scale = adapt.scale?;
            for (element, factor) in [(adapt.a, signature.a), (adapt.b, signature.b)] {
                let fits = |format: &Format| holds_products(format, [&element, &scale]);
                (fits(&Format::F32) && fits(&factor)).then_some(())?;
            }
            let one = run(Factors::finite(signature))?;
            Some(one.repeated(products.div_ceil(step)))
        }
        ScalePlace::Sums => {
            are_kept(adapt, signature).then_some(())?;
            let scale = adapt.scale?;
            holds_products(&Format::F32, [&scale, &scale]).then_some(())?;
            let block = u64::from(adapt.block.min(adapt.products));
            // The sum of a block is not yet small where its scales are.
            let greatest = product_exponent([&adapt.a, &adapt.b]) + i64::from(block.ilog2()) + 1;
            (greatest < i64::from(signature.d.max_exponent())).then_some(())?;
            let any = product_exponent([&scale, &scale]);
            let scales_below = factors
                .scales_below
                .map_or(any, |exponent| exponent.min(any));
            let one = run(factors)?.repeated(block.div_ceil(step));
            let scaled = ErrorBound {
                absolute: one.absolute.shifted(scales_below),
                ..one
            };
            let fma = rounded::of_format(Rounding::Rne, &Format::F32);
            let blocks = products.div_ceil(block);
            Some(scaled.added_to_c(&fma).repeated(blocks))
        }
    }
}

/// Whether the unit's format has every element.
fn are_kept(adapt: &Adapt, unit: &Signature) -> bool {
    let pairs = [(adapt.a, unit.a), (adapt.b, unit.b)];
    pairs
        .iter()
        .all(|(from, to)| from == to || to.has_all_of(from))
}

/// An exponent such that every product of numbers of these formats is below two to its power.
fn product_exponent(factors: [&Format; 2]) -> i64 {
    let most = factors.map(|format| i64::from(format.max_exponent()) + 1);
    most.iter().sum()
}

/// Whether the format has every product of finite numbers of these two.
fn holds_products(format: &Format, factors: [&Format; 2]) -> bool {
    let significant: u32 = factors.iter().map(|factor| factor.precision()).sum();
    let least: i32 = factors.iter().map(|factor| factor.least_exponent()).sum();
    format.precision() >= significant
        && format.least_exponent() <= least
        && product_exponent(factors) <= i64::from(format.max_exponent())
}
