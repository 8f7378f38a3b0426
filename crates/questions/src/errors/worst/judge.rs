//! Computes the error of a model on given inputs, and the proved bound of the error on these
//! inputs.

use super::climb::{Candidate, Objective, search};
use crate::claims::bounds::{
    ErrorBound, ErrorUnit, ScaleBound, error_bound, error_within, factors_within, greatest_error,
    greatest_scale, magnitude_limit,
};
use crate::claims::property::Domain;
use crate::vectors::measure::{ExactSum, Measure, Quotient, Summer};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::{Model, Simulator};
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::{Dyadic, Format};
use num_bigint::BigInt;

/// Inputs with their error.
#[derive(Clone, Debug)]
pub struct WorstInputs {
    /// The operands.
    pub inputs: Inputs,
    /// The register of the result.
    pub d: u64,
    /// The error, in the measure of the search.
    pub error: Quotient,
    /// The proved bound of the error on these operands, in the same measure as the error; `None` if
    /// no bound is known.
    pub bound: Option<Quotient>,
    /// The proved bound divided by the error; `None` if no bound is known.
    pub ratio: Option<Quotient>,
    /// The quantity that the search maximises.
    pub(super) score: Quotient,
}

/// The objective of a search for large errors, and its seed.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// The measure of errors.
    pub measure: Measure,
    /// The seed of the search.
    pub seed: u64,
    /// If the measure is relative to the sum of magnitudes: whether the search divides an error by
    /// its proved bound in place of that sum, so that an error that underflow explains does not
    /// count as large.
    pub excuses_underflow: bool,
}

/// Computes the errors of one model, in one measure, on inputs.
pub struct Judge<'x> {
    model: &'x Model,
    signature: Signature,
    simulator: Simulator<'x>,
    summer: Summer,
    search: Search,
    domain: &'x Domain,
    /// The proved error bounds: first for factors of the domain that are normal numbers or zeros, then for all
    /// its finite factors.
    bounds: [Option<ErrorBound>; 2],
    /// Their absolute parts, by the block scales.
    of_scales: [Option<ScaleBound>; 2],
    /// If the sum of magnitudes is below this limit, no value overflows.
    limit: Dyadic,
}

impl<'x> Judge<'x> {
    /// A judge of the errors of `model` on inputs in `domain`.
    pub fn new(model: &'x Model, search: Search, domain: &'x Domain) -> Self {
        let signature = model.signature();
        let factors = factors_within(&signature, domain);
        let bounds = factors.map(|factors| error_bound(model, factors));
        let of_scales = factors.map(|factors| ScaleBound::of(model, factors));
        Judge::with_bounds(model, search, domain, (bounds, of_scales))
    }

    fn with_bounds(
        model: &'x Model,
        search: Search,
        domain: &'x Domain,
        (bounds, of_scales): ([Option<ErrorBound>; 2], [Option<ScaleBound>; 2]),
    ) -> Self {
        let signature = model.signature();
        // A register on the way may saturate unseen where the result does not overflow.
        let highest = i64::from(signature.d.max_exponent());
        let highest = magnitude_limit(model).map_or(highest, |limit| highest.min(limit));
        Judge {
            model,
            signature,
            simulator: model.simulator(),
            summer: Summer::of(model),
            search,
            domain,
            bounds,
            of_scales,
            limit: Dyadic::new(1.into(), highest),
        }
    }

    /// A number that no error in the domain exceeds, in the measure of the search; `None` if none is
    /// known. It is what a claim about errors is proved from.
    pub fn greatest(&self) -> Option<Quotient> {
        let unit = ErrorUnit::Measured(self.search.measure);
        greatest_error(self.model, self.domain, unit)
    }

    /// True if the search maximises errors relative to their bounds.
    fn is_of_bounds(&self) -> bool {
        self.search.excuses_underflow && self.search.measure == Measure::RelativeToSum
    }

    /// Whether the error exceeds the bound that is proved for its operands or for the domain: then a rule is wrong.
    /// A bound holds where nothing overflows unseen.
    pub fn exceeds_bound(&self, worst: &WorstInputs) -> bool {
        if self
            .greatest()
            .is_some_and(|greatest| worst.error > greatest)
        {
            return true;
        }
        let Some(exact) = Summer::of(self.model).sum(&worst.inputs) else {
            return false;
        };
        let one = Dyadic::new(1.into(), 0);
        let is_above = worst
            .ratio
            .as_ref()
            .is_some_and(|ratio| *ratio < Quotient::new(&one, &one));
        let [_, factors] = factors_within(&self.signature, self.domain);
        is_above && error_within(self.model, factors, &exact.magnitudes).is_some()
    }

    /// The proved bounds for normal factors and zeros, and for all finite factors of the domain.
    pub fn bounds(&self) -> [Option<ErrorBound>; 2] {
        self.bounds.clone()
    }

