//! The functions behind the Python package: products of matrices, dot-adds, tables of plans, learning, and every command of the program.

mod commands;
mod functions;
#[cfg(feature = "cuda")]
mod gpu;
mod learning;
mod operands;
mod packed;
mod plans;
mod products;
mod registers;
mod tables;
mod threads;

use pyo3::prelude::*;

/// The part of the package that is written in Rust.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(operands::signature, module)?)?;
    module.add_function(wrap_pyfunction!(operands::parse, module)?)?;
    module.add_function(wrap_pyfunction!(operands::show_register, module)?)?;
    module.add_function(wrap_pyfunction!(products::matmul, module)?)?;
    #[cfg(feature = "cuda")]
    module.add_function(wrap_pyfunction!(gpu::matmul_in_place, module)?)?;
    module.add_class::<packed::PackedOperand>()?;
    module.add_function(wrap_pyfunction!(packed::fingerprint, module)?)?;
    module.add_function(wrap_pyfunction!(products::dot, module)?)?;
    module.add_function(wrap_pyfunction!(products::exact, module)?)?;
    module.add_function(wrap_pyfunction!(products::explain_html, module)?)?;
    module.add_function(wrap_pyfunction!(tables::add_tables, module)?)?;
    module.add_function(wrap_pyfunction!(functions::smt_function, module)?)?;
    module.add_function(wrap_pyfunction!(functions::smt_format, module)?)?;
    module.add_class::<plans::PlanTable>()?;
    module.add_function(wrap_pyfunction!(learning::learn, module)?)?;
    module.add_function(wrap_pyfunction!(learning::operand_formats, module)?)?;
    module.add_function(wrap_pyfunction!(commands::command, module)?)?;
    module.add_function(wrap_pyfunction!(commands::main, module)?)?;
    tables::add_tables_of_environment()
}
