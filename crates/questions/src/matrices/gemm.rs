//! `D = A B + C` as a unit computes it: each element of D is computed by a chain of dot-adds along
//! k that starts from the element of C; the last dot-add is padded with zero products.
//!
//! If the model has at least as many products as k, or is a composition that leaves its number of
//! products open, one dot-add computes all of k.

use super::matrix::Matrix;
use super::product::{GemmError, MatrixProduct};
use super::rows::RowWorker;
use super::summation::Summation;
use super::tile::TilePart;
use super::worker::Worker;
use mmasmt_columns::tape::{LANES, host_is_ieee};
use mmasmt_core::batch::{ColumnData, Columns, ProgramCache};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of dot-adds that one thread simulates without programs in the time that it takes to
/// make the programs. This number hardly depends on the model, since both times grow with the
/// model's operations.
const MAKING: usize = 8_000;

/// The most sums that a thread holds, 8 bytes each: for parts of k that are added up at the end.
const MOST_SUMS: usize = 1 << 23;

/// The number of parts for each thread, if there are enough rows.
const PARTS: usize = 4;

/// The most products of numbers for which no other thread is asked.
pub const SMALL: usize = 1 << 19;

/// Products that share parts, and the rows and columns of one part.
type Tile<'x> = (&'x [MatrixProduct<'x>], [Range<usize>; 2]);

/// Computes the product; the result does not depend on the number of threads.
///
/// # Errors
/// If formats or shapes do not fit the model, or a limit is reached.
pub fn gemm(
    model: &Model,
    product: &MatrixProduct<'_>,
    limits: &Limits,
) -> Result<Matrix, GemmError> {
    let mut found = gemms(model, &[*product], limits)?;
    found.pop().ok_or(GemmError::Stopped)
}

/// Computes several products, and returns them in the same order; all threads share the parts of
/// all products.
///
/// # Errors
/// As [`gemm`].
pub fn gemms(
    model: &Model,
    products: &[MatrixProduct<'_>],
    limits: &Limits,
) -> Result<Vec<Matrix>, GemmError> {
    let depth = |product: &MatrixProduct<'_>| product.extents()[2];
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
    for product in products {
        product.check(model)?;
    }
    let unit = &model.inside()?;
    let step = unit.signature().products as usize;
    let dot_adds = |product: &MatrixProduct<'_>| {
        let [rows, columns, depth] = product.extents();
        let links = depth.div_ceil(step).max(1);
        rows.saturating_mul(columns).saturating_mul(links)
    };
    let dot_adds = products.iter().map(dot_adds).fold(0, usize::saturating_add);
    let products: Vec<MatrixProduct<'_>> = products
        .iter()
        .map(|product| product.with_packed(product.packed().filter(|packed| packed.is_of(unit))))
        .collect();
    let products = &products[..];
    let worker = limits.run(|| worker(unit, dot_adds));
    let summation = Summation::new(model.algorithm(), worker.map_err(|_| GemmError::Stopped)?);
    let (live, count) = (model.algorithm().most_sums(), products.len());
    let together = together(products);
    let each = products.chunks(together).map(|products| {
        let [rows, columns, _] = products[0].extents();
        tiles(rows, columns, [count.div_ceil(together), live])
    });
    let each: Vec<_> = each.collect();
    let all: Vec<Tile<'_>> = products
        .chunks(together)
        .zip(&each)
        .flat_map(|(products, tiles)| tiles.iter().map(move |tile| (products, tile.clone())))
        .collect();
    let done = AtomicUsize::new(0);
    let one = |summation: &mut Summation<'_>, (products, [rows, columns]): &Tile<'_>| {
        let part = TilePart {
            products,
            rows: rows.clone(),
            columns: columns.clone(),
            limits,
            factors: None,
        };
        // A product without k is one dot-add of zeros.
        let places: Vec<usize> = (0..products[0].extents()[2].max(1)).collect();
        let evaluated = summation.sum(&part, &places, part.start(&signature)).ok();
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        limits.report(|report| report.settled = Some([done, all.len()]));
        evaluated
    };
    let evaluated: Option<Vec<ColumnData>> = match dot_adds.saturating_mul(step) <= SMALL {
        true => {
            let mut summation = summation;
            all.iter().map(|tile| one(&mut summation, tile)).collect()
        }
        false => {
            let tiles = all.par_iter();
            tiles.map_init(|| summation.clone(), one).collect()
        }
    };
    let evaluated = evaluated.ok_or(GemmError::Stopped)?;
    let mut rest = evaluated.as_slice();
    let mut matrices = Vec::new();
    for (products, tiles) in products.chunks(together).zip(&each) {
        let (own, others) = rest.split_at(tiles.len());
        rest = others;
        for (number, product) in products.iter().enumerate() {
            let [rows, columns, _] = product.extents();
            let mut registers = ColumnData::new(&signature.d);
            let across = columns.div_ceil(LANES).max(1);
            for (band, evaluated) in tiles.chunks(across).zip(own.chunks(across)) {
                let place = [number, products.len()];
                put_together(band, evaluated, place, &mut registers);
            }
            let matrix = Matrix::of(signature.d, [rows, columns], registers);
            matrices.push(matrix.ok_or(GemmError::Stopped)?);
        }
    }
    Ok(matrices)
}

/// The number of products that share parts: more than one if all are so small that the elements of
/// several fill the lanes.
fn together(products: &[MatrixProduct<'_>]) -> usize {
    let mut extents = products.iter().map(MatrixProduct::extents);
    let Some(first) = extents.next() else {
        return 1;
    };
    let [rows, columns, _] = first;
    if extents.any(|other| other != first) {
        return 1;
    }
    (LANES / rows.max(columns).max(1)).clamp(1, products.len())
}

pub fn worker(model: &Model, dot_adds: usize) -> Worker<'_> {
    let kept = ProgramCache::of(model);
    let asked = kept.count(dot_adds);
    let programs = if pays(asked, rayon::current_num_threads()) {
        kept.programs(model)
    } else {
        None
    };
    match programs {
        Some(programs) if host_is_ieee() || !programs[0].uses_host() => {
            Worker::Hoisted(RowWorker::new(programs))
        }
        _ => {
            let memory = Columns::new(&model.signature());
            Worker::Batch(Box::new((model.batch(), memory)))
        }
    }
}

/// Whether making programs takes less time than `threads` threads need to simulate the dot-adds, of
/// this product and of those before it, without programs.
pub fn pays(dot_adds: usize, threads: usize) -> bool {
    dot_adds > MAKING.saturating_mul(threads)
}

/// The rows and columns of every part of one of `products` products: bands of rows, each split into
/// parts from left to right. A thread holds `live` sums of every element at a time.
fn tiles(rows: usize, columns: usize, [products, live]: [usize; 2]) -> Vec<[Range<usize>; 2]> {
    let across = columns.div_ceil(LANES).max(1);
    let wanted = (PARTS * rayon::current_num_threads()).div_ceil(products);
    let down = wanted.div_ceil(across);
    let height = match rayon::current_num_threads() {
        1 => LANES,
        _ => rows.div_ceil(down).clamp(32, LANES),
    };
    let height = height.min((MOST_SUMS / (LANES * live)).max(1));
    let parts = |total: usize, size: usize| {
        let starts = (0..total).step_by(size);
        starts.map(move |start| start..total.min(start + size))
    };
    let band = |rows: Range<usize>| parts(columns, LANES).map(move |part| [rows.clone(), part]);
    parts(rows, height).flat_map(band).collect()
}

/// Appends the registers of a band, row by row, from the registers of its parts; of the product with
/// number `number`, where the parts belong to `count` products.
fn put_together(
    band: &[[Range<usize>; 2]],
    evaluated: &[ColumnData],
    [number, count]: [usize; 2],
    registers: &mut ColumnData,
) {
    let height = band.first().map_or(0, |[rows, _]| rows.len());
    for row in 0..height {
        for ([_, columns], part) in band.iter().zip(evaluated) {
            let start = (row * count + number) * columns.len();
            registers.copy(part, start..start + columns.len());
        }
    }
}
