//! The tapes of a model for products of matrices on another processor: one that is split by sides, for
//! finite operands that its guards let pass, and one for any operands.

use super::arrays::{operand_array, result_array};
use super::column_data::special;
use super::compile::{OperandClass, tape, tape_of_any_operands};
use super::hoisted::{side_of, sides_of};
use crate::machines::algorithms::OperandRow;
use crate::machines::model::Model;
use mmasmt_columns::tape::print::{Array, OperandRegisters, PrintError, ProductPrograms};
use mmasmt_columns::tape::{Purpose, Side, Tape, TapeSplit};
use mmasmt_numbers::bits::HostOperations;

/// The two tapes, with the arrays that they read and write.
#[derive(Clone, Debug)]
pub struct MatrixTapes {
    split: TapeSplit,
    whole: Tape,
    operands: Vec<OperandRegisters>,
    result: Array,
}

impl MatrixTapes {
    /// The tapes of the model, for a processor with all operations of IEEE 754. `None` if the model
    /// needs wider words than tapes have, or has too many products.
    pub fn new(model: &Model) -> Option<MatrixTapes> {
        let signature = model.signature();
        let sides: Vec<Side> = sides_of(&signature).collect();
        let purpose = Purpose::Split {
            sides: &sides,
            has_guards: true,
            for_links: false,
        };
        let fast = tape(model, OperandClass::Finite, HostOperations::All, purpose)?;
        let split = fast.split(|input| sides[input])?;
        let [left, right] = &split.sides;
        Some(MatrixTapes {
            split: TapeSplit {
                sides: [left.fused(), right.fused()],
                rest: split.rest.fused().without_shared_powers(),
                ..split
            },
            whole: tape_of_any_operands(model)?,
            operands: signature.rows().map(registers).collect(),
            result: result_array(&signature),
        })
    }

    /// The kernels of products of matrices in CUDA C++, whose names begin with `name`.
    ///
    /// # Errors
    /// If a tape has an operation without a text.
    pub fn kernels(&self, name: &str, about: &str) -> Result<String, PrintError> {
        let products = ProductPrograms {
            name,
            about,
            split: &self.split,
            whole: &self.whole,
            operands: self.operands.clone(),
            result: self.result.clone(),
        };
        products.text()
    }
}

fn registers(row: OperandRow) -> OperandRegisters {
    OperandRegisters {
        array: operand_array(row),
        side: side_of(row.operand),
        plain: row.plain,
        special: special(&row.format),
    }
}
