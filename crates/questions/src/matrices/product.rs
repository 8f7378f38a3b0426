//! The operands of a matrix product, and whether they fit a model.

use super::matrix::Matrix;
use super::packed::PackedMatrix;
use mmasmt_core::batch::ColumnData;
use mmasmt_core::machines::algorithms::{Operand, OperandRow};
use mmasmt_core::machines::model::{Model, ModelError};
use mmasmt_numbers::float::Format;
use std::ops::Range;
use thiserror::Error;

/// The operands of `A B` or `A B + C`, with block scales of A and B if the model has them.
#[derive(Clone, Copy, Debug)]
pub struct MatrixProduct<'x> {
    a: &'x Matrix,
    b: &'x Matrix,
    c: Option<&'x Matrix>,
    scales: Option<[&'x Matrix; 2]>,
    packed: Option<&'x PackedMatrix>,
}

/// The reason that a product cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GemmError {
    /// A matrix has elements of another format.
    #[error("{matrix}: elements {expected} expected, found {found}")]
    Format {
        /// The name of the matrix.
        matrix: &'static str,
        /// The model's format.
        expected: Format,
        /// The matrix's format.
        found: Format,
    },
    /// The shapes of two matrices do not match.
    #[error("{matrix}: expected a matrix of {} x {}, found {} x {}", .expected[0], .expected[1], .found[0], .found[1])]
    Shape {
        /// The name of the matrix.
        matrix: &'static str,
        /// The shape with which the matrix fits A and B.
        expected: [usize; 2],
        /// The matrix's shape.
        found: [usize; 2],
    },
    /// More than one dot-add is needed, but the result of one cannot be the `c` of the next.
    #[error(
        "expected at most {products} products along k, found {depth}: a second run would take a result in {d} as its c, which is in {c}"
    )]
    Chain {
        /// The number of products of a dot-add.
        products: u32,
        /// The format of the result.
        d: Format,
        /// The format of c.
        c: Format,
        /// The K of the matrices: the number of columns of A.
        depth: usize,
    },
    /// More than one dot-add is needed, but the model does not read `c`, so that no dot-add can
    /// continue from the result of the one before.
    #[error(
        "k of at most {products} expected for a model that does not read c, so that runs do not go on from each other, found {depth}: \
         a composition without K takes all of k, as does one with K={depth}"
    )]
    Apart {
        /// The number of products of a dot-add.
        products: u32,
        /// The K of the matrices: the number of columns of A.
        depth: usize,
    },
    /// C is given, but the model does not read it.
    #[error("C: none expected, or zeros alone, as the model does not read c")]
    Unread,
    /// The model cannot take the K of the matrices.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The model needs block scales, but none are given.
    #[error("scales of A and of B expected, one for {block} products each, found none")]
    NoScales {
        /// The number of products of a block.
        block: u32,
    },
    /// Scales are given, but the model has none.
    #[error(
        "expected no scales of blocks, as the model has none: scales of whole tensors are the alpha of an epilogue, `epilogue(MODEL):alpha=0.25`"
    )]
    Scales,
    /// A limit was reached.
    #[error("a limit was reached before the product was done")]
    Stopped,
}

impl<'x> MatrixProduct<'x> {
    /// The product `A B`, where A is M x K and B is K x N.
    pub fn new(a: &'x Matrix, b: &'x Matrix) -> Self {
        MatrixProduct {
            a,
            b,
            c: None,
            scales: None,
            packed: None,
        }
    }

    /// The product with C added, which is M x N.
    #[must_use]
    pub fn plus(self, c: Option<&'x Matrix>) -> Self {
        MatrixProduct { c, ..self }
    }

    /// The product with block scales along k: A has M x S scales and B has S x N scales, where S is
    /// the number of blocks: K / block, rounded up.
    #[must_use]
    pub fn scaled(self, scales: Option<[&'x Matrix; 2]>) -> Self {
        MatrixProduct { scales, ..self }
    }

    /// The product with what is kept of B, which has these very registers.
    #[must_use]
    pub fn with_packed(self, packed: Option<&'x PackedMatrix>) -> Self {
        MatrixProduct { packed, ..self }
    }

    /// What is kept of B.
    pub(super) fn packed(&self) -> Option<&'x PackedMatrix> {
        self.packed
    }

