//! Signed errors over random operands: their mean with its interval, and how many results are too low
//! and too high.
//!
//! The interval of a mean is that of the normal distribution: 1.96 times the standard deviation of the
//! mean to each side. The signs need no such assumption: without a bias, a result that is not exact is
//! too low as often as too high, and the interval of the share that is too low (Clopper and Pearson)
//! has one half in it, with a chance of 95 %.

use crate::claims::property::Domain;
use crate::claims::query::confidence;
use crate::inputs::{DrawError, MOST_DRAWN, Sources};
use crate::vectors::measure::{ExactSum, Measure, Summer};
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::{Dyadic, Format};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use std::cmp::Ordering;

/// The standard deviations to each side of an interval of 95 % confidence.
const DEVIATIONS: f64 = 1.959_963_984_540_054;

/// A mean, and its interval of 95 % confidence; the interval is missing for fewer than two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// The limits of the interval.
    pub interval: Option<[f64; 2]>,
}

/// The signed errors of one model.
#[derive(Clone, Debug)]
pub struct Bias {
    /// The mean of the errors: below 0 if results are too low.
    pub mean: Mean,
    /// The mean of the errors toward zero: above 0 if the magnitudes of results are too small.
    pub toward_zero: Mean,
    /// The numbers of results that are too low, exact, and too high.
    pub counts: [u64; 3],
    /// The share of those that are too low among those that are not exact, with 95 % confidence.
    pub low: [f64; 2],
    /// The number of results that are not finite, or whose error is infinite in this measure: they are
    /// in no other number.
    pub left_out: u64,
    /// Every error, in the order in which the operands are drawn.
    pub errors: Vec<f64>,
}

/// The direction of a bias, by one of two tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BiasDirection {
    /// Results are too low.
    Down,
    /// Results are too high.
    Up,
    /// The interval has both.
    Neither,
}

impl Bias {
    /// The direction by the interval of the mean.
    pub fn by_mean(&self) -> BiasDirection {
        match self.mean.interval {
            Some([_, high]) if high < 0.0 => BiasDirection::Down,
            Some([low, _]) if low > 0.0 => BiasDirection::Up,
            _ => BiasDirection::Neither,
        }
    }

    /// The direction by the signs.
    pub fn by_signs(&self) -> BiasDirection {
        match self.low {
            [low, _] if low > 0.5 => BiasDirection::Down,
            [_, high] if high < 0.5 => BiasDirection::Up,
            _ => BiasDirection::Neither,
        }
    }
}

/// The signed error of one result, and the error toward zero; `None` if it is not finite.
type SignedError = Option<(f64, f64)>;

/// The signed errors of `model` for `samples` operands, in `domain` if it is given: each number is
/// drawn again until the domain admits it. A model that does not read `c` gets +0. They are the same for the same seed, whatever the number of threads.
///
/// # Errors
/// If the operands cannot be drawn, hardly any are in the domain, or a limit is reached.
pub fn bias(
    model: &Model,
    sources: &Sources,
    domain: Option<&Domain>,
    measure: Measure,
    samples: u64,
    limits: &Limits,
) -> Result<Bias, DrawError> {
    let signature = model.signature();
    let format = signature.d;
    let reads_c = model.reads_c();
    let draw = |rng: &mut ChaCha8Rng| {
        let mut inputs = match domain {
            None => sources.draw(&signature, rng)?,
            Some(domain) => drawn(sources, domain, &signature, rng)?,
        };
        if !reads_c {
            inputs.c = 0;
        }
        Ok(inputs)
    };
    let mut batch = model.batch();
    batch.prepare_for_rows(samples);
    let all = sources.each_drawn(&signature, samples, limits, draw, || {
        let (mut batch, mut summer) = (batch.clone(), Summer::of(model));
        move |drawn| {
            let results = batch.results(drawn).into_iter().zip(drawn);
            let error = |(d, inputs)| {
                let exact = summer.sum(inputs)?;
                signed(&format, d, &exact, measure)
            };
            Ok(results.map(error).collect())
        }
    })?;
    let left_out = all.iter().filter(|error| error.is_none()).count() as u64;
    let (errors, toward_zero): (Vec<f64>, Vec<f64>) = all.into_iter().flatten().unzip();
    let count = |sign: Ordering| {
        let of_sign = |x: &&f64| x.partial_cmp(&&0.0) == Some(sign);
        errors.iter().filter(of_sign).count() as u64
    };
    let counts = [Ordering::Less, Ordering::Equal, Ordering::Greater].map(count);
    let [low, _, high] = counts;
    Ok(Bias {
        mean: mean(&errors),
        toward_zero: mean(&toward_zero),
        counts,
        low: confidence(low, low + high),
        left_out,
        errors,
    })
}

/// The next operands in `domain`.
fn drawn(
    sources: &Sources,
    domain: &Domain,
    signature: &Signature,
    rng: &mut ChaCha8Rng,
) -> Result<Inputs, DrawError> {
    let number = |operand, format: &Format| sources.of(signature, operand).number(format, rng);
    domain.drawn(MOST_DRAWN, number).ok_or_else(|| {
        DrawError::Operands(format!(
            "expected assumptions that one in {MOST_DRAWN} drawn numbers meets, found none for an operand of `{domain}`: draw other numbers"
        ))
    })
}

/// The signed error of the result `d`, and the error toward zero.
fn signed(format: &Format, d: u64, exact: &ExactSum, measure: Measure) -> SignedError {
    let size = measure.error(format, d, exact)?.approximate();
    let is_low = (Dyadic::of(format, d)?.minus(&exact.value)).is_negative();
    let error = if is_low { -size } else { size };
    // Beside an exact 0, no result is nearer to zero.
    let toward_zero = match exact.value.leading_exponent() {
        None => -size,
        Some(_) if exact.value.is_negative() => error,
        Some(_) => -error,
    };
    size.is_finite().then_some((error, toward_zero))
}

/// The mean of these numbers; 0 of none.
fn mean(numbers: &[f64]) -> Mean {
    let count = numbers.len() as f64;
    let sum: f64 = numbers.iter().sum();
    let mean = sum / count.max(1.0);
    let squares: f64 = numbers.iter().map(|x| (x - mean).powi(2)).sum();
    let to_each_side = DEVIATIONS * (squares / (count - 1.0) / count).sqrt();
    Mean {
        mean,
        interval: (numbers.len() > 1).then_some([mean - to_each_side, mean + to_each_side]),
    }
}
