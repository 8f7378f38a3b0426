//! Random operands: how large the errors of the right kernel are, and how many results of wrong kernels
//! each tolerance has outside.

use super::own::OwnTolerance;
use super::proved::ToleranceBounds;
use super::quantiles::ErrorQuantiles;
use super::wrong::{Runner, WrongKernel};
use crate::claims::bounds::greatest_scale;
use crate::claims::query::WRONG_RULE;
use crate::inputs::{DrawError, Sources};
use crate::vectors::measure::{ExactSum, Measure, Summer};
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::Dyadic;
use serde::Serialize;

/// Sizes of errors.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sizes {
    /// The median.
    pub median: f64,
    /// The highest percentile that so many samples show.
    pub percentile: Option<Percentile>,
    /// The largest.
    pub largest: f64,
}

/// A percentile: so many of a hundred errors are at most of this size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Percentile {
    /// The percentage.
    pub percent: f64,
    /// The size.
    pub size: f64,
}

/// The errors that lie beyond a percentile that is told: fewer of them say little of it.
const BEYOND: usize = 10;

/// The number of results of a kernel that each tolerance has outside, of all that were drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutsideCounts {
    /// Results outside of the bound relative to the sum of magnitudes; `None` if none is proved.
    pub proved: Option<u64>,
    /// Results outside of the absolute bound within the range; `None` without it.
    pub within: Option<u64>,
    /// Results that fail the test with a tolerance of one's own; `None` without it.
    pub own: Option<u64>,
    /// Results outside of the largest error of the right kernel, relative to the sum of magnitudes.
    pub largest: u64,
    /// Results with other bits than the right kernel's.
    pub bits: u64,
}

/// The tolerances that results are compared with, beside the largest error of the right kernel and its bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tolerances<'x> {
    /// The proved bound.
    pub proved: Option<&'x ToleranceBounds>,
    /// A tolerance of one's own.
    pub own: Option<&'x OwnTolerance>,
}

/// Errors of the right kernel, and what tolerances catch.
#[derive(Clone, Debug)]
pub struct ErrorSample {
    /// Errors relative to the sum of magnitudes.
    pub relative: Sizes,
    /// Absolute errors.
    pub absolute: Sizes,
    /// How many results of the right kernel are not finite.
    pub not_finite: u64,
    /// The right kernel's results outside: none is outside of what is proved, unless it overflows.
    pub right: OutsideCounts,
    /// The first operands for which the right kernel fails the test with a tolerance of one's own, and their place among
    /// those that are drawn.
    pub failing: Option<(usize, Inputs)>,
    /// Those of each wrong kernel.
    pub wrong: Vec<OutsideCounts>,
    /// The errors of the right kernel, then those of each wrong one.
    pub quantiles: Vec<ErrorQuantiles>,
}

/// The result of one kernel for one draw.
#[derive(Clone, Copy)]
struct KernelResult {
    /// The error relative to the sum of magnitudes, and the absolute one; infinite if the result is not
    /// finite.
    errors: [f64; 2],
    /// The result is outside of the proved bound, is outside of the bound within the range, fails the test with a
    /// tolerance of one's own, has other bits.
    outside: [bool; 4],
}

