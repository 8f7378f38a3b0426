//! Compares recorded results with candidates. Finds the candidates that reproduce all results, and
//! for each other candidate a line that excludes it.

use super::threads;
use crate::vectors::Vector;
use mmasmt_core::batch::Columns;
use mmasmt_core::machines::algorithms::{Inputs, Misfit, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::work;
use mmasmt_numbers::float::Format;
use rustc_hash::FxHashMap;

/// A line of a file of results.
#[derive(Clone, Debug)]
pub struct RecordedLine {
    /// The number that the caller gave to the file.
    pub file: usize,
    /// Line number, from 1.
    pub line: usize,
    /// The operands and the machine's result.
    pub vector: Vector,
}

/// A candidate whose result differs from a recorded result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExcludedModel {
    /// The candidate, by number.
    pub model: usize,
    /// The index of the first recorded line on which the candidate's result differs.
    pub by: usize,
    /// The candidate's result on that line.
    pub computed: u64,
}

/// The outcome of comparing candidates with recorded lines.
#[derive(Clone, Debug, Default)]
pub struct Exclusion {
    /// The numbers of the candidates that reproduce every recorded result.
    pub left: Vec<usize>,
    /// All other candidates.
    pub excluded: Vec<ExcludedModel>,
}

/// The number of lines that are run first, on a simulator; these exclude most candidates.
const FIRST: usize = 256;
/// The number of lines between two checks of the limits.
const TOGETHER: usize = 4096;

/// Runs every candidate on the lines until a line excludes it. Returns which candidates are left,
/// and which are excluded by which line.
///
/// # Errors
/// If a line does not fit a candidate: it has other operands, or registers wider than the formats.
pub fn exclude(models: &[Model], recorded: &[RecordedLine]) -> Result<Exclusion, Misfit> {
    check(models, recorded.iter().map(|line| &line.vector))?;
    let columns = columns(models, recorded);
    let first_failure = |model: &Model| {
        let mut simulator = model.simulator();
        let cost = simulator.cost();
        let is_failure = |(by, computed): (usize, u64)| {
            let recorded = recorded[by].vector.d;
            (!model.accepts(computed, recorded)).then_some((by, computed))
        };
        let simulated = recorded
            .iter()
            .take(FIRST)
            .enumerate()
            .find_map(|(by, line)| {
                work(cost);
                is_failure((by, simulator.run(&line.vector.inputs)))
            });
        let signature = model.signature();
        let columns = columns.iter().find(|one| *one.signature() == signature);
        if simulated.is_some() || columns.is_none() {
            return simulated;
        }
        let (columns, mut batch) = (columns?, model.batch());
        batch.prepare_for_rows(columns.len() as u64);
        let mut computed = Vec::new();
        for start in (FIRST..columns.len()).step_by(TOGETHER) {
            let rows = start..columns.len().min(start + TOGETHER);
            work(cost * rows.len() as u64);
            computed.clear();
            batch.run_part(columns, rows, &mut computed);
            let mut numbered = (start..).zip(computed.iter().copied());
            if let Some(failure) = numbered.find_map(is_failure) {
                return Some(failure);
            }
        }
        None
    };
    let mut exclusion = Exclusion::default();
    let failures = threads::map(
        models,
        models.len() * recorded.len().min(100),
        first_failure,
    );
    for (model, failure) in failures.into_iter().enumerate() {
        match failure {
            None => exclusion.left.push(model),
            Some((by, computed)) => exclusion.excluded.push(ExcludedModel {
                model,
                by,
                computed,
            }),
        }
    }
    Ok(exclusion)
}

/// The numbers of the first two lines that have the same operands and other results, of which a machine
/// that is a function gives one alone; NaNs may have any codes.
pub fn two_answers(recorded: &[RecordedLine], d: &Format) -> Option<[usize; 2]> {
    let mut first: FxHashMap<&Inputs, usize> = FxHashMap::default();
    (0..recorded.len()).find_map(|at| {
        let vector = &recorded[at].vector;
        let before = *first.entry(&vector.inputs).or_insert(at);
        let results = [before, at].map(|at| recorded[at].vector.d);
        let is_nan = results.iter().all(|result| d.is_nan(*result));
        (results[0] != results[1] && !is_nan).then_some([before, at])
    })
}

/// The recorded operands as columns, once for each signature of the models. Empty if there are so
/// few lines that a simulator runs all of them.
fn columns(models: &[Model], recorded: &[RecordedLine]) -> Vec<Columns> {
    let mut all: Vec<Columns> = Vec::new();
    if recorded.len() <= FIRST {
        return all;
    }
    for model in models {
        let signature = model.signature();
        if all.iter().all(|columns| *columns.signature() != signature) {
            let mut columns = Columns::new(&signature);
            let inputs = recorded.iter().map(|line| &line.vector.inputs);
            inputs.for_each(|inputs| columns.push_row(inputs));
            all.push(columns);
        }
    }
    all
}

/// Checks that every vector fits every model.
///
/// # Errors
/// If a vector does not [fit](Vector::check) one of the models.
pub(super) fn check<'x>(
    models: &[Model],
    vectors: impl Iterator<Item = &'x Vector> + Clone,
) -> Result<(), Misfit> {
    let mut signatures: Vec<Signature> = Vec::new();
    for model in models {
        let signature = model.signature();
        if !signatures.contains(&signature) {
            vectors
                .clone()
                .try_for_each(|vector| vector.check(&signature))?;
            signatures.push(signature);
        }
    }
    Ok(())
}
