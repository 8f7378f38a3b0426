//! Registers that Python has as unsigned integers, and matrices of them.

use crate::operands::wrong;
use mmasmt_core::columns::batch::ColumnData;
use mmasmt_core::numbers::float::Format;
use mmasmt_questions::matrices::{Matrix, Stack};
use numpy::{
    Element, PyArrayDescrMethods, PyReadonlyArray1, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::prelude::*;

/// Registers in the order of memory, in the narrowest type that holds them.
pub(crate) enum Bits<'py> {
    U8(PyReadonlyArray1<'py, u8>),
    U16(PyReadonlyArray1<'py, u16>),
    U32(PyReadonlyArray1<'py, u32>),
    U64(PyReadonlyArray1<'py, u64>),
}

impl<'py> FromPyObject<'_, 'py> for Bits<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Bits<'py>> {
        // Each type that does not fit would be put into words, which takes as long as a small product.
        match object.cast::<PyUntypedArray>()?.dtype().itemsize() {
            1 => Ok(Bits::U8(object.extract()?)),
            2 => Ok(Bits::U16(object.extract()?)),
            4 => Ok(Bits::U32(object.extract()?)),
            _ => Ok(Bits::U64(object.extract()?)),
        }
    }
}

impl Bits<'_> {
    pub(crate) fn data(&self) -> PyResult<ColumnData> {
        Ok(match self {
            Bits::U8(bits) => ColumnData::U8(bits.as_slice().map_err(wrong)?.to_vec()),
            Bits::U16(bits) => ColumnData::U16(bits.as_slice().map_err(wrong)?.to_vec()),
            Bits::U32(bits) => ColumnData::U32(bits.as_slice().map_err(wrong)?.to_vec()),
            Bits::U64(bits) => ColumnData::U64(bits.as_slice().map_err(wrong)?.to_vec()),
        })
    }

    /// As 64-bit integers.
    pub(crate) fn words(&self) -> PyResult<Vec<u64>> {
        fn widened<T: Copy + Into<u64> + Element>(
            bits: &PyReadonlyArray1<'_, T>,
        ) -> PyResult<Vec<u64>> {
            let bits = bits.as_slice().map_err(wrong)?;
            Ok(bits.iter().map(|bits| (*bits).into()).collect())
        }
        match self {
            Bits::U8(bits) => widened(bits),
            Bits::U16(bits) => widened(bits),
            Bits::U32(bits) => widened(bits),
            Bits::U64(bits) => widened(bits),
        }
    }
}

/// Registers, and the shape that they have.
pub(crate) type Registers<'py> = (Bits<'py>, Vec<usize>);

/// The matrices of registers whose shape ends with rows and columns.
///
/// # Errors
/// If there are too few dimensions, or another number of registers.
pub(crate) fn stack(
    name: &str,
    format: Format,
    (registers, shape): &Registers<'_>,
) -> PyResult<Stack> {
    let [batch @ .., rows, columns] = &shape[..] else {
        return Err(wrong(format!(
            "{name}: expected at least two dimensions, found shape {shape:?}"
        )));
    };
    let all = registers.data()?;
    let size = rows * columns;
    let count: usize = batch.iter().product();
    let wrong_size = || {
        wrong(format!(
            "{name}: expected as many elements as its shape {shape:?} has"
        ))
    };
    if count == 1 {
        let matrix = Matrix::of(format, [*rows, *columns], all);
        let stack = matrix.and_then(|one| Stack::new(batch, format, [*rows, *columns], vec![one]));
        return stack.ok_or_else(wrong_size);
    }
    let matrices = (0..count).map(|number| {
        let part = number * size..(number + 1) * size;
        let mut own = ColumnData::new(&format);
        (part.end <= all.len()).then(|| own.copy(&all, part))?;
        Matrix::of(format, [*rows, *columns], own)
    });
    let matrices: Option<Vec<Matrix>> = matrices.collect();
    matrices
        .and_then(|matrices| Stack::new(batch, format, [*rows, *columns], matrices))
        .ok_or_else(wrong_size)
}
