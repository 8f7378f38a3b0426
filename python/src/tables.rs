//! Tables and descriptions that a user brings.

use crate::operands::wrong;
use mmasmt_core::machines::model;
use pyo3::prelude::*;
use std::path::PathBuf;

/// Adds the tables and descriptions of a folder.
#[pyfunction]
pub(crate) fn add_tables(folder: PathBuf) -> PyResult<()> {
    model::add_tables(&folder).map_err(wrong)
}

/// Adds the folders that `MMASMT_TABLES` names.
pub(crate) fn add_tables_of_environment() -> PyResult<()> {
    let added = model::add_tables_of_environment();
    added.map_err(|error| wrong(format!("MMASMT_TABLES: {error}")))
}
