//! The sums of magnitudes for which no overflow goes unseen.
//!
//! An infinity or a NaN stays one in every later step. So where each rounding beyond the greatest
//! number gives an infinity, nothing overflowed if the result is finite. Another rounding may give the
//! greatest number instead: the magnitudes then have to stay within its format.
//!
//! An epilogue whose factors are not 1 has other magnitudes in its unit than in its result. Where it saturates, those of
//! the result have to be so small that no rounding on the way overflows.

use super::bound::scaled;
use crate::vectors::measure::LinearMap;
use mmasmt_core::machines::algorithms::descriptions::{
    Action, Description, Program, Slot, Specials, ValueKind,
};
use mmasmt_core::machines::algorithms::{DotAdd, Operation};
use mmasmt_core::machines::compositions::{Composition, CompositionKind, Epilogue};
use mmasmt_core::machines::model::{Algorithm, Model};
use mmasmt_numbers::float::{Dyadic, Format, Overflow};

/// The sums of magnitudes to which a bound of errors is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MagnitudeLimit {
    /// All, if the result is finite: every overflow shows in the result.
    Nowhere,
    /// Those below 2 to the power of this exponent.
    Below(i64),
}

impl MagnitudeLimit {
    fn and(self, other: MagnitudeLimit) -> MagnitudeLimit {
        match (self, other) {
            (MagnitudeLimit::Below(x), MagnitudeLimit::Below(y)) => MagnitudeLimit::Below(x.min(y)),
            (MagnitudeLimit::Nowhere, other) => other,
            (one, MagnitudeLimit::Nowhere) => one,
        }
    }
}

/// The sums of magnitudes for which the error bound of `algorithm` holds; `None` if it has no
/// description.
pub(super) fn limits(algorithm: &Algorithm) -> Option<MagnitudeLimit> {
    Some(match algorithm {
        Algorithm::Operation(operation) => of_operation(operation)?,
        Algorithm::Chain(chain) => of_operation(chain.first())?.and(of_operation(chain.rest())?),
        Algorithm::Composition(composition) => {
            let of_unit = limits(composition.unit())?;
            let all = of_unit.and(of_additions(composition));
            match (LinearMap::of_scaled(algorithm), composition.kind()) {
                (Some(map), CompositionKind::Epilogue(epilogue))
                    if all != MagnitudeLimit::Nowhere =>
                {
                    of_scaled(composition.unit(), &map, epilogue)?
                }
                _ => all,
            }
        }
        Algorithm::Design(_) => return None,
    })
}

/// The exponent of a power of two below which no overflow of the model goes unseen; `None` if none does at all, or
/// nothing is known.
pub fn magnitude_limit(model: &Model) -> Option<i64> {
    match limits(model.algorithm()) {
        Some(MagnitudeLimit::Below(exponent)) => Some(exponent),
        Some(MagnitudeLimit::Nowhere) | None => None,
    }
}

fn of_operation(operation: &Operation) -> Option<MagnitudeLimit> {
    match operation {
        // These end with operations of f64, which give infinities.
        Operation::OzakiSlices(_) | Operation::OzakiResidues(_) => Some(MagnitudeLimit::Nowhere),
        operation => Some(of_description(operation.description()?, false)),
    }
}

/// The limits of the result of an epilogue, in its own magnitudes, below which no rounding overflows.
fn of_scaled(unit: &Algorithm, map: &LinearMap, epilogue: &Epilogue) -> Option<MagnitudeLimit> {
    let [_, of_products] = map.gains();
    let scale = Dyadic::of(&Format::F32, epilogue.scale.into())?;
    // Before the last factor, a number is less by that factor; in the unit, by that of the products.
    let in_unit = capacity(unit)? + of_products.leading_exponent()?;
    let before_scale = holding(&Format::F32) + scale.leading_exponent()?;
    let ends = [
        in_unit,
        before_scale,
        holding(&Format::F32),
        holding(&epilogue.out),
    ];
    ends.into_iter().min().map(MagnitudeLimit::Below)
}

