//! Operands and results.

use super::texts::RegisterText;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use schemars::JsonSchema;
use serde::Serialize;

/// Operands: `line` as in vector files, then each row.
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct InputsObject {
    line: String,
    a: Vec<RegisterText>,
    /// None of a conversion.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    b: Vec<RegisterText>,
    /// None of most conversions.
    #[serde(skip_serializing_if = "Option::is_none")]
    c: Option<RegisterText>,
    /// Block scales of `a`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sa: Vec<RegisterText>,
    /// Block scales of `b`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sb: Vec<RegisterText>,
}

impl InputsObject {
    /// The operands of a signature.
    pub fn new(signature: &Signature, inputs: &Inputs) -> InputsObject {
        let texts = inputs.map(signature, |format, register| {
            RegisterText::new(format, *register)
        });
        InputsObject {
            line: inputs.to_line(signature),
            a: texts.a,
            b: texts.b,
            c: signature.has_c().then_some(texts.c),
            sa: texts.a_scales,
            sb: texts.b_scales,
        }
    }
}

/// Operands as in `inputs`, and results.
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct VectorObject {
    #[serde(flatten)]
    inputs: InputsObject,
    /// A result for each model that was asked, in their order.
    d: Vec<RegisterText>,
}

impl VectorObject {
    /// The operands with results.
    pub fn new(signature: &Signature, inputs: &Inputs, results: &[u64]) -> VectorObject {
        let results = results.iter();
        let d = results.map(|d| RegisterText::new(&signature.d, *d));
        VectorObject {
            inputs: InputsObject::new(signature, inputs),
            d: d.collect(),
        }
    }

    /// The operands with a result for each class of models; `nan` stands for any NaN.
    pub fn of_column(signature: &Signature, inputs: &Inputs, column: &[u64]) -> VectorObject {
        let results = column.iter();
        let d = results.map(|answer| RegisterText::of_answer(signature, *answer));
        VectorObject {
            inputs: InputsObject::new(signature, inputs),
            d: d.collect(),
        }
    }
}

/// A vector whose recorded result is not that of the model, `d`.
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct FailureObject {
    #[serde(flatten)]
    vector: VectorObject,
    /// The number of the line in a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<usize>,
    recorded: RegisterText,
}

impl FailureObject {
    /// The operands, with the result of the model and the recorded one.
    pub fn new(
        signature: &Signature,
        inputs: &Inputs,
        [computed, recorded]: [u64; 2],
    ) -> FailureObject {
        FailureObject {
            vector: VectorObject::new(signature, inputs, &[computed]),
            at: None,
            recorded: RegisterText::new(&signature.d, recorded),
        }
    }

    /// The failure, which is in this line of a file.
    pub fn in_line(self, line: usize) -> FailureObject {
        FailureObject {
            at: Some(line),
            ..self
        }
    }
}

/// A further line of JSON Lines: a vector without `line`.
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct VectorLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    c: Option<RegisterText>,
    a: Vec<RegisterText>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    b: Vec<RegisterText>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sa: Vec<RegisterText>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sb: Vec<RegisterText>,
    /// Codes of a sparse instruction; b is all that they select from then.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    e: Vec<RegisterText>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    d: Vec<RegisterText>,
}

impl VectorLine {
    /// The operands with the result of each model.
    pub fn new(signature: &Signature, inputs: &Inputs, results: &[u64]) -> VectorLine {
        let VectorObject { inputs, d } = VectorObject::new(signature, inputs, results);
        VectorLine {
            c: inputs.c,
            a: inputs.a,
            b: inputs.b,
            sa: inputs.sa,
            sb: inputs.sb,
            e: Vec::new(),
            d,
        }
    }
}
