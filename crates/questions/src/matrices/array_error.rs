//! Errors of arrays in files.

use super::stack::python;
use mmasmt_numbers::float::Format;
use std::io;
use thiserror::Error;

/// An error in reading or writing an array.
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
        /// The index of the element.
        index: Vec<usize>,
        /// The value of the element.
        value: String,
        /// The wanted format.
        format: Format,
        /// Advice on what to do instead.
        advice: &'static str,
    },
    /// A register has bits above the width of the format.
    #[error("element {}: expected a register of {} bits ({format}), found 0x{register:x}", python(.index), .format.width())]
    TooWide {
        /// The index of the element.
        index: Vec<usize>,
        /// The register of the element.
        register: u64,
        /// The wanted format.
        format: Format,
    },
}

pub(super) fn unexpected([expected, found]: [String; 2]) -> ArrayError {
    ArrayError::Unexpected { expected, found }
}
