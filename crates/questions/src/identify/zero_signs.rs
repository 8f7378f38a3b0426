//! Candidates with the other sign of a sum of zeros. Named families leave the sign as it is, because
//! it would double their candidates, so it is tried where none of the candidates is left.

use super::closed_loop::{ClosedLoop, Identification, Identified};
use super::error::IdentifyError;
use super::nearest::differs_in_zero_signs;
use super::options::IdentifyOptions;
use super::questions::FirstAnswers;
use super::threads;
use crate::vectors::Vector;
use crate::vectors::device::Device;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;

/// The key that says which sign a sum of nothing but -0 has.
pub const ZERO_SIGN: &str = "negzero";

/// The model with the other value of [`ZERO_SIGN`]; `None` if its algorithm does not have this key.
pub fn with_other_zero_sign(model: &Model) -> Option<Model> {
    let (_, own) = model.algorithm().parameters();
    let (_, own) = own.into_iter().find(|(key, _)| *key == ZERO_SIGN)?;
    let values = model.values(ZERO_SIGN, &model.signature()).ok()?;
    let other = values.into_iter().find(|value| *value != own)?;
    model.with(&format!("{ZERO_SIGN}={other}")).ok()
}

/// Of the models that differ from the results only in the signs of zeros: those with the other
/// [`ZERO_SIGN`], if they reproduce all results.
pub fn with_other_zero_signs(models: &[Model], answered: &[&Vector]) -> Vec<Model> {
    let tried = threads::map(models, models.len() * answered.len().min(100), |model| {
        let other = Some(model).filter(|model| differs_in_zero_signs(model, answered));
        let other = other.and_then(with_other_zero_sign)?;
        let mut simulator = other.simulator();
        let mut results = answered
            .iter()
            .map(|vector| (simulator.run(&vector.inputs), vector.d));
        let reproduces = results.all(|(computed, found)| other.accepts(computed, found));
        reproduces.then_some(other)
    });
    tried.into_iter().flatten().collect()
}

/// A second stage of `first`, which found that none of the `models` is left: the device is asked
/// until one class of the [models with the other sign](with_other_zero_signs) is left, and a sweep
/// of `inputs` inputs confirms it. Returns these models and the result of both stages, in which they
/// are numbered behind `models`. If none of them is left either, returns no models and `first`.
///
/// # Errors
/// As [`ClosedLoop::identify`].
pub fn identify_zero_signs(
    models: &[Model],
    first: Identified,
    device: &mut dyn Device,
    options: &IdentifyOptions,
    inputs: usize,
    limits: &Limits,
) -> Result<(Vec<Model>, Identified), IdentifyError> {
    let answered: Vec<&Vector> = first.answered.iter().collect();
    let others = match first.verdict() {
        Identification::None => with_other_zero_signs(models, &answered),
        _ => Vec::new(),
    };
    let Some(asking) = ClosedLoop::new(&others, options) else {
        return Ok((Vec::new(), first));
    };
    let asking = asking.after(FirstAnswers::known(first.answered.clone()));
    let mut second = asking.confirming(inputs).identify(device, limits)?;
    if second.verdict() == Identification::None {
        return Ok((Vec::new(), first));
    }
    for model in second.classes.iter_mut().flatten() {
        *model += models.len();
    }
    second.asked.splice(..0, first.asked);
    Ok((others, second))
}
