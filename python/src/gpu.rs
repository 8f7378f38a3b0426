//! Products of tensors that are in the memory of a GPU, without copies.

use crate::operands::{model, wrong};
use crate::products::detached;
use mmasmt_core::machines::algorithms::Operand;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::matrices::device::{View, Views, multiply_views};
use pyo3::prelude::*;

/// An address, and the distances from a row and from a column to the next one.
type Matrix = (u64, u64, u64);

/// Writes `D = A B + C` to the memory at `d`; the reason if the GPU is not used for the model. `c` is an address, 0 for zeros.
///
/// The package calls it with the addresses of tensors that live until it returns.
#[pyfunction]
#[pyo3(signature = (name, ordinal, extents, operands, scales, c, d))]
#[expect(
    clippy::too_many_arguments,
    reason = "the package gives them by position"
)]
#[allow(unsafe_code, reason = "addresses of tensors are what the package has")]
pub(crate) fn matmul_in_place(
    py: Python<'_>,
    name: &str,
    ordinal: usize,
    extents: [usize; 3],
    operands: (Matrix, Matrix),
    scales: Option<(Matrix, Matrix)>,
    c: u64,
    d: u64,
) -> PyResult<Option<String>> {
    let model = model(name)?;
    let view = |(address, down, along): Matrix| View {
        address,
        down,
        along,
    };
    let mut all = vec![
        (Operand::A, view(operands.0)),
        (Operand::B, view(operands.1)),
    ];
    if let Some((a, b)) = scales {
        all.extend([(Operand::AScales, view(a)), (Operand::BScales, view(b))]);
    }
    let views = Views {
        extents,
        operands: all,
        c: (c != 0).then_some(c),
        d,
    };
    let work = |interrupt| {
        let limits = Limits::interruptible(interrupt);
        // SAFETY: the package has checked types and extents of the tensors, and holds them.
        unsafe { multiply_views(ordinal, &model, &views, &limits) }
    };
    detached(py, work)?.map_err(wrong)
}
