//! A list as a stage: its groups of operands one after the other, each for all elements of a thread.

use super::plan::Plan;
use super::scope::{ElementLines, kept};
use super::tile::ThreadTile;
use crate::tape::instruction::Value;
use crate::tape::print::error::PrintError;
use crate::tape::print::lists::List;
use crate::tape::print::operands::variable;
use crate::tape::print::words::name;

/// The statements of the stage.
pub(super) fn stage(
    plan: &Plan<'_>,
    tile: ThreadTile,
    value: Value,
    list: &List,
) -> Result<String, PrintError> {
    let kind = name(plan.tape.instructions[value].to);
    let (own, array) = (variable(value), kept(value));
    let begin = format!("{array}[i][j] = {};", list.start);
    let mut text = tile.each(&[begin]);
    let (taken, put) = (
        format!("{kind} {own} = ({kind}){array}[i][j];"),
        format!("{array}[i][j] = {own};"),
    );
    for update in &list.updates {
        let mut scope = ElementLines::new(plan);
        for operand in list.common.iter().chain(&update.operands) {
            scope.need(*operand)?;
        }
        scope.push(taken.clone());
        scope.push(update.line.clone());
        scope.push(put.clone());
        text += &tile.each(&scope.lines());
    }
    if let Some(last) = &list.last {
        text += &tile.each(&[taken, last.clone(), put]);
    }
    Ok(text)
}
