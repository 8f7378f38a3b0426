//! The lines that compute values of one element: everything that they need, then they themselves.

use super::plan::{Plan, Role};
use crate::tape::instruction::Value;
use crate::tape::print::error::PrintError;
use crate::tape::print::operands::{TapeInstruction, variable};
use crate::tape::print::statement;
use crate::tape::print::words::{name, wide};
use rustc_hash::FxHashSet;

/// Lines of one element, and the values that they have computed.
pub(super) struct ElementLines<'p> {
    plan: &'p Plan<'p>,
    lines: Vec<String>,
    known: FxHashSet<Value>,
}

/// The type in which a value is kept between stages: a register has 32 bits at least.
pub(super) fn kept_type(plan: &Plan<'_>, value: Value) -> &'static str {
    name(wide(plan.tape.instructions[value].to))
}

/// The array that holds a value of each element between stages.
pub(super) fn kept(value: Value) -> String {
    format!("s{value}")
}

impl<'p> ElementLines<'p> {
    pub(super) fn new(plan: &'p Plan<'p>) -> ElementLines<'p> {
        ElementLines {
            plan,
            lines: Vec::new(),
            known: FxHashSet::default(),
        }
    }

    /// Makes the value known: read where it is kept, or computed anew.
    pub(super) fn need(&mut self, value: Value) -> Result<(), PrintError> {
        if self.known.contains(&value) {
            return Ok(());
        }
        let expression = match self.plan.roles[value] {
            Role::Left(number) => format!("lefts.v{number}[row + i]"),
            Role::Right(number) => format!("rights.v{number}[column + j]"),
            Role::Accumulator => "state[i][j]".into(),
            Role::Once => format!("{}[i][j]", kept(value)),
            Role::Anew => return self.compute(value),
        };
        let kind = name(self.plan.tape.instructions[value].to);
        let variable = variable(value);
        self.push(format!("const {kind} {variable} = ({kind}){expression};"));
        self.known.insert(value);
        Ok(())
    }

    /// Computes the value from its operands.
    pub(super) fn compute(&mut self, value: Value) -> Result<(), PrintError> {
        for arg in self.plan.operands(value) {
            self.need(arg)?;
        }
        let statement = TapeInstruction::new(self.plan.tape, value);
        self.lines.extend(statement::lines(&statement)?);
        self.known.insert(value);
        Ok(())
    }

    pub(super) fn push(&mut self, line: String) {
        self.lines.push(line);
    }

    pub(super) fn lines(self) -> Vec<String> {
        self.lines
    }
}
