//! All elements of D of one instruction, for one vector in every row of A, column of B and element of
//! C: they are the same where the instruction computes each element in the same way (Xie et al.
//! [arXiv:2511.10909] §III-A).

use std::fmt;

/// The elements of D of one instruction, row by row, one product of matrices after another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elements {
    /// The number of rows of D.
    pub rows: usize,
    /// The number of columns of D.
    pub columns: usize,
    /// The results.
    pub results: Vec<u64>,
}

/// An element that has another result than the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementDifference {
    /// The number of the product of matrices, for instructions that have several.
    pub copy: usize,
    /// The row of D.
    pub row: usize,
    /// The column of D.
    pub column: usize,
    /// The result of this element, and that of row 0 and column 0 of the first product.
    pub results: [u64; 2],
}

impl Elements {
    /// The first element whose result is not that of row 0 and column 0.
    pub fn first_difference(&self) -> Option<ElementDifference> {
        let first = *self.results.first()?;
        let at = self.results.iter().position(|result| *result != first)?;
        Some(ElementDifference {
            copy: at / (self.rows * self.columns),
            row: at / self.columns % self.rows,
            column: at % self.columns,
            results: [self.results[at], first],
        })
    }
}

impl fmt::Display for ElementDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.copy > 0 {
            write!(f, "product {}, ", self.copy)?;
        }
        let [found, first] = self.results;
        write!(
            f,
            "row {}, column {} of D gives {found:x}, row 0, column 0 gives {first:x}",
            self.row, self.column
        )
    }
}
