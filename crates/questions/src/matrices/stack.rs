//! Matrices with batch dimensions before rows and columns, as NumPy's `matmul` takes them.

use super::matrix::Matrix;
use super::packed::PackedMatrix;
use super::product::MatrixProduct;
use mmasmt_numbers::float::Format;
use std::iter::repeat_n;
use thiserror::Error;

/// Matrices of one format and shape, one for each index of the batch dimensions; without batch
/// dimensions, a single matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack {
    batch: Vec<usize>,
    format: Format,
    shape: [usize; 2],
    matrices: Vec<Matrix>,
}

/// Batch dimensions that cannot be broadcast together.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{matrix}: batch dimensions that go with {} expected, found {}", python(.expected), python(.found))]
pub struct BatchError {
    /// The name of the operand.
    pub matrix: &'static str,
    /// The batch dimensions of the operands before this one.
    pub expected: Vec<usize>,
    /// The batch dimensions of this operand.
    pub found: Vec<usize>,
}

impl From<Matrix> for Stack {
    fn from(matrix: Matrix) -> Stack {
        Stack {
            batch: Vec::new(),
            format: matrix.format(),
            shape: matrix.shape(),
            matrices: vec![matrix],
        }
    }
}

impl Stack {
    /// A stack of these matrices, with the last batch dimension running fastest; `None` if their
    /// number does not match the batch dimensions, or if a matrix has another format or shape.
    pub fn new(
        batch: &[usize],
        format: Format,
        shape: [usize; 2],
        matrices: Vec<Matrix>,
    ) -> Option<Stack> {
        let fits = |matrix: &Matrix| matrix.format() == format && matrix.shape() == shape;
        (size(batch)? == matrices.len() && matrices.iter().all(fits)).then(|| Stack {
            batch: batch.to_vec(),
            format,
            shape,
            matrices,
        })
    }

    /// The batch dimensions: those before rows and columns.
    pub fn batch(&self) -> &[usize] {
        &self.batch
    }

    /// The format of the elements.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The numbers of rows and columns of each matrix.
    pub fn matrix_shape(&self) -> [usize; 2] {
        self.shape
    }

    /// All dimensions: those of the batch, then rows and columns.
    pub fn shape(&self) -> Vec<usize> {
        [&self.batch[..], &self.shape].concat()
    }

    /// The matrices, with the last batch dimension running fastest.
    pub fn matrices(&self) -> &[Matrix] {
        &self.matrices
    }

    /// The index, in all dimensions, of an element of one of the matrices.
    pub fn index(&self, matrix: usize, [row, column]: [usize; 2]) -> Vec<usize> {
        index(&self.shape(), {
            let [rows, columns] = self.shape;
            (matrix * rows + row) * columns + column
        })
    }

    /// The matrix for index `number` of a larger batch: along dimensions that are 1 or missing in
    /// this stack, the matrices are repeated.
    fn broadcast(&self, batch: &[usize], number: usize) -> Option<&Matrix> {
        let at = index(batch, number);
        let own = at.iter().skip(batch.len() - self.batch.len());
        let place = own.zip(&self.batch).fold(0, |place, (at, length)| {
            place * length + if *length == 1 { 0 } else { *at }
        });
        self.matrices.get(place)
    }
}

/// The number of matrices in these batch dimensions; `None` if it overflows.
fn size(batch: &[usize]) -> Option<usize> {
    let mut lengths = batch.iter();
    lengths.try_fold(1, |product: usize, length| product.checked_mul(*length))
}

/// The index of element `number` of an array of this shape, with the last dimension running
/// fastest.
pub(super) fn index(shape: &[usize], mut number: usize) -> Vec<usize> {
    let mut index = Vec::new();
    for length in shape.iter().rev() {
        index.push(number % length.max(&1));
        number /= length.max(&1);
    }
    index.reverse();
    index
}

/// Dimensions or an index as Python writes them.
pub(super) fn python(numbers: &[usize]) -> String {
    let texts: Vec<String> = numbers.iter().map(usize::to_string).collect();
    match &texts[..] {
        [one] => format!("({one},)"),
        _ => format!("({})", texts.join(", ")),
    }
}

/// The products of stacks of matrices, one for each index of their common batch dimensions; batch
/// dimensions of 1 are repeated.
#[derive(Debug)]
pub struct ProductStack<'x> {
    batch: Vec<usize>,
    each: Vec<MatrixProduct<'x>>,
}

impl<'x> ProductStack<'x> {
    /// The products of the given operands: A, B, C, and the scales of A and of B.
    ///
    /// # Errors
    /// If the batch dimensions of the operands cannot be broadcast together.
    pub fn new(
        a: &'x Stack,
        b: &'x Stack,
        c: Option<&'x Stack>,
        scales: Option<[&'x Stack; 2]>,
    ) -> Result<ProductStack<'x>, BatchError> {
        let [scale_a, scale_b] = scales.map_or([None; 2], |scales| scales.map(Some));
        let operands = [
            ("A", Some(a)),
            ("B", Some(b)),
            ("C", c),
            ("scales of A", scale_a),
            ("scales of B", scale_b),
        ];
        let mut batch = Vec::new();
        for (name, operand) in operands {
            let Some(Stack { batch: found, .. }) = operand else {
                continue;
            };
            batch = joined(&batch, found).ok_or_else(|| BatchError {
                matrix: name,
                expected: batch,
                found: found.clone(),
            })?;
        }
        let one = |number| {
            let of = |stack: &'x Stack| stack.broadcast(&batch, number);
            let scales = match scales {
                Some([a, b]) => Some([of(a)?, of(b)?]),
                None => None,
            };
            let product = MatrixProduct::new(of(a)?, of(b)?).plus(c.and_then(of));
            Some(product.scaled(scales))
        };
        let each = (0..size(&batch).unwrap_or(0)).filter_map(one).collect();
        Ok(ProductStack { batch, each })
    }

    /// The products with what is kept of B, which is one matrix.
    #[must_use]
    pub fn with_packed(mut self, packed: Option<&'x PackedMatrix>) -> Self {
        for product in &mut self.each {
            *product = product.with_packed(packed);
        }
        self
    }

    /// The batch dimensions of the products.
    pub fn batch(&self) -> &[usize] {
        &self.batch
    }

    /// The products, with the last batch dimension running fastest.
    pub fn each(&self) -> &[MatrixProduct<'x>] {
        &self.each
    }
}

/// The batch dimensions that `one` and `other` are broadcast to; `None` if they do not match.
fn joined(one: &[usize], other: &[usize]) -> Option<Vec<usize>> {
    let dimensions = one.len().max(other.len());
    let filled = |batch: &[usize]| {
        let missing = repeat_n(1, dimensions - batch.len());
        missing.chain(batch.iter().copied()).collect::<Vec<_>>()
    };
    let pairs = filled(one).into_iter().zip(filled(other));
    pairs
        .map(|pair| match pair {
            (1, length) | (length, 1) => Some(length),
            (length, same) => (length == same).then_some(length),
        })
        .collect()
}
