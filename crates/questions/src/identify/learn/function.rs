//! Whether a unit is a function of its inputs: it must answer the same inputs in the same way again,
//! in another order, and alone.

use super::session::Session;
use crate::identify::IdentifyError;
use mmasmt_core::machines::algorithms::Inputs;

/// The number of inputs that are asked alone.
const ALONE: usize = 8;

/// Asks `inputs` forwards, backwards, and some of them alone. Returns the first inputs to which the
/// unit gave two answers, with both; `None` if there are none, or a limit was reached.
///
/// # Errors
/// If the unit fails.
pub(super) fn two_answers(
    session: &mut Session<'_>,
    inputs: &[Inputs],
) -> Result<Option<(Inputs, [u64; 2])>, IdentifyError> {
    let Some(first) = session.ask(inputs)? else {
        return Ok(None);
    };
    let backwards: Vec<Inputs> = inputs.iter().rev().cloned().collect();
    let Some(mut again) = session.ask(&backwards)? else {
        return Ok(None);
    };
    again.reverse();
    let differs = |(at, (x, y)): (usize, (&u64, &u64))| (x != y).then_some((at, [*x, *y]));
    let pairs = first.iter().zip(&again).enumerate();
    if let Some((at, answers)) = pairs.into_iter().find_map(differs) {
        return Ok(Some((inputs[at].clone(), answers)));
    }
    let some = inputs.len().div_ceil(ALONE).max(1);
    for (inputs, known) in inputs.iter().zip(&first).step_by(some) {
        let Some(alone) = session.ask(std::slice::from_ref(inputs))? else {
            return Ok(None);
        };
        if alone[0] != *known {
            return Ok(Some((inputs.clone(), [*known, alone[0]])));
        }
    }
    Ok(None)
}
