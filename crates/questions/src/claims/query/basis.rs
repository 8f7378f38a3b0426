//! The kinds of proofs that no inputs answer a question.

use crate::claims::exactness::Finding;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_numbers::float::Rounding;
use serde::Serialize;
use serde_json::{Value, json};

/// The kind of proof that no inputs answer a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The term layer simplified the formula to false.
    Construction,
    /// A solver refuted the whole formula.
    Solver,
    /// None of all inputs, of which there are so many, answers the question.
    AllInputs {
        /// The number of inputs.
        inputs: u64,
    },
    /// A solver refuted the rest of the formula, given facts that were proved before.
    Facts {
        /// The subject of the facts.
        about: FactSubject,
        /// How many facts the solver proved, each from the facts before it.
        solved: usize,
        /// How many facts follow from other facts by linear sums and rewriting, without the solver.
        derived: usize,
    },
    /// The exactness analysis, from multiples and magnitudes, found that nothing is lost on the
    /// way.
    Magnitudes(Finding),
    /// The claim follows from the proved bound of the model's errors, which `mmasmt worst` shows.
    Bound,
    /// Nothing on the way exceeds the greatest number of its format, by the bounds of magnitudes.
    Limits,
    /// No step of the model falls where an operand rises.
    Steps,
    /// The steps of the model read the values of its products alone.
    Summands,
    /// The two models differ in options of their steps alone that change no result.
    Options,
    /// Results are the exact sums, correctly rounded, and the claim follows from that.
    Rounding {
        /// The rounding mode.
        rounding: Rounding,
        /// Whether a solver proved the correct rounding; otherwise it holds by construction.
        solved: bool,
    },
}

/// The subject of the facts that a proof uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FactSubject {
    /// Intermediate numbers of the two models that are compared.
    Stages,
    /// The lemmas that a property names.
    Property,
}

/// The outcome of reasoning about a question.
pub enum ReasoningOutcome {
    /// No inputs answer the question.
    Never(Basis),
    /// These inputs answer the question.
    By(Inputs),
    /// It is not known whether any inputs answer the question.
    Unknown,
}

impl Basis {
    /// The basis in words that can stand after "proved".
    pub fn describe(self) -> String {
        let (about, solved, derived) = match self {
            Basis::Construction => return "by construction".into(),
            Basis::Solver => return "by the solver".into(),
            Basis::AllInputs { inputs } => return format!("by trying all {inputs} inputs"),
            Basis::Magnitudes(finding) => return finding.describe(),
            Basis::Bound => return "by the bound of errors that `mmasmt worst` tells".into(),
            Basis::Limits => {
                return "by bounds of magnitudes: nothing on the way exceeds the greatest number of its format".into();
            }
            Basis::Steps => {
                return "step by step: no step of the unit falls where an operand rises".into();
            }
            Basis::Summands => {
                return "step by step: the unit reads the values of its products alone".into();
            }
            Basis::Options => {
                return "step by step: the options in which they differ change no result".into();
            }
            Basis::Facts {
                about,
                solved,
                derived,
            } => (about, solved, derived),
            Basis::Rounding { rounding, solved } => {
                let rounded = "from correct rounding: the results are the exact sums, rounded";
                let by = if solved { "the solver" } else { "construction" };
                return format!("{rounded} {}, by {by}", rounding.describe());
            }
        };
        let about = match about {
            FactSubject::Stages => "the stages of both models",
            FactSubject::Property => "the property",
        };
        let rewriting = match derived {
            0 => String::new(),
            derived => format!(", {derived} proved by rewriting"),
        };
        format!("by the solver from facts about {about}: {solved} proved by the solver{rewriting}")
    }

    /// Whether a solver refuted all that the proof does not know by rules of the term layer.
    pub fn is_solved(self) -> bool {
        matches!(
            self,
            Basis::Solver
                | Basis::AllInputs { .. }
                | Basis::Facts { .. }
                | Basis::Rounding { solved: true, .. }
        )
    }

    /// A JSON object with the key `by`, and with a summary of the facts if the proof uses facts.
    pub fn as_json(self) -> Value {
        match self {
            Basis::Construction => json!({"by": "construction"}),
            Basis::Solver => json!({"by": "solver"}),
            Basis::AllInputs { inputs } => json!({"by": "all inputs", "inputs": inputs}),
            Basis::Magnitudes(finding) => finding.as_json(),
            Basis::Bound => json!({"by": "bound"}),
            Basis::Limits => json!({"by": "limits"}),
            Basis::Steps => json!({"by": "steps"}),
            Basis::Summands => json!({"by": "summands"}),
            Basis::Options => json!({"by": "options"}),
            Basis::Facts {
                about,
                solved,
                derived,
            } => json!({
                "by": "facts", "about": about, "by_solver": solved, "by_rewriting": derived,
            }),
            Basis::Rounding { rounding, solved } => json!({
                "by": "rounding", "rounding": rounding, "by_solver": solved,
            }),
        }
    }
}
