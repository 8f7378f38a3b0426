//! One input on which several pairs of models differ at once, or a proof that there is none.

use super::ladder::{Climbed, EASY_TURNS, climb};
use super::reasoned::Reasoned;
use super::samples::Samples;
use crate::bits::Prop;
use crate::bits::term::{Formula, scope};
use crate::engine::{Limits, Stopped};
use crate::model::Model;
use crate::property::{SymbolicInputs, all_finite, differ, results_differ};
use crate::vectors::Inputs;

/// Whether one input can tell pairs of models apart.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Apart {
    /// On these inputs the models of each pair give different results.
    By(Inputs),
    /// Proved: there are no such inputs.
    Never,
    /// Not known.
    Unknown(Stopped),
}

/// Products of the samples that are tried before the solver.
const SAMPLED_PRODUCTS: u32 = 100_000;

/// Looks for inputs on which the models of every one of `pairs` give different results; pairs are
/// numbers of `models`, which have one signature. Inputs are finite, or any with `specials`.
pub fn apart(
    models: &[&Model],
    pairs: &[[usize; 2]],
    specials: bool,
    seed: u64,
    limits: &Limits,
) -> Apart {
    let asked = limits.run(|| scope(|| ask(models, pairs, specials, seed, limits)));
    asked.unwrap_or_else(Apart::Unknown)
}

fn ask(
    models: &[&Model],
    pairs: &[[usize; 2]],
    specials: bool,
    seed: u64,
    limits: &Limits,
) -> Apart {
    let Some(signature) = models.first().map(|model| model.signature()) else {
        return Apart::Never;
    };
    let inputs = SymbolicInputs::new(signature);
    let formula = |inputs: &SymbolicInputs| {
        let differ =
            |[left, right]: &[usize; 2]| differ(models[*left], models[*right], &inputs.registers);
        let mut parts: Vec<Formula> = pairs.iter().map(differ).collect();
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
        let differ = |pair: &[usize; 2]| {
            results_differ(
                pair.map(|model| models[model]),
                pair.map(|model| results[model]),
            )
        };
        (specials || inputs.is_finite(&signature)) && pairs.iter().all(differ)
    };
    let sample = |times| {
        let samples = Samples {
            signature,
            seed,
            products: times * SAMPLED_PRODUCTS / models.len() as u32,
            on_words: models.iter().all(|model| model.widest() <= 128),
            rare: times > 1,
            simplest: false,
            limits,
        };
        samples.find(|inputs| inputs, &mut tells)
    };
    let nothing = (EASY_TURNS, |_, _: &Limits| Reasoned::Unknown);
    match climb(&inputs, seed, limits, formula, sample, nothing) {
        Climbed::Nothing { .. } => Apart::Never,
        Climbed::Unknown(stopped) => Apart::Unknown(stopped),
        // Believed only after a replay.
        Climbed::Found(found) if tells(&found) => Apart::By(found),
        Climbed::Found(_) => Apart::Unknown(Stopped::GaveUp),
    }
}
