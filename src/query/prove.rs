//! `prove`: whether a claim holds, or inputs that refute it.

use super::ask::{Engine, ask};
use super::basis::Basis;
use super::goal::{ClaimGoal, is_never_met};
use super::ladder::Climbed;
use super::minimise::minimise;
use super::samples::Samples;
use crate::bits::term::scope;
use crate::engine::{EngineError, Goal, Limits, Stopped, solver_version};
use crate::property::{Claim, SymbolicInputs};
use crate::vectors::Inputs;
use std::time::Duration;
use thiserror::Error;

/// How to prove; by default by the embedded engine, with inputs left as they are found.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Prove {
    /// What the solver's choices and the samples start from.
    pub seed: u64,
    /// How long to look for simpler inputs; none to leave them as found.
    pub minimise: Option<Duration>,
    /// Who looks for inputs; the embedded engine makes them simple.
    pub engine: Engine,
}

impl Prove {
    /// The solver's choices and the samples start from this number.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Prove { seed, ..self }
    }

    /// Simpler inputs are looked for so long, or not at all.
    #[must_use]
    pub fn minimise(self, minimise: impl Into<Option<Duration>>) -> Self {
        Prove {
            minimise: minimise.into(),
            ..self
        }
    }

    /// This engine looks for inputs.
    #[must_use]
    pub fn engine(self, engine: Engine) -> Self {
        Prove { engine, ..self }
    }
}

/// What became of a claim, and by whom.
#[derive(Clone, Debug)]
pub struct Settled {
    /// What became of it.
    pub outcome: Outcome,
    /// Who answered, with version.
    pub engine: String,
}

/// What became of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// It holds for all operands in its domain.
    Proved {
        /// What proved it; by construction its negation is constantly false.
        by: Basis,
    },
    /// It does not hold for these.
    Refuted {
        /// The operands.
        inputs: Inputs,
        /// Whether nothing simpler is known not to exist.
        simplest: bool,
    },
    /// No operands are in its domain, or none with which others are to be compared: it says nothing.
    Vacuous,
    /// Not known within the limits.
    Unknown(Stopped),
}

/// An answer of the engine that the simulators do not confirm: a defect of this program.
#[derive(Debug, Error)]
#[error(
    "the engine's answer does not survive its replay, please report this: `{claim}` on `{line}`"
)]
pub struct UnconfirmedRefutation {
    claim: String,
    line: String,
}

/// Why a claim is not settled.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProveError {
    /// An answer was not confirmed.
    #[error(transparent)]
    Unconfirmed(#[from] UnconfirmedRefutation),
    /// Another engine failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// The products of all the samples that are tried; a property evaluates its model up to some ten
/// times for each.
const SAMPLED_PRODUCTS: u32 = 600_000;

/// Whether `claim` holds.
///
/// # Errors
/// If another engine fails, or an answer is not confirmed by a replay on words and on big integers.
pub fn prove(claim: &Claim, options: &Prove, limits: &Limits) -> Result<Settled, ProveError> {
    limits.report(|report| report.question = claim.to_string());
    let settled = limits.run(|| scope(|| settle(claim, options, limits)));
    settled.unwrap_or_else(|stopped| {
        Ok(Settled {
            outcome: Outcome::Unknown(stopped),
            engine: options.engine.describe(),
        })
    })
}

fn settle(claim: &Claim, options: &Prove, limits: &Limits) -> Result<Settled, ProveError> {
    let signature = claim.model.signature();
    let inputs = SymbolicInputs::new(signature);
    let settled = |outcome, engine| Ok(Settled { outcome, engine });
    match is_never_met(&ClaimGoal::About(claim), signature, options.seed, limits) {
        Ok(false) => {}
        Ok(true) => return settled(Outcome::Vacuous, solver_version()),
        Err(stopped) => return settled(Outcome::Unknown(stopped), solver_version()),
    }
    let goal = ClaimGoal::Refuted(claim);
    let question = |inputs: &SymbolicInputs| goal.formula(&inputs.by_number());
    let mut is_witness = |inputs: &Inputs| claim.is_refuted_by(inputs);
    let sample = |times| sampled(claim, options, times, limits, &mut is_witness);
    let (answer, engine) = ask(
        &options.engine,
        &goal,
        &inputs,
        options.seed,
        limits,
        sample,
    )?;
    let found = match answer {
        Climbed::Found(found) => confirmed(claim, claim.fixed(&found))?,
        Climbed::Nothing { by } => {
            return settled(Outcome::Proved { by }, engine);
        }
        Climbed::Unknown(stopped) => return settled(Outcome::Unknown(stopped), engine),
    };
    let (inputs, simplest) = match options.minimise {
        None => (found, false),
        Some(budget) => {
            let limits = limits.within(budget);
            let simple = minimise(&inputs, found, &limits, &mut is_witness, question);
            (
                confirmed(claim, claim.fixed(&simple.inputs))?,
                simple.proved,
            )
        }
    };
    settled(Outcome::Refuted { inputs, simplest }, engine)
}

/// One of some telling samples, put into the domain, that refutes the claim: the simplest.
fn sampled(
    claim: &Claim,
    options: &Prove,
    times: u32,
    limits: &Limits,
    is_witness: &mut impl FnMut(&Inputs) -> bool,
) -> Option<Inputs> {
    let samples = Samples {
        signature: claim.model.signature(),
        seed: options.seed,
        products: times * SAMPLED_PRODUCTS,
        on_words: claim.widest() <= 128,
        rare: times > 1,
        simplest: options.minimise.is_some(),
        limits,
    };
    samples.find(|inputs| claim.fixed(&inputs), is_witness)
}

/// The inputs, if both the words and the big integers say that they refute the claim.
fn confirmed(claim: &Claim, inputs: Inputs) -> Result<Inputs, UnconfirmedRefutation> {
    if claim.is_refuted_by(&inputs) && claim.is_refuted_on_big(&inputs) {
        return Ok(inputs);
    }
    Err(UnconfirmedRefutation {
        claim: claim.to_string(),
        line: inputs.to_line(&claim.model.signature()),
    })
}
