//! Two machines: whether the instructions that they have for one kind of products give the same
//! results.

use crate::claims::property::Domain;
use crate::claims::query::{Basis, Ended, Options, QueryError, Question, Witness, answer};
use crate::vectors::measure::{Measure, Summer};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::product_pairs::ProductPair;
use mmasmt_explain::operands::{differences, ordinary_domain};
use mmasmt_numbers::base::limits::{Limits, Stopped};
use mmasmt_numbers::float::ulp_distance;
use serde::Serialize;
use std::time::Duration;

/// The draws that are made however little time there is: effort is counted in draws, so that a busy
/// machine gives the same answer.
const DRAWS: u64 = 2000;

/// The time in which a drawn example is made simpler.
const SIMPLER: Duration = Duration::from_millis(200);

/// Whether the two instructions give the same results, within these limits. `drawn` are ordinary operands
/// on which the results differ, if draws have found some: the answer then is no other than that they do.
///
/// # Errors
/// If an engine fails, or an answer of an engine is not confirmed.
pub fn relation(
    shared: &ProductPair,
    options: &Options,
    limits: &Limits,
    drawn: Option<&Inputs>,
) -> Result<Relation, QueryError> {
    let [left, right] = &shared.models;
    let ask = |domain: Option<&Domain>, limits: &Limits| {
        let question = Question::difference(left, right, domain)?;
        let answer = answer(&question, options, limits)?;
        Ok::<_, QueryError>((answer.witness().cloned(), answer.ended))
    };
    let ordinary = ordinary_domain(&shared.models.each_ref());
    let ordinary = Domain::parse(&ordinary, &shared.signature()).ok();
    let ordinary = ordinary.filter(|_| !shared.signature().is_integer());
    if let Some(drawn) = drawn {
        let found = match &ordinary {
            Some(domain) => ask(Some(domain), limits)?.0,
            None => None,
        };
        let question = Question::difference(left, right, ordinary.as_ref())?;
        let simple = || question.made_simple(drawn, &Limits::active().within(SIMPLER));
        let example = found.map_or_else(simple, Ok)?;
        return Ok(Relation::Different {
            example,
            is_ordinary: true,
        });
    }
    let (anywhere, ended) = ask(None, &limits.share(2))?;
    if let (None, Ended::NoMore { by }) = (&anywhere, ended) {
        return Ok(Relation::Equal(by));
    }
    let ordinary = match ordinary {
        Some(domain) => Some(ask(Some(&domain), limits)?),
        None => None,
    };
    Ok(match (ordinary, anywhere, ended) {
        (Some((Some(example), _)), _, _) => Relation::Different {
            example,
            is_ordinary: true,
        },
        (Some((None, Ended::NoMore { by })), example, _) => {
            Relation::EqualOnOrdinary { by, example }
        }
        (_, Some(example), _) => Relation::Different {
            example,
            is_ordinary: false,
        },
        (_, None, Ended::Unknown(stopped)) => Relation::Unknown(stopped),
        (_, None, _) => Relation::Unknown(Stopped::GaveUp),
    })
}

/// Runs both instructions on this many draws of ordinary operands and compares the results; if the
/// limits are reached, on fewer, but never on fewer than 2000. `None` for formats without ordinary numbers.
pub fn sample(
    shared: &ProductPair,
    samples: u64,
    seed: u64,
    limits: &Limits,
) -> Option<SampleStatistics> {
    let signature = shared.signature();
    if signature.is_integer() {
        return None;
    }
    let mut summer = Summer::of(&shared.models[0]);
    let mut errors = [0.0; 2];
    let (mut distances, mut drawn) = (Vec::new(), 0);
    let look = |inputs: &Inputs, results: [u64; 2]| {
        let exact = summer.sum(inputs)?;
        for (sum, d) in errors.iter_mut().zip(results) {
            let error = Measure::RelativeToSum.error(&signature.d, d, &exact)?;
            *sum += error.approximate();
        }
        let [left, right] = results;
        if left != right {
            distances.push(ulp_distance(&signature.d, left, right).unwrap_or(u64::MAX));
        }
        drawn += 1;
        Some(match limits.stopped() {
            None => true,
            Some(stopped) => stopped == Stopped::TimeLimit && drawn < DRAWS,
        })
    };
    let found = differences(&shared.models, samples, seed, look)?;
    distances.sort_unstable();
    Some(SampleStatistics {
        samples: drawn,
        different: found.different,
        farthest: found.farthest,
        median: distances.get(distances.len() / 2).copied().unwrap_or(0),
        errors: errors.map(|sum| sum / drawn as f64),
        example: found.example,
    })
}

/// Whether two instructions give the same results.
#[derive(Clone, Debug)]
pub enum Relation {
    /// The instructions are proved equal on all finite operands.
    Equal(Basis),
    /// The instructions are proved equal on ordinary operands. Whether they differ elsewhere is
    /// shown by an example, or unknown.
    EqualOnOrdinary {
        /// The basis of the proof.
        by: Basis,
        /// Operands on which the instructions differ; `None` if none were found.
        example: Option<Witness>,
    },
    /// The instructions differ.
    Different {
        /// Operands on which the instructions differ, replayed on two simulators.
        example: Witness,
        /// Whether these are ordinary operands.
        is_ordinary: bool,
    },
    /// Neither a difference nor a proof was found.
    Unknown(Stopped),
}

/// The results of two instructions on ordinary operands drawn at random.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SampleStatistics {
    /// The number of draws of operands.
    pub samples: u64,
    /// The number of draws for which the two results differ.
    pub different: u64,
    /// The greatest distance of the two results, in ulps of the result.
    #[serde(rename = "ulps")]
    pub farthest: u64,
    /// The median of the distances of results that differ, in ulps; 0 if none differ.
    #[serde(rename = "median_ulps")]
    pub median: u64,
    /// For each of the two instructions, the mean of its errors over all draws. An error is the
    /// distance of the result from the exact sum, divided by the sum of the magnitudes of `c` and
    /// of all products.
    pub errors: [f64; 2],
    /// The first operands with the greatest distance; `None` if all results are the same.
    #[serde(skip)]
    pub example: Option<Inputs>,
}
