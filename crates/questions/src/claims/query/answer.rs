//! Answers: inputs that were found and replayed, and why the search ended.

use super::basis::Basis;
use crate::solver::engine::EngineError;
use mmasmt_core::machines::algorithms::{Inputs, Misfit};
use mmasmt_numbers::base::limits::Stopped;
use thiserror::Error;

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The inputs that were found, all different.
    pub witnesses: Vec<Witness>,
    /// Why the search ended.
    pub ended: Ended,
    /// The engines that answered, each with its version.
    pub engines: Vec<String>,
}

impl Answer {
    /// The basis of the proof that no inputs answer the question, if this is proved.
    pub fn proved(&self) -> Option<Basis> {
        match self.ended {
            Ended::NoMore { by } if self.witnesses.is_empty() => Some(by),
            _ => None,
        }
    }

    /// The first inputs that were found, if there are any.
    pub fn witness(&self) -> Option<&Witness> {
        self.witnesses.first()
    }
}

/// Inputs that answer a question, confirmed by a replay on words and on big integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The operands.
    pub inputs: Inputs,
    /// The result registers of the models that are compared, or of the only model that is asked
    /// about.
    pub results: Vec<u64>,
    /// Whether it is proved that no simpler inputs answer the question; `None` if no simpler inputs
    /// were looked for.
    pub simplest: Option<bool>,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All the inputs that were wanted were found.
    Enough,
    /// It is proved that no other inputs answer the question.
    NoMore {
        /// The basis of the proof.
        by: Basis,
    },
    /// It is proved that the question is about no inputs: no operands satisfy the assumptions, or
    /// no operands that do can be compared with others.
    Vacuous,
    /// It is not known whether other inputs answer the question, for this reason.
    Unknown(Stopped),
}

/// Why a question has no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum QueryError {
    /// Two models have different signatures.
    #[error(
        "the models do not take the same inputs: `{left}` has {left_shape}, `{right}` has {right_shape}{hint}"
    )]
    Signatures {
        /// The first model.
        left: String,
        /// The formats and the number of the first model's operands, and the format of its result.
        left_shape: String,
        /// The second model.
        right: String,
        /// The formats and the number of the second model's operands, and the format of its result.
        right_shape: String,
        /// If the models differ only in the number of products, how to make this number the same;
        /// otherwise empty.
        hint: String,
    },
    /// No inputs are in the domain.
    #[error("no {inputs}: expected assumptions that something fulfils")]
    Vacuous {
        /// The inputs that are asked for.
        inputs: String,
    },
    /// A claim that compares results with each other has no results to compare.
    #[error("{claim} says nothing: {reason}")]
    NothingCompared {
        /// The claim.
        claim: String,
        /// Why nothing is compared.
        reason: &'static str,
    },
    /// A limit was reached before there was an answer.
    #[error("no answer: {}", .0.describe())]
    Stopped(Stopped),
    /// The simulators do not confirm an answer of the engine: a defect of this program.
    #[error(
        "the engine's answer does not survive its replay, please report this: {what} on `{line}`"
    )]
    Replay {
        /// What was asked, or which instances disagree.
        what: String,
        /// The inputs, as a line of a vector file.
        line: String,
    },
    /// The error on some operands exceeds the bound that is proved: a defect of this program.
    #[error(
        "a rule was wrong, please report this: the error of `{model}` on `{line}` exceeds its proved bound"
    )]
    Bound {
        /// The model.
        model: String,
        /// The operands, as a line of a vector file.
        line: String,
    },
    /// A solver failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Inputs do not fit a model.
    #[error(transparent)]
    Misfit(#[from] Misfit),
}
