//! The tapes of a model as text: arrays of its registers, and what is said of them.

use super::error::ExportError;
use mmasmt_columns::tape::print::{Kernel, Language};
use mmasmt_core::batch::{MatrixTapes, operand_array, result_array, tape_of_any_operands};
use mmasmt_core::machines::model::Model;

/// The tape of the model in a language; `about` says what the model is.
pub(super) fn text(
    model: &Model,
    about: &str,
    language: Language,
    name: &str,
) -> Result<String, ExportError> {
    let tape = tape_of_any_operands(model).ok_or_else(|| none(model))?;
    let signature = model.signature();
    let kernel = Kernel {
        name,
        about,
        tape: &tape,
        inputs: signature.rows().map(operand_array).collect(),
        result: result_array(&signature),
    };
    Ok(kernel.text(language)?)
}

/// The kernels of products of matrices, in CUDA C++.
pub(super) fn kernels(model: &Model, about: &str, name: &str) -> Result<String, ExportError> {
    let tapes = MatrixTapes::new(model).ok_or_else(|| none(model))?;
    Ok(tapes.kernels(name, about)?)
}

fn none(model: &Model) -> ExportError {
    ExportError::NoTape {
        bits: model.widest(),
        products: model.signature().products,
    }
}
