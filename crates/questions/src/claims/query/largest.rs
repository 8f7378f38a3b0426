//! Witnesses that two models differ, with results as far apart as a search finds.

use super::answer::{QueryError, Witness};
use super::question::Question;
use super::replay::Replay;
use crate::inputs::{Change, Climb, Draw, Kind};
use crate::vectors::measure::{Measure, Quotient};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::{Dyadic, Format, ulp_distance};
use num_bigint::BigInt;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// How many inputs of each kind are drawn, and how many changes of the best inputs are tried.
const DRAWN: usize = 4_000;
const CHANGES: usize = 40_000;
/// The kinds of inputs that are drawn.
const KINDS: [Kind; 5] = [
    Kind::Finite,
    Kind::Close,
    Kind::Cancel,
    Kind::Edge,
    Kind::Feature,
];

/// Looks for inputs on which the two models of the question give results that are far apart: in
/// ulps, in numbers, or relative to the result of the first model. The search starts from `found`,
/// draws inputs and changes the best ones; the same seed finds the same inputs. It is not proved that no other inputs give results farther apart. If the question
/// does not compare two models, returns `found`.
///
/// # Errors
/// If the inputs that were found do not survive a replay on big integers.
pub fn largest(
    question: &Question,
    found: &Witness,
    measure: Measure,
    seed: u64,
    limits: &Limits,
) -> Result<Witness, QueryError> {
    let signature = question.signature();
    let mut replay = Replay::of(question);
    let compared = question.claims().first();
    let compared = compared.and_then(|claim| claim.property.compared(&claim.model));
    let Some([left, right]) = compared else {
        return Ok(found.clone());
    };
    let mut simulators = [left.simulator(), right.simulator()];
    let mut apart = |inputs: &Inputs| {
        let [left, right] = simulators.each_mut().map(|one| one.run(inputs));
        distance(&signature.d, measure, [left, right]).unwrap_or_else(|| whole(0))
    };
    let most = apart(&found.inputs);
    let mut climb = Climb {
        score: |inputs: &Inputs, least: &Quotient| {
            let distance = apart(inputs);
            (distance >= *least && replay.is_met(inputs)).then_some(distance)
        },
        highest: None,
        limits,
    };
    let fixed = |inputs: Inputs| question.domain().fixed_bits(&inputs);
    let drawn = KINDS.into_iter().flat_map(|kind| {
        let mut draw = Draw::new(signature, kind, seed);
        (0..DRAWN).map(move |_| draw.draw())
    });
    let best = climb.best(drawn.map(fixed), most.clone());
    let best = best.unwrap_or_else(|| (found.inputs.clone(), most));
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (best, _) = climb.climb(best, CHANGES, |inputs| {
        fixed(Change::Registers.of(&signature, inputs, &mut rng))
    });
    let mut witness = replay.confirmed(&best)?;
    witness.simplest = None;
    Ok(witness)
}

/// How far two results are apart; `None` if there is no such number, as beside a NaN, an infinity or, relative to it, zero.
fn distance(format: &Format, measure: Measure, results: [u64; 2]) -> Option<Quotient> {
    let [left, right] = results;
    if measure == Measure::Ulp {
        return ulp_distance(format, left, right).map(whole);
    }
    let [left, right] = [Dyadic::of(format, left)?, Dyadic::of(format, right)?];
    let one = Dyadic::new(BigInt::from(1), 0);
    let unit = match measure {
        Measure::Relative => &left,
        _ => &one,
    };
    let distance = Quotient::new(&left.minus(&right), unit);
    (!distance.is_infinite()).then_some(distance)
}

fn whole(number: u64) -> Quotient {
    let one = Dyadic::new(BigInt::from(1), 0);
    Quotient::new(&Dyadic::new(BigInt::from(number), 0), &one)
}
