//! Tables and descriptions that a user brings.

use crate::operands::{TABLES, wrong};
use mmasmt_core::machines::model;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

/// Adds the tables and descriptions of a folder.
#[pyfunction]
pub(crate) fn add_tables(folder: PathBuf) -> PyResult<()> {
    let added = model::add_tables(&folder).map_err(wrong);
    TABLES.fetch_add(1, Ordering::Release);
    added
}

/// Adds the folders that `MMASMT_TABLES` names.
pub(crate) fn add_tables_of_environment() -> PyResult<()> {
    let added = model::add_tables_of_environment();
    added.map_err(|error| wrong(format!("MMASMT_TABLES: {error}")))
}
