//! `distinguish`: inputs on which two models differ, or a proof that there are none.

use super::ask::{Engine, ask};
use super::basis::Basis;
use super::goal::{Difference, InDomain, assumed, is_never_met};
use super::ladder::Climbed;
use super::minimise::minimise;
use super::samples::Samples;
use super::witness::{ReplayError, Witness};
use crate::algorithms::Signature;
use crate::bits::term::scope;
use crate::engine::{EngineError, Goal, Limits, Stopped};
use crate::model::Model;
use crate::property::{Domain, SymbolicInputs, results_differ};
use crate::vectors::{Inputs, Misfit};
use std::time::Duration;
use thiserror::Error;

/// How to distinguish.
#[derive(Clone, Debug)]
pub struct Distinguish {
    /// How many different inputs are wanted, at least one.
    pub count: usize,
    /// What the solver's choices start from.
    pub seed: u64,
    /// Whether operands may be infinities and NaNs.
    pub specials: bool,
    /// What else is assumed of them.
    pub domain: Option<Domain>,
    /// How long to look for simpler inputs after each find; none to leave them as found.
    pub minimise: Option<Duration>,
    /// Who looks for inputs; the embedded engine makes them simple.
    pub engine: Engine,
}

/// One input, finite and as found, by the embedded engine.
impl Default for Distinguish {
    fn default() -> Self {
        Distinguish {
            count: 1,
            seed: 0,
            specials: false,
            domain: None,
            minimise: None,
            engine: Engine::Embedded,
        }
    }
}

/// What was found out.
#[derive(Clone, Debug)]
pub struct Found {
    /// Inputs on which the models differ, as many as were found.
    pub witnesses: Vec<(Witness, Simplest)>,
    /// What is known beyond them.
    pub answer: Answer,
    /// Who answered, each with version.
    pub engines: Vec<String>,
}

/// Whether a witness is as simple as any.
pub type Simplest = Option<bool>;

/// What ended the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// All the inputs that were asked for were found.
    Enough,
    /// Proved: there are no other inputs on which the models differ.
    NoMore {
        /// What proved it; by construction both results are the same node of the graph.
        by: Basis,
    },
    /// There may be others.
    Unknown(Stopped),
}

/// Why two models cannot be distinguished.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum QueryError {
    /// They take or give different things.
    #[error(
        "the models do not take the same inputs: `{left}` has {left_shape}, `{right}` has {right_shape}"
    )]
    Signatures {
        /// The first model.
        left: String,
        /// What it takes and gives.
        left_shape: String,
        /// The second model.
        right: String,
        /// What it takes and gives.
        right_shape: String,
    },
    /// No inputs are in the domain.
    #[error("no {inputs}: expected assumptions that something fulfils")]
    Vacuous {
        /// The inputs that are asked for.
        inputs: String,
    },
    /// A limit was reached before anything was known.
    #[error("no answer: {}", .0.describe())]
    Stopped(Stopped),
    /// An answer was not confirmed.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// A solver that is another program failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Inputs do not fit a model.
    #[error(transparent)]
    Misfit(#[from] Misfit),
}

/// Looks for inputs on which `left` and `right` give different registers.
///
/// # Errors
/// If the models do not have the same signature, or an answer of the engine is not confirmed.
pub fn distinguish(
    left: &Model,
    right: &Model,
    options: &Distinguish,
    limits: &Limits,
) -> Result<Found, QueryError> {
    distinguish_other(left, right, &[], options, limits)
}

/// As [`distinguish`], for inputs that are none of `known`.
pub(super) fn distinguish_other(
    left: &Model,
    right: &Model,
    known: &[Inputs],
    options: &Distinguish,
    limits: &Limits,
) -> Result<Found, QueryError> {
    common_signature(left, right)?;
    let models = [left, right];
    limits.report(|report| report.question = format!("{left} and {right}"));
    let mut known = known.to_vec();
    let mut engines: Vec<String> = Vec::new();
    let mut witnesses: Vec<(Witness, Simplest)> = Vec::new();
    while witnesses.len() < options.count.max(1) {
        let goal = Difference {
            known: &known,
            ..difference(models, options)
        };
        let first = witnesses.is_empty();
        let next = limits.run(|| scope(|| next(&goal, first, options, limits)));
        let (next, engine) = match next {
            Ok(next) => next?,
            Err(stopped) => (Err(Answer::Unknown(stopped)), options.engine.describe()),
        };
        if !engines.contains(&engine) {
            engines.push(engine);
        }
        match next {
            Ok((witness, simplest)) => {
                known.push(witness.inputs.clone());
                witnesses.push((witness, simplest));
            }
            Err(answer) => {
                return Ok(Found {
                    witnesses,
                    answer,
                    engines,
                });
            }
        }
    }
    Ok(Found {
        witnesses,
        answer: Answer::Enough,
        engines,
    })
}

