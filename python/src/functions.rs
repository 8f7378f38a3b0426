//! Models and formats as functions in SMT-LIB.

use crate::operands::{format, model, wrong};
use mmasmt_questions::circuits::export::{
    ExportAdditions, Function, functions, functions_of_format,
};
use pyo3::prelude::*;

/// The definitions of a model as the function `name` and, if wanted, of its stages.
#[pyfunction]
pub(crate) fn smt_function(name: &str, specification: &str, stages: bool) -> PyResult<String> {
    let function = Function {
        name: name.into(),
        model: model(specification)?.as_ref().clone(),
    };
    let beside = ExportAdditions {
        stages,
        ..ExportAdditions::default()
    };
    functions(&[function], beside).map_err(wrong)
}

/// The definitions of `finite.FORMAT`, `value.FORMAT` and `real.FORMAT`.
#[pyfunction]
pub(crate) fn smt_format(name: &str) -> PyResult<String> {
    let beside = ExportAdditions {
        stages: false,
        values: true,
        reals: true,
    };
    Ok(functions_of_format(format(name)?, beside))
}
