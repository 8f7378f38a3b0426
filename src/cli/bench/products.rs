//! The speed of products of matrices, beside a product of the same shape that the processor computes
//! in f32.

use super::clock::per_second;
use super::native::native_product;
use super::shape::MatrixShape;
use crate::cli::error::Error;
use mmasmt_core::machines::algorithms::{Inputs, Operand, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::inputs::{Draw, Kind, Source, Sources};
use mmasmt_questions::matrices::{Matrix, MatrixProduct, gemm};
use rayon::ThreadPoolBuilder;
use std::hint::black_box;
use std::time::Duration;

/// The speeds of a product of matrices on one thread.
pub(super) struct ProductSpeed {
    pub(super) shape: MatrixShape,
    /// Dot-adds of the model in a second.
    pub(super) dot_adds: f64,
    /// Products of two numbers in a second, by the model.
    pub(super) products: f64,
    /// The same, by the processor in f32.
    pub(super) native: f64,
}

impl ProductSpeed {
    /// How many times longer the product takes than that of the processor.
    pub(super) fn slower(&self) -> f64 {
        self.native / self.products
    }
}

/// A shape whose product takes a fraction of a second.
fn usual_shape(model: &Model) -> MatrixShape {
    const COLUMNS: usize = 512;
    const MOST_ROWS: usize = 256;
    /// The number of products in all dot-adds together.
    const PRODUCTS: usize = 1 << 26;
    let signature = model.signature();
    let products = signature.products as usize;
    let m = (PRODUCTS / COLUMNS / products).clamp(1, MOST_ROWS);
    // The dot-adds form a chain if the result of one can be the c of the next.
    let links = if signature.c == signature.d && model.reads_c() {
        (PRODUCTS / m / COLUMNS / products).max(1)
    } else {
        1
    };
    let (n, k) = (COLUMNS, products * links);
    MatrixShape { m, n, k }
}

/// The operands of a product.
#[derive(Clone, Copy)]
pub(super) enum MatrixNumbers {
    /// Finite registers, each as likely as any other: their exponents are those of the whole format.
    Finite,
    /// Normally distributed numbers, as in most data.
    Normal,
}

impl MatrixNumbers {
    /// So many registers of an operand, in an order of their own.
    fn registers(self, signature: &Signature, operand: Operand, count: usize) -> Option<Vec<u64>> {
        let row = signature.row(operand)?;
        let inputs = |drawn: &[Inputs]| -> Vec<u64> {
            drawn
                .iter()
                .flat_map(|one| one.row(operand).to_vec())
                .collect()
        };
        let drawn = count.div_ceil(row.length);
        let mut registers = match self {
            MatrixNumbers::Finite => {
                let mut draw = Draw::new(*signature, Kind::Finite, 1);
                inputs(
                    &std::iter::repeat_with(|| draw.draw())
                        .take(drawn)
                        .collect::<Vec<_>>(),
                )
            }
            MatrixNumbers::Normal => {
                let sources = Sources {
                    factors: [const { Source::Normal(1.0) }; 2],
                    c: Source::Zero,
                    within: [None; 2],
                    seed: 1,
                };
                inputs(
                    &sources
                        .drawn(signature, drawn as u64, &Limits::default())
                        .ok()?,
                )
            }
        };
        registers.truncate(count);
        Some(registers)
    }
}

/// The speeds in a product of these operands; `None` if the formats of the model have no such numbers.
pub(super) fn speed(
    model: &Model,
    factors: MatrixNumbers,
    time: Duration,
    shape: Option<MatrixShape>,
    limits: &Limits,
) -> Result<Option<ProductSpeed>, Error> {
    let signature = model.signature();
    let shape = shape.unwrap_or_else(|| usual_shape(model));
    let MatrixShape { m, n, k } = shape;
    let links = k.div_ceil(signature.products as usize);
    let matrix = |operand, [rows, columns]: [usize; 2]| {
        let registers = factors.registers(&signature, operand, rows * columns)?;
        Matrix::new(signature.row(operand)?.format, [rows, columns], registers)
    };
    let scales = |operand| signature.row(operand).map_or(0, |row| row.length * links);
    let a = matrix(Operand::A, [m, k]);
    let b = matrix(Operand::B, [k, n]);
    let scales_of_a = matrix(Operand::AScales, [m, scales(Operand::AScales)]);
    let scales_of_b = matrix(Operand::BScales, [scales(Operand::BScales), n]);
    let (Some(a), Some(b)) = (a, b) else {
        return Ok(None);
    };
    let scales = scales_of_a.as_ref().zip(scales_of_b.as_ref());
    let product = MatrixProduct::new(&a, &b).scaled(scales.map(|(a, b)| [a, b]));
    let pool = ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.map_err(|error| Error::Usage(format!("no thread to compute on: {error}")))?;
    let dot_adds = m * n * links;
    // The pool's thread measures its own time.
    let mut refused = None;
    let dot_adds = pool.install(|| {
        let mut compute = || {
            let found = limits.run(|| gemm(model, &product, limits));
            if let Ok(Err(error)) = &black_box(found) {
                refused = Some(error.to_string());
            }
        };
        // The first product makes the programs, which is not measured.
        compute();
        per_second(time, dot_adds, limits, compute)
    })?;
    if let (Some(error), None) = (refused, limits.stopped()) {
        return Err(Error::Usage(error));
    }
    let native = native_product(shape);
    let native = pool.install(|| per_second(time, m * n * k, limits, native))?;
    Ok(Some(ProductSpeed {
        shape,
        dot_adds,
        products: dot_adds * k as f64 / links as f64,
        native,
    }))
}
