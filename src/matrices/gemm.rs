//! `D = A B + C` as a unit computes it: each element is a chain of dot-adds along k, `c` first, the last one filled up
//! with products of zeros.
//!
//! A model that has as many products as the matrices have k, such as a composition for that length, does all of it at once.

use super::matrix::Matrix;
use crate::algorithms::{Operand, Signature};
use crate::batch::{Batch, Columns};
use crate::float::Format;
use crate::limits::Limits;
use crate::model::Model;
use crate::tape::LANES;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::ops::Range;
use thiserror::Error;

/// Why there is no product.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GemmError {
    /// A matrix has elements of another format.
    #[error("{matrix}: elements {expected} expected, found {found}")]
    Format {
        /// Its name.
        matrix: &'static str,
        /// What the model takes.
        expected: Format,
        /// What it has.
        found: Format,
    },
    /// Shapes do not go together.
    #[error(
        "shapes M x K, K x N and M x N expected, found {} x {}, {} x {}{}", .a[0], .a[1], .b[0], .b[1],
        .c.map(|c| format!(", {} x {}", c[0], c[1])).unwrap_or_default()
    )]
    Shapes {
        /// Of A.
        a: [usize; 2],
        /// Of B.
        b: [usize; 2],
        /// Of C.
        c: Option<[usize; 2]>,
    },
    /// More than one dot-add is needed, and the result of one is no `c` of the next.
    #[error(
        "k of at most {products} expected for results in {d} that do not go on as c in {c}, found {depth}"
    )]
    Chain {
        /// Products of a dot-add.
        products: u32,
        /// The format of the result.
        d: Format,
        /// The format of c.
        c: Format,
        /// K of the matrices.
        depth: usize,
    },
    /// Block scales.
    #[error("a model without block scales expected, found {0}")]
    Scales(Box<Signature>),
    /// A limit was reached.
    #[error("a limit was reached before the product was done")]
    Stopped,
}

/// The product, the same whatever the number of threads.
///
/// # Errors
/// If formats or shapes do not fit the model, or a limit is reached.
pub fn gemm(
    model: &Model,
    a: &Matrix,
    b: &Matrix,
    c: Option<&Matrix>,
    limits: &Limits,
) -> Result<Matrix, GemmError> {
    let signature = model.signature();
    check(&signature, a, b, c)?;
    let [rows, depth] = a.shape();
    let columns = b.shape()[1];
    let outputs = rows * columns;
    let steps = depth.div_ceil(signature.products as usize).max(1);
    let mut batch = model.batch();
    batch.prepare_for_rows((outputs as u64).saturating_mul(steps as u64));
    let tile = Tile {
        signature,
        a,
        b,
        c,
        depth,
        columns,
    };
    let tiles = (0..outputs.div_ceil(LANES)).into_par_iter();
    let results: Option<Vec<Vec<u64>>> = tiles
        .map_init(
            || (batch.clone(), Columns::new(&signature)),
            |(batch, memory), number| {
                let start = number * LANES;
                tile.evaluate(batch, memory, start..outputs.min(start + LANES), limits)
            },
        )
        .collect();
    let results = results.ok_or(GemmError::Stopped)?;
    Matrix::new(signature.d, [rows, columns], results.into_iter().flatten())
        .ok_or(GemmError::Stopped)
}

fn check(
    signature: &Signature,
    a: &Matrix,
    b: &Matrix,
    c: Option<&Matrix>,
) -> Result<(), GemmError> {
    if signature.scales.is_some() {
        return Err(GemmError::Scales(Box::new(*signature)));
    }
    let wanted = [
        ("A", Some(a), signature.a),
        ("B", Some(b), signature.b),
        ("C", c, signature.c),
    ];
    for (matrix, given, expected) in wanted {
        match given.map(Matrix::format) {
            Some(found) if found != expected => {
                return Err(GemmError::Format {
                    matrix,
                    expected,
                    found,
                });
            }
            _ => {}
        }
    }
    let [rows, depth] = a.shape();
    let [other, columns] = b.shape();
    if depth != other || c.is_some_and(|c| c.shape() != [rows, columns]) {
        return Err(GemmError::Shapes {
            a: a.shape(),
            b: b.shape(),
            c: c.map(Matrix::shape),
        });
    }
    if depth > signature.products as usize && signature.c != signature.d {
        return Err(GemmError::Chain {
            products: signature.products,
            d: signature.d,
            c: signature.c,
            depth,
        });
    }
    Ok(())
}

/// What every tile of outputs needs.
struct Tile<'x> {
    signature: Signature,
    a: &'x Matrix,
    b: &'x Matrix,
    c: Option<&'x Matrix>,
    depth: usize,
    columns: usize,
}

impl Tile<'_> {
    /// The outputs of these numbers, counted row by row; none once a limit is reached.
    fn evaluate(
        &self,
        batch: &mut Batch<'_>,
        memory: &mut Columns,
        outputs: Range<usize>,
        limits: &Limits,
    ) -> Option<Vec<u64>> {
        let count = outputs.len();
        let runs = self.runs(outputs);
        let mut d: Vec<u64> = Vec::with_capacity(count);
        match self.c {
            None => d.resize(count, 0),
            Some(c) => {
                for run in &runs {
                    d.extend((0..run.count).map(|lane| c.get(run.row, run.column + lane)));
                }
            }
        }
        let products = self.signature.products as usize;
        for start in (0..self.depth.max(1)).step_by(products) {
            if limits.stopped().is_some() {
                return None;
            }
            memory.fill(count, |operand, k, column| {
                let k = start + k;
                match operand {
                    Operand::C => column.extend(d.iter().copied()),
                    _ if k >= self.depth => column.repeat(0, count),
                    Operand::A => runs
                        .iter()
                        .for_each(|run| column.repeat(self.a.get(run.row, k), run.count)),
                    _ => runs
                        .iter()
                        .for_each(|run| self.b.copy(k, run.column, run.count, column)),
                }
            });
            d.clear();
            batch.run(memory, &mut d);
        }
        Some(d)
    }

    /// The outputs as parts of rows.
    fn runs(&self, outputs: Range<usize>) -> Vec<Run> {
        let mut runs = Vec::new();
        let mut output = outputs.start;
        while output < outputs.end {
            let (row, column) = (output / self.columns, output % self.columns);
            let count = (self.columns - column).min(outputs.end - output);
            runs.push(Run { row, column, count });
            output += count;
        }
        runs
    }
}

/// Outputs beside each other in a row.
struct Run {
    row: usize,
    column: usize,
    count: usize,
}
