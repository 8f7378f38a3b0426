//! The distribution of errors over random operands.

use super::operands::OperandDraw;
use crate::vectors::measure::{Quotient, Summer};
use mmasmt_core::batch::Batch;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_explain::operands::of_exponents;
use mmasmt_numbers::base::limits::Limits;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// The number of samples in a block. One thread draws a whole block, and each block has its own
/// random numbers.
const BLOCK: u64 = 256;

/// Operands and their error. The error is infinite if the result is not finite.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The operands.
    pub inputs: Inputs,
    /// The error of the result for these operands.
    pub error: Quotient,
}

/// The distribution of errors. Each error is computed exactly and then cut to 53 bits, which does
/// not change the order of errors.
#[derive(Clone, Debug)]
pub struct Distribution {
    /// The median: half of the errors are at most this.
    pub median: f64,
    /// 999 of 1000 errors are at most this.
    pub high: f64,
    /// The operands with the largest error.
    pub largest: Sample,
    /// How many operands were drawn.
    pub samples: u64,
    /// How many of them gave a result that is not finite: a value on the way overflowed.
    pub infinite: u64,
}

/// The distribution of the errors of `model`. It is the same for the same seed, whatever the number
/// of threads. `None` if a limit is reached, or no operands are asked for.
pub fn distribution(
    model: &Model,
    operands: &OperandDraw,
    limits: &Limits,
) -> Option<Distribution> {
    let blocks = operands.samples.div_ceil(BLOCK);
    let mut batch = model.batch();
    batch.prepare_for_rows(operands.samples);
    let measured: Option<Vec<_>> = (0..blocks)
        .into_par_iter()
        .map(|block| of_block(model, &mut batch.clone(), operands, block, limits))
        .collect();
    let mut errors = Vec::new();
    let mut largest: Option<Sample> = None;
    let mut infinite = 0;
    for (of_block, sample, overflows) in measured? {
        errors.extend(of_block);
        infinite += overflows;
        if largest
            .as_ref()
            .is_none_or(|best| best.error < sample.error)
        {
            largest = Some(sample);
        }
    }
    errors.sort_unstable_by(f64::total_cmp);
    // The index of the least error that at least `of_1000` of every 1000 errors do not exceed.
    let rank = |of_1000: usize| (errors.len() * of_1000).div_ceil(1000) - 1;
    Some(Distribution {
        infinite,
        largest: largest?,
        median: *errors.get(rank(500))?,
        high: *errors.get(rank(999))?,
        samples: operands.samples,
    })
}

fn of_block(
    model: &Model,
    batch: &mut Batch<'_>,
    operands: &OperandDraw,
    block: u64,
    limits: &Limits,
) -> Option<(Vec<f64>, Sample, u64)> {
    let signature = model.signature();
    let mut summer = Summer::of(model);
    let mut rng = ChaCha8Rng::seed_from_u64(operands.seed);
    rng.set_stream(block);
    let mut errors = Vec::new();
    let mut infinite = 0;
    let mut largest: Option<Sample> = None;
    let count = BLOCK.min(operands.samples - block * BLOCK);
    let drawn = (0..count).map(|_| of_exponents(&signature, operands.exponents, &mut rng));
    let drawn: Vec<Inputs> = drawn.collect();
    let results = batch.results(&drawn);
    for (inputs, d) in drawn.into_iter().zip(results) {
        if limits.stopped().is_some() {
            return None;
        }
        infinite += u64::from(!signature.d.is_finite(d));
        let exact = summer.sum(&inputs)?;
        let error = operands.measure.error(&signature.d, d, &exact);
        let error = error.unwrap_or_else(Quotient::infinite);
        errors.push(error.approximate());
        if largest.as_ref().is_none_or(|best| best.error < error) {
            largest = Some(Sample { inputs, error });
        }
    }
    Some((errors, largest?, infinite))
}
