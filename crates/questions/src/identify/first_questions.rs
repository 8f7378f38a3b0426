//! The first questions to a device: drawn inputs, which no candidate is computed for. Their answers
//! rule out most of any family, so that the search for the best inputs has few candidates left.

use super::confirm::keep;
use super::error::IdentifyError;
use super::options::IdentifyOptions;
use super::questions::{AnsweredQuestion, FirstAnswers, Questions};
use crate::inputs::{Interface, SeparatingDraws};
use crate::vectors::Vector;
use crate::vectors::device::Device;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;

/// The number of inputs that are asked first; each further question has twice as many, up to `MOST`.
const FIRST: usize = 4;
const MOST: usize = 64;
/// Inputs are drawn as long as more candidates than this are left.
const MANY: usize = 64;

/// Asks `device` the first questions. They depend on its signature alone, so that it answers while
/// the candidates are made.
///
/// # Errors
/// If the device fails.
pub fn ask_first(
    device: &mut dyn Device,
    options: &IdentifyOptions,
    limits: &Limits,
) -> Result<FirstAnswers, IdentifyError> {
    let signature = device.signature();
    let mut draws = SeparatingDraws::new(signature, options.specials, options.seed);
    let inputs: Vec<_> = (0..FIRST).map(|_| draws.draw()).collect();
    let mut questions = Questions::new(device, limits);
    questions.ask(&inputs)?;
    Ok(questions.into_answers())
}

/// Asks drawn inputs, until few candidates are left or the answers rule none out. Returns the
/// questions whose answers ruled candidates out.
pub(super) fn ask_drawn(
    models: &[Model],
    left: &mut Vec<usize>,
    questions: &mut Questions<'_>,
    options: &IdentifyOptions,
) -> Result<Vec<AnsweredQuestion>, IdentifyError> {
    let Some(interface) = Interface::of(models) else {
        return Ok(Vec::new());
    };
    let mut draws = SeparatingDraws::new(interface, options.specials, options.seed);
    let mut asked = Vec::new();
    let mut count = FIRST;
    let mut next: Vec<_> = (0..count).map(|_| draws.draw()).collect();
    let mut answered = questions.answered.clone();
    loop {
        if answered.is_empty() {
            match questions.ask(&next)? {
                Some(answers) => answered = answers.to_vec(),
                None => return Ok(asked),
            }
        }
        let before = left.len();
        for answer in answered.drain(..) {
            let many = left.len();
            if !drop_others(models, left, &answer, questions) {
                return Ok(asked);
            }
            if left.len() < many {
                asked.push(AnsweredQuestion {
                    inputs: answer.inputs,
                    result: answer.d,
                    left: left.len(),
                });
            }
        }
        if left.len() <= MANY || left.len() == before {
            return Ok(asked);
        }
        count = (2 * count).min(MOST);
        next = (0..count).map(|_| draws.draw()).collect();
    }
}

/// Drops from `left` the candidates that answer otherwise. Returns false if a limit was reached
/// before all were compared; `left` is then as it was.
pub(super) fn drop_others(
    models: &[Model],
    left: &mut Vec<usize>,
    answer: &Vector,
    questions: &mut Questions<'_>,
) -> bool {
    let kept = questions.limits.run(|| {
        let mut kept = left.clone();
        keep(models, &mut kept, std::slice::from_ref(answer));
        kept
    });
    match kept {
        Ok(kept) => {
            *left = kept;
            true
        }
        Err(stopped) => {
            questions.halt(stopped, false);
            false
        }
    }
}
