//! The statements of a whole tape.

use super::error::PrintError;
use super::operands::{TapeInstruction, variable};
use super::statement;
use super::words::name;
use crate::tape::instruction::{Code, OPERATION};
use crate::tape::lower::Tape;
use mmasmt_numbers::base::limits::work;

/// The lines of all instructions; `register` gives the expression that reads an input.
pub(super) fn lines(
    tape: &Tape,
    register: impl Fn(usize) -> String,
) -> Result<Vec<String>, PrintError> {
    let mut lines = Vec::new();
    for (value, instruction) in tape.instructions.iter().enumerate() {
        work(OPERATION);
        if instruction.code == Code::Input {
            let kind = name(instruction.to);
            let register = register(instruction.constants[0] as usize);
            lines.push(format!("const {kind} {} = {register};", variable(value)));
        }
        lines.extend(statement::lines(&TapeInstruction::new(tape, value))?);
    }
    Ok(lines)
}

/// The variable of the first result.
pub(super) fn result(tape: &Tape) -> String {
    let value = tape.results.first();
    value.map_or_else(|| "0".into(), |value| variable(*value))
}
