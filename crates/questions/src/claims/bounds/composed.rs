//! Bounds of chains, promotion and split-K: steps one after the other, and parts whose sums are
//! added outside the unit.

use super::bound::ErrorBound;
use super::factors::Factors;
use super::{fused, late, rounded, schemes};
use mmasmt_core::machines::algorithms::{DotAdd, Operation};
use mmasmt_core::machines::compositions::{
    Combine, Composition, Kind, Promote, Promotion, Remainder, Split,
};
use mmasmt_core::machines::model::{Algorithm, Model};

/// A bound of the error of `model`; `None` if no lemma is known.
pub fn error_bound(model: &Model, factors: Factors) -> Option<ErrorBound> {
    of_algorithm(model.algorithm(), factors)
}

fn of_operation(operation: &Operation, factors: Factors) -> Option<ErrorBound> {
    match operation {
        Operation::Fda(fda) => fused::of_fda(fda.params(), factors),
        Operation::Hmma8(hmma8) => fused::of_hmma8(hmma8, factors),
        Operation::Exact(exact) => Some(rounded::of_format(exact.rounding, &exact.out)),
        Operation::Fdrda(fdrda) => Some(late::of_late(fdrda.params(), 1, factors)),
        Operation::Gfdrda(gfdrda) => Some(late::of_late(gfdrda.params(), 2, factors)),
        Operation::Ieee(ieee) => Some(rounded::of_ieee(ieee)),
        Operation::Sfma(sfma) => Some(rounded::of_sfma(sfma)),
        Operation::Gps(gps) => Some(rounded::of_gps(gps, factors)),
        // The magnitude of a group's sum may be far below 2^e, where e is the exponent by which the
        // sum is aligned.
        Operation::Gdfs(_) => None,
        // No lemma about flushed results, or about complements, has been proved.
        Operation::CpuDot(_) | Operation::Rdna(_) | Operation::Gaudi(_) => None,
        // If a sum of integers wraps, its error has no useful bound.
        Operation::Integer(_) => None,
        Operation::OzakiSlices(_) | Operation::OzakiResidues(_) | Operation::Description(_) => None,
    }
}

/// The error bound of `algorithm` as a step.
pub(super) fn of_algorithm(algorithm: &Algorithm, factors: Factors) -> Option<ErrorBound> {
    match algorithm {
        Algorithm::Operation(operation) => of_operation(operation, factors),
        Algorithm::Chain(chain) => {
            let first = of_operation(chain.first(), factors)?;
            let rest = of_operation(chain.rest(), factors)?;
            Some(first.then(&rest.repeated(u64::from(chain.links()) - 1)))
        }
        Algorithm::Composition(composition) => of_composition(composition, factors),
        // The gates of a design give no bound.
        Algorithm::Design(_) => None,
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
        // The exact sum includes neither the factors of an epilogue nor the rounding to the format
        // that the epilogue stores.
        Kind::Epilogue(_) => None,
    }
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
    // Sums that are stored in another format are rounded once more, and a lost residue may be all of
    // the sum.
    let is_stored = split.part_format.is_some() || split.sum_format.is_some();
    if is_stored || split.lost.is_some() {
        return None;
    }
    let (splits, tile) = (u64::from(split.splits), u64::from(split.tile).max(1));
    // The number of products of the longest part.
    let longest = products.div_ceil(tile).div_ceil(splits) * tile;
    let begun = u64::from(split.first.is_some());
    let partial = run.repeated(longest.min(products).div_ceil(step) + begun);
    let addition = rounded::of_addition(split.rounding, &composition.signature().d);
    let depth = match split.combine {
        Combine::Serial => splits - 1,
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