/// The exponent of a power of two below which no rounding of a unit overflows at all; `None` if it is not known.
fn capacity(algorithm: &Algorithm) -> Option<i64> {
    let of = |operation: &Operation| match of_description(operation.description()?, true) {
        MagnitudeLimit::Below(exponent) => Some(exponent),
        MagnitudeLimit::Nowhere => None,
    };
    match algorithm {
        Algorithm::Operation(operation) => of(operation),
        Algorithm::Chain(chain) => Some(of(chain.first())?.min(of(chain.rest())?)),
        Algorithm::Composition(composition) => match composition.kind() {
            CompositionKind::Promote(_) => {
                let format = composition.signature().d;
                Some(capacity(composition.unit())?.min(holding(&format)))
            }
            _ => None,
        },
        Algorithm::Design(_) => None,
    }
}

/// The limits of a unit; with `hides`, a later step makes numbers of its infinities.
fn of_description(description: &Description, hides: bool) -> MagnitudeLimit {
    let nodes = || description.program().nodes.iter();
    // A saturating rounding makes a number of the infinity of an earlier one.
    let is_hidden = hides
        || nodes().any(|node| match &node.action {
            Action::Round(round) => round.overflow == Overflow::Greatest,
            // The code of an infinity is read as a number.
            Action::Term(term) => {
                term.specials == Specials::None && !is_operand(description.program(), term.of)
            }
            _ => false,
        });
    let roundings = nodes().filter_map(|node| match (&node.action, &node.kind) {
        (Action::Round(round), ValueKind::Register(format)) => {
            // Without infinities, a result that is too large is a number.
            let gives_infinity = round.specials != Specials::None
                && (round.overflow == Overflow::Infinity || round.by.gives_infinities());
            Some(match format.is_integer() {
                true => of_rounding(false, format),
                false => of_rounding(
                    gives_infinity && !is_hidden,
                    &format.with_fraction(round.fraction),
                ),
            })
        }
        (Action::Cap { exponent, .. }, _) if is_hidden => Some(MagnitudeLimit::Below(*exponent)),
        _ => None,
    });
    roundings.fold(MagnitudeLimit::Nowhere, MagnitudeLimit::and)
}

/// True for a register that is an operand, or one that is flushed.
fn is_operand(program: &Program, slot: Slot) -> bool {
    match program.nodes[slot as usize].action {
        Action::Operand(..) => true,
        Action::Flush(of, _) => is_operand(program, of),
        _ => false,
    }
}

fn of_rounding(gives_infinity: bool, format: &Format) -> MagnitudeLimit {
    match gives_infinity && format.has_infinity() {
        true => MagnitudeLimit::Nowhere,
        false => MagnitudeLimit::Below(holding(format)),
    }
}

/// An exponent such that the format has numbers up to one and a half times two to its power: sums below that
/// power, with an error of half of it, do not overflow.
fn holding(format: &Format) -> i64 {
    let top = i64::from(format.max_exponent());
    let greatest = Dyadic::of(format, format.greatest());
    let holds = greatest.is_some_and(|greatest| !scaled(3, top - 1).magnitude_exceeds(&greatest));
    if holds { top } else { top - 1 }
}

/// The limits of the operations beside the unit.
fn of_additions(composition: &Composition<Algorithm>) -> MagnitudeLimit {
    let format = composition.signature().d;
    match composition.kind() {
        CompositionKind::Promote(promote) if promote.every.is_none() => MagnitudeLimit::Nowhere,
        CompositionKind::Promote(promote) => {
            of_rounding(promote.rounding.gives_infinities(), &format)
        }
        CompositionKind::Split(split) => {
            let stored = [split.part_format, split.sum_format];
            let stored = stored
                .iter()
                .flatten()
                .map(|format| of_rounding(true, format));
            stored.fold(
                of_rounding(split.rounding.gives_infinities(), &format),
                MagnitudeLimit::and,
            )
        }
        CompositionKind::Epilogue(epilogue) => of_rounding(!epilogue.saturate, &epilogue.out),
        // Parts of numbers and elements may be cut to the greatest number of their format.
        CompositionKind::Scheme(_) | CompositionKind::Adapt(_) => {
            MagnitudeLimit::Below(holding(&format))
        }
        CompositionKind::Recipe(recipe) => {
            let formats = recipe.formats().into_iter();
            let limits = formats.map(|format| MagnitudeLimit::Below(holding(&format)));
            limits.fold(MagnitudeLimit::Nowhere, MagnitudeLimit::and)
        }
    }
}
