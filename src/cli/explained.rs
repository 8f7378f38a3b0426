//! The answer of `explain` as JSON.

use super::json::{NamedModel, NumberText, RegisterValue, VectorObject};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_explain::explain::{Explained, Explanation};
use mmasmt_numbers::float::{Dyadic, Format};
use mmasmt_questions::vectors::measure::{ExactSum, Measure};
use schemars::JsonSchema;
use serde::Serialize;

/// `mmasmt explain`
#[derive(Serialize, JsonSchema)]
pub(super) struct ExplainAnswer<'x> {
    #[serde(flatten)]
    model: NamedModel,
    vector: VectorObject,
    value: RegisterValue,
    steps: Vec<StepObject<'x>>,
    /// The exact sum, for --error; null if an operand is no number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("nullable" = true))]
    exact: Option<Option<ExactAnswer>>,
}

/// The exact sum of the operands, and the distance of the result from it.
#[derive(Serialize, JsonSchema)]
pub(super) struct ExactAnswer {
    sum: NumberText,
    /// The sum of the magnitudes of c and all products.
    magnitudes: NumberText,
    error: ErrorMeasures,
}

/// The error of a result in each measure; null if it is none in the measure.
#[derive(Serialize, JsonSchema)]
struct ErrorMeasures {
    abs: Option<NumberText>,
    ulp: Option<NumberText>,
    rel: Option<NumberText>,
    sum: Option<NumberText>,
}

/// A stage of an evaluation: a sum of aligned terms, or a register.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum StepObject<'x> {
    Fused(FusedStep<'x>),
    Rounded(RoundedStep<'x>),
}

#[derive(Serialize, JsonSchema)]
struct RoundedStep<'x> {
    #[schemars(extend("const" = "rounded"))]
    kind: &'static str,
    what: &'x str,
    result: RegisterValue,
}

#[derive(Serialize, JsonSchema)]
struct FusedStep<'x> {
    #[schemars(extend("const" = "fused"))]
    kind: &'static str,
    what: &'x str,
    terms: Vec<AlignedTerm<'x>>,
    max_exponent: i64,
    fraction_bits: u32,
    /// The sticky bit of what alignment lost; null in a unit that keeps none.
    sticky: Option<bool>,
    sum: NumberText,
    result: Option<RegisterValue>,
}

#[derive(Serialize, JsonSchema)]
struct AlignedTerm<'x> {
    name: &'x str,
    value: NumberText,
    exponent: i64,
    shift: i64,
    aligned: NumberText,
    lost: NumberText,
}

impl<'x> ExplainAnswer<'x> {
    pub(super) fn new(
        model: &Model,
        inputs: &Inputs,
        explained: &'x Explanation,
        exact: Option<Option<ExactAnswer>>,
    ) -> Self {
        let signature = model.signature();
        ExplainAnswer {
            model: NamedModel::of(model),
            vector: VectorObject::new(&signature, inputs, &[explained.d]),
            value: RegisterValue::new(&signature.d, explained.d),
            steps: explained.steps.iter().map(StepObject::of).collect(),
            exact,
        }
    }
}

impl ExactAnswer {
    pub(super) fn new(format: &Format, d: u64, exact: &ExactSum) -> ExactAnswer {
        let error = |measure: Measure| {
            let error = measure.error(format, d, exact);
            error.map(|error| NumberText::of(&error))
        };
        ExactAnswer {
            sum: NumberText::of(&exact.value),
            magnitudes: NumberText::of(&exact.magnitudes),
            error: ErrorMeasures {
                abs: error(Measure::Absolute),
                ulp: error(Measure::Ulp),
                rel: error(Measure::Relative),
                sum: error(Measure::RelativeToSum),
            },
        }
    }
}

impl<'x> StepObject<'x> {
    fn of(step: &'x Explained) -> Self {
        match step {
            Explained::Sum(view) => {
                let terms = view.terms.iter().map(|term| AlignedTerm {
                    name: &term.name,
                    value: NumberText::of(&term.value),
                    exponent: term.exponent,
                    shift: term.shift,
                    aligned: NumberText::of(&Dyadic::new(term.aligned.clone(), view.unit)),
                    lost: NumberText::of(&term.lost),
                });
                let result = view.result.as_ref();
                StepObject::Fused(FusedStep {
                    kind: "fused",
                    what: &view.what,
                    terms: terms.collect(),
                    max_exponent: view.max_exponent,
                    fraction_bits: view.fraction_bits,
                    sticky: view.sticky,
                    sum: NumberText::of(&view.sum),
                    result: result.map(|(format, register)| RegisterValue::new(format, *register)),
                })
            }
            Explained::Rounded {
                what,
                format,
                register,
            } => StepObject::Rounded(RoundedStep {
                kind: "rounded",
                what,
                result: RegisterValue::new(format, *register),
            }),
        }
    }
}
