//! One input that tells several models apart at once, or a proof that there is none.

use super::distinguish::QueryError;
use super::ladder::{Climbed, climb};
use super::samples::Samples;
use crate::bits::Prop;
use crate::bits::term::{Formula, Scope};
use crate::engine::{Limits, Stopped};
use crate::model::Model;
use crate::property::{SymbolicInputs, all_finite, differ, results_differ};
use crate::vectors::Inputs;

/// Whether one input can tell models apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Apart {
    /// On these inputs any two of the models give different results.
    By(Inputs),
    /// Proved: there are no such inputs.
    Never,
    /// Not known.
    Unknown(Stopped),
}

/// Products of the samples that are tried before the solver.
const SAMPLED_PRODUCTS: u32 = 100_000;

/// Looks for inputs on which any two of `models`, which have one signature, give different results;
/// they are finite, or any with `specials`.
///
/// # Errors
/// If the engine fails.
pub fn apart(
    models: &[&Model],
    specials: bool,
    seed: u64,
    limits: &Limits,
) -> Result<Apart, QueryError> {
    let Some(signature) = models.first().map(|model| model.signature()) else {
        return Ok(Apart::Never);
    };
    let _scope = Scope::new();
    let inputs = SymbolicInputs::new(signature);
    let pairs = || {
        let firsts = models.iter().enumerate();
        firsts
            .flat_map(|(index, left)| models[index + 1..].iter().map(move |right| [*left, *right]))
    };
    let formula = |inputs: &SymbolicInputs| {
        let differ = pairs().map(|[left, right]| differ(left, right, &inputs.registers));
        let mut parts: Vec<Formula> = differ.collect();
        if !specials {
            parts.push(all_finite(&signature, &inputs.registers));
        }
        Formula::all(parts)
    };
    let mut simulators: Vec<_> = models.iter().map(|model| model.simulator()).collect();
    let mut tells = |inputs: &Inputs| {
        let results: Vec<u64> = simulators
            .iter_mut()
            .map(|simulator| simulator.run(inputs))
            .collect();
        let firsts = models.iter().zip(&results).enumerate();
        (specials || inputs.is_finite(&signature))
            && firsts.into_iter().all(|(index, (left, x))| {
                let others = models[index + 1..].iter().zip(&results[index + 1..]);
                others
                    .into_iter()
                    .all(|(right, y)| results_differ([left, right], [*x, *y]))
            })
    };
    let samples = Samples {
        signature,
        seed,
        products: SAMPLED_PRODUCTS / models.len() as u32,
        on_words: models.iter().all(|model| model.widest() <= 128),
        simplest: false,
    };
    let sample = || samples.find(|inputs| inputs, &mut tells);
    Ok(match climb(&inputs, seed, limits, formula, sample, &[]) {
        Climbed::Nothing { .. } => Apart::Never,
        Climbed::Unknown(stopped) => Apart::Unknown(stopped),
        // Believed only after a replay.
        Climbed::Found(found) if tells(&found) => Apart::By(found),
        Climbed::Found(_) => Apart::Unknown(Stopped::GaveUp),
    })
}
