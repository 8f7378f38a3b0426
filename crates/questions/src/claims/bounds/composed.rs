//! Bounds of whole models: step by step where the model has steps, else from the bounds of its parts.

use super::adapted::of_adapter;
use super::bound::{ErrorBound, scaled};
use super::factors::Factors;
use super::last_rounding::LastRounding;
use super::overflow::limits;
use super::ozaki::of_ozaki;
use super::units::{UnitBounds, of_steps};
use super::{runs, schemes};
use crate::vectors::measure::LinearMap;
use mmasmt_core::machines::algorithms::descriptions::Program;
use mmasmt_core::machines::algorithms::{DotAdd, Operation};
use mmasmt_core::machines::compositions::{Composition, CompositionKind};
use mmasmt_core::machines::model::{Algorithm, Model};

/// A bound of the error of `model`; `None` if no lemma is known.
pub fn error_bound(model: &Model, factors: Factors) -> Option<ErrorBound> {
    of_algorithm(model.algorithm(), factors)
}

/// The error bound of one operation, and its last rounding.
pub(super) fn of_operation(operation: &Operation, factors: Factors) -> Option<UnitBounds> {
    of_whole(operation, None, operation.description()?.program(), factors)
}

/// The bound of an algorithm that has steps: a model that does not read `c` has the sum of the products as
/// its exact sum, and another one may not lose `c`. Of an epilogue, `map` has the factors of both.
fn of_whole(
    algorithm: &impl DotAdd,
    map: Option<&LinearMap>,
    steps: &Program,
    factors: Factors,
) -> Option<UnitBounds> {
    let described = of_steps(steps, factors)?;
    let [of_c, of_products] = map.map_or([scaled(1, 0), scaled(1, 0)], LinearMap::gains);
    let has_gains =
        described.gains[1] == of_products && (!described.has_c || described.gains[0] == of_c);
    (described.has_c == algorithm.reads_c() && has_gains).then_some(described)
}

/// The error bound of `algorithm` as a step.
pub(super) fn of_algorithm(algorithm: &Algorithm, factors: Factors) -> Option<ErrorBound> {
    if let Some(steps) = algorithm.steps() {
        let map = LinearMap::of(algorithm);
        // Other magnitudes meet in the unit than in the result: where an overflow does not show, its limit has to be known.
        if LinearMap::of_scaled(algorithm).is_some() && limits(algorithm).is_none() {
            return None;
        }
        return Some(of_whole(algorithm, map.as_ref(), &steps, factors)?.bound);
    }
    match algorithm {
        Algorithm::Composition(composition) => of_composition(composition, factors),
        Algorithm::Operation(operation) => of_ozaki(operation, factors),
        // The gates of a design give no bound.
        Algorithm::Chain(_) | Algorithm::Design(_) => None,
    }
}

/// The last rounding of `model`, if it has steps.
pub(super) fn last_rounding(model: &Model, factors: Factors) -> Option<LastRounding> {
    let (algorithm, steps) = (model.algorithm(), model.algorithm().steps()?);
    of_whole(
        algorithm,
        LinearMap::of(algorithm).as_ref(),
        &steps,
        factors,
    )?
    .last
}

pub fn of_composition(
    composition: &Composition<Algorithm>,
    factors: Factors,
) -> Option<ErrorBound> {
    let (kind, unit) = (composition.kind(), composition.unit());
    // The bounds of runs are those of sums with `c`.
    if !unit.reads_c() {
        return None;
    }
    let (signature, run) = (unit.signature(), |factors| of_algorithm(unit, factors));
    match kind {
        CompositionKind::Scheme(scheme) => schemes::of_scheme(scheme, &signature, &run, factors),
        CompositionKind::Adapt(adapt) => of_adapter(adapt, &signature, &run, factors),
        CompositionKind::Promote(_)
        | CompositionKind::Split(_)
        | CompositionKind::Epilogue(_)
        | CompositionKind::Recipe(_) => {
            let products = composition.signature().products;
            let of = |factors| runs::of_sums(kind, &signature, run(factors)?, products);
            let (bound, is_filled_up) = of(factors)?;
            match is_filled_up && factors.filled_up() != factors {
                true => Some(of(factors.filled_up())?.0),
                false => Some(bound),
            }
        }
    }
}
