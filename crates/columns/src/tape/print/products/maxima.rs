//! The greatest sum of two numbers, one of each side, for two neighbours in a row at a time: each half
//! of a word has its own sum.

use super::floats::of_sides;
use super::plan::Plan;
use super::scope::kept;
use super::tile::ThreadTile;
use crate::tape::instruction::{Code, Value};
use crate::tape::print::lists::unraised;
use crate::tape::print::operands::{TapeInstruction, variable};
use crate::tape::print::words::name;

/// The greatest of sums of a number of each side.
pub(super) struct GreatestSum {
    pub(super) value: Value,
    /// The number of the left and of the right value of each sum.
    pub(super) pairs: Vec<[usize; 2]>,
}

impl GreatestSum {
    /// The greatest sum that is the value; `None` if it is something else.
    pub(super) fn new(plan: &Plan<'_>, value: Value) -> Option<GreatestSum> {
        let instruction = &plan.tape.instructions[value];
        if instruction.code != Code::MaximumOfPairs || plan.list(value).is_none() {
            return None;
        }
        let pairs = of_sides(plan, &instruction.args)?;
        Some(GreatestSum { value, pairs })
    }

    /// The statements of the stage.
    pub(super) fn stage(&self, plan: &Plan<'_>, tile: ThreadTile) -> String {
        let ThreadTile { rows, columns } = tile;
        let own = self.value;
        let halves = columns / 2;
        let mut text = format!("        u32 p{own}[{rows}][{halves}];\n");
        text += &tile.each_pair(&[format!("p{own}[i][j] = 0;")]);
        text += &tile.each_pair_of(self.pairs.len(), &[format!(
            "p{own}[i][j] = @greatest(lefts.p{own}[k][row + i], rights.p{own}[k][column / 2 + j], p{own}[i][j]);"
        )]);
        let statement = TapeInstruction::new(plan.tape, own);
        let (kind, variable) = (name(statement.instruction.to), variable(own));
        text + &tile.each(&[
            format!("{kind} {variable} = ({kind})(p{own}[i][j / 2] >> j % 2 * 16 & 0xffffu);"),
            unraised(&statement, &variable),
            format!("{}[i][j] = {variable};", kept(own)),
        ])
    }
}
