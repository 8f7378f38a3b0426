//! The tape of a model as text: arrays of its registers, and what is said of them.

use super::error::ExportError;
use mmasmt_core::columns::batch::tape_of_any_operands;
use mmasmt_core::columns::tape::print::{Array, Kernel, Language};
use mmasmt_core::machines::algorithms::{Operand, OperandRow};
use mmasmt_core::machines::model::Model;

/// The tape of the model in a language; `about` says what the model is.
pub(super) fn text(
    model: &Model,
    about: &str,
    language: Language,
    name: &str,
) -> Result<String, ExportError> {
    let signature = model.signature();
    let tape = tape_of_any_operands(model).ok_or_else(|| ExportError::NoTape {
        bits: model.widest(),
        products: signature.products,
    })?;
    let kernel = Kernel {
        name,
        about,
        tape: &tape,
        inputs: signature.rows().map(array).collect(),
        result: Array {
            name: "d".into(),
            what: format!("the result, {}", signature.d),
            width: signature.d.width(),
            length: 1,
        },
    };
    Ok(kernel.text(language)?)
}

/// The array of a row of operands.
fn array(row: OperandRow) -> Array {
    let what = match row.operand {
        Operand::C => format!("the accumulator, {}", row.format),
        Operand::A | Operand::B => format!("factor k, {}", row.format),
        Operand::AScales | Operand::BScales => format!("the scale of block k, {}", row.format),
    };
    Array {
        name: row.operand.name().into(),
        what,
        width: row.format.width(),
        length: row.length,
    }
}