    /// The absolute parts of both bounds, by the block scales; `None` for one that depends on none.
    pub fn bounds_of_scales(&self) -> &[Option<ScaleBound>; 2] {
        &self.of_scales
    }

    /// The objective of the search.
    pub fn search(&self) -> Search {
        self.search
    }

    fn bound_at(&self, inputs: &Inputs, exact: &ExactSum) -> Option<Dyadic> {
        let Signature { a, b, .. } = &self.signature;
        let are_normal = are_normal(a, &inputs.a) && are_normal(b, &inputs.b);
        let side = usize::from(!are_normal);
        let bound = self.bounds[side].as_ref()?;
        let of_scales = self.of_scales[side].as_ref().and_then(|of_scales| {
            let absolute = of_scales.at(&greatest_scale(&self.signature, inputs)?);
            let is_less = bound.absolute.magnitude_exceeds(&absolute);
            is_less.then_some(ErrorBound {
                absolute,
                ..bound.clone()
            })
        });
        Some(of_scales.as_ref().unwrap_or(bound).at(&exact.magnitudes))
    }

    fn in_measure(&self, distance: &Dyadic, d: u64, exact: &ExactSum) -> Option<Quotient> {
        let format = &self.signature.d;
        let unit = match self.search.measure {
            Measure::Absolute => Dyadic::new(1.into(), 0),
            Measure::Ulp => Dyadic::new(1.into(), format.number(d)?.exponent),
            Measure::Relative => exact.value.clone(),
            Measure::RelativeToSum => exact.magnitudes.clone(),
        };
        Some(Quotient::new(distance, &unit))
    }
}

impl Objective for Judge<'_> {
    type Judgement = WorstInputs;

    /// The error on `inputs`, which must fit the signature. `None` if the inputs are not in the
    /// domain or not finite, if they are so large that a value might overflow, or if the error is
    /// infinite in this measure.
    fn judge(&mut self, inputs: &Inputs) -> Option<WorstInputs> {
        if !inputs.is_finite(&self.signature) || !self.domain.contains(inputs) {
            return None;
        }
        let exact = self.summer.sum(inputs)?;
        if !self.limit.magnitude_exceeds(&exact.magnitudes) {
            return None;
        }
        let d = self.simulator.run(inputs);
        let format = &self.signature.d;
        let error = self.search.measure.error(format, d, &exact)?;
        if error.is_infinite() {
            return None;
        }
        let distance = Dyadic::of(format, d)?.minus(&exact.value);
        let at = self.bound_at(inputs, &exact);
        let is_relative = self.is_of_bounds();
        let score = match &at {
            // Dividing by the bound keeps an error that underflow explains from counting as large.
            Some(at) if is_relative => Quotient::new(&distance, at),
            None if is_relative => {
                let least = Dyadic::new(BigInt::from(1), format.min_exponent().into());
                Quotient::new(&distance, &exact.magnitudes.plus(&least))
            }
            _ => error.clone(),
        };
        let ratio = at.as_ref().map(|at| Quotient::new(at, &distance));
        let bound = at.and_then(|at| self.in_measure(&at, d, &exact));
        Some(WorstInputs {
            inputs: inputs.clone(),
            d,
            error,
            bound,
            ratio,
            score,
        })
    }

    fn again(&self) -> Self {
        let bounds = (self.bounds.clone(), self.of_scales.clone());
        Judge::with_bounds(self.model, self.search, self.domain, bounds)
    }

    fn signature(&self) -> Signature {
        self.signature
    }

    fn domain(&self) -> &Domain {
        self.domain
    }

    fn seed(&self) -> u64 {
        self.search.seed
    }

    /// The greatest score that the proved bound leaves possible, if it is known.
    fn highest(&self) -> Option<Quotient> {
        let one = Dyadic::new(1.into(), 0);
        match self.is_of_bounds() {
            true => self
                .bounds
                .iter()
                .all(Option::is_some)
                .then(|| Quotient::new(&one, &one)),
            false => self.greatest(),
        }
    }
}

impl Candidate for WorstInputs {
    fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    fn score(&self) -> &Quotient {
        &self.score
    }
}

/// Searches for the operands with the largest error, in the domain of `judge`. Returns the worst
/// operands found, or `None` if no operands were found for which an error is defined; and the
/// number of operands tried. The result is the same for the same seed, unless a limit is reached.
pub fn worst(judge: &mut Judge<'_>, limits: &Limits) -> (Option<WorstInputs>, u64) {
    search(judge, std::iter::empty(), limits)
}

/// Whether all registers of `row` hold normal numbers or zeros.
fn are_normal(format: &Format, row: &[u64]) -> bool {
    let least = format.magnitude(format.register(format.min_exponent(), 0, false));
    let is_normal = |bits: &u64| matches!(format.magnitude(*bits), magnitude if magnitude == 0 || magnitude >= least);
    row.iter().all(is_normal)
}
