//! The cost of an answer, and the basis of a proof.

use mmasmt_questions::agreement::AgreementReason;
use mmasmt_questions::claims::query::Basis;
use mmasmt_questions::solver::engine::solver_version;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// The cost of an answer: its time, the seed of random choices, and the engines that answered.
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct Cost {
    seconds: f64,
    /// null if nothing was random.
    seed: Option<u64>,
    /// null if no engine was asked.
    engine: Option<String>,
}

impl Cost {
    /// The cost of an answer that no engine gave.
    pub fn new(seconds: f64, seed: Option<u64>) -> Cost {
        Cost {
            seconds,
            seed,
            engine: None,
        }
    }

    /// The cost of an answer of these engines.
    pub fn of_engine(seconds: f64, seed: u64, engine: String) -> Cost {
        Cost {
            seconds,
            seed: Some(seed),
            engine: Some(engine),
        }
    }

    /// The cost of an answer in which the solver inside this program had a part.
    pub fn of_own(seconds: f64, seed: u64) -> Cost {
        Cost::of_engine(seconds, seed, solver_version())
    }
}

/// The basis of a proof: `by`, with the numbers that belong to it; null if nothing is proved.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "proved", extend("type" = ["object", "null"]))]
pub(in crate::cli) struct ProofBasis(Option<Value>);

impl ProofBasis {
    /// The basis of a proof of a claim or of a difference, if there is one.
    pub fn of(basis: Option<Basis>) -> ProofBasis {
        ProofBasis(basis.map(Basis::as_json))
    }

    /// The reason for which two models agree on a domain, if they do.
    pub fn of_agreement(reason: Option<&AgreementReason>) -> ProofBasis {
        ProofBasis(reason.map(AgreementReason::as_json))
    }
}
