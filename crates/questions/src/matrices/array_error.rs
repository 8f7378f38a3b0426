//! What is wrong with an array in a file.

use super::stack::python;
use mmasmt_core::numbers::float::Format;
use std::io;
use thiserror::Error;

/// What is wrong with an array.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ArrayError {
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is not what is wanted.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// What would do.
        expected: String,
        /// What is there.
        found: String,
    },
    /// An element is no number of the format.
    #[error("element {} is {value}, which {format} does not have: {advice}", python(.index))]
    NotHeld {
        /// Its index.
        index: Vec<usize>,
        /// What it is.
        value: String,
        /// What was wanted.
        format: Format,
        /// What to do.
        advice: &'static str,
    },
    /// A register with bits above those of the format.
    #[error("element {} is 0x{register:x}: registers of {} bits ({format}) expected", python(.index), .format.width())]
    TooWide {
        /// Its index.
        index: Vec<usize>,
        /// What it is.
        register: u64,
        /// What was wanted.
        format: Format,
    },
}

pub(super) fn unexpected([expected, found]: [String; 2]) -> ArrayError {
    ArrayError::Unexpected { expected, found }
}
