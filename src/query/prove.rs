//! `prove`: whether a claim holds, or inputs that refute it.

use super::ladder::{Climbed, climb};
use super::minimise::minimise;
use super::samples::Samples;
use crate::bits::term::Scope;
use crate::engine::{Limits, Search, Stopped, Strategy, Verdict};
use crate::property::{Claim, SymbolicInputs};
use crate::vectors::Inputs;
use std::time::Duration;
use thiserror::Error;

/// How to prove.
#[derive(Clone, Debug)]
pub struct Prove {
    /// What the solver's choices and the samples start from.
    pub seed: u64,
    /// How long to look for simpler inputs; none to leave them as found.
    pub minimise: Option<Duration>,
}

/// What became of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It holds for all operands in its domain.
    Proved {
        /// Whether no solver was needed: its negation is constantly false.
        by_construction: bool,
    },
    /// It does not hold for these.
    Refuted {
        /// The operands.
        inputs: Inputs,
        /// Whether nothing simpler is known not to exist.
        simplest: bool,
    },
    /// No operands are in its domain: it says nothing.
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

/// The products of all the samples that are tried; a property evaluates its model up to some ten
/// times for each.
const SAMPLED_PRODUCTS: u32 = 600_000;

/// Whether `claim` holds.
///
/// # Errors
/// If an answer of the engine is not confirmed by a replay on words and on big integers.
pub fn prove(
    claim: &Claim,
    options: &Prove,
    limits: &Limits,
) -> Result<Outcome, UnconfirmedRefutation> {
    let signature = claim.model.signature();
    let _scope = Scope::new();
    let inputs = SymbolicInputs::new(signature);
    match is_vacuous(claim, &inputs, options.seed, limits) {
        Ok(false) => {}
        Ok(true) => return Ok(Outcome::Vacuous),
        Err(stopped) => return Ok(Outcome::Unknown(stopped)),
    }
    let question = |inputs: &SymbolicInputs| claim.is_violated(&inputs.registers);
    let mut is_witness = |inputs: &Inputs| claim.is_refuted_by(inputs);
    let sample = || sampled(claim, options, &mut is_witness);
    let found = match climb(&inputs, options.seed, limits, question, sample) {
        Climbed::Found(found) => found,
        Climbed::Nothing { by_construction } => return Ok(Outcome::Proved { by_construction }),
        Climbed::Unknown(stopped) => return Ok(Outcome::Unknown(stopped)),
    };
    let fixed = |inputs: &Inputs| claim.fixed(inputs);
    let found = confirmed(claim, fixed(&found))?;
    let Some(budget) = options.minimise else {
        return Ok(Outcome::Refuted {
            inputs: found,
            simplest: false,
        });
    };
    let limits = limits.within(budget);
    let simple = minimise(&inputs, found, &limits, &mut is_witness, question);
    Ok(Outcome::Refuted {
        inputs: confirmed(claim, fixed(&simple.inputs))?,
        simplest: simple.proved,
    })
}

/// Whether no operands are in the domain.
fn is_vacuous(
    claim: &Claim,
    inputs: &SymbolicInputs,
    seed: u64,
    limits: &Limits,
) -> Result<bool, Stopped> {
    let fixed = claim.domain.fixed(&inputs.registers);
    let holds = claim.domain.holds(&fixed);
    if let Some(holds) = holds.as_constant() {
        return Ok(!holds);
    }
    let mut search = Search::new(Strategy::Witness, seed);
    search.assert(holds);
    match search.solve(&[], limits) {
        Verdict::Sat => Ok(false),
        Verdict::Unsat => Ok(true),
        Verdict::Unknown(stopped) => Err(stopped),
    }
}

/// One of some telling samples, put into the domain, that refutes the claim: the simplest.
fn sampled(
    claim: &Claim,
    options: &Prove,
    is_witness: &mut impl FnMut(&Inputs) -> bool,
) -> Option<Inputs> {
    let samples = Samples {
        signature: claim.model.signature(),
        seed: options.seed,
        products: SAMPLED_PRODUCTS,
        on_words: claim.widest() <= 128,
        simplest: options.minimise.is_some(),
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
