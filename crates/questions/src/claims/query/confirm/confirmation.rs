//! What other engines are asked to confirm, and what they make of it.

use crate::solver::engine::{EngineError, Solver};
use std::time::Duration;
use thiserror::Error;

/// Who is to confirm, and for how long.
#[derive(Clone, Debug)]
pub struct Confirm {
    /// Each of these.
    pub by: Vec<Solver>,
    /// How long each may take.
    pub time: Duration,
    /// What their choices start from.
    pub seed: u64,
}

impl Confirm {
    /// Each of these solvers, for so long, its choices from seed 0.
    pub fn new(by: Vec<Solver>, time: Duration) -> Self {
        Confirm { by, time, seed: 0 }
    }

    /// The solvers' choices start from this number.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Confirm { seed, ..self }
    }
}

/// What one engine made of a proof.
#[derive(Clone, Debug)]
pub struct Confirmation {
    /// Its name and version.
    pub engine: String,
    /// How long it took.
    pub seconds: f64,
    /// Why it did not confirm: it gave no answer, which is no contradiction.
    pub missing: Option<String>,
    /// What it made of each fact, where the answer rests on facts.
    pub facts: Option<FactsConfirmed>,
}

/// Why a confirmation shows that something is broken.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConfirmError {
    /// It found inputs where there are said to be none.
    #[error(
        "{engine} contradicts what was {answer}, and its inputs survive their replay on big integers; \
         please report this: {what} on `{line}`"
    )]
    Contradicted {
        /// Its name and version.
        engine: String,
        /// The answer that it contradicts.
        answer: &'static str,
        /// What was asked.
        what: String,
        /// The inputs, as a line of a vector file.
        line: String,
    },
    /// It found values for which a fact does not hold, on which the answer rests.
    #[error(
        "{engine} contradicts a fact that `{what}` rests on, and by our own arithmetic its values do not satisfy \
         the fact either; please report this: {fact}: {values}"
    )]
    FactContradicted {
        /// Its name and version.
        engine: String,
        /// The answer that rests on the fact.
        what: String,
        /// The fact, in words.
        fact: String,
        /// The values, by name of input and number of freed number.
        values: String,
    },
    /// Its inputs do not survive their replay.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// What one engine made of the facts that an answer rests on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FactsConfirmed {
    /// How many facts there are that a solver proved, but for the last step.
    pub facts: usize,
    /// How many of them it confirmed.
    pub confirmed: usize,
    /// How many more follow by rewriting. Nobody was asked about them.
    pub derived: usize,
    /// Whether it confirmed the last step, from these facts to the answer; none if that follows by
    /// rewriting.
    pub last: Option<bool>,
    /// Each that it did not confirm, and why.
    pub missing: Vec<(String, String)>,
}
