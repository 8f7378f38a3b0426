//! Asks the solver for operands with a greater error than the greatest one found so far, until it
//! proves that there are none.

use super::climb::Objective;
use super::judge::{Judge, WorstInputs};
use crate::claims::property::Claim;
use crate::claims::query::{Ended, Options, QueryError, prove};
use crate::vectors::measure::{LinearMap, Measure};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::{Limits, Stopped};

/// The outcome of the question whether any operands have a greater error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RaiseOutcome {
    /// Proved: no error in the domain is greater by more than one part in 2^40.
    Greatest,
    /// A limit was reached.
    Unknown(Stopped),
    /// The error that the solver found is greater only because of underflow.
    Underflow,
    /// All inputs of the domain were tried, of which there are so many: none has a greater error, or
    /// none but those where underflow explains it.
    AllTried {
        /// The number of inputs.
        inputs: u64,
        /// Whether underflow explains a greater error of some.
        is_explained: bool,
    },
    /// The solver was not asked, since no claim can state that an error is greater than this one.
    NotAsked,
}

impl RaiseOutcome {
    /// The number of all inputs, if all were tried.
    pub fn tried(self) -> u64 {
        match self {
            RaiseOutcome::AllTried { inputs, .. } => inputs,
            _ => 0,
        }
    }
}

/// The number of bits to which an error is rounded in a claim.
const BITS: u32 = 40;

/// Asks the solver for operands with a greater error than the error of `found`, and repeats the
/// question with the operands that it finds. Returns the last operands found, and the outcome.
/// `assume` is the text of the domain of `judge`.
///
/// # Errors
/// If the claim cannot be made, or the engine fails.
pub fn raised(
    model: &Model,
    assume: &str,
    judge: &mut Judge<'_>,
    mut found: WorstInputs,
    limits: &Limits,
) -> Result<(WorstInputs, RaiseOutcome), QueryError> {
    let search = judge.search();
    // A claim is about the exact sum, and the error of an epilogue is not.
    if LinearMap::of(model.algorithm()).is_some() {
        return Ok((found, RaiseOutcome::NotAsked));
    }
    let options = Options::default().seed(search.seed).minimise(None);
    loop {
        let Some([_, above]) = found.error.between(BITS) else {
            return Ok((found, RaiseOutcome::NotAsked));
        };
        let property = format!("error={above}{}", suffix(search.measure));
        let Ok(claim) = Claim::new(&property, model, assume) else {
            return Ok((found, RaiseOutcome::NotAsked));
        };
        limits.report(|report| report.step = format!("anything worse than {above}"));
        let answer = prove(&claim, &options, limits)?;
        let worse = answer
            .witness()
            .and_then(|witness| judge.judge(&witness.inputs));
        match (answer.ended, worse) {
            (_, Some(worse)) if worse.score > found.score => found = worse,
            (Ended::Unknown(stopped), _) => return Ok((found, RaiseOutcome::Unknown(stopped))),
            (Ended::NoMore { .. }, _) => return Ok((found, RaiseOutcome::Greatest)),
            (_, Some(_)) => return Ok((found, RaiseOutcome::Underflow)),
            _ => return Ok((found, RaiseOutcome::NotAsked)),
        }
    }
}

fn suffix(measure: Measure) -> &'static str {
    match measure {
        Measure::Absolute => "",
        other => other.name(),
    }
}