    /// The extents M, N and K.
    pub(super) fn extents(&self) -> [usize; 3] {
        let [rows, depth] = self.a.shape();
        [rows, self.b.shape()[1], depth]
    }

    /// The matrix C; `None` stands for zeros.
    pub(super) fn c(&self) -> Option<&'x Matrix> {
        self.c
    }

    /// The matrix of an operand, and whether k runs along the rows of this matrix; `None` for C and
    /// for scales that are not given.
    pub(super) fn source(&self, operand: Operand) -> Option<(&'x Matrix, bool)> {
        match (operand, self.scales) {
            (Operand::A, _) => Some((self.a, true)),
            (Operand::B, _) => Some((self.b, false)),
            (Operand::AScales, Some([scales, _])) => Some((scales, true)),
            (Operand::BScales, Some([_, scales])) => Some((scales, false)),
            _ => None,
        }
    }

    /// The register of one kind of operand at position `k` of the whole chain. A and the scales of
    /// A are read in row `outer`, B and the scales of B in column `outer`. Beyond the end of a
    /// matrix, the register is padding.
    pub(super) fn register(&self, row: &OperandRow, k: usize, outer: usize) -> u64 {
        match self.source(row.operand) {
            Some((matrix, true)) if k < matrix.shape()[1] => matrix.get(outer, k),
            Some((matrix, false)) if k < matrix.shape()[0] => matrix.get(k, outer),
            _ => row.plain,
        }
    }

    /// Appends the registers of one kind of operand at position `k` of the whole chain. A and the
    /// scales of A are read in the rows `outer`, B and the scales of B in the columns `outer`.
    pub(super) fn copy(
        &self,
        row: &OperandRow,
        k: usize,
        outer: Range<usize>,
        registers: &mut ColumnData,
    ) {
        let end = registers.len() + outer.len();
        match self.source(row.operand) {
            Some((matrix, true)) => matrix.copy_down(k, outer, registers),
            Some((matrix, false)) => matrix.copy_along(k, outer, registers),
            None => {}
        }
        registers.repeat(row.plain, end - registers.len());
    }

    /// Checks that the product fits the model.
    ///
    /// # Errors
    /// If formats or shapes do not match each other or the model, or if C is given and the model
    /// does not read it.
    pub(super) fn check(&self, model: &Model) -> Result<(), GemmError> {
        let signature = &model.signature();
        let [rows, columns, depth] = self.extents();
        let mut wanted = vec![
            ("A", Some(self.a), signature.a, [rows, depth]),
            ("B", Some(self.b), signature.b, [depth, columns]),
            ("C", self.c, signature.c, [rows, columns]),
        ];
        match (signature.scales, self.scales) {
            (None, None) => {}
            (None, Some(_)) => return Err(GemmError::Scales),
            (Some(scales), None) => {
                return Err(GemmError::NoScales {
                    block: scales.block,
                });
            }
            (Some(scales), Some([a, b])) => {
                let blocks = depth.div_ceil(scales.block as usize);
                wanted.push(("scales of A", Some(a), scales.format, [rows, blocks]));
                wanted.push(("scales of B", Some(b), scales.format, [blocks, columns]));
            }
        }
        for (matrix, given, format, shape) in wanted {
            let Some(given) = given else { continue };
            if given.shape() != shape {
                return Err(GemmError::Shape {
                    matrix,
                    expected: shape,
                    found: given.shape(),
                });
            }
            if given.format() != format {
                return Err(GemmError::Format {
                    matrix,
                    expected: format,
                    found: given.format(),
                });
            }
        }
        if !model.reads_c()
            && let Some(c) = self.c
            && c.registers().any(|register| model.ignores(register))
        {
            return Err(GemmError::Unread);
        }
        check_depth(model, depth)
    }
}

/// Checks that the model can go on along this many products.
pub(super) fn check_depth(model: &Model, depth: usize) -> Result<(), GemmError> {
    let signature = &model.signature();
    let products = signature.products;
    if depth <= products as usize {
        return Ok(());
    }
    if !model.reads_c() {
        return Err(GemmError::Apart { products, depth });
    }
    if signature.c != signature.d {
        return Err(GemmError::Chain {
            products,
            d: signature.d,
            c: signature.c,
            depth,
        });
    }
    Ok(())
}
