//! The operands and results of a model as arrays of printed tapes.

use crate::machines::algorithms::{Operand, OperandRow, Signature};
use mmasmt_columns::tape::print::Array;

/// The array of a row of operands.
pub fn operand_array(row: OperandRow) -> Array {
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

/// The array of the results.
pub fn result_array(signature: &Signature) -> Array {
    Array {
        name: "d".into(),
        what: format!("the result, {}", signature.d),
        width: signature.d.width(),
        length: 1,
    }
}