/// Draws `samples` operands, and runs `model` and the wrong kernels on them. The same seed gives the same
/// answer, whatever the number of threads.
///
/// # Errors
/// If the operands cannot be drawn, or a limit is reached.
pub fn drawn(
    model: &Model,
    sources: &Sources,
    tolerances: Tolerances<'_>,
    wrong: &[WrongKernel],
    samples: u64,
    limits: &Limits,
) -> Result<ErrorSample, DrawError> {
    let signature = model.signature();
    let Tolerances { proved, own } = tolerances;
    let mut batch = model.batch();
    batch.prepare_for_rows(samples);
    let runners = wrong.iter().map(|wrong| wrong.runner(model, samples));
    let runners: Vec<Runner<'_>> = runners.collect();
    let all: Vec<Vec<KernelResult>> = sources.each(&signature, samples, limits, || {
        let mut summer = Summer::of(model);
        let (mut batch, mut kernels) = (batch.clone(), runners.clone());
        move |drawn| {
            let expected = || DrawError::Operands("finite operands".into());
            let right = batch.results(drawn);
            let wrong = kernels.iter_mut().map(|kernel| kernel.run(drawn));
            let wrong: Vec<Vec<u64>> = wrong.collect();
            let judged = |(at, inputs)| {
                let exact = summer.sum(inputs).ok_or_else(expected)?;
                let results = [&right].into_iter().chain(&wrong);
                let scales = greatest_scale(&signature, inputs);
                let exact = (&exact, scales.as_ref());
                let judged = results
                    .map(|results| judged(&signature, results[at], right[at], exact, tolerances));
                Ok(judged.collect())
            };
            drawn.iter().enumerate().map(judged).collect()
        }
    })?;
    let of = |kernel: usize, what: usize| -> Vec<f64> {
        all.iter().map(|found| found[kernel].errors[what]).collect()
    };
    let relative = of(0, 0);
    let finite = relative.iter().filter(|error| error.is_finite());
    let largest = finite.copied().fold(0.0, f64::max);
    let outside = |kernel: usize| {
        let count = |is_out: &dyn Fn(&KernelResult) -> bool| {
            all.iter().filter(|found| is_out(&found[kernel])).count() as u64
        };
        OutsideCounts {
            proved: proved.map(|_| count(&|found| found.outside[0])),
            within: proved
                .and_then(|proved| proved.within.as_ref())
                .map(|_| count(&|found| found.outside[1])),
            largest: count(&|found| found.errors[0] > largest),
            own: own.map(|_| count(&|found| found.outside[2])),
            bits: count(&|found| found.outside[3]),
        }
    };
    let not_finite = relative.iter().filter(|error| error.is_infinite()).count() as u64;
    let right = outside(0);
    if right.within.is_some_and(|outside| outside > not_finite) {
        log::error!(
            target: WRONG_RULE,
            "a rule was wrong, please report this: drawn operands exceed the proved bound of `{model}` within the range"
        );
    }
    let failing = all
        .iter()
        .position(|found| own.is_some() && found[0].outside[2]);
    let failing = match failing {
        None => None,
        Some(place) => {
            let drawn = sources.drawn(&signature, samples, limits)?;
            drawn.into_iter().enumerate().nth(place)
        }
    };
    Ok(ErrorSample {
        failing,
        not_finite,
        relative: sizes(relative),
        absolute: sizes(of(0, 1)),
        right,
        wrong: (1..=wrong.len()).map(outside).collect(),
        quantiles: (0..=wrong.len())
            .map(|kernel| ErrorQuantiles::of(of(kernel, 0), of(kernel, 1)))
            .collect(),
    })
}

fn sizes(mut errors: Vec<f64>) -> Sizes {
    errors.retain(|error| error.is_finite());
    errors.sort_unstable_by(f64::total_cmp);
    let at = |of_1000: usize| {
        let place = (errors.len() * of_1000).div_ceil(1000);
        place.checked_sub(1).map_or(0.0, |place| errors[place])
    };
    let mut high = [999, 990, 950].into_iter();
    let high = high.find(|of_1000| errors.len() * (1000 - of_1000) >= BEYOND * 1000);
    Sizes {
        median: at(500),
        percentile: high.map(|of_1000| Percentile {
            percent: of_1000 as f64 / 10.0,
            size: at(of_1000),
        }),
        largest: at(1000),
    }
}

/// How far the result `d` is from the exact sum, and outside of what.
fn judged(
    signature: &Signature,
    d: u64,
    right: u64,
    (exact, scales): (&ExactSum, Option<&Dyadic>),
    Tolerances { proved, own }: Tolerances<'_>,
) -> KernelResult {
    let format = &signature.d;
    let Some(value) = Dyadic::of(format, d) else {
        return KernelResult {
            errors: [f64::INFINITY; 2],
            outside: [true, true, true, d != right],
        };
    };
    let error = value.minus(&exact.value);
    let size = |measure: Measure| {
        let found = measure.error(format, d, exact);
        found.map_or(f64::INFINITY, |error| error.approximate())
    };
    let exceeds =
        |bound: Option<&Dyadic>| bound.is_some_and(|bound| error.magnitude_exceeds(bound));
    let of_sum = proved.map(|proved| proved.at(&exact.magnitudes, scales));
    KernelResult {
        errors: [size(Measure::RelativeToSum), size(Measure::Absolute)],
        outside: [
            exceeds(of_sum.as_ref()),
            exceeds(proved.and_then(|proved| proved.within.as_ref())),
            own.is_some_and(|own| own.refuses(&error, &exact.value)),
            d != right,
        ],
    }
}
