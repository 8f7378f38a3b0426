//! Answers: inputs that were found and replayed, and what is known beyond them.

use super::basis::Basis;
use crate::solver::engine::EngineError;
use mmasmt_core::base::limits::Stopped;
use mmasmt_core::machines::algorithms::{Inputs, Misfit};
use thiserror::Error;

/// What became of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Inputs that were asked for, all different.
    pub witnesses: Vec<Witness>,
    /// What is known beyond them.
    pub ended: Ended,
    /// Who answered, each with version.
    pub engines: Vec<String>,
}

impl Answer {
    /// What proved that there are no such inputs, if that is proved.
    pub fn proved(&self) -> Option<Basis> {
        match self.ended {
            Ended::NoMore { by } if self.witnesses.is_empty() => Some(by),
            _ => None,
        }
    }

    /// The first inputs, if there are any.
    pub fn witness(&self) -> Option<&Witness> {
        self.witnesses.first()
    }
}

/// Inputs that answer a question, as a replay on words and on big integers says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The operands.
    pub inputs: Inputs,
    /// The result registers: of the models that are compared, or of the one that is asked about.
    pub results: Vec<u64>,
    /// Whether it is proved that no simpler ones are asked for; none if none were looked for.
    pub simplest: Option<bool>,
}

/// What ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All the inputs that were wanted were found.
    Enough,
    /// Proved: there are no others.
    NoMore {
        /// What proved it.
        by: Basis,
    },
    /// Proved: no operands are as assumed, or none with which others are to be compared.
    Vacuous,
    /// There may be others.
    Unknown(Stopped),
}

/// Why a question has no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum QueryError {
    /// Two models take or give different things.
    #[error(
        "the models do not take the same inputs: `{left}` has {left_shape}, `{right}` has {right_shape}{hint}"
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
        /// What makes them alike, where they differ in the number of products alone.
        hint: String,
    },
    /// No inputs are in the domain.
    #[error("no {inputs}: expected assumptions that something fulfils")]
    Vacuous {
        /// The inputs that are asked for.
        inputs: String,
    },
    /// A claim compares results with each other, and there is nothing to compare.
    #[error("{claim} says nothing: {reason}")]
    NothingCompared {
        /// The claim.
        claim: String,
        /// Why.
        reason: &'static str,
    },
    /// A limit was reached before anything was known.
    #[error("no answer: {}", .0.describe())]
    Stopped(Stopped),
    /// An answer of the engine that the simulators do not confirm: a defect of this program.
    #[error(
        "the engine's answer does not survive its replay, please report this: {what} on `{line}`"
    )]
    Replay {
        /// What was asked, or which instances disagree.
        what: String,
        /// The inputs, as a line of a vector file.
        line: String,
    },
    /// A solver failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Inputs do not fit a model.
    #[error(transparent)]
    Misfit(#[from] Misfit),
}
