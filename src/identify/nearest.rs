//! The candidates nearest to a machine, by how many of its results they give, and what excludes each.

use super::threads;
use crate::model::Model;
use crate::query::simplicity;
use crate::vectors::Vector;
use std::cmp::Reverse;

/// A candidate beside the results of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near {
    /// The candidate, by number.
    pub model: usize,
    /// How many of the results it gives.
    pub agrees: usize,
    /// The simplest inputs on which it gives another result, by number, with the register it gives;
    /// none if it gives all.
    pub excluded: Option<(usize, u64)>,
}

/// Evaluations of models for the choice of those that are compared on all inputs.
const EFFORT: usize = 2_000_000;
/// Candidates that are compared on all inputs, for each one that is wanted.
const FINALISTS: usize = 12;
/// Inputs on which a model gives another result that are looked at for the simplest.
const LOOKED_AT: usize = 500;

/// The `count` candidates that give most of the `answered` results, the nearest first. Of many
/// candidates those are compared on all inputs that do best on some of them.
pub fn nearest(models: &[Model], answered: &[&Vector], count: usize) -> Vec<Near> {
    let some = EFFORT / models.len().max(1);
    let stride = answered.len().div_ceil(some.max(8)).max(1);
    let all: Vec<usize> = (0..models.len()).collect();
    let chosen: Vec<&Vector> = answered.iter().step_by(stride).copied().collect();
    let mut order = agreements(models, &all, &chosen);
    if stride > 1 {
        let finalists: Vec<usize> = order
            .iter()
            .take(count * FINALISTS)
            .map(|(model, _)| *model)
            .collect();
        order = agreements(models, &finalists, answered);
    }
    let near = |&(model, agrees): &(usize, usize)| Near {
        model,
        agrees,
        excluded: simplest_failure(&models[model], answered),
    };
    order.iter().take(count).map(near).collect()
}

/// Models by number with how many of the results they give, most first.
fn agreements(models: &[Model], of: &[usize], answered: &[&Vector]) -> Vec<(usize, usize)> {
    let mut order = threads::map(of, of.len() * answered.len(), |&model| {
        let agrees = answered.len() - failures(&models[model], answered).count();
        (model, agrees)
    });
    order.sort_by_key(|(model, agrees)| (Reverse(*agrees), *model));
    order
}

/// The numbers of the inputs on which the model gives another result, with that.
fn failures<'x>(
    model: &'x Model,
    answered: &'x [&Vector],
) -> impl Iterator<Item = (usize, u64)> + 'x {
    let mut simulator = model.simulator();
    let vectors = answered.iter().enumerate();
    vectors.filter_map(move |(number, vector)| {
        let computed = simulator.run(&vector.inputs);
        (!model.accepts(computed, vector.d)).then_some((number, computed))
    })
}

fn simplest_failure(model: &Model, answered: &[&Vector]) -> Option<(usize, u64)> {
    let signature = model.signature();
    failures(model, answered)
        .take(LOOKED_AT)
        .min_by_key(|(number, _)| simplicity(&signature, &answered[*number].inputs))
}
