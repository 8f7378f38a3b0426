//! `distinguish`: inputs on which two models differ, or a proof that there are none.

use super::ask::{Engine, Question, ask};
use super::ladder::Climbed;
use super::minimise::minimise;
use super::samples::Samples;
use super::witness::{ReplayError, Witness};
use crate::algorithms::Signature;
use crate::bits::term::{Formula, Scope, Term};
use crate::bits::{Bv, Prop};
use crate::engine::{EngineError, Limits, Script, Stopped};
use crate::model::Model;
use crate::property::{SymbolicInputs, differ, results_differ};
use crate::vectors::Inputs;
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
    /// How long to look for simpler inputs after each find; none to leave them as found.
    pub minimise: Option<Duration>,
    /// Who looks for inputs; the embedded engine makes them simple.
    pub engine: Engine,
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
pub enum Answer {
    /// All the inputs that were asked for were found.
    Enough,
    /// Proved: there are no other inputs on which the models differ.
    NoMore {
        /// Whether no solver was needed: both results are the same node of the graph.
        by_construction: bool,
    },
    /// There may be others.
    Unknown(Stopped),
}

/// Why two models cannot be distinguished.
#[derive(Debug, Error)]
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
    /// An answer was not confirmed.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// A solver that is another program failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
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
    let signature = common_signature(left, right)?;
    let models = [left, right];
    let mut engines: Vec<String> = Vec::new();
    let mut witnesses: Vec<(Witness, Simplest)> = Vec::new();
    while witnesses.len() < options.count.max(1) {
        let known: Vec<Inputs> = witnesses
            .iter()
            .map(|(witness, _)| witness.inputs.clone())
            .collect();
        let _scope = Scope::new();
        let inputs = SymbolicInputs::new(signature);
        let question = |inputs: &SymbolicInputs| formula(inputs, models, options, &known);
        let mut simulators = models.map(Model::simulator);
        let mut is_witness = |inputs: &Inputs| {
            let [first, second] = &mut simulators;
            (options.specials || inputs.is_finite(&signature))
                && known
                    .iter()
                    .all(|known| differs_from(&signature, inputs, known))
                && results_differ(models, [first.run(inputs), second.run(inputs)])
        };
        let sample = || sampled(models, options, &mut is_witness);
        let asked = Question {
            inputs: &inputs,
            formula: question,
            seed: options.seed,
        };
        let (outcome, engine) = ask(&options.engine, &asked, limits, sample)?;
        if !engines.contains(&engine) {
            engines.push(engine);
        }
        let found = match outcome {
            Climbed::Found(found) => found,
            Climbed::Nothing { by_construction } => {
                return Ok(Found {
                    witnesses,
                    answer: Answer::NoMore { by_construction },
                    engines,
                });
            }
            Climbed::Unknown(stopped) => {
                return Ok(Found {
                    witnesses,
                    answer: Answer::Unknown(stopped),
                    engines,
                });
            }
        };
        let witness = Witness::replay(models, found)?;
        let (witness, simplest) = match options.minimise {
            None => (witness, None),
            Some(budget) => {
                let limits = limits.within(budget);
                let simple = minimise(&inputs, witness.inputs, &limits, &mut is_witness, question);
                (Witness::replay(models, simple.inputs)?, Some(simple.proved))
            }
        };
        witnesses.push((witness, simplest));
    }
    Ok(Found {
        witnesses,
        answer: Answer::Enough,
        engines,
    })
}

/// The question of [`distinguish`] as an SMT-LIB script, for any solver: satisfiable iff the models
/// differ somewhere.
///
/// # Errors
/// If the models do not have the same signature.
pub fn script(left: &Model, right: &Model, options: &Distinguish) -> Result<Script, QueryError> {
    let signature = common_signature(left, right)?;
    let _scope = Scope::new();
    let inputs = SymbolicInputs::new(signature);
    let domain = if options.specials { "any" } else { "finite" };
    let about = format!(
        "mmasmt {}: satisfiable iff these models give different results on {domain} inputs\n\
         {}\n{}\n{}\n\
         inputs are registers in native bits; one that is not declared does not matter",
        env!("CARGO_PKG_VERSION"),
        left.canonical(),
        right.canonical(),
        shape(&signature),
    );
    let whole = formula(&inputs, [left, right], options, &[]);
    Ok(Script::new(whole, |index| inputs.name(index), &about))
}

/// Unsatisfiable iff the models agree on all inputs that are asked for and not `known`.
fn formula(
    inputs: &SymbolicInputs,
    [left, right]: [&Model; 2],
    options: &Distinguish,
    known: &[Inputs],
) -> Formula {
    let mut parts = vec![differ(left, right, &inputs.registers)];
    if !options.specials {
        parts.push(inputs.finite());
    }
    parts.extend(known.iter().map(|known| other_than(inputs, known)));
    Formula::all(parts)
}

/// The signature of both models.
///
/// # Errors
/// If they have not the same one.
pub fn common_signature(left: &Model, right: &Model) -> Result<Signature, QueryError> {
    let signature = left.signature();
    if signature == right.signature() {
        return Ok(signature);
    }
    Err(QueryError::Signatures {
        left: left.to_string(),
        left_shape: shape(&signature),
        right: right.to_string(),
        right_shape: shape(&right.signature()),
    })
}

/// The products of all the samples that are tried; a word takes some 10 ns for one.
const SAMPLED_PRODUCTS: u32 = 300_000;

/// One of some telling samples on which the models differ: the simplest if that is wanted, else
/// the first.
fn sampled(
    models: [&Model; 2],
    options: &Distinguish,
    is_witness: &mut impl FnMut(&Inputs) -> bool,
) -> Option<Inputs> {
    let samples = Samples {
        signature: models[0].signature(),
        seed: options.seed,
        products: SAMPLED_PRODUCTS,
        on_words: models.iter().all(|model| model.widest() <= 128),
        simplest: options.minimise.is_some(),
    };
    samples.find(|inputs| inputs, is_witness)
}

/// Unsatisfiable iff the inputs are `known`; dropped bits do not make inputs different.
fn other_than(inputs: &SymbolicInputs, known: &Inputs) -> Formula {
    let symbolic = inputs.registers.each(&inputs.signature);
    let same = symbolic.zip(known.each(&inputs.signature));
    let same = same.map(|((format, term), (_, bits))| {
        let kept = term.extract(term.width() - 1, format.dropped_bits);
        kept.equals(&Term::lit(kept.width(), bits >> format.dropped_bits))
    });
    Formula::all(same).not()
}

fn differs_from(signature: &Signature, inputs: &Inputs, known: &Inputs) -> bool {
    let pairs = inputs.each(signature).zip(known.each(signature));
    pairs
        .into_iter()
        .any(|((format, x), (_, y))| x >> format.dropped_bits != y >> format.dropped_bits)
}

fn shape(signature: &Signature) -> String {
    let Signature {
        a,
        b,
        c,
        d,
        products,
        scales,
    } = signature;
    let scales = scales.map_or_else(String::new, |scales| {
        format!(", {} scales of {}", scales.format, scales.block)
    });
    format!("{products} products {a} x {b}{scales}, c {c}, result {d}")
}
