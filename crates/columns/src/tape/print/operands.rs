//! An instruction that is being printed, and expressions of its operands.

use super::error::PrintError;
use super::words::{changed, cut, literal, name, plus, wide};
use crate::tape::element::Type;
use crate::tape::instruction::{Instruction, Value};
use crate::tape::lower::Tape;

/// An instruction of a tape that is being printed.
#[derive(Clone, Copy)]
pub(super) struct TapeInstruction<'t> {
    tape: &'t Tape,
    pub(super) value: Value,
    pub(super) instruction: &'t Instruction,
}

/// The variable that holds a value.
pub(super) fn variable(value: Value) -> String {
    format!("v{value}")
}

impl<'t> TapeInstruction<'t> {
    pub(super) fn new(tape: &'t Tape, value: Value) -> Self {
        TapeInstruction {
            tape,
            value,
            instruction: &tape.instructions[value],
        }
    }

    /// The variable of the operand at a position; empty if there is no such operand.
    pub(super) fn arg(&self, position: usize) -> String {
        let arg = self.instruction.args.get(position);
        arg.map_or_else(String::new, |arg| variable(*arg))
    }

    /// The operand at a position, in the type in which numbers of type `of` are computed.
    pub(super) fn wide(&self, position: usize, of: Type) -> String {
        let (text, to) = (self.arg(position), wide(of));
        let arg = self.instruction.args.get(position);
        match arg.map(|arg| self.tape.instructions[*arg].to) {
            Some(own) if own != to => format!("({}){text}", name(to)),
            _ => text,
        }
    }

    /// That this instruction has no text.
    pub(super) fn unprintable(&self) -> PrintError {
        PrintError {
            code: self.instruction.code,
            operands: self.instruction.args.len(),
        }
    }

    /// The amount of a shift of a number of type `of`: the operand at position 1, less the one at
    /// position 2 if there are three.
    pub(super) fn amount(&self, of: Type) -> Result<String, PrintError> {
        let by = self.instruction.by;
        if by > Type::U16 || by > of {
            return Err(self.unprintable());
        }
        Ok(match self.instruction.args.len() {
            3 => cut(by, &format!("{} - {}", self.wide(1, by), self.wide(2, by))),
            _ => self.arg(1),
        })
    }

    /// `x + y + k` of the operands at a position and after it, cut to the type.
    pub(super) fn sum_of_two(&self, position: usize) -> String {
        let to = self.instruction.to;
        let [x, y] = [position, position + 1].map(|position| self.wide(position, to));
        let sum = plus(&format!("{x} + {y}"), self.instruction.constants[0], to);
        cut(to, &sum)
    }

    /// A conditional sum of four operands: the choice between `x + y + k` and `l`.
    pub(super) fn conditional_sum(&self, position: usize) -> String {
        let [a, b, ..] = self.instruction.shifts[0].to_le_bytes();
        format!(
            "{} & {} ? {} : {}",
            changed(&self.arg(position + 2), a),
            changed(&self.arg(position + 3), b),
            self.sum_of_two(position),
            literal(self.instruction.constants[1], self.instruction.to)
        )
    }

    /// `x >> s & k`, in the type in which the operand is computed.
    pub(super) fn field(&self, mask: u128) -> String {
        let Instruction {
            to, from, shifts, ..
        } = *self.instruction;
        let x = self.wide(0, from);
        let shifted = match shifts[0] {
            0 => x,
            by => format!("{x} >> {by}"),
        };
        if mask & to.mask() == to.mask() && to <= from {
            return shifted;
        }
        format!("{shifted} & {}", literal(mask, from))
    }
}
