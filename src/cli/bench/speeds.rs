//! The speeds of one model: by the simulator, in a batch, in a product of matrices.

use super::clock::{SPELLS, per_second};
use super::products::{self, MatrixNumbers, ProductSpeed};
use super::shape::MatrixShape;
use crate::cli::error::Error;
use mmasmt_core::batch::{Batch, Columns};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::{Limits, work};
use mmasmt_questions::inputs::{Draw, Kind};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The most inputs that are evaluated, again and again, to measure a speed. Large models get fewer
/// inputs, so that these have at most `MOST_PRODUCTS` products in all.
const ROWS: usize = 4096;
const MOST_PRODUCTS: usize = 1 << 20;

/// The measured speeds of a model, in dot-adds a second.
pub(super) struct MeasuredSpeed {
    pub(super) model: Model,
    pub(super) instance: &'static str,
    pub(super) scalar: f64,
    /// The speeds of a batch: first for any operands, then for finite operands. `None` if the model
    /// is too wide to be made into a program.
    pub(super) batch: Option<[f64; 2]>,
    /// The speeds in a product of matrices of finite registers, and of normally distributed numbers.
    pub(super) products: [Option<ProductSpeed>; 2],
    pub(super) operations: Option<[usize; 2]>,
}

/// The speeds of the model; those in a product of matrices have the shape `shape`, or one that takes
/// a fraction of a second.
pub(super) fn measured(
    model: Model,
    time: Duration,
    shape: Option<MatrixShape>,
    limits: &Limits,
) -> Result<MeasuredSpeed, Error> {
    let signature = model.signature();
    let count = (MOST_PRODUCTS / signature.products as usize).clamp(1, ROWS);
    let drawn = |kind| {
        let mut draw = Draw::new(signature, kind, 1);
        (0..count).map(|_| draw.draw()).collect::<Vec<Inputs>>()
    };
    let [any, finite] = [drawn(Kind::Random), drawn(Kind::Finite)];
    let mut simulator = model.simulator();
    let instance = simulator.instance();
    // A slow model runs only on as many inputs as there is time for.
    let begun = Instant::now();
    black_box(simulator.run(&any[0]));
    let each = (time / SPELLS).as_nanos() / begun.elapsed().as_nanos().max(1);
    let some = &any[..usize::try_from(each).unwrap_or(count).clamp(1, count)];
    let scalar = per_second(time, some.len(), limits, || {
        let run = |sum, inputs| {
            work(simulator.cost());
            sum ^ simulator.run(inputs)
        };
        black_box(some.iter().fold(0, run));
    })?;
    let mut batch = model.batch();
    let is_made = batch.prepare();
    let operations = batch.operations();
    let speeds = if is_made {
        let mut speed = |rows: &[Inputs]| speed(&mut batch, rows, time, limits);
        Some([speed(&any)?, speed(&finite)?])
    } else {
        None
    };
    let product = |factors| match is_made {
        true => products::speed(&model, factors, time, shape, limits),
        false => Ok(None),
    };
    Ok(MeasuredSpeed {
        products: [
            product(MatrixNumbers::Finite)?,
            product(MatrixNumbers::Normal)?,
        ],
        instance,
        scalar,
        batch: speeds,
        operations,
        model,
    })
}

fn speed(
    batch: &mut Batch<'_>,
    rows: &[Inputs],
    time: Duration,
    limits: &Limits,
) -> Result<f64, Error> {
    let mut columns = Columns::new(batch.signature());
    rows.iter().for_each(|row| columns.push_row(row));
    let mut results = Vec::with_capacity(rows.len());
    per_second(time, rows.len(), limits, || {
        results.clear();
        batch.run(&columns, &mut results);
        black_box(&results);
    })
}
