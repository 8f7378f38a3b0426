//! Registers, exact numbers and models as texts.

use crate::cli::output::{answer_text, bits};
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Format, decimal, hex_float};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Display;

/// A register: hexadecimal digits, all of those that its format has; `nan` in `d` where any NaN is
/// meant.
#[derive(Clone, Serialize, JsonSchema)]
#[schemars(extend("pattern" = "^([0-9a-f]+|nan)$"))]
pub(in crate::cli) struct RegisterText(String);

impl RegisterText {
    /// The digits of a register.
    pub fn new(format: &Format, register: u64) -> RegisterText {
        RegisterText(bits(format, register))
    }

    /// The digits of a result; `nan` for any NaN.
    pub fn of_answer(signature: &Signature, answer: u64) -> RegisterText {
        RegisterText(answer_text(signature, answer))
    }
}

/// An exact number: a C99 hexadecimal float, behind a ~ if it is cut.
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct NumberText(String);

impl NumberText {
    /// The text of an exact number.
    pub fn of(number: &impl Display) -> NumberText {
        NumberText(number.to_string())
    }
}

/// A model: its specification in canonical form, which every command takes. `name` beside it is the
/// text that was typed.
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct ModelText(String);

impl ModelText {
    /// The canonical form of a model.
    pub fn of(model: &Model) -> ModelText {
        ModelText(model.canonical())
    }
}

/// A model and its name.
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct NamedModel {
    model: ModelText,
    name: String,
}

impl NamedModel {
    /// The model with the name that was typed.
    pub fn of(model: &Model) -> NamedModel {
        NamedModel {
            model: ModelText::of(model),
            name: model.to_string(),
        }
    }
}

/// The content of a register.
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct RegisterValue {
    bits: RegisterText,
    /// A C99 hexadecimal float.
    hex: String,
    decimal: String,
}

impl RegisterValue {
    /// The content of a register of a format.
    pub fn new(format: &Format, register: u64) -> RegisterValue {
        RegisterValue {
            bits: RegisterText::new(format, register),
            hex: hex_float(format, register),
            decimal: decimal(format, register),
        }
    }
}
