//! A matrix B of several products: its registers, and what was computed of them.

use crate::operands::{model, wrong};
use crate::registers::{Bits, Registers, stack};
use mmasmt_questions::matrices::{PackedMatrix, Stack};
use pyo3::prelude::*;

/// The registers of a matrix B, with what products by one model compute of it and keep, at most so many bytes.
#[pyclass(frozen)]
pub(crate) struct PackedOperand {
    pub(crate) stack: Stack,
    pub(crate) packed: PackedMatrix,
}

#[pymethods]
impl PackedOperand {
    #[new]
    fn new(name: &str, b: Registers<'_>, most: usize) -> PyResult<PackedOperand> {
        let model = model(name)?;
        if b.1.len() != 2 {
            return Err(wrong(format!(
                "b: expected two dimensions, found shape {:?}",
                b.1
            )));
        }
        let stack = stack("b", model.signature().b, &b)?;
        let packed = PackedMatrix::new(&model, most)
            .ok_or_else(|| wrong("model: expected one with a unit, found none"))?;
        Ok(PackedOperand { stack, packed })
    }

    /// The bytes that are kept beside the registers.
    fn bytes(&self) -> usize {
        self.packed.bytes()
    }
}

/// A number that is another one where registers were changed: surely if one word was, else but for chance (2^-64).
#[pyfunction]
pub(crate) fn fingerprint(bits: Bits<'_>) -> PyResult<u64> {
    Ok(match bits {
        Bits::U8(bits) => of_words(bits.as_slice().map_err(wrong)?),
        Bits::U16(bits) => of_words(bits.as_slice().map_err(wrong)?),
        Bits::U32(bits) => of_words(bits.as_slice().map_err(wrong)?),
        Bits::U64(bits) => of_words(bits.as_slice().map_err(wrong)?),
    })
}

/// The numbers that are computed side by side, each of every eighth word.
const ABREAST: usize = 8;
/// An odd number with as many ones as zeros, from the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

fn of_words<T: Copy + Into<u64>>(registers: &[T]) -> u64 {
    let each = 8 / size_of::<T>();
    let word = |some: &[T]| {
        let bits = 8 * size_of::<T>() as u32;
        let all = (0..).zip(some);
        all.fold(0u64, |word, (at, register)| {
            word | (*register).into() << (at * bits % 64)
        })
    };
    let mut state = [registers.len() as u64; ABREAST];
    let mut take = |row: &[T]| {
        for (state, some) in state.iter_mut().zip(row.chunks(each)) {
            *state = (*state ^ word(some)).wrapping_mul(FACTOR).rotate_left(29);
        }
    };
    let rows = registers.chunks_exact(each * ABREAST);
    let rest = rows.remainder();
    rows.for_each(&mut take);
    take(rest);
    let joined = |sum: u64, state: &u64| (sum ^ state).wrapping_mul(FACTOR).rotate_left(29);
    state.iter().fold(0, joined)
}
