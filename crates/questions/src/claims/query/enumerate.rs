//! Domains of few inputs: every one of them is tried on the simulators, which is a proof where none
//! answers the question.

use super::question::Question;
use super::replay::Replay;
use crate::claims::property::{Listed, results_differ};
use mmasmt_core::base::limits::{Limits, work};
use mmasmt_core::columns::batch::{Batch, Columns};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;

/// The most inputs that are tried where two models are compared, which columns do at once.
const MOST: u64 = 1 << 20;
/// The most products of all inputs together that are compared on columns, and those of all other
/// claims, which are evaluated one by one on words. Both take some 0.2 s.
const COMPARED: u64 = 30_000_000;
const EVALUATED: u64 = 500_000;
/// The cost of an input beside its products, in products.
const INPUTS: u64 = 12;
/// The inputs that are tried at once.
const BLOCK: u64 = 1 << 14;

/// The outcome of trying all inputs.
pub enum Tried {
    /// These inputs answer the question.
    By(Inputs),
    /// None of all so many inputs does.
    Nothing(u64),
}

/// Tries all inputs that the question is about; `None` if there are many, or a limit is reached. `times`
/// multiplies the effort.
pub fn try_all(question: &Question, times: u64, limits: &Limits) -> Option<Tried> {
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
    let listed = question
        .domain()
        .listed((times * all / each).min(times * MOST), question.is_finite())?;
    let found = match compared {
        Some(pairs) => compare(&pairs, &listed, limits, |inputs| replay.is_met(inputs)),
        None => evaluate(&listed, limits, |inputs| replay.is_met(inputs)),
    };
    Some(match found? {
        Some(inputs) => Tried::By(inputs),
        None => Tried::Nothing(listed.count()),
    })
}

/// The first of all inputs that `is_met`; `None` if a limit is reached.
fn evaluate(
    listed: &Listed,
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

/// The first of all inputs on which the models of every pair differ and that `is_met`; `None` if a
/// limit is reached.
fn compare(
    pairs: &[[&Model; 2]],
    listed: &Listed,
    limits: &Limits,
    mut is_met: impl FnMut(&Inputs) -> bool,
) -> Option<Option<Inputs>> {
    let signature = pairs.first()?[0].signature();
    let mut batches: Vec<[Batch<'_>; 2]> =
        pairs.iter().map(|pair| pair.map(Model::batch)).collect();
    let mut columns = Columns::new(&signature);
    let mut first = 0;
    while first < listed.count() {
        if limits.stopped().is_some() {
            return None;
        }
        let rows = BLOCK.min(listed.count() - first) as usize;
        work(BLOCK);
        columns.fill(rows, |operand, place, column| {
            column.extend(listed.column(operand, place, first).take(rows));
        });
        let mut open: Vec<usize> = (0..rows).collect();
        for (pair, both) in pairs.iter().zip(&mut batches) {
            let [left, right] = both.each_mut().map(|batch| {
                let mut results = Vec::new();
                batch.run(&columns, &mut results);
                results
            });
            open.retain(|row| results_differ(*pair, [left[*row], right[*row]]));
        }
        let mut all = open.into_iter().map(|row| listed.input(first + row as u64));
        if let Some(found) = all.find(&mut is_met) {
            return Some(Some(found));
        }
        first += rows as u64;
    }
    Some(None)
}
