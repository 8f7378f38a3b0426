//! The tolerances that are proved: relative to the sum of magnitudes, and absolute for operands within a
//! range.
//!
//! With S, the sum of the magnitudes of `c` and all products, the error is at most `r S + t`. For factors
//! of at most X and a `c` of at most C, S is at most `K X^2 + C`, which gives an `atol`. Where no term is
//! negative, S is the exact sum, and `rtol = r, atol = t`. Otherwise terms may cancel: the exact sum is as
//! small as one likes beside the error, and no `rtol` alone is justified.

use crate::claims::bounds::{Factors, ScaleBound, error_bound, error_within};
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Dyadic, Exponents, Format};
use serde::Serialize;

/// The greatest magnitudes of operands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Range {
    /// Of the factors.
    pub factors: f64,
    /// Of `c`.
    pub c: f64,
}

/// What is proved of the errors of a model.
#[derive(Clone, Debug)]
pub struct ToleranceBounds {
    /// The factor r of the sum of magnitudes.
    pub relative: Dyadic,
    /// The number t that is added, for all finite factors within the range.
    pub absolute: Dyadic,
    /// The number that is added if no factor is subnormal.
    pub absolute_of_normal: Dyadic,
    /// A bound of `absolute` by the block scales of the operands; `None` if there are none, or it depends on none.
    pub of_scales: Option<ScaleBound>,
    /// The same for `absolute_of_normal`.
    pub of_scales_of_normal: Option<ScaleBound>,
    /// The greatest error of operands within the range; `None` without a range, or if results may
    /// overflow unseen.
    pub within: Option<Dyadic>,
}

/// A number of the host, exactly.
pub(super) fn exactly(x: f64) -> Dyadic {
    Dyadic::of(&Format::F64, x.to_bits()).unwrap_or_default()
}

/// Whether f64 has numbers above this one, with room for what is rounded up.
fn has_decimal(x: &Dyadic) -> bool {
    !x.magnitude_exceeds(&Dyadic::new(1.into(), 1000))
}

impl Range {
    /// Factors and a `c` of at most these magnitudes.
    pub fn new(factors: f64, c: f64) -> Range {
        Range { factors, c }
    }

    /// The factors whose magnitude is within the range.
    fn limited(&self, factors: Factors) -> Factors {
        let highest = exactly(self.factors).leading_exponent();
        let limited = |of: Exponents| {
            let highest = highest.map_or(of.lowest, |highest| highest as i32);
            Exponents {
                lowest: of.lowest,
                highest: of.highest.min(highest.max(of.lowest)),
            }
        };
        Factors {
            a: limited(factors.a),
            b: limited(factors.b),
            ..factors
        }
    }

    /// The greatest sum of magnitudes of the products and `c` of such operands.
    pub fn magnitudes(&self, signature: &Signature) -> Dyadic {
        let most = |format: &Format, limit: f64| {
            let greatest = Dyadic::of(format, format.register_of(format.max_finite()));
            let (greatest, limit) = (greatest.unwrap_or_default(), exactly(limit));
            match limit.magnitude_exceeds(&greatest) {
                true => greatest,
                false => limit,
            }
        };
        let Signature { a, b, c, .. } = signature;
        let product = most(a, self.factors).times(&most(b, self.factors));
        let count = Dyadic::new(signature.products.into(), 0);
        count.times(&product).plus(&most(c, self.c))
    }
}

impl ToleranceBounds {
    /// What is proved of `model`; `None` if no bound of its errors is known, or none that f64 has.
    pub fn of(model: &Model, range: Option<Range>) -> Option<ToleranceBounds> {
        let signature = model.signature();
        let limited = |all: Factors| match range {
            None => all,
            Some(range) => range.limited(all),
        };
        let [normal, finite] =
            [Factors::normal(&signature), Factors::finite(&signature)].map(limited);
        let bound = error_bound(model, finite)?;
        let within =
            range.and_then(|range| error_within(model, finite, &range.magnitudes(&signature)));
        let told = [bound.relative(), bound.absolute];
        let [relative, absolute] = told.map(|number| has_decimal(&number).then_some(number));
        Some(ToleranceBounds {
            relative: relative?,
            absolute_of_normal: error_bound(model, normal)?.absolute,
            absolute: absolute?,
            of_scales: ScaleBound::of(model, finite),
            of_scales_of_normal: ScaleBound::of(model, normal),
            within: within.filter(has_decimal),
        })
    }

    /// The greatest error where the magnitudes sum to `magnitudes`, and `scales` is the greatest product of the two
    /// scales of a block, if there are any.
    pub fn at(&self, magnitudes: &Dyadic, scales: Option<&Dyadic>) -> Dyadic {
        let of_scales = self.of_scales.as_ref().zip(scales);
        let of_scales = of_scales.map(|(bound, scales)| bound.at(scales));
        let absolute = match &of_scales {
            Some(less) if self.absolute.magnitude_exceeds(less) => less,
            _ => &self.absolute,
        };
        self.relative.times(magnitudes).plus(absolute)
    }

    /// The tolerances beside a reference that is computed in f64 from numbers of which every product has
    /// at most 53 bits, where differences and sums of magnitudes are computed in f64 too.
    ///
    /// A sum of K + 1 terms in any order is off by at most g S with `g = (K + 8) 2^-52`; the sum of
    /// magnitudes is too small by at most that share, and each further operation by 2^-53.
    #[must_use]
    pub fn beside_f64(&self, signature: &Signature, range: Option<Range>) -> ToleranceBounds {
        let g = Dyadic::new((u64::from(signature.products) + 8).into(), -52);
        let growth = Dyadic::new(1.into(), 0).plus(&g.shifted(2));
        let of_range = range.map(|range| g.times(&range.magnitudes(signature)));
        let within = self.within.as_ref().zip(of_range);
        let grown = |bound: &ScaleBound| ScaleBound {
            relative: bound.relative.times(&growth),
            constant: bound.constant.times(&growth),
        };
        ToleranceBounds {
            relative: self.relative.plus(&g).times(&growth),
            absolute: self.absolute.times(&growth),
            absolute_of_normal: self.absolute_of_normal.times(&growth),
            of_scales: self.of_scales.as_ref().map(grown),
            of_scales_of_normal: self.of_scales_of_normal.as_ref().map(grown),
            within: within.map(|(own, reference)| own.plus(&reference).times(&growth)),
        }
    }
}
