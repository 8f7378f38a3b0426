//! Errors of vector files.

use thiserror::Error;

/// The most bytes of a line: 4 MiB. No vector of 65,536 products has more.
pub(super) const LONGEST: usize = 1 << 22;

/// An error in a vector file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VectorError {
    /// A line is not a vector of the signature.
    #[error("line {line}, column {column}: expected {expected}, found {found}")]
    Malformed {
        /// The line number, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The expected text.
        expected: String,
        /// The text found instead.
        found: String,
    },
    /// A line has operands and no result.
    #[error(
        "line {line}, column {column}: expected a space and the result d, found the end of the line: operands without a result"
    )]
    NoResult {
        /// The line number, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
    },
    /// A line is one hexadecimal word, as in a file that has results alone.
    #[error(
        "line {line}, column 1: expected operands, found one word, `{found}`, as in a file of results alone"
    )]
    OneWord {
        /// The line number, from 1.
        line: usize,
        /// The word.
        found: String,
    },
    /// The file could not be read.
    #[error("line {line}: {error}")]
    Unreadable {
        /// The line number, from 1.
        line: usize,
        /// The system's error.
        error: std::io::Error,
    },
    /// A line is too long to be a vector.
    #[error(
        "line {line}: expected at most {LONGEST} bytes, found more; is this a file of vectors, one on each line?"
    )]
    TooLong {
        /// The line number, from 1.
        line: usize,
    },
    /// The file declares operands of another kind.
    #[error(
        "line {line}: the file says `{found}`, the model has `{expected}`; give a model of these formats"
    )]
    OtherSignature {
        /// The line number, from 1.
        line: usize,
        /// The declaration in the file.
        found: String,
        /// The expected declaration.
        expected: String,
    },
    /// The file has results of several models.
    #[error(
        "line {line}: expected the results of one model{wanted}, found those of {found}; write a file of each"
    )]
    WhichResults {
        /// The line number, from 1.
        line: usize,
        /// The model whose results are wanted, if any.
        wanted: String,
        /// The models whose results the file has.
        found: String,
    },
    /// The file has more vectors than may be kept in memory at once.
    #[error(
        "line {line}: expected at most {most} registers in all, found more; all are kept in memory, so split the file"
    )]
    TooMany {
        /// The line number, from 1.
        line: usize,
        /// The most registers that may be kept.
        most: usize,
    },
    /// The file has no vector, so that nothing is checked.
    #[error("expected vectors, one on each line, found none")]
    NoVectors,
    /// The arrays of an archive are not as `gen` or NumPy write them.
    #[error("{array}: expected {expected}, found {found}")]
    Archive {
        /// The archive, or one of its arrays.
        array: String,
        /// The expected content.
        expected: String,
        /// The content found instead.
        found: String,
    },
    /// The file does not exist or cannot be opened.
    #[error("{0}")]
    Closed(std::io::Error),
}

impl VectorError {
    /// The same error with its line number increased by `lines`.
    pub(super) fn after(mut self, lines: usize) -> Self {
        use VectorError::*;
        match &mut self {
            Malformed { line, .. }
            | NoResult { line, .. }
            | OneWord { line, .. }
            | Unreadable { line, .. }
            | TooLong { line }
            | OtherSignature { line, .. }
            | WhichResults { line, .. }
            | TooMany { line, .. } => *line += lines,
            NoVectors | Archive { .. } | Closed(_) => {}
        }
        self
    }
}
