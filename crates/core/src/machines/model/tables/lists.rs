//! The architectures and libraries of all tables.

use super::built_in::{CONVERSIONS, DESCRIBED, LIBRARIES, TABLES, UNMODELLED};
use super::read::read_table;
use super::row::Architecture;
use super::state;
use crate::machines::model::error::ModelError;
use std::sync::OnceLock;

/// The texts of the tables of all architectures and libraries that have rows, and all texts of
/// added folders.
pub fn table_texts() -> impl Iterator<Item = &'static str> {
    let built_in = TABLES.iter().chain(DESCRIBED).chain(LIBRARIES);
    let built_in = built_in.chain(CONVERSIONS).copied();
    built_in.chain(state::texts())
}

/// The result of reading the tables: the architectures, or the error in one of the tables.
type TableCache = OnceLock<Result<Vec<Architecture>, String>>;

/// Every architecture, those of one vendor together, oldest first; architectures of added folders
/// come last.
///
/// # Errors
/// If a table of the program is wrong, which its tests rule out.
pub fn architectures() -> Result<&'static [Architecture], ModelError> {
    static PARSED: TableCache = OnceLock::new();
    let built_in = read(&PARSED, TABLES)?;
    Ok(state::architectures().unwrap_or(built_in))
}

/// Every architecture whose rows are descriptions or single operations of IEEE 754.
///
/// # Errors
/// If a table of the program is wrong, which its tests rule out.
pub fn described() -> Result<&'static [Architecture], ModelError> {
    static PARSED: TableCache = OnceLock::new();
    read(&PARSED, DESCRIBED)
}

/// Every library, as an architecture whose rows are compositions.
///
/// # Errors
/// If a table of the program is wrong, which its tests rule out.
pub fn libraries() -> Result<&'static [Architecture], ModelError> {
    static PARSED: TableCache = OnceLock::new();
    read(&PARSED, LIBRARIES)
}

/// Every table of conversions, of instructions and of libraries.
///
/// # Errors
/// If a table of the program is wrong, which its tests rule out.
pub fn conversions() -> Result<&'static [Architecture], ModelError> {
    static PARSED: TableCache = OnceLock::new();
    read(&PARSED, CONVERSIONS)
}

/// Every architecture without rows: the arithmetic of its instructions is not known.
///
/// # Errors
/// If a table of the program is wrong, which its tests rule out.
pub fn unmodelled() -> Result<&'static [Architecture], ModelError> {
    static PARSED: TableCache = OnceLock::new();
    read(&PARSED, UNMODELLED)
}

fn read(
    parsed: &'static TableCache,
    tables: &[&str],
) -> Result<&'static [Architecture], ModelError> {
    match parsed.get_or_init(|| tables.iter().map(|text| read_table(text)).collect()) {
        Ok(architectures) => Ok(architectures),
        Err(what) => Err(ModelError::Table {
            table: "models".into(),
            what: what.clone(),
        }),
    }
}
