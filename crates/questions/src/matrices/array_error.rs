//! Errors of arrays in files.

use super::stack::python;
use mmasmt_core::numbers::float::Format;
use std::io;
use thiserror::Error;

/// An error of an array.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ArrayError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The array is not of the expected kind.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// The expected kind.
        expected: String,
        /// The kind found.
        found: String,
    },
    /// An element is not a number of the format.
    #[error("element {} is {value}, which {format} does not have: {advice}", python(.index))]
    NotHeld {
        /// Its index.
        index: Vec<usize>,
        /// Its value.
        value: String,
        /// The wanted format.
        format: Format,
        /// A remedy.
        advice: &'static str,
    },
    /// A register with bits above those of the format.
    #[error("element {} is 0x{register:x}: registers of {} bits ({format}) expected", python(.index), .format.width())]
    TooWide {
        /// Its index.
        index: Vec<usize>,
        /// Its value.
        register: u64,
        /// The wanted format.
        format: Format,
    },
}

pub(super) fn unexpected([expected, found]: [String; 2]) -> ArrayError {
    ArrayError::Unexpected { expected, found }
}