/// A witness of the goal, or why there is no other, and who says so; `first` if none is known.
type Next = (Result<(Witness, Simplest), Answer>, String);

fn next(
    goal: &Difference<'_>,
    first: bool,
    options: &Distinguish,
    limits: &Limits,
) -> Result<Next, QueryError> {
    let models = goal.models;
    let signature = models[0].signature();
    let domain = options.domain.as_ref();
    let inputs = SymbolicInputs::new(signature);
    let question = |inputs: &SymbolicInputs| goal.formula(&inputs.by_number());
    let mut simulators = models.map(Model::simulator);
    let mut is_witness = |inputs: &Inputs| {
        let [first, second] = &mut simulators;
        (options.specials || inputs.is_finite(&signature))
            && domain.is_none_or(|domain| domain.contains(inputs))
            && (goal.known.iter()).all(|known| differs_from(&signature, inputs, known))
            && results_differ(models, [first.run(inputs), second.run(inputs)])
    };
    let fixed = |inputs: Inputs| match domain {
        Some(domain) => domain.fixed_bits(&inputs),
        None => inputs,
    };
    let sample = |times| sampled(models, options, times, limits, fixed, &mut is_witness);
    let seed = options.seed;
    let (outcome, engine) = ask(&options.engine, goal, &inputs, seed, limits, sample)?;
    let found = match outcome {
        Climbed::Found(found) => found,
        Climbed::Nothing { by } => {
            if first {
                refuse_vacuous(&signature, options, limits)?;
            }
            return Ok((Err(Answer::NoMore { by }), engine));
        }
        Climbed::Unknown(stopped) => return Ok((Err(Answer::Unknown(stopped)), engine)),
    };
    let witness = Witness::replay(models, fixed(found))?;
    let Some(budget) = options.minimise else {
        return Ok((Ok((witness, None)), engine));
    };
    let limits = limits.within(budget);
    let simple = minimise(&inputs, witness.inputs, &limits, &mut is_witness, question);
    let witness = Witness::replay(models, fixed(simple.inputs))?;
    Ok((Ok((witness, Some(simple.proved))), engine))
}

/// Models that nobody compares are not equal.
fn refuse_vacuous(
    signature: &Signature,
    options: &Distinguish,
    limits: &Limits,
) -> Result<(), QueryError> {
    let Some(domain) = &options.domain else {
        return Ok(());
    };
    let within = InDomain {
        signature: *signature,
        domain,
        specials: options.specials,
    };
    let is_empty = limits.run(|| is_never_met(&within, *signature, options.seed, limits));
    match is_empty.and_then(|is_empty| is_empty) {
        Ok(true) => Err(QueryError::Vacuous {
            inputs: assumed(options.specials, Some(domain)),
        }),
        // Not known: what is proved of all inputs in it is true in any case.
        Ok(false) | Err(_) => Ok(()),
    }
}

/// What is asked: where the models differ.
pub(super) fn difference<'x>(models: [&'x Model; 2], options: &'x Distinguish) -> Difference<'x> {
    Difference {
        models,
        domain: options.domain.as_ref(),
        specials: options.specials,
        known: &[],
    }
}

/// The signature that both models have.
///
/// # Errors
/// If they do not have the same.
pub fn common_signature(left: &Model, right: &Model) -> Result<Signature, QueryError> {
    let signature = left.signature();
    if signature == right.signature() {
        return Ok(signature);
    }
    Err(QueryError::Signatures {
        left: left.to_string(),
        left_shape: signature.to_string(),
        right: right.to_string(),
        right_shape: right.signature().to_string(),
    })
}

/// The products of all the samples that are tried; a word takes some 10 ns for one.
const SAMPLED_PRODUCTS: u32 = 300_000;

/// One of some telling samples on which the models differ: the simplest if that is wanted, else
/// the first.
fn sampled(
    models: [&Model; 2],
    options: &Distinguish,
    times: u32,
    limits: &Limits,
    place: impl Fn(Inputs) -> Inputs,
    is_witness: &mut impl FnMut(&Inputs) -> bool,
) -> Option<Inputs> {
    let samples = Samples {
        signature: models[0].signature(),
        seed: options.seed,
        products: times * SAMPLED_PRODUCTS,
        on_words: models.iter().all(|model| model.widest() <= 128),
        rare: times > 1,
        simplest: options.minimise.is_some(),
        limits,
    };
    samples.find(place, is_witness)
}

fn differs_from(signature: &Signature, inputs: &Inputs, known: &Inputs) -> bool {
    let pairs = inputs.each(signature).zip(known.each(signature));
    pairs
        .into_iter()
        .any(|((format, x), (_, y))| format.read_bits(*x) != format.read_bits(*y))
}
