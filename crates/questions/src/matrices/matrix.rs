//! A matrix of registers, row by row.

use mmasmt_core::batch::ColumnData;
use mmasmt_numbers::float::Format;
use std::ops::Range;

/// A matrix of numbers of one format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    format: Format,
    rows: usize,
    columns: usize,
    registers: ColumnData,
}

impl Matrix {
    /// The matrix with these registers, row by row; `None` if their number does not match the
    /// shape.
    pub fn new(
        format: Format,
        [rows, columns]: [usize; 2],
        registers: impl IntoIterator<Item = u64>,
    ) -> Option<Matrix> {
        let mut data = ColumnData::new(&format);
        data.extend(registers.into_iter());
        Self::of(format, [rows, columns], data)
    }

    /// As [`Matrix::new`], from registers that already have the format's storage type.
    pub fn of(format: Format, [rows, columns]: [usize; 2], data: ColumnData) -> Option<Matrix> {
        (rows.checked_mul(columns) == Some(data.len())).then_some(Matrix {
            format,
            rows,
            columns,
            registers: data,
        })
    }

    /// The format of the elements.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The numbers of rows and columns.
    pub fn shape(&self) -> [usize; 2] {
        [self.rows, self.columns]
    }

    /// The register of an element; the indices must be in range.
    pub fn get(&self, row: usize, column: usize) -> u64 {
        self.registers.get(row * self.columns + column)
    }

    /// Appends to `to` the elements of one row in these columns, which must be in range. A row
    /// beyond the matrix appends nothing.
    pub(super) fn copy_along(&self, row: usize, columns: Range<usize>, to: &mut ColumnData) {
        if row < self.rows {
            let start = row * self.columns;
            to.copy(&self.registers, start + columns.start..start + columns.end);
        }
    }

    /// Appends to `to` the elements of one column in these rows, which must be in range. A column
    /// beyond the matrix appends nothing.
    pub(super) fn copy_down(&self, column: usize, rows: Range<usize>, to: &mut ColumnData) {
        if column < self.columns {
            let part = rows.start * self.columns + column..rows.end * self.columns;
            to.copy_each(&self.registers, part, self.columns);
        }
    }

    /// All registers, row by row, as they are stored.
    pub fn data(&self) -> &ColumnData {
        &self.registers
    }

    /// All registers, row by row.
    pub fn registers(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.rows * self.columns).map(|index| self.registers.get(index))
    }
}
