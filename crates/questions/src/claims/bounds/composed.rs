//! Bounds of chains, promotion and split-K: steps one after the other, and parts whose sums are
//! added outside the unit.

use super::adapted::of_adapter;
use super::bound::ErrorBound;
use super::factors::Factors;
use super::last_rounding::LastRounding;
use super::units::{Described, of_description};
use super::{recipes, rounded, schemes};
use mmasmt_core::machines::algorithms::{DotAdd, Operation};
use mmasmt_core::machines::compositions::{
    Activation, Combine, Composition, Epilogue, Kind, Promote, Promotion, Remainder, Split,
};
use mmasmt_core::machines::model::{Algorithm, Model};
use mmasmt_core::numbers::float::{Format, Rounding};

/// A bound of the error of `model`; `None` if no lemma is known.
pub fn error_bound(model: &Model, factors: Factors) -> Option<ErrorBound> {
    of_algorithm(model.algorithm(), factors)
}

/// The error bound of one operation, and its last rounding.
pub(super) fn of_operation(operation: &Operation, factors: Factors) -> Option<Described> {
    of_description(operation.description()?, factors)
}

/// The error bound of `algorithm` as a step.
pub(super) fn of_algorithm(algorithm: &Algorithm, factors: Factors) -> Option<ErrorBound> {
    match algorithm {
        Algorithm::Operation(operation) => Some(of_operation(operation, factors)?.bound),
        Algorithm::Chain(chain) => {
            let first = of_operation(chain.first(), factors)?.bound;
            let rest = of_operation(chain.rest(), factors)?.bound;
            Some(first.then(&rest.repeated(u64::from(chain.links()) - 1)))
        }
        Algorithm::Composition(composition) => of_composition(composition, factors),
        // The gates of a design give no bound.
        Algorithm::Design(_) => None,
    }
}

/// The last rounding of `model`: of a unit, or of the last link of a chain.
pub(super) fn last_rounding(model: &Model, factors: Factors) -> Option<LastRounding> {
    match model.algorithm() {
        Algorithm::Operation(operation) => of_operation(operation, factors)?.last,
        Algorithm::Chain(chain) => {
            let first = of_operation(chain.first(), factors)?;
            let rest = of_operation(chain.rest(), factors)?;
            let earlier = first.bound.then(
                &rest
                    .bound
                    .repeated(u64::from(chain.links()).saturating_sub(2)),
            );
            let last = rest.last?;
            Some(LastRounding {
                before: earlier.then(&last.before),
                ..last
            })
        }
        Algorithm::Composition(_) | Algorithm::Design(_) => None,
    }
}

fn of_composition(composition: &Composition<Algorithm>, factors: Factors) -> Option<ErrorBound> {
    let unit = composition.unit();
    let products = u64::from(composition.signature().products);
    let step = u64::from(unit.signature().products);
    match composition.kind() {
        Kind::Promote(promote) => {
            let run = of_algorithm(unit, factors)?;
            of_promotion(promote, &run, [products, step], composition)
        }
        Kind::Split(split) => {
            let run = of_algorithm(unit, factors)?;
            of_split(split, &run, [products, step], composition)
        }
        Kind::Scheme(scheme) => {
            let run = |factors| of_algorithm(unit, factors);
            schemes::of_scheme(scheme, &unit.signature(), &run, factors)
        }
        Kind::Epilogue(epilogue) => {
            let steps = products.div_ceil(step);
            of_epilogue(epilogue, &of_algorithm(unit, factors)?.repeated(steps))
        }
        Kind::Adapt(adapt) => {
            let run = |factors| of_algorithm(unit, factors);
            of_adapter(adapt, &unit.signature(), &run, factors)
        }
        Kind::Recipe(recipe) => {
            let run = of_algorithm(unit, factors)?;
            let products = composition.signature().products;
            recipes::of_recipe(recipe, &unit.signature(), run, products)
        }
    }
}

/// The bound of a sum from +0 to which `c` is added before it is stored. The exact sum does not have
/// the factors of an epilogue, so that these have to be 1.
fn of_epilogue(epilogue: &Epilogue, run: &ErrorBound) -> Option<ErrorBound> {
    let factors = [epilogue.alpha, epilogue.beta, epilogue.scale];
    if factors != [Epilogue::ONE; 3] || epilogue.activation != Activation::None {
        return None;
    }
    let stored = match Format::F32 == epilogue.out {
        true => ErrorBound::none(),
        false => rounded::of_format(Rounding::Rne, &epilogue.out),
    };
    let addition = rounded::of_addition(Rounding::Rne, &Format::F32);
    Some(run.added_to_c(&addition).then(&stored))
}

fn of_promotion(
    promote: &Promote,
    run: &ErrorBound,
    [products, step]: [u64; 2],
    composition: &Composition<Algorithm>,
) -> Option<ErrorBound> {
    let runs = products.div_ceil(step);
    let Some(every) = promote.every.map(u64::from) else {
        return Some(run.repeated(runs));
    };
    if promote.promotion != Promotion::Plain || promote.remainder != Remainder::Added {
        return None;
    }
    let addition = rounded::of_addition(promote.rounding, &composition.signature().d);
    let partial = run.repeated(every.min(runs));
    Some(partial.added_to_c(&addition).repeated(runs.div_ceil(every)))
}

fn of_split(
    split: &Split,
    run: &ErrorBound,
    [products, step]: [u64; 2],
    composition: &Composition<Algorithm>,
) -> Option<ErrorBound> {
    // A lost residue may be all of the sum.
    if split.lost.is_some() {
        return None;
    }
    let stored = |format: Option<Format>| {
        format.map_or_else(ErrorBound::none, |format| {
            rounded::of_format(Rounding::Rne, &format)
        })
    };
    let (splits, tile) = (u64::from(split.splits), u64::from(split.tile).max(1));
    // The number of products of the longest part.
    let longest = products.div_ceil(tile).div_ceil(splits) * tile;
    let begun = u64::from(split.first.is_some());
    let partial = run.repeated(longest.min(products).div_ceil(step) + begun);
    let partial = partial.then(&stored(split.part_format));
    // The running sum is stored after each part.
    let addition = rounded::of_addition(split.rounding, &composition.signature().d);
    let addition = addition.then(&stored(split.sum_format));
    let depth = match split.combine {
        // A first part that is stored counts as one addition.
        Combine::Serial => splits - 1 + u64::from(split.sum_format.is_some()),
        // The parts of a pair are added first, and then the sums of all pairs one after the other.
        Combine::Pairwise => splits.div_ceil(2) + 1,
        Combine::Tree | Combine::Butterfly => rounded::depth(splits),
        // Every part may have instructions that are not full.
        Combine::Chain => {
            return Some(run.repeated(products.div_ceil(step) + splits * (1 + begun)));
        }
    };
    let sum = partial.added_up(splits, depth, &addition);
    Some(sum.added_to_c(&addition))
}
