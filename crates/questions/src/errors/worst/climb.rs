//! The search for operands on which some quantity, such as an error, is large: it tries structured and random
//! operands, then small changes of the best operands found.

use crate::claims::property::Domain;
use crate::inputs::{Change, Climb, Sampler, far_below};
use crate::vectors::measure::Quotient;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::base::limits::Limits;
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

/// A quantity that a search maximises, on the operands in a domain.
pub trait Objective: Sized + Sync {
    /// Operands, with what is known of them.
    type Judgement: Candidate;
    /// The operands and their score; `None` if they are not in the domain or have no score.
    fn judge(&mut self, inputs: &Inputs) -> Option<Self::Judgement>;
    /// The same objective, for another thread.
    fn again(&self) -> Self;
    /// The signature of the operands.
    fn signature(&self) -> Signature;
    /// The domain of the operands.
    fn domain(&self) -> &Domain;
    /// The seed of the search.
    fn seed(&self) -> u64;
    /// The highest score that is possible, if it is known.
    fn highest(&self) -> Option<Quotient>;
}

/// Operands that a search found.
pub trait Candidate: Clone + Send {
    /// The operands.
    fn inputs(&self) -> &Inputs;
    /// The quantity that the search maximises.
    fn score(&self) -> &Quotient;
}

/// Searches for the operands with the highest score, `starts` among them. Returns those, or `None` if none with a score
/// were found, and the number of operands tried. The result is the same for the same seed, unless a limit is reached.
pub(super) fn search<O: Objective>(
    objective: &mut O,
    starts: impl Iterator<Item = Inputs>,
    limits: &Limits,
) -> (Option<O::Judgement>, u64) {
    let (signature, seed) = (objective.signature(), objective.seed());
    let domain = objective.domain().clone();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let is_on = || limits.stopped().is_none();
    let mut sampler = Sampler::new(signature, seed);
    let cost = signature.products.saturating_add(INPUTS);
    let draws = (0..DRAWN / cost).map(|_| sampler.sample());
    let mut best: Vec<O::Judgement> = Vec::new();
    let mut tried = 0;
    let range = |operand: usize| domain.range(operand).clone();
    for inputs in starts
        .chain(far_below(signature, range))
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
        let Some(judged) = objective.judge(&inputs) else {
            continue;
        };
        let place = best.partition_point(|other| other.score() >= judged.score());
        if place < CLIMBS {
            best.insert(place, judged);
            best.truncate(CLIMBS);
        }
    }
    let steps = (CHANGED / cost) as usize;
    let highest = objective.highest();
    let objective = &*objective;
    let climbed: Vec<(Option<O::Judgement>, u64)> = best
        .into_par_iter()
        .enumerate()
        .map(|(number, start)| {
            if !is_on() {
                return (Some(start), 0);
            }
            let mut objective = objective.again();
            let mut rng = ChaCha8Rng::seed_from_u64(seed.wrapping_add(number as u64 + 1));
            let mut tried = 0;
            let mut climb = Climb {
                score: |inputs: &Inputs, _: &Quotient| {
                    tried += 1;
                    objective.judge(inputs).map(|judged| judged.score().clone())
                },
                highest: highest.clone(),
                limits,
            };
            let change =
                |inputs: &Inputs| domain.equalised(Change::Runs.of(&signature, inputs, &mut rng));
            let from = (start.inputs().clone(), start.score().clone());
            let (best, _) = climb.climb(from, steps, change);
            if best == *start.inputs() {
                return (Some(start), tried);
            }
            (objective.judge(&best), tried)
        })
        .collect();
    tried += climbed.iter().map(|(_, tried)| tried).sum::<u64>();
    let best = climbed.into_iter().filter_map(|(worst, _)| worst);
    // Of several operands with the greatest score, the first are kept.
    let best = best.reduce(|best, other| {
        if other.score() > best.score() {
            other
        } else {
            best
        }
    });
    (best, tried)
}
