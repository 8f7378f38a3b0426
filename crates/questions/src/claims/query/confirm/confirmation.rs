//! Requests to other engines to confirm an answer, and their outcomes.

use crate::solver::engine::{EngineError, Solver};
use serde::Serialize;
use std::time::Duration;
use thiserror::Error;

/// The engines that are to confirm an answer, and their time limit.
#[derive(Clone, Debug)]
pub struct ConfirmationRequest {
    /// The engines, each of which is to confirm the answer.
    pub by: Vec<Solver>,
    /// The time limit of each engine.
    pub time: Duration,
    /// The seed of the engines' random choices. An answer may rest on facts that were proved on the
    /// way to it. These facts are found again before an engine is asked about them; the search for
    /// them uses the same seed.
    pub seed: u64,
}

impl ConfirmationRequest {
    /// A request for confirmation by each of these solvers, with this time limit and seed 0.
    pub fn new(by: Vec<Solver>, time: Duration) -> Self {
        ConfirmationRequest { by, time, seed: 0 }
    }

    /// The same request with the seed `seed`.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        ConfirmationRequest { seed, ..self }
    }
}

/// The outcome of a request to one engine to confirm a proof.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Confirmation {
    /// The engine's name and version.
    pub engine: String,
    /// How many seconds the engine took.
    pub seconds: f64,
    /// If the engine did not confirm the proof, why it gave no answer. To give no answer is no
    /// contradiction.
    #[serde(rename = "reason", skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// The outcomes for the facts, if the answer rests on facts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facts: Option<FactsConfirmed>,
}

/// An outcome that shows that an answer or an engine is wrong.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConfirmError {
    /// The engine found inputs, but the answer is that there are none.
    #[error(
        "{engine} contradicts what was {answer}, and its inputs survive their replay on big integers; \
         please report this: {what} on `{line}`"
    )]
    Contradicted {
        /// The engine's name and version.
        engine: String,
        /// The answer that the engine contradicts.
        answer: &'static str,
        /// What was asked.
        what: String,
        /// The inputs, as a line of a vector file.
        line: String,
    },
    /// The engine found values that refute a fact on which the answer rests.
    #[error(
        "{engine} contradicts a fact that `{what}` rests on, and by our own arithmetic its values do not satisfy \
         the fact either; please report this: {fact}: {values}"
    )]
    FactContradicted {
        /// The engine's name and version.
        engine: String,
        /// The answer that rests on the fact.
        what: String,
        /// The fact, in words.
        fact: String,
        /// The values of the inputs, by their names, and of the intermediate numbers that the fact
        /// leaves free, by their numbers.
        values: String,
    },
    /// The engine's inputs do not survive their replay.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// The outcomes of one engine for the facts that an answer rests on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FactsConfirmed {
    /// How many facts a solver proved, without the last step.
    #[serde(rename = "by_solver")]
    pub facts: usize,
    /// How many of these facts the engine confirmed.
    pub confirmed: usize,
    /// How many more facts follow by rewriting. No engine was asked about them.
    #[serde(rename = "by_rewriting")]
    pub derived: usize,
    /// True if the engine confirmed the last step, from these facts to the answer; `None` if that
    /// step follows by rewriting.
    #[serde(rename = "last_step_confirmed")]
    pub last: Option<bool>,
    /// Each fact that the engine did not confirm, and why not.
    pub missing: Vec<MissingFact>,
}

/// A fact that an engine did not confirm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MissingFact {
    /// The fact.
    pub fact: String,
    /// Why the engine gave no answer.
    pub reason: String,
}
