//! Domains of few inputs: the error on every one of them.

use super::climb::{CHANGED, CLIMBS, DRAWN, INPUTS, Objective};
use super::judge::{Judge, WorstInputs};
use super::raise::RaiseOutcome;
use mmasmt_numbers::base::limits::Limits;
use rayon::prelude::*;

/// The inputs that one thread judges at once.
const BLOCK: u64 = 1 << 12;

/// The inputs with the greatest error among all of the domain of `judge`, and whether any other has
/// a greater one that underflow explains; `None` if there are more inputs than a search tries, or a
/// limit is reached.
pub fn worst_of_all(
    judge: &mut Judge<'_>,
    limits: &Limits,
) -> Option<(Option<WorstInputs>, RaiseOutcome)> {
    let cost = judge.signature().products.saturating_add(INPUTS);
    let most = (DRAWN + CHANGED * CLIMBS as u32) / cost;
    let listed = judge.domain().listed(most.into(), true)?;
    let blocks: Vec<u64> = (0..listed.count().div_ceil(BLOCK)).collect();
    let judged: Vec<Option<[Option<WorstInputs>; 2]>> = blocks
        .into_par_iter()
        .map(|block| {
            if limits.stopped().is_some() {
                return None;
            }
            let mut judge = judge.again();
            let numbers = block * BLOCK..((block + 1) * BLOCK).min(listed.count());
            let all = numbers.filter_map(|number| judge.judge(&listed.input(number)));
            Some(all.fold([None, None], greatest))
        })
        .collect();
    let mut both = [None, None];
    for [by_score, by_error] in judged.into_iter().collect::<Option<Vec<_>>>()? {
        for found in by_score.into_iter().chain(by_error) {
            both = greatest(both, found);
        }
    }
    let [by_score, by_error] = both;
    let is_explained = match (&by_score, &by_error) {
        (Some(found), Some(greatest)) => greatest.error > found.error,
        _ => false,
    };
    let inputs = listed.count();
    let raised = RaiseOutcome::AllTried {
        inputs,
        is_explained,
    };
    Some((by_score, raised))
}

/// The first inputs with the greatest score, and the first with the greatest error.
fn greatest(
    [score, error]: [Option<WorstInputs>; 2],
    found: WorstInputs,
) -> [Option<WorstInputs>; 2] {
    let is_over = |best: &Option<WorstInputs>, of: fn(&WorstInputs, &WorstInputs) -> bool| {
        best.as_ref().is_none_or(|best| of(&found, best))
    };
    let has_score = is_over(&score, |found, best| found.score > best.score);
    let has_error = is_over(&error, |found, best| found.error > best.error);
    [
        if has_score {
            Some(found.clone())
        } else {
            score
        },
        if has_error { Some(found) } else { error },
    ]
}
