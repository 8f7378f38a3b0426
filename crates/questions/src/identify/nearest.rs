//! The candidates nearest to a machine, by the number of its results that they reproduce, and for
//! each candidate the result that excludes it.

use super::exclude::check;
use super::threads;
use crate::inputs::simplicity;
use crate::vectors::Vector;
use mmasmt_core::machines::algorithms::Misfit;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::Format;
use rustc_hash::FxHasher;
use std::cmp::Reverse;
use std::hash::Hasher;

/// A candidate compared with the results of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CandidateAgreement {
    /// The candidate, by number.
    pub model: usize,
    /// The number of results that the candidate reproduces.
    pub agrees: usize,
    /// The number of other candidates that were compared on all inputs and give the same results as
    /// this one.
    pub alike: usize,
    /// The number of the simplest inputs on which the candidate's result differs, and the
    /// candidate's result on these inputs. Preferred are inputs on which results differ by more
    /// than the sign of a zero, then finite inputs. `None` if the candidate reproduces all results.
    pub excluded: Option<(usize, u64)>,
    /// Whether the candidate differs from the machine, and only in the signs of zeros.
    pub differs_in_zero_signs: bool,
}

/// The number of evaluations of models to select the finalists.
const EFFORT: usize = 2_000_000;
/// The number of finalists, which are compared on all inputs, for each candidate that is requested.
pub const FINALISTS: usize = 12;
/// The most failures of a candidate that are looked at; the simplest of them is reported.
const LOOKED_AT: usize = 500;

/// The `count` candidates that reproduce the most of the `answered` results, in order, the nearest
/// first. Of candidates with the same results, only one is listed. If there are many candidates,
/// only those that do best on a sample of the inputs are compared on all inputs.
///
/// # Errors
/// If a vector does not fit a candidate: it has other operands, or registers wider than the
/// formats.
pub fn nearest(
    models: &[Model],
    answered: &[&Vector],
    count: usize,
) -> Result<Vec<CandidateAgreement>, Misfit> {
    check(models, answered.iter().copied())?;
    Ok(nearest_of(models, answered, count))
}

/// As [`nearest`], for vectors that fit all candidates.
fn nearest_of(models: &[Model], answered: &[&Vector], count: usize) -> Vec<CandidateAgreement> {
    let some = EFFORT / models.len().max(1);
    let stride = answered.len().div_ceil(some.max(8)).max(1);
    let all: Vec<usize> = (0..models.len()).collect();
    let chosen: Vec<&Vector> = answered.iter().step_by(stride).copied().collect();
    let mut order = compared(models, &all, &chosen);
    order.truncate(count * FINALISTS);
    if stride > 1 {
        let finalists: Vec<usize> = order.iter().map(|found| found.model).collect();
        order = compared(models, &finalists, answered);
    }
    let mut nearest: Vec<(u64, CandidateAgreement)> = Vec::new();
    for found in order {
        let room = nearest.len() < count;
        let same = nearest.iter_mut().find(|(given, _)| *given == found.given);
        match same {
            Some((_, near)) => near.alike += 1,
            None if room => {
                let model = &models[found.model];
                let near = CandidateAgreement {
                    model: found.model,
                    agrees: found.agrees,
                    alike: 0,
                    excluded: simplest_failure(model, answered),
                    differs_in_zero_signs: differs_in_zero_signs(model, answered),
                };
                nearest.push((found.given, near));
            }
            None => {}
        }
    }
    nearest.into_iter().map(|(_, near)| near).collect()
}

/// How far a model agrees with the results.
struct ResultAgreement {
    model: usize,
    agrees: usize,
    /// A hash of the model's results that differ from the machine's.
    given: u64,
}

/// Compares the models with the numbers `of` with the results. Returns the models in order: those
/// that reproduce the most results come first.
fn compared(models: &[Model], of: &[usize], answered: &[&Vector]) -> Vec<ResultAgreement> {
    let mut order = threads::map(of, of.len() * answered.len(), |&model| {
        let mut hash = FxHasher::default();
        let mut failed = 0;
        for (number, computed) in failures(&models[model], answered) {
            hash.write_usize(number);
            hash.write_u64(computed);
            failed += 1;
        }
        ResultAgreement {
            model,
            agrees: answered.len() - failed,
            given: hash.finish(),
        }
    });
    order.sort_by_key(|found| (Reverse(found.agrees), found.model));
    order
}

/// The numbers of the inputs on which the model's result differs, each with the model's result.
fn failures<'x>(
    model: &'x Model,
    answered: &'x [&Vector],
) -> impl Iterator<Item = (usize, u64)> + 'x {
    let mut simulator = model.simulator();
    let vectors = answered.iter().enumerate();
    vectors.filter_map(move |(number, vector)| {
        let computed = simulator.run(&vector.inputs);
        (!model.accepts(computed, vector.d)).then_some((number, computed))
    })
}

fn simplest_failure(model: &Model, answered: &[&Vector]) -> Option<(usize, u64)> {
    let signature = model.signature();
    failures(model, answered)
        .take(LOOKED_AT)
        .min_by_key(|(number, computed)| {
            let Vector { inputs, d } = answered[*number];
            (
                is_other_zero(&signature.d, *computed, *d),
                !inputs.is_finite(&signature),
                simplicity(&signature, inputs),
            )
        })
}

/// True if the results of the model and of the machine differ, and only in the signs of zeros.
pub(super) fn differs_in_zero_signs(model: &Model, answered: &[&Vector]) -> bool {
    let format = model.signature().d;
    let mut failures = failures(model, answered).peekable();
    failures.peek().is_some()
        && failures.all(|(number, computed)| is_other_zero(&format, computed, answered[number].d))
}

/// Whether the two results are zeros of different signs.
fn is_other_zero(format: &Format, computed: u64, found: u64) -> bool {
    let is_zero = |register| format.magnitude(register) == 0;
    !format.is_integer() && computed != found && is_zero(computed) && is_zero(found)
}
