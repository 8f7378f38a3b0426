//! Registers row by row.

use crate::batch::ColumnData;
use crate::float::Format;

/// A matrix of numbers of one format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    format: Format,
    rows: usize,
    columns: usize,
    registers: ColumnData,
}

impl Matrix {
    /// The matrix with these registers, row by row; none if there are not as many as it has elements.
    pub fn new(
        format: Format,
        [rows, columns]: [usize; 2],
        registers: impl IntoIterator<Item = u64>,
    ) -> Option<Matrix> {
        let mut data = ColumnData::new(&format);
        data.extend(registers.into_iter());
        Self::of(format, [rows, columns], data)
    }

    /// The same of registers in the type that the format has.
    pub(super) fn of(
        format: Format,
        [rows, columns]: [usize; 2],
        data: ColumnData,
    ) -> Option<Matrix> {
        (rows.checked_mul(columns) == Some(data.len())).then_some(Matrix {
            format,
            rows,
            columns,
            registers: data,
        })
    }

    /// The format of its elements.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Numbers of rows and of columns.
    pub fn shape(&self) -> [usize; 2] {
        [self.rows, self.columns]
    }

    /// The register of an element that it has.
    pub fn get(&self, row: usize, column: usize) -> u64 {
        self.registers.get(row * self.columns + column)
    }

    /// Elements of one row, from one column on, as many as asked for: there are.
    pub(super) fn copy(&self, row: usize, column: usize, count: usize, to: &mut ColumnData) {
        let start = row * self.columns + column;
        to.copy(&self.registers, start..start + count);
    }

    /// All registers, row by row.
    pub fn registers(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.rows * self.columns).map(|index| self.registers.get(index))
    }
}
