//! The reason that a tape cannot be printed.

use crate::tape::instruction::Code;
use thiserror::Error;

/// An instruction that has no text.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "expected operations of a whole tape with types that its lowering makes, found {code:?} of {operands} operands"
)]
pub struct PrintError {
    /// The operation.
    pub code: Code,
    /// The number of its operands.
    pub operands: usize,
}
