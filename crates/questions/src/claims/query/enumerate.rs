//! Domains of few inputs: every one of them is tried on the simulators, which is a proof where none
//! answers the question.

use super::question::Question;
use super::replay::Replay;
use crate::claims::property::{DomainInputs, results_differ};
use mmasmt_core::batch::{Batch, Columns};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::{Limits, work};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::ops::Range;

/// The most inputs that are tried where two models are compared, which columns do at once.
const MOST: u64 = 1 << 20;
/// The most inputs that are tried where two conversions are compared: some seconds for each 10^9.
const MOST_CONVERTED: u64 = 1 << 32;
/// The most products of all inputs together that are compared on columns, and those of all other
/// claims, which are evaluated one by one on words. Both take some 0.2 s.
const COMPARED: u64 = 30_000_000;
const EVALUATED: u64 = 500_000;
/// The cost of an input beside its products, in products.
const INPUTS: u64 = 12;
/// The inputs that are tried at once, and those of a thread at a time.
const BLOCK: u64 = 1 << 14;
const SHARE: u64 = 1 << 24;

/// The outcome of trying all inputs.
pub enum ExhaustiveSearch {
    /// These inputs answer the question.
    By(Inputs),
    /// None of all so many inputs does.
    Nothing(u64),
}

/// Tries all inputs that the question is about; `None` if there are many, or a limit is reached. `times`
/// multiplies the effort.
pub fn try_all(question: &Question, times: u64, limits: &Limits) -> Option<ExhaustiveSearch> {
    let mut replay = Replay::of(question);
    let compared: Option<Vec<[&Model; 2]>> = question
        .claims()
        .iter()
        .map(|claim| claim.property.compared(&claim.model))
        .collect();
    // Words that are wide take as many times as long in columns, where they are no columns.
    let each = u64::from(replay.models()) * u64::from(replay.slowness());
    let each = each * (u64::from(question.signature().products) + INPUTS);
    let all = if compared.is_some() {
        COMPARED
    } else {
        EVALUATED
    };
    let most = match compared.is_some() && question.signature().is_conversion() {
        true => MOST_CONVERTED,
        false => (times * all / each).min(times * MOST),
    };
    let listed = question.domain().listed(most, question.is_finite())?;
    let found = match compared {
        Some(pairs) => compare(question, &pairs, &listed, limits),
        None => evaluate(&listed, limits, |inputs| replay.is_met(inputs)),
    };
    Some(match found? {
        Some(inputs) => ExhaustiveSearch::By(inputs),
        None => ExhaustiveSearch::Nothing(listed.count()),
    })
}

/// The first of all inputs that `is_met`; `None` if a limit is reached.
fn evaluate(
    listed: &DomainInputs,
    limits: &Limits,
    mut is_met: impl FnMut(&Inputs) -> bool,
) -> Option<Option<Inputs>> {
    for number in 0..listed.count() {
        if number % 256 == 0 && limits.stopped().is_some() {
            return None;
        }
        let inputs = listed.input(number);
        if is_met(&inputs) {
            return Some(Some(inputs));
        }
    }
    Some(None)
}

/// The first of all inputs on which the models of every pair differ and that answers the question; `None` if a
/// limit is reached.
fn compare(
    question: &Question,
    pairs: &[[&Model; 2]],
    listed: &DomainInputs,
    limits: &Limits,
) -> Option<Option<Inputs>> {
    let shares = (0..listed.count().div_ceil(SHARE)).into_par_iter();
    let of_share = |share: u64| {
        let mut replay = Replay::of(question);
        let numbers = share * SHARE..listed.count().min((share + 1) * SHARE);
        let mut found = None;
        each_difference(pairs, listed, numbers, limits, |number| {
            let inputs = listed.input(number);
            found = replay.is_met(&inputs).then_some(inputs);
            found.is_none()
        })?;
        Some(found)
    };
    let ended = shares.map(|share| limits.run(|| of_share(share)).ok().flatten());
    match ended.find_first(|ended| !matches!(ended, Some(None))) {
        None => Some(None),
        Some(ended) => ended,
    }
}

/// Calls `goes_on` for each of these numbers of inputs on which the models of every pair differ, until it is
/// false; `None` if a limit is reached.
pub(super) fn each_difference(
    pairs: &[[&Model; 2]],
    listed: &DomainInputs,
    numbers: Range<u64>,
    limits: &Limits,
    mut goes_on: impl FnMut(u64) -> bool,
) -> Option<()> {
    let signature = pairs.first()?[0].signature();
    let mut batches: Vec<[Batch<'_>; 2]> =
        pairs.iter().map(|pair| pair.map(Model::batch)).collect();
    let count = numbers.end - numbers.start;
    let each = batches.iter_mut().flatten();
    each.for_each(|batch| {
        batch.prepare_for_rows(count);
    });
    let mut columns = Columns::new(&signature);
    let mut results = [Vec::new(), Vec::new()];
    let mut open: Vec<usize> = Vec::new();
    let mut first = numbers.start;
    while first < numbers.end {
        if limits.stopped().is_some() {
            return None;
        }
        let rows = BLOCK.min(numbers.end - first) as usize;
        work(BLOCK);
        columns.fill(rows, |operand, place, column| {
            listed.fill(operand, place, first..first + rows as u64, column);
        });
        open.clear();
        open.extend(0..rows);
        for (pair, both) in pairs.iter().zip(&mut batches) {
            for (batch, results) in both.iter_mut().zip(&mut results) {
                results.clear();
                batch.run(&columns, results);
            }
            let [left, right] = &results;
            open.retain(|row| {
                let both = [left[*row], right[*row]];
                both[0] != both[1] && results_differ(*pair, both)
            });
        }
        let mut all = open.iter().map(|row| first + *row as u64);
        if !all.all(&mut goes_on) {
            break;
        }
        first += rows as u64;
    }
    Some(())
}
