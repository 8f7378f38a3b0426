//! The search among the algorithms of the tables from recorded answers: some are the evidence, and the others must confirm
//! the model. Nothing can be asked, so that inputs which show its other parameters are left to be asked.

use super::evidence::{count_to_last, failing};
use super::known::LearnProgress;
use super::learned::LearnOptions;
use super::parameters::{FIRST, found, starts};
use crate::claims::query::QueryError;
use crate::identify::changes::by_turns;
use crate::identify::score::{Fate, score_of};
use crate::identify::values::mutants;
use crate::identify::{IdentifyError, IdentifyOptions};
use crate::vectors::Vector;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use std::time::Duration;

/// The time of the solver for parameters that no answer decides, if no other is given.
const TIME: Duration = Duration::from_secs(6);
/// How many parameters may take all of that time.
const SHARES: u32 = 20;

/// Searches a model of a known algorithm that gives the answers. Returns whether one gives all of them.
///
/// # Errors
/// If an answer of the solver is not confirmed.
pub fn recorded_by_parameters(
    known: &mut LearnProgress,
    signature: &Signature,
    answered: &[Vector],
    options: &LearnOptions,
    limits: &Limits,
) -> Result<bool, IdentifyError> {
    let mut used = FIRST.min(answered.len().div_ceil(2));
    let mut evidence = answered[..used].to_vec();
    let mut starts = starts(signature, options, limits);
    loop {
        let Some(model) = found(known, &starts, &evidence, limits) else {
            return Ok(false);
        };
        let rest = &answered[used..];
        let failed = failing(&model, rest).map(|(vector, _)| vector);
        let failed: Vec<Vector> = failed.cloned().collect();
        if failed.is_empty() {
            known.confirmed = rest.len();
            let model = plainest(model, answered);
            known.model = Some(model.clone());
            settle(known, &model, answered, options, limits)?;
            return Ok(true);
        }
        used += count_to_last(rest, &failed);
        evidence.splice(0..0, failed);
        starts.insert(0, model);
    }
}

/// The model with parameters that no answer needs put back to their defaults, one after the other.
fn plainest(mut model: Model, answered: &[Vector]) -> Model {
    loop {
        let length = model.canonical().len();
        let plainer = mutants(&model).into_iter().find(|(_, other)| {
            other.canonical().len() < length && failing(other, answered).next().is_none()
        });
        match plainer {
            Some((_, other)) => model = other,
            None => return model,
        }
    }
}

/// Asks the solver about the other values of each parameter: it finds inputs that show them, or proves that they make no
/// difference.
fn settle(
    known: &mut LearnProgress,
    model: &Model,
    answered: &[Vector],
    options: &LearnOptions,
    limits: &Limits,
) -> Result<(), IdentifyError> {
    let inputs: Vec<Inputs> = answered
        .iter()
        .map(|vector| vector.inputs.clone())
        .collect();
    let time = options.settle.unwrap_or(TIME);
    let asked = IdentifyOptions::default()
        .specials(options.specials)
        .seed(options.seed)
        .budget(time / SHARES);
    let within = [limits, &limits.within(time)];
    let score = match score_of(model, by_turns(mutants(model)), &inputs, &asked, within) {
        Err(QueryError::Stopped(_)) => return Ok(()),
        score => score?,
    };
    for mutant in score.mutants {
        match mutant.fate {
            Fate::Missed(inputs) if !known.next.contains(&inputs) => known.next.push(inputs),
            Fate::Equal => {
                known.equal_texts.insert(mutant.model.canonical());
            }
            Fate::Caught(_) | Fate::Missed(_) | Fate::Unknown(_) => {}
        }
    }
    Ok(())
}
