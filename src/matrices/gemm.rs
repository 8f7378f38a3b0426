//! `D = A B + C` as a unit computes it: each element is a chain of dot-adds along k, `c` first, the last one filled up
//! with products of zeros.
//!
//! A composition whose text does not say how many products it has does all of k at once, as does any model that has so many products.

use super::matrix::Matrix;
use super::product::{GemmError, Product};
use super::tile::{Problem, Worker};
use crate::batch::{ColumnData, Columns, Hoisted};
use crate::limits::Limits;
use crate::model::Model;
use crate::tape::{LANES, host_is_ieee};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Fewer products are done before programs for them are made.
const MAKING: usize = 500_000;

/// Parts of the product for each thread, where it has as many rows.
const PARTS: usize = 4;

/// The product, the same whatever the number of threads.
///
/// # Errors
/// If formats or shapes do not fit the model, or a limit is reached.
pub fn gemm(model: &Model, product: &Product<'_>, limits: &Limits) -> Result<Matrix, GemmError> {
    let mut found = gemms(model, &[*product], limits)?;
    found.pop().ok_or(GemmError::Stopped)
}

/// Several products, in their order: the parts of all of them are shared among the threads.
///
/// # Errors
/// As [`gemm`].
pub fn gemms(
    model: &Model,
    products: &[Product<'_>],
    limits: &Limits,
) -> Result<Vec<Matrix>, GemmError> {
    let depth = |product: &Product<'_>| product.extents()[2];
    if products
        .windows(2)
        .any(|pair| depth(&pair[0]) != depth(&pair[1]))
    {
        let each = products.iter().map(|product| gemm(model, product, limits));
        return each.collect();
    }
    let model = limits.run(|| model.along(products.first().map_or(1, depth)));
    let model = &model.map_err(|_| GemmError::Stopped)??;
    let signature = model.signature();
    let mut problems = Vec::new();
    for product in products {
        product.check(model)?;
        let links = product.extents()[2].div_ceil(signature.products as usize);
        problems.push(Problem {
            product: *product,
            signature,
            links: links.max(1),
        });
    }
    let size = |product: &Product<'_>| {
        let extents = product.extents().into_iter();
        extents.fold(1, usize::saturating_mul)
    };
    let all = products.iter().map(size).fold(0, usize::saturating_add);
    let worker = limits.run(|| worker(model, all));
    let worker = worker.map_err(|_| GemmError::Stopped)?;
    let each = problems.iter().map(|problem| {
        let [rows, columns, _] = problem.product.extents();
        tiles(rows, columns, problems.len())
    });
    let each: Vec<_> = each.collect();
    let all: Vec<_> = problems
        .iter()
        .zip(&each)
        .flat_map(|(problem, tiles)| tiles.iter().map(move |tile| (problem, tile)))
        .collect();
    let done = AtomicUsize::new(0);
    let evaluated: Option<Vec<ColumnData>> = all
        .par_iter()
        .map_init(
            || worker.clone(),
            |worker, (problem, [rows, columns])| {
                let evaluated = worker.evaluate(problem, rows, columns, limits);
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                limits.report(|report| report.settled = Some([done, all.len()]));
                evaluated
            },
        )
        .collect();
    let evaluated = evaluated.ok_or(GemmError::Stopped)?;
    let mut rest = evaluated.as_slice();
    let matrix = |(problem, tiles): (&Problem<'_>, &Vec<[Range<usize>; 2]>)| {
        let [rows, columns, _] = problem.product.extents();
        let mut registers = ColumnData::new(&signature.d);
        let (own, others) = rest.split_at(tiles.len());
        rest = others;
        let across = columns.div_ceil(LANES).max(1);
        for (band, evaluated) in tiles.chunks(across).zip(own.chunks(across)) {
            put_together(band, evaluated, &mut registers);
        }
        Matrix::of(signature.d, [rows, columns], registers).ok_or(GemmError::Stopped)
    };
    problems.iter().zip(&each).map(matrix).collect()
}

fn worker(model: &Model, products: usize) -> Worker<'_> {
    let programs = match products > MAKING {
        true => Hoisted::both(model),
        false => None,
    };
    match programs {
        Some(programs) if host_is_ieee() || !programs[0].uses_host() => {
            Worker::Hoisted(Box::new(programs))
        }
        _ => {
            let memory = Columns::new(&model.signature());
            Worker::Batch(Box::new((model.batch(), memory)))
        }
    }
}

/// Rows and columns of every part of one of some products: bands of rows, each of parts from left to right.
fn tiles(rows: usize, columns: usize, products: usize) -> Vec<[Range<usize>; 2]> {
    let across = columns.div_ceil(LANES).max(1);
    let wanted = (PARTS * rayon::current_num_threads()).div_ceil(products);
    let down = wanted.div_ceil(across);
    let height = match rayon::current_num_threads() {
        1 => LANES,
        _ => rows.div_ceil(down).clamp(32, LANES),
    };
    let parts = |total: usize, size: usize| {
        let starts = (0..total).step_by(size);
        starts.map(move |start| start..total.min(start + size))
    };
    let band = |rows: Range<usize>| parts(columns, LANES).map(move |part| [rows.clone(), part]);
    parts(rows, height).flat_map(band).collect()
}

/// Appends the registers of a band, row by row.
fn put_together(band: &[[Range<usize>; 2]], evaluated: &[ColumnData], registers: &mut ColumnData) {
    let height = band.first().map_or(0, |[rows, _]| rows.len());
    for row in 0..height {
        for ([_, columns], part) in band.iter().zip(evaluated) {
            let start = row * columns.len();
            registers.copy(part, start..start + columns.len());
        }
    }
}
