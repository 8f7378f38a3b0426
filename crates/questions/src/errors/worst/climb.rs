//! The search for operands with a large error: it tries structured and random operands, then small
//! changes of the best operands found.

use super::judge::{Judge, Worst};
use crate::inputs::{Change, Climb, Sampler, far_below};
use crate::vectors::measure::Quotient;
use mmasmt_core::base::limits::Limits;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::numbers::float::Format;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// The costs, in products, of all random draws (`DRAWN`) and of all changes that are made from one
/// start (`CHANGED`).
pub(super) const DRAWN: u32 = 400_000;
pub(super) const CHANGED: u32 = 2_000_000;
/// The number of best inputs from which changes are made.
pub(super) const CLIMBS: usize = 4;
/// The cost of one evaluation in addition to its products, in products.
pub(super) const INPUTS: u32 = 8;

/// Searches for the operands with the largest error, in the domain of `judge`. Returns the worst
/// operands found, or `None` if no operands were found for which an error is defined; and the
/// number of operands tried. The result is the same for the same seed, unless a limit is reached.
pub fn worst(judge: &mut Judge<'_>, limits: &Limits) -> (Option<Worst>, u64) {
    let (signature, domain) = (judge.signature(), judge.domain());
    let seed = judge.search().seed;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let is_on = || limits.stopped().is_none();
    let mut sampler = Sampler::new(signature, seed);
    let cost = signature.products.saturating_add(INPUTS);
    let draws = (0..DRAWN / cost).map(|_| sampler.sample());
    let mut best: Vec<Worst> = Vec::new();
    let mut tried = 0;
    let range = |operand: usize, format: &Format| domain.numbers(operand, format).range();
    for inputs in far_below(signature, range)
        .chain(draws)
        .take_while(|_| is_on())
    {
        tried += 1;
        let inputs = domain.fixed_bits(&inputs);
        let inputs = if domain.contains(&inputs) {
            inputs
        } else {
            match domain.place(inputs, &mut rng) {
                Ok(placed) => placed,
                Err(_) => continue,
            }
        };
        let Some(judged) = judge.judge(&inputs) else {
            continue;
        };
        let place = best.partition_point(|other| other.score >= judged.score);
        if place < CLIMBS {
            best.insert(place, judged);
            best.truncate(CLIMBS);
        }
    }
    let steps = (CHANGED / cost) as usize;
    let highest = judge.highest();
    let climbed: Vec<(Option<Worst>, u64)> = best
        .into_par_iter()
        .enumerate()
        .map(|(number, start)| {
            if !is_on() {
                return (Some(start), 0);
            }
            let mut judge = judge.again();
            let mut rng = ChaCha8Rng::seed_from_u64(seed.wrapping_add(number as u64 + 1));
            let mut tried = 0;
            let mut climb = Climb {
                score: |inputs: &Inputs, _: &Quotient| {
                    tried += 1;
                    judge.judge(inputs).map(|judged| judged.score)
                },
                highest: highest.clone(),
                limits,
            };
            let change =
                |inputs: &Inputs| domain.equalised(Change::Runs.of(&signature, inputs, &mut rng));
            let from = (start.inputs.clone(), start.score.clone());
            let (best, _) = climb.climb(from, steps, change);
            if best == start.inputs {
                return (Some(start), tried);
            }
            (judge.judge(&best), tried)
        })
        .collect();
    tried += climbed.iter().map(|(_, tried)| tried).sum::<u64>();
    let best = climbed.into_iter().filter_map(|(worst, _)| worst);
    // Of several operands with the greatest score, the first are kept.
    let best = best.reduce(|best, other| {
        if other.score > best.score {
            other
        } else {
            best
        }
    });
    (best, tried)
}
