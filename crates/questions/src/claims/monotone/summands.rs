//! Models whose results depend on their summands alone, not on how products are made of factors.
//!
//! A number has a *value*, and an exponent that may depend on the factors: 1.5 * 1.5 and 2.25 * 1 have
//! different ones. Exact sums and roundings read values alone, and so does a fused sum that cuts
//! nothing; one that aligns its terms reads exponents too.

use super::fused::cuts_nothing;
use crate::claims::bounds::{has_numbers_of, has_room};
use mmasmt_core::machines::algorithms::descriptions::{
    Action, Extent, NegativeForm, Program, RoundSource, Slot, Specials, ValueKind, Zeros,
};
use mmasmt_core::machines::algorithms::{FlushedResults, Operand};
use mmasmt_core::machines::model::Model;
use serde_json::{Map, Value};

/// Whether the result is a function of `c`, the products and the scales, in their places.
pub fn is_of_summands(model: &Model) -> bool {
    let steps = model.algorithm().steps();
    steps.is_some_and(|steps| of_steps(&steps))
}

/// What a value of the walk is a function of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dependence {
    /// A factor, or its number, on one of both sides.
    Factor(usize, usize),
    /// The summands, but for its exponent.
    SummandsButExponent,
    /// The summands.
    Summands,
    /// More than that.
    Factors,
}

fn of_steps(program: &Program) -> bool {
    all_of(program)[program.result as usize] == Dependence::Summands
}

fn all_of(program: &Program) -> Vec<Dependence> {
    let mut all: Vec<Dependence> = Vec::with_capacity(program.nodes.len());
    for node in &program.nodes {
        let of = of_step(program, &all, &node.action, &node.kind);
        all.push(of.unwrap_or(Dependence::Factors));
    }
    all
}

/// The facts of each step in a certificate.
pub(in crate::claims) fn facts(program: &Program) -> Vec<Map<String, Value>> {
    let all = all_of(program).into_iter();
    all.map(|of| {
        let word = match of {
            Dependence::Factor(..) => "factor",
            Dependence::SummandsButExponent => "value",
            Dependence::Summands => "all",
            Dependence::Factors => return Map::new(),
        };
        Map::from_iter([("of_summands".to_owned(), Value::from(word))])
    })
    .collect()
}

/// Whether a rounding reads infinities as numbers.
fn shows_infinities(program: &Program) -> bool {
    let mut nodes = program.nodes.iter();
    nodes.any(
        |node| matches!(&node.action, Action::Round(round) if round.specials == Specials::None),
    )
}

fn of_step(
    program: &Program,
    all: &[Dependence],
    action: &Action,
    kind: &ValueKind,
) -> Option<Dependence> {
    let at = |slot: Slot| all[slot as usize];
    let mut are_summands = true;
    action.each_slot(|slot| are_summands &= at(slot) == Dependence::Summands);
    let has_value = |slot: Slot| {
        matches!(
            at(slot),
            Dependence::Summands | Dependence::SummandsButExponent
        )
    };
    let product = |x, y| match (at(x), at(y)) {
        (Dependence::Factor(side, index), Dependence::Factor(other, place)) => {
            (side != other && index == place).then_some(Dependence::SummandsButExponent)
        }
        (Dependence::Summands, Dependence::Summands) => Some(Dependence::Summands),
        _ => (has_value(x) && has_value(y)).then_some(Dependence::SummandsButExponent),
    };
    match action {
        Action::Operand(Operand::A, index) => Some(Dependence::Factor(0, *index)),
        Action::Operand(Operand::B, index) => Some(Dependence::Factor(1, *index)),
        // One's complement tells zeros of either sign apart.
        Action::Fuse(fuse) if fuse.negate != NegativeForm::Twos => None,
        // Factors that are NaNs may have a code of their own.
        Action::Replace { .. } => None,
        _ if are_summands => Some(Dependence::Summands),
        Action::Term(term) => {
            let is_plain = term.specials == Specials::Format && term.shift == 0;
            let is_hidden = term.zeros == Zeros::None || at(term.of) == Dependence::Summands;
            (is_plain && is_hidden).then(|| at(term.of))
        }
        Action::Product([x, y]) => product(*x, *y),
        // A zero has no leading one, and keeps its exponent; where it is a product, it takes no part in
        // an alignment, as its factor does not.
        Action::Normalise(of) => match program.nodes[*of as usize].action {
            Action::Product([x, _]) if matches!(at(x), Dependence::Factor(..)) => {
                has_value(*of).then_some(Dependence::Summands)
            }
            _ => None,
        },
        // A rounding without special codes shows the significand of an infinity, which depends on factors.
        Action::Cap { of, .. } => (has_value(*of) && !shows_infinities(program)).then(|| at(*of)),
        Action::Special { of, from } => {
            (has_value(*of) && from.iter().all(|slot| has_value(*slot))).then(|| at(*of))
        }
        Action::Sum { terms, .. } => terms
            .iter()
            .all(|slot| has_value(*slot))
            .then_some(Dependence::Summands),
        Action::Fuse(fuse) => {
            let slots = || fuse.terms.iter().map(|term| term.of);
            let extents: Vec<Extent> = slots().map(|slot| program.extent(slot)).collect();
            let is_exact = cuts_nothing(fuse, &extents) && has_room(fuse, &extents);
            (is_exact && slots().all(has_value)).then_some(Dependence::SummandsButExponent)
        }
        Action::Cut(cut) if cut.least.is_none() => {
            has_value(cut.of).then_some(Dependence::SummandsButExponent)
        }
        Action::Round(round) => {
            let ValueKind::Register(format) = kind else {
                return None;
            };
            match round.of {
                RoundSource::Number(slot) => has_value(slot).then_some(Dependence::Summands),
                RoundSource::Multiply([x, y]) => product(x, y).map(|_| Dependence::Summands),
                RoundSource::Fma([x, y, z]) => (product(x, y).is_some()
                    && at(z) == Dependence::Summands)
                    .then_some(Dependence::Summands),
                RoundSource::Register(slot) => match (at(slot), program.format(slot)) {
                    (Dependence::Factor(side, index), Some(from)) => {
                        // A factor that becomes zero is another one.
                        let is_kept = round.tiny == FlushedResults::Kept
                            && has_numbers_of(&format.with_fraction(round.fraction), &from);
                        is_kept.then_some(Dependence::Factor(side, index))
                    }
                    _ => None,
                },
                RoundSource::Add(_) => None,
            }
        }
        Action::Operand(..)
        | Action::Constant(_)
        | Action::Positive(_)
        | Action::Greatest(_)
        | Action::Inverse(_)
        | Action::Scaled { .. }
        | Action::Flush(..)
        | Action::Differ(_)
        | Action::Part { .. }
        | Action::Drop { .. }
        | Action::Miscount { .. }
        | Action::Cut(_) => None,
    }
}
