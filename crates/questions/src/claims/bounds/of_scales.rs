//! The part of a bound that does not shrink with the elements, as a share of the block scales of a sum.
//!
//! Let G be the greatest product of the two scales of a block. Where every such product is below 2^x, the part is at
//! most t(x). So with t the least of these, and r the greatest of `(t(x) - t) / 2^(x-1)` over all x that the format of
//! the scales has, it is at most `t + r G`: G is at least 2^(x-1) for the least x that it is below.

use super::bound::{ErrorBound, rounded_up, scaled};
use super::composed::error_bound;
use super::factors::Factors;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Dyadic, Format};

/// At most `relative` times the greatest product of the two scales of a block, plus `constant`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScaleBound {
    /// The factor of the greatest product of scales.
    pub relative: Dyadic,
    /// The part that scales do not change.
    pub constant: Dyadic,
}

impl ScaleBound {
    /// The absolute part of the bound of a model with block scales; `None` without scales, or if this says no more than
    /// the absolute part itself.
    pub fn of(model: &Model, factors: Factors) -> Option<ScaleBound> {
        let format = model.signature().scales?.format;
        let all = error_bound(model, factors)?;
        let of = |exponent: i64| -> Option<ErrorBound> {
            let bound = error_bound(model, factors.with_scales_below(exponent))?;
            let is_as_before = !bound.relative().magnitude_exceeds(&all.relative());
            is_as_before.then_some(bound)
        };
        let [first, last] = exponents(&format);
        let constant = of(first)?.absolute;
        if !all.absolute.magnitude_exceeds(&constant) {
            return None;
        }
        let mut relative = scaled(0, 0);
        for exponent in first..=last {
            let part = of(exponent)?.absolute.minus(&constant);
            let share = rounded_up(&part.shifted(1 - exponent));
            if !share.is_negative() && share.magnitude_exceeds(&relative) {
                relative = share;
            }
        }
        Some(ScaleBound { relative, constant })
    }

    /// The bound where the greatest product of the two scales of a block is `greatest`.
    pub fn at(&self, greatest: &Dyadic) -> Dyadic {
        self.relative.times(greatest).plus(&self.constant)
    }
}

/// The greatest product of the two scales of a block; `None` without scales.
pub fn greatest_scale(signature: &Signature, inputs: &Inputs) -> Option<Dyadic> {
    let format = signature.scales?.format;
    let blocks = inputs.a_scales.iter().zip(&inputs.b_scales);
    let products =
        blocks.filter_map(|(a, b)| Some(Dyadic::of(&format, *a)?.times(&Dyadic::of(&format, *b)?)));
    products.reduce(|most, one| match one.magnitude_exceeds(&most) {
        true => one,
        false => most,
    })
}

/// The exponents of the powers of two that products of two scales are below, from that of the least one to that of the
/// greatest.
fn exponents(format: &Format) -> [i64; 2] {
    let least = i64::from(format.least_exponent());
    let most = i64::from(format.max_exponent()) + 1;
    [2 * least + 1, 2 * most]
}
